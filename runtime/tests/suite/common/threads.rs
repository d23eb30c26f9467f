//! A scheduler of a host's own.

use std::thread;

use windrow_runtime::{ScheduleError, Scheduler, Split};

/// So many threads, started for each run, and how they split it.
pub struct Threads(pub usize, pub Split);

impl Scheduler for Threads {
    fn num_threads(&self) -> usize {
        self.0
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
        Ok(())
    }

    fn split(&self) -> Split {
        self.1
    }

    fn grain(&self) -> usize {
        1
    }
}
