//! The workers of one run, taken by whichever threads come: the caller's, and those that it calls for.
//!
//! The caller never waits for a thread that has not begun: it takes the workers that are left itself, and waits only for those
//! under way. So a run on threads that are busy elsewhere takes no longer than on the caller's alone, and a run inside a run
//! can't wait in a circle. A thread that comes late finds nothing left, and touches nothing of the caller's.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use super::error::ScheduleError;
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering};

/// How long a caller looks whether the others are done before it sleeps and has to be woken.
const LOOKING: Duration = Duration::from_micros(if cfg!(loom) { 0 } else { 50 });

/// Looks from one glance at the clock to the next.
const LOOKS: usize = 16;

/// Calls `worker` once with each index below `workers`, on the caller's thread and on those that `spawn` gives tasks to: the
/// whole of [`Scheduler::run`](super::Scheduler::run) for a host with threads of its own.
///
/// `spawn` is called for each worker but one. A task that runs late, or never, costs nothing but its thread's help.
///
/// ```
/// use windrow::schedule::{ScheduleError, Scheduler, Task, share};
///
/// /// The threads that receive tasks.
/// struct Threads(usize, std::sync::mpsc::Sender<Task>);
///
/// impl Scheduler for Threads {
///     fn num_threads(&self) -> usize {
///         self.0
///     }
///
///     fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
///         share(workers, worker, |task| drop(self.1.send(task)))
///     }
/// }
///
/// let (sender, receiver) = std::sync::mpsc::channel::<Task>();
/// std::thread::spawn(move || receiver.into_iter().for_each(Task::run));
/// let sum = std::sync::atomic::AtomicUsize::new(0);
/// let add = |index| _ = sum.fetch_add(index, std::sync::atomic::Ordering::Relaxed);
/// assert_eq!(Threads(2, sender).run(10, &add), Ok(()));
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub fn share(
    workers: usize,
    worker: &(dyn Fn(usize) + Sync),
    mut spawn: impl FnMut(Task),
) -> Result<(), ScheduleError> {
    let crew = Arc::new(Crew {
        worker: erased(worker),
        workers,
        next: AtomicUsize::new(0),
        left: AtomicUsize::new(workers),
        panicked: AtomicBool::new(false),
        sleep: Mutex::new(()),
        done: Condvar::new(),
    });
    let finish = Finish(&crew);
    (1..workers).for_each(|_| spawn(Task(Arc::clone(&crew))));
    drop(finish);
    if crew.panicked.load(Ordering::Relaxed) { Err(ScheduleError::Panicked) } else { Ok(()) }
}

/// A part in a run of [`share`], for another thread.
pub struct Task(Arc<Crew>);

impl Task {
    /// Helps for as long as there is work left.
    pub fn run(self) {
        self.0.work();
    }
}

impl core::fmt::Debug for Task {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Task").field("workers", &self.0.workers).finish_non_exhaustive()
    }
}

struct Crew {
    /// Lives until every worker is done: `Finish` lets nothing leave [`share`] before.
    worker: *const (dyn Fn(usize) + Sync),
    workers: usize,
    /// The next worker that nobody has taken; more where there is none.
    next: AtomicUsize,
    /// Workers that are not done.
    left: AtomicUsize,
    panicked: AtomicBool,
    sleep: Mutex<()>,
    done: Condvar,
}

// SAFETY: the pointer leads to what threads may share.
unsafe impl Send for Crew {}
// SAFETY: as above.
unsafe impl Sync for Crew {}

/// A pointer that says nothing of how long its target lives.
fn erased<'w>(worker: *const (dyn Fn(usize) + Sync + 'w)) -> *const (dyn Fn(usize) + Sync + 'static) {
    // SAFETY: the same pointer; whoever follows it must know that its target lives.
    unsafe { core::mem::transmute(worker) }
}

impl Crew {
    /// Takes workers until none is left to take.
    fn work(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.workers {
                return;
            }
            // SAFETY: this worker is not done, so that the caller still waits.
            let worker = unsafe { &*self.worker };
            if catch_unwind(AssertUnwindSafe(|| worker(index))).is_err() {
                self.panicked.store(true, Ordering::Relaxed);
            }
            if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                drop(self.sleep.lock());
                self.done.notify_all();
            }
        }
    }

    /// Returns when every worker is done.
    fn wait(&self) {
        let is_done = || self.left.load(Ordering::Acquire) == 0;
        if is_done() {
            return;
        }
        let start = Instant::now();
        while start.elapsed() < LOOKING {
            for _ in 0..LOOKS {
                if is_done() {
                    return;
                }
                core::hint::spin_loop();
            }
        }
        let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_done() {
            sleep = self.done.wait(sleep).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Does what is left to do and waits for the rest, however its scope is left.
struct Finish<'c>(&'c Crew);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.work();
        self.0.wait();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::{sync::atomic::AtomicUsize, thread, vec::Vec};

    fn counts(workers: usize) -> Vec<AtomicUsize> {
        (0..workers).map(|_| AtomicUsize::new(0)).collect()
    }

    #[test]
    fn every_worker_runs_once_whoever_comes() {
        for workers in [0, 1, 2, 7] {
            let done = counts(workers);
            let mut threads = Vec::new();
            let count = |index: usize| _ = done[index].fetch_add(1, Ordering::Relaxed);
            let run = share(workers, &count, |task| threads.push(thread::spawn(move || task.run())));
            assert_eq!(run, Ok(()));
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert!(done.into_iter().all(|count| count.into_inner() == 1));
        }
    }

    #[test]
    fn tasks_that_run_late_or_never_cost_nothing() {
        let (done, mut late) = (counts(4), Vec::new());
        let run = share(4, &|index| _ = done[index].fetch_add(1, Ordering::Relaxed), |task| late.push(task));
        assert_eq!((run, late.len()), (Ok(()), 3));
        late.pop();
        assert!(done.into_iter().all(|count| count.into_inner() == 1));
        late.into_iter().for_each(Task::run);
    }

    #[test]
    fn a_panic_is_an_error_after_the_others_are_done() {
        let done = counts(3);
        let worker = |index: usize| {
            done[index].fetch_add(1, Ordering::Relaxed);
            assert_ne!(index, 1, "on purpose");
        };
        assert_eq!(share(3, &worker, drop), Err(ScheduleError::Panicked));
        // A host's panic leaves after the work is done, too.
        let careless = catch_unwind(AssertUnwindSafe(|| share(3, &|_| worker(0), |_| panic!("on purpose"))));
        assert!(careless.is_err());
        assert!(done.into_iter().all(|count| count.into_inner() >= 1));
    }
}
