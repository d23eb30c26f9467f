//! Who runs the parts of a run: the caller's thread, rayon's threads, or a host's own.

/// Runs the parts of a window.
///
/// A host with its own threads implements it; nothing that an implementation does wrong is unsafe: a part that is asked
/// for twice is run once, and parts that are left out make the run an error.
pub trait Scheduler {
    /// How many parts to cut a run over `elements` elements into.
    fn parts(&self, elements: usize) -> usize;

    /// Calls `task` once with each index below `parts`, in any order and on any threads, and returns when all are done.
    fn run(&self, parts: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError>;
}

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

/// Everything on the caller's thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Scheduler for Serial {
    fn parts(&self, _elements: usize) -> usize {
        1
    }

    fn run(&self, parts: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        (0..parts).for_each(task);
        Ok(())
    }
}

#[cfg(feature = "std")]
pub use parallel::Rayon;

#[cfg(feature = "std")]
mod parallel {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rayon::prelude::*;

    use super::{ScheduleError, Scheduler};

    /// Elements below which another thread costs more than it brings.
    const GRAIN: usize = 1 << 14;

    /// One part for each thread of rayon's global pool, or of a pool that the host supplies.
    #[derive(Clone, Copy, Debug)]
    pub struct Rayon<'p> {
        pool: Option<&'p rayon::ThreadPool>,
        grain: usize,
    }

    impl Default for Rayon<'_> {
        fn default() -> Self {
            Rayon { pool: None, grain: GRAIN }
        }
    }

    impl<'p> Rayon<'p> {
        /// On rayon's global pool.
        pub fn new() -> Rayon<'static> {
            Rayon::default()
        }

        /// On this pool.
        pub fn on(pool: &'p rayon::ThreadPool) -> Rayon<'p> {
            Rayon { pool: Some(pool), grain: GRAIN }
        }

        /// With parts of at least `elements` elements; 1 cuts even the smallest image.
        #[must_use]
        pub fn with_grain(self, elements: usize) -> Rayon<'p> {
            Rayon { grain: elements.max(1), ..self }
        }
    }

    impl Scheduler for Rayon<'_> {
        fn parts(&self, elements: usize) -> usize {
            let threads = self.pool.map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads);
            threads.min(elements / self.grain).max(1)
        }

        fn run(&self, parts: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
            let all = || (0..parts).into_par_iter().with_max_len(1).for_each(task);
            catch_unwind(AssertUnwindSafe(|| match self.pool {
                Some(pool) => pool.install(all),
                None => all(),
            }))
            .map_err(|_| ScheduleError::Panicked)
        }
    }
}
