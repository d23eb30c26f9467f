//! One run: the window is cut, the scheduler's threads take the parts, the first error is kept.
//!
//! A worker is a thread's share of the run: its own part under a static split, and under a dynamic one its own parts and
//! then what others have left. The worker's index is the thread's id, so that two parts with one id never run at once, whatever the split.

use core::{cell::UnsafeCell, marker::PhantomData};
#[cfg(feature = "std")]
use std::vec::Vec;

use super::{
    error::ScheduleError,
    scheduler::{Observer, Scheduler, Split},
};
use crate::{
    error::RunError,
    kernel::{DynKernel, MAX_PARTS, Part, Parts, SCRATCH_ALIGNMENT, ThreadInfo},
    sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    window::Window,
};
use windrow_reference::limits::MAX_DIMENSIONS;

/// Runs the whole window of `kernel`, with scratch from the heap where the kernel needs any.
#[cfg(feature = "std")]
pub fn schedule(scheduler: &dyn Scheduler, kernel: &mut dyn DynKernel) -> Result<(), RunError> {
    let window = kernel.window();
    schedule_window(scheduler, kernel, &window)
}

/// Runs a sub-window of `kernel`, or all of it, likewise.
#[cfg(feature = "std")]
pub(crate) fn schedule_window(
    scheduler: &dyn Scheduler,
    kernel: &mut dyn DynKernel,
    window: &Window,
) -> Result<(), RunError> {
    let bytes = scratch_bytes(scheduler, kernel);
    let mut scratch = Vec::new();
    scratch.try_reserve_exact(bytes).map_err(|_| RunError::Scratch { found: 0, expected: bytes })?;
    scratch.resize(bytes, 0);
    schedule_with_scratch(scheduler, kernel, window, &mut scratch)
}

/// Runs a sub-window of `kernel`, which needs no scratch where there is no heap.
#[cfg(not(feature = "std"))]
pub(crate) fn schedule_window(
    scheduler: &dyn Scheduler,
    kernel: &mut dyn DynKernel,
    window: &Window,
) -> Result<(), RunError> {
    schedule_with_scratch(scheduler, kernel, window, &mut [])
}

/// Returns the number of bytes of scratch that `kernel` needs on the threads of `scheduler`, whatever their alignment; `usize::MAX`,
/// which no memory has, where there are more.
pub fn scratch_bytes(scheduler: &dyn Scheduler, kernel: &dyn DynKernel) -> usize {
    match kernel.scratch_per_thread() {
        0 => 0,
        each => all_pieces(each, workers(scheduler, kernel, &kernel.window())).unwrap_or(usize::MAX),
    }
}

/// The bytes of aligned pieces of `each` bytes for `threads` threads, whatever the alignment of all of them.
fn all_pieces(each: usize, threads: usize) -> Option<usize> {
    each.checked_next_multiple_of(SCRATCH_ALIGNMENT)?.checked_mul(threads)?.checked_add(SCRATCH_ALIGNMENT - 1)
}

/// Runs a sub-window of `kernel`, or all of it, with scratch from the caller: at least [`scratch_bytes`]. Allocates nothing.
pub fn schedule_with_scratch(
    scheduler: &dyn Scheduler,
    kernel: &mut dyn DynKernel,
    window: &Window,
    scratch: &mut [u8],
) -> Result<(), RunError> {
    if kernel.window().is_empty() {
        return Ok(());
    }
    let (workers, observer, each) =
        (workers(scheduler, kernel, window), scheduler.observer(), kernel.scratch_per_thread());
    if workers == 1 && observer.is_none() {
        return alone(kernel, window, scratch, each);
    }
    let split = scheduler.split();
    let parts = match split {
        Split::Static => workers,
        Split::Dynamic { parts } if workers > 1 => {
            let most = match scheduler.grain() {
                0 | 1 => usize::MAX,
                grain => elements(window) / grain.saturating_mul(PART),
            };
            workers.saturating_mul(parts.max(1)).min(most).max(workers)
        }
        Split::Dynamic { .. } => 1,
    };
    let parts = Parts::within(kernel, window, parts)?;
    let threads = workers.min(parts.count());
    let scratch = Scratch::divide(scratch, each, threads)?;
    let run = Run { parts, scratch, threads, split, observer, error: First::new() };
    if run.threads > 1 {
        scheduler.run(run.threads, &|index| run.worker(index))?;
    } else {
        run.worker(0);
    }
    run.finish()
}

/// Whether `window` is computed on the caller's thread alone, without an observer: there is nothing to schedule.
pub(crate) fn is_alone(scheduler: &dyn Scheduler, kernel: &dyn DynKernel, window: &Window) -> bool {
    workers(scheduler, kernel, window) == 1 && scheduler.observer().is_none()
}

/// Computes `window` as one part, on this thread: to cut and to share it would take longer than a small image takes.
fn alone(kernel: &mut dyn DynKernel, window: &Window, scratch: &mut [u8], each: usize) -> Result<(), RunError> {
    let done = AtomicUsize::new(0);
    let part = Part::only(kernel, window, &done)?;
    let (scratch, _) = pieces(scratch, each, 1)?;
    caught(|| part.run(&mut ThreadInfo { id: 0, threads: 1, scratch })).and_then(|done| done)
}

/// Grains that a part of a dynamic split has at least: it has edges of its own, and a last group of rows.
const PART: usize = 4;

/// Threads worth starting for `window`.
fn workers(scheduler: &dyn Scheduler, kernel: &dyn DynKernel, window: &Window) -> usize {
    let threads = scheduler.num_threads();
    if threads <= 1 {
        return 1;
    }
    let least = match scheduler.grain() {
        0 | 1 => 1,
        grain => grain.saturating_mul(kernel.grains().max(1)),
    };
    threads.min(elements(window) / least).clamp(1, MAX_PARTS)
}

fn elements(window: &Window) -> usize {
    (0..MAX_DIMENSIONS).fold(1usize, |elements, dimension| {
        let dimension = window.dimension(dimension);
        elements.saturating_mul(dimension.end() - dimension.start())
    })
}

/// The order in which the worker `id` takes parts: those of its own share, then those that the others have left, the last
/// first. So a worker computes the same part of an image in every run, and meets one that began late in that one's share.
fn order(parts: usize, threads: usize, id: usize) -> impl Iterator<Item = usize> {
    let share = move |id: usize| id * parts / threads..(id + 1) * parts / threads;
    let others = (1..threads).flat_map(move |other| share((id + other) % threads).rev());
    share(id).chain(others)
}

/// A run under way, shared by its workers.
struct Run<'r> {
    parts: Parts<'r>,
    scratch: Scratch<'r>,
    threads: usize,
    split: Split,
    observer: Option<&'r dyn Observer>,
    error: First,
}

impl Run<'_> {
    /// The share of the thread `id`; nothing where it has been called before.
    fn worker(&self, id: usize) {
        let Some(scratch) = self.scratch.take(id) else { return };
        let mut thread = ThreadInfo { id, threads: self.threads, scratch };
        match self.split {
            Split::Static => self.parts.take(id).into_iter().for_each(|part| self.run(part, &mut thread)),
            Split::Dynamic { .. } => {
                for index in order(self.parts.count(), self.threads, id).take_while(|_| !self.error.is_set()) {
                    self.parts.take(index).into_iter().for_each(|part| self.run(part, &mut thread));
                }
            }
        }
    }

    fn run(&self, part: Part<'_>, thread: &mut ThreadInfo<'_>) {
        let Some(observer) = self.observer else { return self.compute(part, thread) };
        let (id, mut part) = (thread.id, Some(part));
        observer.part(self.parts.kernel(), id, &mut || {
            if let Some(part) = part.take() {
                self.compute(part, thread);
            }
        });
    }

    fn compute(&self, part: Part<'_>, thread: &mut ThreadInfo<'_>) {
        if let Err(error) = caught(|| part.run(thread)).and_then(|done| done) {
            self.error.set(error);
        }
    }

    fn finish(self) -> Result<(), RunError> {
        let (done, parts) = (self.parts.done(), self.parts.count());
        match self.error.into_inner() {
            Some(error) => Err(error),
            None if done < parts => Err(RunError::Unfinished { done, parts }),
            None => Ok(()),
        }
    }
}

/// Makes a panic an error, so that it is the caller's and not a pool's.
#[cfg(feature = "std")]
pub(crate) fn caught<T>(part: impl FnOnce() -> T) -> Result<T, RunError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(part)).map_err(|_| ScheduleError::Panicked.into())
}

/// Without `std`, a panic is the host's.
#[cfg(not(feature = "std"))]
pub(crate) fn caught<T>(part: impl FnOnce() -> T) -> Result<T, RunError> {
    const _: ScheduleError = ScheduleError::Panicked;
    Ok(part())
}

/// The part of `memory` that holds an aligned piece of `each` bytes for each thread, and the bytes from one to the next.
fn pieces(memory: &mut [u8], each: usize, threads: usize) -> Result<(&mut [u8], usize), RunError> {
    let found = memory.len();
    let most = all_pieces(each, threads).ok_or(RunError::Scratch { found, expected: usize::MAX })?;
    let pitch = each.next_multiple_of(SCRATCH_ALIGNMENT);
    let skip = if each == 0 { 0 } else { memory.as_ptr().align_offset(SCRATCH_ALIGNMENT) };
    match memory.get_mut(skip..).filter(|pieces| pieces.len() >= pitch * threads) {
        Some(pieces) => Ok((pieces, pitch)),
        None => Err(RunError::Scratch { found, expected: most }),
    }
}

/// Each thread's piece of the scratch, handed out once.
struct Scratch<'s> {
    first: *mut u8,
    /// Bytes that a thread uses, and from one piece to the next.
    each: usize,
    pitch: usize,
    threads: usize,
    taken: [AtomicU64; MAX_PARTS / 64],
    memory: PhantomData<&'s mut [u8]>,
}

// SAFETY: the memory is borrowed exclusively, and `take` hands out each piece once.
unsafe impl Sync for Scratch<'_> {}

impl<'s> Scratch<'s> {
    /// Aligned pieces of `each` bytes for `threads` threads.
    fn divide(memory: &'s mut [u8], each: usize, threads: usize) -> Result<Scratch<'s>, RunError> {
        let (pieces, pitch) = pieces(memory, each, threads)?;
        let taken = core::array::from_fn(|_| AtomicU64::new(0));
        Ok(Scratch { first: pieces.as_mut_ptr(), each, pitch, threads, taken, memory: PhantomData })
    }

    /// The piece of the thread `id`, the first time.
    #[allow(clippy::mut_from_ref)]
    fn take(&self, id: usize) -> Option<&mut [u8]> {
        let bit = 1 << (id % 64);
        let word = self.taken.get(id / 64).filter(|_| id < self.threads)?;
        if word.fetch_or(bit, Ordering::AcqRel) & bit != 0 {
            return None;
        }
        // SAFETY: `divide` found room for a piece of each thread; the bit was not set: this is the piece's only borrow.
        Some(unsafe { core::slice::from_raw_parts_mut(self.first.add(id * self.pitch), self.each) })
    }
}

/// The first error of a run.
struct First {
    set: AtomicBool,
    error: UnsafeCell<Option<RunError>>,
}

// SAFETY: the cell is written by the one thread that set the flag, and read when the run is no longer shared.
unsafe impl Sync for First {}

impl First {
    fn new() -> First {
        First { set: AtomicBool::new(false), error: UnsafeCell::new(None) }
    }

    fn is_set(&self) -> bool {
        self.set.load(Ordering::Relaxed)
    }

    fn set(&self, error: RunError) {
        if !self.set.swap(true, Ordering::Relaxed) {
            // SAFETY: this thread alone found the flag unset.
            unsafe { *self.error.get() = Some(error) };
        }
    }

    fn into_inner(self) -> Option<RunError> {
        self.error.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_takes_its_own_share_and_then_the_last_of_the_others() {
        let taken = |parts, threads, id| order(parts, threads, id).collect::<Vec<_>>();
        assert_eq!(taken(6, 2, 0), [0, 1, 2, 5, 4, 3]);
        assert_eq!(taken(6, 2, 1), [3, 4, 5, 2, 1, 0]);
        assert_eq!(taken(7, 3, 1), [2, 3, 6, 5, 4, 1, 0]);
        assert!(taken(0, 2, 1).is_empty());
        for (parts, threads) in [(1, 1), (5, 5), (64, 7), (1024, 3)] {
            for id in 0..threads {
                let mut all = taken(parts, threads, id);
                all.sort_unstable();
                assert_eq!(all, (0..parts).collect::<Vec<_>>());
            }
        }
    }
}
