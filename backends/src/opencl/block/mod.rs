//! Block functions: what a work-item computes for its block.

mod anywhere;
mod expression;
mod filling;
mod loops;
mod operation;
pub mod reads;
mod row_groups;
pub mod row_lanes;
mod stores;
pub mod tile_arrays;
mod tiles;
mod value_names;
pub mod writer;
