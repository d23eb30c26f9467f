//! Block functions: what a work-item computes for its block.

mod anywhere;
mod expression;
mod filling;
mod loops;
mod operation;
pub mod reads;
pub mod row_groups;
mod stores;
pub mod tile_arrays;
mod tiles;
mod value_names;
pub mod writer;
