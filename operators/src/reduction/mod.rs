//! Tensors in one dimension less.
pub mod argmax;
pub mod reduce;
pub mod rows;
