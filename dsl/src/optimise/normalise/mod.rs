//! Bodies that every target can print: each value can be computed whatever branch was taken, no output is computed for
//! nobody, and what is the same for the whole run is a derived word.

pub(super) mod alike;
pub(super) mod arms;
pub(super) mod contract;
pub(super) mod derive;
pub(super) mod divide;
pub(super) mod guards;
pub(super) mod subsets;

pub use contract::contract;
pub use derive::{Derive, Formula, Part, Word};
pub use divide::{Magic, magic, quotient, quotient_of_constant};
pub use guards::clamp_indices;
pub use subsets::subsets;
