//! Tensors in one dimension less.
pub mod argmax;
pub mod reduce;
pub mod reduce_extremum;
pub mod reduce_sum_bytes;
pub mod row_argmax;
pub mod rows;
