//! Tensors in one dimension less.
pub mod argmax;
pub mod reduce;
pub mod row_argmax;
pub mod rows;
