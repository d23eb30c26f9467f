//! Kernels behind `dyn DynKernel`: a host's own loop, ids and scratch of threads, errors and panics, every split.

#![cfg(not(miri))]

use std::{
    collections::BTreeSet,
    sync::{
        Barrier, Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use crate::common::{threads::Threads, *};
use windrow_runtime::{
    Border, DynKernel, Parts, Rayon, RunError, ScheduleError, Scheduler, Serial, Split, Splits, Tensor, ThreadInfo,
    Window, configure, kernel::SCRATCH_ALIGNMENT, schedule,
};

/// A kernel without images, which does to each part what it is told.
struct Plain<F> {
    window: Window,
    splits: Splits,
    scratch: usize,
    part: F,
}

impl<F: Fn(&Window, &mut ThreadInfo<'_>) -> Result<(), RunError> + Sync> DynKernel for Plain<F> {
    fn name(&self) -> &str {
        "plain"
    }

    fn window(&self) -> Window {
        self.window
    }

    fn splits(&self) -> Splits {
        self.splits
    }

    fn scratch_per_thread(&self) -> usize {
        self.scratch
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        (self.part)(window, thread)
    }
}

fn rows(height: usize) -> Window {
    Window::covering([0; 6], [64, height, 1, 1, 1, 1], (1, 1))
}

fn plain<F: Fn(&Window, &mut ThreadInfo<'_>) -> Result<(), RunError> + Sync>(height: usize, part: F) -> Plain<F> {
    Plain { window: rows(height), splits: Splits::NONE.along(1, 1), scratch: 0, part }
}

const SPLITS: [Split; 3] = [Split::Static, Split::DYNAMIC, Split::Dynamic { parts: 13 }];

#[test]
fn a_hosts_own_loop_runs_five_kinds_of_kernel() {
    let extents = [1, 1, 41, 70];
    let src = Tensor::from_fn(extents, |at| noise_at(1, at)).unwrap();
    let other = Tensor::from_fn(extents, |at| noise_at(2, at)).unwrap();
    let blank = || Tensor::<i32>::new(extents).unwrap();
    let (mut wide, mut far, mut diff) = (blank(), blank(), Tensor::<u8>::new(extents).unwrap());
    let (mut acc, count) = (Tensor::<i16>::new(extents).unwrap(), AtomicUsize::new(0));
    let weighted = configure::<Weighted<8, 4, 0>>(&request(&[src.info()], &[Some(wide.info())], Border::Wrap)).unwrap();
    let lopsided =
        configure::<Weighted<4, 1, 1>>(&request(&[src.info()], &[Some(far.info())], Border::Reflect)).unwrap();
    let abs =
        configure::<AbsDiff<16, 2>>(&request(&[src.info(), other.info()], &[Some(diff.info())], Border::Undefined))
            .unwrap();
    let sum = configure::<Accumulate<8, 4>>(&request(&[src.info()], &[Some(acc.info())], Border::Undefined)).unwrap();
    {
        let rows_seen = plain(41, |window, _| {
            count.fetch_add(window.iterations(1), SeqCst);
            Ok(())
        });
        let mut kernels: Vec<Box<dyn DynKernel + '_>> = vec![
            Box::new(weighted.bind(src.view(), wide.view_mut()).unwrap()),
            Box::new(lopsided.bind(src.view(), far.view_mut()).unwrap()),
            Box::new(abs.bind((src.view(), other.view()), diff.view_mut()).unwrap()),
            Box::new(sum.bind(src.view(), acc.view_mut()).unwrap()),
            Box::new(rows_seen),
        ];
        for kernel in &mut kernels {
            let parts = Parts::new(&mut **kernel, 7);
            assert!(parts.count() > 1);
            thread::scope(|scope| {
                for id in 0..3 {
                    let parts = &parts;
                    scope.spawn(move || {
                        while let Some(part) = parts.next() {
                            part.run(&mut ThreadInfo { id, threads: 3, scratch: &mut [] }).unwrap();
                        }
                    });
                }
            });
            assert_eq!(parts.done(), parts.count());
        }
        let names: Vec<_> = kernels.iter().map(|kernel| kernel.name()).collect();
        assert_eq!(names, ["weighted", "weighted", "abs_diff", "accumulate", "plain"]);
    }
    let (mut expect_wide, mut expect_far) = (blank(), blank());
    weighted.run_reference(src.view(), expect_wide.view_mut()).unwrap();
    lopsided.run_reference(src.view(), expect_far.view_mut()).unwrap();
    assert_eq!((wide.to_vec(), far.to_vec()), (expect_wide.to_vec(), expect_far.to_vec()));
    assert!(diff.to_vec().iter().zip(src.to_vec().iter().zip(other.to_vec())).all(|(d, (a, b))| *d == a.abs_diff(b)));
    assert!(acc.to_vec().iter().zip(src.to_vec()).all(|(acc, x)| *acc == i16::from(x)));
    assert_eq!(count.into_inner(), 41);
}

#[test]
fn ids_are_unique_among_the_running_parts_under_every_split() {
    for split in SPLITS {
        let running: [AtomicBool; 4] = Default::default();
        let (ids, parts) = (Mutex::new(BTreeSet::new()), AtomicUsize::new(0));
        let mut kernel = plain(400, |_, thread| {
            assert!(thread.id < 4 && thread.threads == 4);
            assert!(!running[thread.id].swap(true, SeqCst), "two parts have the id {}", thread.id);
            thread::sleep(std::time::Duration::from_micros(200));
            running[thread.id].store(false, SeqCst);
            ids.lock().unwrap().insert(thread.id);
            parts.fetch_add(1, SeqCst);
            Ok(())
        });
        schedule(&Threads(4, split), &mut kernel).unwrap();
        let expect = match split {
            Split::Static => 4,
            Split::Dynamic { parts } => 4 * parts,
        };
        assert_eq!(parts.load(SeqCst), expect, "{split:?}");
        assert!(split != Split::Static || ids.lock().unwrap().len() == 4);
    }
}

#[test]
fn each_thread_has_its_own_aligned_scratch() {
    for split in SPLITS {
        let sums: [AtomicU32; 3] = Default::default();
        let mut kernel = plain(90, |window, thread| {
            assert_eq!(thread.scratch.len(), 100);
            assert!(thread.scratch.as_ptr().addr().is_multiple_of(SCRATCH_ALIGNMENT));
            // What the part before left is still there: nobody else has written it.
            thread.scratch.iter().for_each(|byte| assert_eq!(*byte, thread.scratch[0]));
            let sum = thread.scratch[0] + window.iterations(1) as u8;
            thread.scratch.fill(sum);
            sums[thread.id].store(u32::from(sum), SeqCst);
            Ok(())
        });
        kernel.scratch = 100;
        schedule(&Threads(3, split), &mut kernel).unwrap();
        assert_eq!(sums.iter().map(|sum| sum.load(SeqCst)).sum::<u32>(), 90);
    }
}

#[test]
fn too_little_scratch_is_refused() {
    let mut kernel = plain(90, |_, _| Ok(()));
    kernel.scratch = 100;
    let window = kernel.window();
    let bytes = schedule::scratch_bytes(&Threads(3, Split::Static), &kernel);
    let mut memory = vec![0; bytes];
    let run = |kernel: &mut dyn DynKernel, memory: &mut [u8]| {
        schedule::schedule_with_scratch(&Threads(3, Split::Static), kernel, &window, memory)
    };
    assert_eq!(run(&mut kernel, &mut memory), Ok(()));
    assert_eq!(run(&mut kernel, &mut memory[..128 * 3 - 1]), Err(RunError::Scratch { found: 383, expected: 447 }));
    let parts = Parts::new(&mut kernel, 2);
    let refused = parts.take(0).unwrap().run(&mut ThreadInfo::default());
    assert_eq!(refused, Err(RunError::Scratch { found: 0, expected: 100 }));
}

#[test]
fn a_kernel_is_not_cut_where_it_may_not() {
    let whole = AtomicUsize::new(0);
    let mut kernel = plain(64, |window, _| {
        whole.fetch_add(usize::from(window.iterations(1) == 64), SeqCst);
        Ok(())
    });
    kernel.splits = Splits::NONE;
    schedule(&Threads(4, Split::DYNAMIC), &mut kernel).unwrap();
    // The trap of a kernel that ignores its window in x, and is cut there.
    kernel.splits = Splits::NONE.along(0, 1);
    let window = kernel.window();
    let strip = window.split(1, 0, 2).unwrap();
    let refused = schedule::schedule_with_scratch(&Serial, &mut kernel, &strip, &mut []);
    assert_eq!(refused, Err(RunError::Uncuttable { dimension: 1 }));
    assert_eq!(whole.into_inner(), 1);
}

#[test]
fn a_granule_bounds_the_parts_from_below() {
    let least = AtomicUsize::new(usize::MAX);
    let mut kernel = plain(100, |window, _| {
        least.fetch_min(window.iterations(1), SeqCst);
        Ok(())
    });
    kernel.splits = Splits::NONE.along(1, 30);
    schedule(&Threads(16, Split::DYNAMIC), &mut kernel).unwrap();
    assert_eq!(least.into_inner(), 33);
}

#[test]
fn no_thread_starts_below_the_grain() {
    let caller = thread::current().id();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let seen = Mutex::new(BTreeSet::new());
    // Two parts under way at once are on two threads, one of them the caller's.
    let (both, callers) = (Barrier::new(2), AtomicUsize::new(0));
    let mut kernel = plain(100, |_, info| {
        callers.fetch_add(usize::from(thread::current().id() == caller), SeqCst);
        if info.threads == 2 {
            both.wait();
        }
        seen.lock().unwrap().insert(info.threads);
        Ok(())
    });
    for grain in [64 * 50, 64 * 50 + 1] {
        schedule(&Rayon::on(&pool).with_grain(grain), &mut kernel).unwrap();
    }
    assert_eq!(seen.into_inner().unwrap().into_iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(callers.into_inner(), 2);
}

#[test]
fn parts_of_a_dynamic_split_have_some_grains_each() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let split = Split::Dynamic { parts: 16 };
    // Rows of 64 elements, in grains of ten: as many parts as have forty rows, one a thread at least.
    for (grain, height, expect) in [(640, 60, 2), (640, 399, 9), (640, 400, 10), (640, 2000, 32), (1, 60, 32)] {
        let parts = AtomicUsize::new(0);
        let mut kernel = plain(height, |_, _| {
            parts.fetch_add(1, SeqCst);
            Ok(())
        });
        schedule(&Rayon::on(&pool).with_grain(grain).with_split(split), &mut kernel).unwrap();
        assert_eq!(parts.load(SeqCst), expect, "{height} rows, a grain of {grain}");
    }
}

#[test]
fn the_number_of_threads_may_change_between_runs() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let rayon = Rayon::on(&pool).with_grain(1);
    let threads = AtomicUsize::new(0);
    let mut kernel = plain(100, |_, info| {
        threads.store(info.threads, SeqCst);
        Ok(())
    });
    for (set, expect) in [(0, 4), (1, 1), (3, 3), (7, 7), (0, 4)] {
        rayon.set_num_threads(set);
        schedule(&rayon, &mut kernel).unwrap();
        assert_eq!(threads.load(SeqCst), expect);
    }
}

#[test]
fn a_panic_or_an_error_in_one_part_surfaces_and_the_pool_lives_on() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for split in SPLITS {
        let rayon = Rayon::on(&pool).with_grain(1).with_split(split);
        let schedulers: [&dyn Scheduler; 3] = [&rayon, &Threads(3, split), &Serial];
        for scheduler in schedulers {
            let holds_last = |window: &Window| window.dimension(1).end() == 90;
            let mut panics = plain(90, |window, _| {
                assert!(!holds_last(window), "a part panics on purpose");
                Ok(())
            });
            assert_eq!(schedule(scheduler, &mut panics), Err(ScheduleError::Panicked.into()));
            let reason = "the last row is odd";
            let mut fails =
                plain(90, |window, _| if holds_last(window) { Err(RunError::Kernel { reason }) } else { Ok(()) });
            assert_eq!(schedule(scheduler, &mut fails), Err(RunError::Kernel { reason }));
            assert_eq!(schedule(scheduler, &mut plain(90, |_, _| Ok(()))), Ok(()));
        }
    }
}

#[test]
fn several_kernels_run_at_once_on_one_scheduler() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let rayon = Rayon::on(&pool).with_grain(1).with_split(Split::DYNAMIC);
    let start = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                start.wait();
                for height in 1..60 {
                    let rows = AtomicUsize::new(0);
                    let mut kernel = plain(height, |window, _| {
                        rows.fetch_add(window.iterations(1), SeqCst);
                        Ok(())
                    });
                    schedule(&rayon, &mut kernel).unwrap();
                    assert_eq!(rows.into_inner(), height);
                }
            });
        }
    });
}

/// Calls worker 1 of three only: as when fewer threads are granted than asked for.
struct Miser(Split);

impl Scheduler for Miser {
    fn num_threads(&self) -> usize {
        3
    }

    fn run(&self, _workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        worker(1);
        Ok(())
    }

    fn split(&self) -> Split {
        self.0
    }

    fn grain(&self) -> usize {
        1
    }
}

#[test]
fn parts_of_threads_that_were_not_granted_are_never_skipped_in_silence() {
    let mut kernel = plain(90, |_, _| Ok(()));
    assert_eq!(schedule(&Miser(Split::Static), &mut kernel), Err(RunError::Unfinished { done: 1, parts: 3 }));
    assert_eq!(schedule(&Miser(Split::DYNAMIC), &mut kernel), Ok(()));
}

#[test]
fn an_empty_window_runs_nothing() {
    let mut kernel = plain(0, |_, _| Err(RunError::Kernel { reason: "was run" }));
    assert_eq!(schedule(&Threads(4, Split::DYNAMIC), &mut kernel), Ok(()));
    assert!(Parts::new(&mut kernel, 3).next().is_none());
}

#[test]
#[cfg(all(feature = "pinning", target_os = "linux"))]
fn pinned_threads_have_one_core_each() {
    let pool = schedule::pinned_pool(2).unwrap();
    let cores = pool.broadcast(|_| {
        // SAFETY: a set of cores is plain data, and the call fills it.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            assert_eq!(libc::sched_getaffinity(0, size_of_val(&set), &mut set), 0);
            (0..libc::CPU_SETSIZE as usize).filter(|&core| libc::CPU_ISSET(core, &set)).collect::<Vec<_>>()
        }
    });
    assert!(cores.iter().all(|cores| cores.len() == 1), "{cores:?}");
    assert_eq!(cores.iter().flatten().collect::<BTreeSet<_>>().len(), cores.len());
}
