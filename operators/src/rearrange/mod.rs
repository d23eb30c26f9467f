//! The elements of tensors in other places.
pub mod as_strided;
pub mod blocks;
pub mod concatenate;
pub mod gather;
pub mod gather_rows;
pub mod nonzero;
pub mod pad_constant;
