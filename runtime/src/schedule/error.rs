//! Why a scheduler could not run everything.

/// Why a scheduler could not run everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// A part panicked.
    #[error("a part of the run panicked")]
    Panicked,
    /// The scheduler has no thread to run on.
    #[error("the scheduler has stopped")]
    Stopped,
}
