//! The scheduler and the memory pools under every interleaving of their threads that matters.
//!
//! `RUSTFLAGS="--cfg loom" cargo test --package windrow-runtime --test loom`

#![cfg(loom)]

use std::{alloc::Layout, ptr::NonNull, sync::Arc};

use loom::{
    cell::UnsafeCell,
    model::Builder,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};
use windrow_runtime::{
    DynKernel, RunError, ScheduleError, Scheduler, Split, Splits, TensorInfo, ThreadInfo, Window,
    memory::{Allocator, Heap, MemoryError, MemoryGroup, MemoryManager, MemoryRecording, Planner},
    schedule::{schedule_with_scratch, share},
};

fn model(check: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    // More preemptions find nothing more in so little code, and take minutes.
    builder.preemption_bound = Some(3);
    builder.check(check);
}

/// Calls each of `calls` on a thread of its own.
struct Threads {
    calls: &'static [usize],
    split: Split,
}

impl Scheduler for Threads {
    fn num_threads(&self) -> usize {
        2
    }

    fn run(&self, _workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        // SAFETY: the threads are joined before this returns; the model checker has no scoped ones.
        let worker: &'static (dyn Fn(usize) + Sync) = unsafe { std::mem::transmute(worker) };
        let threads: Vec<_> = self.calls.iter().map(|&index| thread::spawn(move || worker(index))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        Ok(())
    }

    fn split(&self) -> Split {
        self.split
    }

    fn grain(&self) -> usize {
        1
    }
}

/// Rows, and a cell for each row and for each thread, whose use at the same time the checker reports.
struct Rows {
    rows: Vec<UnsafeCell<usize>>,
    threads: Vec<UnsafeCell<usize>>,
    fails: bool,
}

// SAFETY: the cells are checked.
unsafe impl Sync for Rows {}

impl Rows {
    fn new(rows: usize, fails: bool) -> Rows {
        let cells = |count| (0..count).map(|_| UnsafeCell::new(0)).collect();
        Rows { rows: cells(rows), threads: cells(2), fails }
    }

    fn counts(&self) -> Vec<usize> {
        // SAFETY: no other thread is left.
        self.rows.iter().map(|row| row.with(|row| unsafe { *row })).collect()
    }
}

impl DynKernel for Rows {
    fn name(&self) -> &str {
        "rows"
    }

    fn window(&self) -> Window {
        Window::covering([0; 6], [1, self.rows.len(), 1, 1, 1, 1], (1, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        1
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the id is this thread's alone, and so are the rows: the checker sees to both.
        self.threads[thread.id].with_mut(|count| unsafe { *count += 1 });
        thread.scratch[0] += 1;
        for row in window.dimension(1).start()..window.dimension(1).end() {
            self.rows[row].with_mut(|row| unsafe { *row += 1 });
        }
        if self.fails { Err(RunError::Kernel { reason: "on purpose" }) } else { Ok(()) }
    }
}

fn run(calls: &'static [usize], split: Split, rows: usize, fails: bool) -> (Result<(), RunError>, Vec<usize>) {
    let mut kernel = Rows::new(rows, fails);
    let window = kernel.window();
    let result = schedule_with_scratch(&Threads { calls, split }, &mut kernel, &window, &mut [0; 191]);
    (result, kernel.counts())
}

#[test]
fn every_row_is_computed_once_under_a_dynamic_split() {
    model(|| {
        let (result, counts) = run(&[0, 1], Split::Dynamic { parts: 2 }, 4, false);
        assert_eq!((result, counts), (Ok(()), vec![1; 4]));
    });
}

#[test]
fn a_worker_that_is_called_twice_at_once_is_one_thread() {
    for split in [Split::Static, Split::Dynamic { parts: 1 }] {
        model(move || {
            let (result, counts) = run(&[0, 1, 0], split, 2, false);
            assert_eq!((result, counts), (Ok(()), vec![1; 2]));
        });
    }
}

#[test]
fn errors_at_the_same_time_are_one_error() {
    model(|| {
        let (result, _) = run(&[0, 1], Split::Dynamic { parts: 2 }, 4, true);
        assert_eq!(result, Err(RunError::Kernel { reason: "on purpose" }));
    });
}

#[test]
fn shared_workers_run_once_and_before_the_caller_returns() {
    for (workers, helpers) in [(2, 1), (3, 1), (3, 2)] {
        model(move || {
            let mut kernel = Rows::new(workers, false);
            let (rows, mut threads) = (&kernel, Vec::new());
            // SAFETY: a worker's row is its own: the checker sees to it.
            let worker = |index: usize| rows.rows[index].with_mut(|row| unsafe { *row += 1 });
            let run = share(workers, &worker, |task| {
                if threads.len() < helpers {
                    threads.push(thread::spawn(move || task.run()));
                }
            });
            assert_eq!(run, Ok(()));
            // Exclusive while a thread that came late may still look for work.
            kernel.rows.iter_mut().for_each(|row| row.with_mut(|row| unsafe { assert_eq!(*row, 1) }));
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }
}

fn group(pools: usize) -> (Arc<MemoryManager>, MemoryGroup) {
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let mut recording = MemoryRecording::managed(&manager);
    let tensor = recording.begin_lifetime(TensorInfo::of::<u8>(&[8]).unwrap());
    recording.end_lifetime(tensor).unwrap();
    let group = recording.finish().unwrap();
    manager.populate(Arc::new(Heap), pools).unwrap();
    (manager, group)
}

#[test]
fn a_thread_that_waits_for_a_pool_gets_it_and_has_it_alone() {
    model(|| {
        let (manager, group) = group(1);
        let shared = Arc::new((group, AtomicUsize::new(0)));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let _acquired = shared.0.acquire().unwrap();
                    assert_eq!(shared.1.fetch_add(1, Relaxed), 0, "the pool has two users");
                    shared.1.fetch_sub(1, Relaxed);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(manager.counters().live, 0);
        manager.clear().unwrap();
    });
}

#[test]
fn a_thread_that_does_not_wait_gets_a_pool_or_an_error() {
    model(|| {
        let (manager, group) = group(1);
        let group = Arc::new(group);
        let other = {
            let group = Arc::clone(&group);
            thread::spawn(move || group.try_acquire().map(drop).err())
        };
        let own = group.try_acquire().map(drop).err();
        for error in [own, other.join().unwrap()].into_iter().flatten() {
            assert_eq!(error, MemoryError::Exhausted { pools: 1 });
        }
        assert_eq!(manager.counters().live, 0);
    });
}

/// Has no memory left once it has been told so.
struct Failing(std::sync::atomic::AtomicBool);

// SAFETY: the memory is the heap's.
unsafe impl Allocator for Failing {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        if self.0.load(std::sync::atomic::Ordering::SeqCst) { None } else { Heap.allocate(layout) }
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { Heap.deallocate(memory, layout) };
    }
}

#[test]
fn pools_made_anew_wake_all_that_wait() {
    for fails in [false, true] {
        model(move || {
            let (manager, group) = group(1);
            let group = Arc::new(group);
            let held = group.acquire().unwrap();
            let waiting = || {
                let group = Arc::clone(&group);
                thread::spawn(move || group.acquire().map(drop).err())
            };
            let threads = [waiting(), waiting()];
            drop(held);
            let filled = manager.populate(Arc::new(Failing(fails.into())), 1);
            let found = threads.map(|thread| thread.join().unwrap());
            let none = found.iter().flatten().all(|error| *error == MemoryError::NotPopulated);
            assert!(none && (fails || found == [None, None]), "{filled:?} {found:?}");
        });
    }
}

#[test]
fn pools_are_cleared_only_while_nobody_has_one() {
    model(|| {
        let (manager, group) = group(1);
        let other = thread::spawn(move || match group.acquire() {
            Ok(_acquired) => true,
            Err(error) => {
                assert_eq!(error, MemoryError::NotPopulated);
                false
            }
        });
        let cleared = manager.clear();
        let acquired = other.join().unwrap();
        assert!(cleared.is_ok() || acquired, "{cleared:?}");
        assert_eq!(manager.counters().live, 0);
    });
}
