//! Schedules: the loops around a body as data, what each of their turns computes, the order of its values, and the search for
//! the cheapest.

mod choose;
mod demand_order;
mod graph;
mod jam;
mod jam_turns;
mod nest;
mod nested;
mod rows;
mod sharing;

pub use choose::{Candidate, Choice, CostModel, Price, choose};
pub use demand_order::{has_long_sums, in_demand_order, in_row_order, last_rows, sums_over_rows};
pub use graph::Graph;
pub use jam::{count_in_rows, jam, jam_alike};
pub use jam_turns::{Jammed, free_axes, jam_turns};
pub use nest::{Loop, LoopKind, Nest};
pub use nested::{Computed, Nested, RowTurns};
pub use rows::Forms;
pub use sharing::{Byte, Deposit, Scan, Scatter, Sharing, Way, of_end, outside, sharing};
