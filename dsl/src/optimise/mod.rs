//! From a checked kernel to bodies that an emitter can print: the passes that do not depend on a target.
//!
//! [`prepare`] gives one body for each choice of variants and each subset of outputs, without guards, dead code,
//! repeated values or anything that is the same for the whole run; the last becomes the [`Derive`] program. What the
//! author spelled out becomes the operation that machines have (`idioms`), in the narrowest lanes (`narrow`): both rest
//! on proved ranges. [`jam`] then copies a body over its [`Nest`]. No pass reassociates floats.

mod arms;
mod bounds;
mod builder;
mod choose;
mod contract;
mod copies;
mod dead;
mod demand_order;
mod derive;
mod divide;
mod fold;
mod forms;
mod graph;
mod guards;
mod idioms;
mod jam;
mod lanes;
mod narrow;
mod nest;
mod nested;
mod prepare;
#[cfg(test)]
mod property;
mod ranged;
mod rows;
mod shifted;
mod simplify;
mod subsets;
#[cfg(test)]
mod testing;

pub use builder::{Builder, number};
pub use choose::{Candidate, Choice, CostModel, Price, choose};
pub use contract::contract;
pub use copies::ranges_of_copies;
pub use dead::{remove_dead, without_dead};
pub use demand_order::{has_long_sums, in_demand_order, in_row_order, last_rows, sums_over_rows};
pub use derive::{Derive, Formula, Part, Word};
pub use divide::{Magic, magic, quotient, quotient_of_constant};
pub use forms::{Form, forms, separate};
pub use graph::Graph;
pub use guards::clamp_indices;
pub use jam::{count_in_rows, jam, jam_alike};
pub use lanes::{explain_lanes, lanes};
pub use nest::{Loop, LoopKind, Nest};
pub use nested::{Computed, Nested, Turns};
pub use prepare::{Prepared, prepare};
pub use rows::Forms;
pub use subsets::subsets;
