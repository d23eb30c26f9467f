//! Building bodies: each new value is folded, simplified and numbered before it is kept, and what no store needs is dropped.
//! Values that are one expression at several places are numbered together ([`shifted`]).

pub(super) mod bounds;
pub(super) mod builder;
pub(super) mod dead;
mod fold;
pub(super) mod ranged;
pub(super) mod shifted;
mod simplify;

pub use builder::{Builder, number};
pub use dead::{remove_dead, without_dead};
pub use shifted::ranges_of_copies;
