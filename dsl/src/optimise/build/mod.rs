//! Building bodies: each new value is folded, simplified and numbered before it is kept, and what no store needs is dropped.

pub(super) mod bounds;
pub(super) mod builder;
pub(super) mod dead;
mod fold;
pub(super) mod ranged;
mod simplify;

pub use builder::{Builder, number};
pub use dead::{remove_dead, without_dead};
