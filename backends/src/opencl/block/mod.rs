//! Block functions: what a work-item computes for its block.

mod anywhere;
mod expression;
mod loops;
mod operation;
pub mod reads;
mod stores;
mod value_names;
pub mod writer;
