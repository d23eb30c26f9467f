//! Entry points: their arguments, where a block is in each image, and the functions that lead to it.

pub mod arguments;
pub mod function;
mod groups;
pub mod places;
