//! Who supplies the threads of a run, how it cuts a window, and who observes its parts.

use super::error::ScheduleError;

/// Elements that a thread is given at least, unless a scheduler says otherwise: fewer cost more to hand over than to compute.
pub const GRAIN: usize = 1 << 14;

/// Runs the parts of a window.
///
/// A host with its own threads implements the first two functions; nothing that an implementation does wrong is unsafe: a
/// worker that is called twice does nothing the second time, and parts that are left out make the run an error.
///
/// ```
/// use windrow::schedule::{ScheduleError, Scheduler};
///
/// /// A new thread for each worker.
/// struct Threads(usize);
///
/// impl Scheduler for Threads {
///     fn num_threads(&self) -> usize {
///         self.0
///     }
///
///     fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
///         std::thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
///         Ok(())
///     }
/// }
/// ```
pub trait Scheduler {
    /// Threads that a run is cut for.
    fn num_threads(&self) -> usize;

    /// Calls `worker` once with each index below `workers`, in any order and on any threads, and returns when all are done.
    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError>;

    /// Returns how the window is cut among the threads.
    fn split(&self) -> Split {
        Split::Static
    }

    /// Returns the number of elements that a thread is given at least: smaller runs take fewer threads, the smallest
    /// the caller's alone. A kernel whose elements cost little asks for several times as many
    /// ([`crate::DynKernel::grains`]), unless this is 1.
    fn grain(&self) -> usize {
        GRAIN
    }

    /// Returns who sees each part while it is computed: a profiler, say. It is asked for once a run.
    fn observer(&self) -> Option<&dyn Observer> {
        None
    }
}

/// Sees each part of a run, on the thread that computes it.
pub trait Observer: Sync {
    /// Has a part of `kernel` computed, by calling `compute`. (A part that is left out makes the run an error; a second
    /// call does nothing.)
    fn part(&self, kernel: &str, thread: usize, compute: &mut dyn FnMut());
}

/// How a window is cut among threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// One part for each thread.
    #[default]
    Static,
    /// So many parts for each thread, or as many as have some grains each. A thread computes its own, one after the other, and
    /// then what others have left: those that began late, or are held up.
    Dynamic {
        /// Parts for each thread.
        parts: usize,
    },
}

impl Split {
    /// Four parts for each thread.
    pub const DYNAMIC: Split = Split::Dynamic { parts: 4 };
}

/// A scheduler, of whose threads a run takes this many at most.
#[cfg(feature = "std")]
pub(crate) struct AtMost<'s> {
    pub scheduler: &'s dyn Scheduler,
    pub threads: usize,
}

#[cfg(feature = "std")]
impl Scheduler for AtMost<'_> {
    fn num_threads(&self) -> usize {
        self.scheduler.num_threads().min(self.threads)
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        self.scheduler.run(workers, worker)
    }

    fn split(&self) -> Split {
        self.scheduler.split()
    }

    fn grain(&self) -> usize {
        self.scheduler.grain()
    }

    fn observer(&self) -> Option<&dyn Observer> {
        self.scheduler.observer()
    }
}

/// The scheduler that runs everything on the caller's thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Scheduler for Serial {
    fn num_threads(&self) -> usize {
        1
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        (0..workers).for_each(worker);
        Ok(())
    }
}
