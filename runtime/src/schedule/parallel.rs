//! rayon's threads: the global pool, or one that the host supplies.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{
    error::ScheduleError,
    scheduler::{GRAIN, Scheduler, Split},
    share::share,
};

/// The threads of rayon's global pool, or of a pool that the host supplies: the default scheduler.
///
/// The caller's thread does its share, and the shares of threads that do not come. To keep to the pool's own threads, call from
/// one of them (`rayon::ThreadPool::install`).
#[derive(Debug)]
pub struct Rayon<'p> {
    pool: Option<&'p rayon::ThreadPool>,
    /// 0: as many as the pool has.
    threads: AtomicUsize,
    split: Split,
    grain: usize,
}

impl Default for Rayon<'_> {
    fn default() -> Self {
        Rayon { pool: None, threads: AtomicUsize::new(0), split: Split::Static, grain: GRAIN }
    }
}

impl<'p> Rayon<'p> {
    /// Returns the scheduler on rayon's global pool.
    pub fn new() -> Rayon<'static> {
        Rayon::default()
    }

    /// Returns the scheduler on this pool.
    pub fn on(pool: &'p rayon::ThreadPool) -> Rayon<'p> {
        Rayon { pool: Some(pool), ..Rayon::default() }
    }

    /// Returns `self` with at least `elements` elements for each thread; 1 cuts even the smallest image.
    #[must_use]
    pub fn with_grain(self, elements: usize) -> Rayon<'p> {
        Rayon { grain: elements.max(1), ..self }
    }

    /// Returns `self` with windows cut in this way.
    #[must_use]
    pub fn with_split(self, split: Split) -> Rayon<'p> {
        Rayon { split, ..self }
    }

    /// Cuts the runs from now on for `threads` threads; 0: as many as the pool has. A run under way keeps its number.
    pub fn set_num_threads(&self, threads: usize) {
        self.threads.store(threads, Ordering::Relaxed);
    }
}

impl Scheduler for Rayon<'_> {
    fn num_threads(&self) -> usize {
        match self.threads.load(Ordering::Relaxed) {
            0 => self.pool.map_or_else(rayon::current_num_threads, rayon::ThreadPool::current_num_threads),
            threads => threads,
        }
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        share(workers, worker, |task| match self.pool {
            Some(pool) => pool.spawn(|| task.run()),
            None => rayon::spawn(|| task.run()),
        })
    }

    fn split(&self) -> Split {
        self.split
    }

    fn grain(&self) -> usize {
        self.grain
    }
}

/// Returns a pool whose threads each stay on a core of their own, for [`Rayon::on`]: at most one thread a core, and all
/// of them for 0.
///
/// Where the system does not tell its cores, the threads are free. The thread that starts a run takes part in it from wherever
/// it is: start it on a thread of the pool (`install`) where that matters.
#[cfg(feature = "pinning")]
pub fn pinned_pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let threads = match (threads, cores.len()) {
        (threads, 0) => threads,
        (0, cores) => cores,
        (threads, cores) => threads.min(cores),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |index| {
            if let Some(core) = cores.get(index) {
                core_affinity::set_for_current(*core);
            }
        })
        .build()
}
