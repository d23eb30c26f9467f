//! What the vector targets share: a prepared body becomes a [`program::Program`] of whole-vector calls, and that becomes
//! one Rust function over `Rows`.
//!
//! A body is decomposed into what the instruction sets have, jammed over the block of a schedule, and selected. What an
//! instruction set is called and which instruction does what is the [`Target`]'s: it owns its tables, its sequences and
//! the text of its loads and stores. No file here names a target.

mod across;
mod ahead;
pub mod bits;
pub mod decompose;
pub mod dots;
mod emit;
pub mod exempt;
mod expand;
pub mod expansions;
mod in_turns;
pub mod intrinsic;
mod lane;
mod loads;
pub mod lockstep;
mod machine;
mod masks;
pub mod memory;
pub mod neighbours;
mod order;
pub mod pattern;
mod printer;
pub mod program;
mod quad;
mod results;
mod row_quads;
pub mod schedule;
pub mod select;
mod selection;
mod splat;
mod strips;
mod subject;
pub mod target;
pub mod text;
mod turns;
mod turns_schedule;
mod turns_together;
pub mod value;
mod weigh;

pub use emit::{cost_depends_on_run, emit, is_in_vectors, weights};
pub use in_turns::adds_products_of_bytes;
pub use machine::{Costs, Lanes, Machine, Masks};
pub use target::Target;
#[cfg(feature = "doors")]
pub use text::REST;
pub use weigh::{Weighed, weigh};
