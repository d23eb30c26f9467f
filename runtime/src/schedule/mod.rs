//! Who runs the parts of a run: the caller's thread, rayon's threads, or a host's own.
//!
//! A [`Scheduler`] supplies threads and says how to cut; everything else (the cut itself, ids, scratch, errors, the shared
//! counter of dynamic splits) is done here once, for every scheduler. Nothing is kept between runs, so that any number of
//! kernels may run at once.

mod dispatch;
pub(crate) mod error;
#[cfg(feature = "std")]
mod parallel;
mod scheduler;
#[cfg(feature = "std")]
mod share;
pub(crate) mod splits;

#[cfg(feature = "std")]
pub use dispatch::schedule;
pub(crate) use dispatch::{caught, is_alone, schedule_window};
pub use dispatch::{schedule_with_scratch, scratch_bytes};
pub use error::ScheduleError;
#[cfg(feature = "std")]
pub use parallel::Rayon;
#[cfg(feature = "pinning")]
pub use parallel::pinned_pool;
#[cfg(feature = "std")]
pub(crate) use scheduler::AtMost;
pub use scheduler::{GRAIN, Observer, Scheduler, Serial, Split};
#[cfg(feature = "std")]
pub use share::{Task, share};
