//! Finding the fastest schedule and work-groups of a kernel on a device, and keeping what was found.
//!
//! [`Space`] is what may be tried, level by level; [`search`] tries it with any [`Timer`]; [`TuneTable`] keeps what was
//! found; a [`Tuner`] does all of this for a kernel on a device. No tuning changes a result.

mod candidates;
mod mode;
mod search;
mod table;
mod tuned;

pub use candidates::{Candidate, ScheduleSpace, Space, TuneLevel};
pub use mode::{TUNE_VARIABLE, TuneMode};
pub use search::{Timer, TuneOutcome, TuneSettings, search};
pub use table::{InvalidTable, ShapeClass, TuneKey, TuneTable, Tuning};
pub(crate) use tuned::Tunable;
pub use tuned::{TuneApplied, Tuner};
