//! From a checked kernel to bodies that an emitter can print: the passes that do not depend on a target.
//!
//! [`prepare`] gives one body for each choice of variants and each subset of outputs, without guards, dead code,
//! repeated values or anything that is the same for the whole run; the last becomes the [`Derive`] program. What the
//! author spelled out becomes the operation that machines have (`idioms`), in the narrowest lanes (`narrow`): both rest
//! on proved ranges. [`jam`] then copies a body over its [`Nest`]. No pass reassociates floats.

mod build;
mod normalise;
mod prepare;
#[cfg(test)]
mod property;
mod restructure;
mod schedule;
#[cfg(test)]
mod testing;

pub use build::{Builder, number, ranges_of_copies, remove_dead, without_dead};
pub use normalise::{
    Derive, Formula, Magic, Part, Word, clamp_indices, contract, magic, quotient, quotient_of_constant, subsets,
};
pub use prepare::{Prepared, prepare};
pub use restructure::{Form, explain_lanes, forms, lanes, separate};
pub use schedule::{
    Byte, Candidate, Choice, Computed, CostModel, Deposit, Forms, Graph, Jammed, Loop, LoopKind, Nest, Nested, Price,
    RowTurns, Scan, Scatter, Sharing, Way, choose, count_in_rows, free_axes, has_long_sums, in_demand_order,
    in_row_order, jam, jam_alike, jam_turns, last_rows, of_end, outside, sharing, sums_over_rows,
};
