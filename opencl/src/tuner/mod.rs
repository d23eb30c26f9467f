//! Finding the fastest schedule and work-groups of a kernel on a device, and keeping what was found.
//!
//! [`Space`] is what may be tried, level by level; [`search`] tries it with any [`Timer`]; [`TuneTable`] keeps what was
//! found; a [`Tuner`] does all of this for a kernel on a device. No tuning changes a result.

pub(crate) mod candidates;
pub(crate) mod mode;
pub(crate) mod search;
pub(crate) mod table;
pub(crate) mod tuned;

pub use candidates::{Candidate, ScheduleSpace, Space, TuneLevel};
pub use mode::{TUNE_VARIABLE, TuneMode};
pub use search::{Timer, TuneOutcome, TuneSettings, search};
pub use table::{InvalidTable, ShapeClass, TuneKey, TuneTable, Tuning};
pub use tuned::{TuneApplied, Tuner};
