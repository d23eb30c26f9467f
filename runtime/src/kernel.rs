//! Kernels as schedulers see them: [`DynKernel`], a kernel that has its images, of whatever type they are.
//!
//! A scheduler, ours or a host's, needs to know a kernel's window, where it may be cut, and how much scratch each thread
//! needs; then it runs parts. [`Parts`] hands out every part once, so that a host's own loop needs no `unsafe`.
//! Allocates nothing and starts no thread.

use crate::{
    error::RunError,
    schedule::splits::Cut,
    sync::{AtomicU64, AtomicUsize, Ordering},
    window::Window,
};

pub use crate::schedule::splits::{MAX_PARTS, Splits};

/// A kernel that is bound to its images and ready to be run in parts.
///
/// [`Bound`](crate::Bound) is the one of generated kernels. A kernel written by hand implements it for whatever holds
/// its images.
pub trait DynKernel: Sync {
    /// Returns the kernel's name.
    fn name(&self) -> &str;

    /// Returns the window of a whole run.
    fn window(&self) -> Window;

    /// Returns the dimensions in which the window may be cut. A kernel that depends on seeing a whole row, say, allows
    /// all but x.
    fn splits(&self) -> Splits;

    /// Returns how many grains of a scheduler a thread is given at least: more than one where an element costs little.
    fn grains(&self) -> usize {
        1
    }

    /// Returns the number of bytes of scratch that each thread needs.
    fn scratch_per_thread(&self) -> usize {
        0
    }

    /// Computes a part of the window.
    ///
    /// # Safety
    /// `window` is one that [`Parts`] would make: a sub-window of [`DynKernel::window`], whole in every dimension that
    /// [`DynKernel::splits`] does not allow to be cut. Parts that run at once are disjoint and have different
    /// [`ThreadInfo::id`]s. The scratch has [`DynKernel::scratch_per_thread`] bytes, at a multiple of 64.
    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError>;
}

/// What a part of a run knows of the thread that it runs on.
#[derive(Debug, Default)]
pub struct ThreadInfo<'s> {
    /// A number below `threads` that no other part has that is running now.
    pub id: usize,
    /// Threads that share the run.
    pub threads: usize,
    /// This thread's own scratch. Parts run one after the other on the same thread find what the one before left there.
    pub scratch: &'s mut [u8],
}

/// Memory for one thread's scratch, aligned as it must be.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct ScratchLine([u8; SCRATCH_ALIGNMENT]);

impl ScratchLine {
    /// Zeros.
    pub const ZERO: ScratchLine = ScratchLine([0; SCRATCH_ALIGNMENT]);

    /// Returns the bytes of these lines.
    ///
    /// ```
    /// use windrow::schedule::ScratchLine;
    ///
    /// let mut lines = [ScratchLine::ZERO; 3];
    /// assert_eq!(ScratchLine::bytes(&mut lines).len(), 192);
    /// ```
    pub fn bytes(lines: &mut [ScratchLine]) -> &mut [u8] {
        // SAFETY: lines lie side by side and are bytes throughout.
        unsafe { core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), size_of_val(lines)) }
    }
}

/// The parts of one run, each handed out once: by its number, or the next that is left.
///
/// ```
/// # use windrow::schedule::{DynKernel, Parts, ThreadInfo};
/// # use windrow::RunError;
/// fn run_in_a_loop(kernel: &mut dyn DynKernel) -> Result<(), RunError> {
///     let parts = Parts::new(kernel, 4);
///     while let Some(part) = parts.next() {
///         part.run(&mut ThreadInfo { id: 0, threads: 1, scratch: &mut [] })?;
///     }
///     Ok(())
/// }
/// ```
pub struct Parts<'k> {
    kernel: &'k dyn DynKernel,
    window: Window,
    cut: Cut,
    taken: [AtomicU64; MAX_PARTS / 64],
    next: Line<AtomicUsize>,
    done: Line<AtomicUsize>,
}

/// A value that shares its cache line with nothing.
#[repr(align(64))]
struct Line<T>(T);

impl<'k> Parts<'k> {
    /// Returns the whole window, in `wanted` parts or as many as the kernel allows.
    ///
    /// The kernel is borrowed exclusively: nothing else runs a part of it meanwhile.
    pub fn new(kernel: &'k mut dyn DynKernel, wanted: usize) -> Parts<'k> {
        let window = kernel.window();
        Parts::cut(kernel, window, wanted)
    }

    /// Returns the sub-window `window` of the kernel's.
    pub fn within(kernel: &'k mut dyn DynKernel, window: &Window, wanted: usize) -> Result<Parts<'k>, RunError> {
        check_part(kernel, window)?;
        Ok(Parts::cut(kernel, *window, wanted))
    }

    fn cut(kernel: &'k dyn DynKernel, window: Window, wanted: usize) -> Parts<'k> {
        Parts {
            cut: Cut::new(&window, &kernel.splits(), wanted.min(MAX_PARTS)),
            kernel,
            window,
            taken: core::array::from_fn(|_| AtomicU64::new(0)),
            next: Line(AtomicUsize::new(0)),
            done: Line(AtomicUsize::new(0)),
        }
    }

    /// Returns the kernel's name.
    pub fn kernel(&self) -> &str {
        self.kernel.name()
    }

    /// Returns how many parts there are; none in an empty window.
    pub fn count(&self) -> usize {
        self.cut.parts()
    }

    /// Returns how many parts have been run without an error.
    pub fn done(&self) -> usize {
        self.done.0.load(Ordering::Acquire)
    }

    /// Takes part `index`, if it exists and no one has taken it.
    pub fn take(&self, index: usize) -> Option<Part<'_>> {
        let bit = 1 << (index % 64);
        let word = self.taken.get(index / 64).filter(|_| index < self.count())?;
        if word.fetch_or(bit, Ordering::AcqRel) & bit != 0 {
            return None;
        }
        let window = self.cut.part(&self.window, index)?;
        Some(Part { kernel: self.kernel, window, done: &self.done.0 })
    }

    /// Returns a part that nobody has taken; `None` where there is none left.
    pub fn next(&self) -> Option<Part<'_>> {
        loop {
            let index = self.next.0.fetch_add(1, Ordering::Relaxed);
            if index >= self.count() {
                // Threads that ask again and again must not make the counter wrap.
                self.next.0.store(self.count(), Ordering::Relaxed);
                return None;
            }
            if let Some(part) = self.take(index) {
                return Some(part);
            }
        }
    }
}

/// Whether `window` is a sub-window of the kernel's, cut where the kernel allows it.
fn check_part(kernel: &dyn DynKernel, window: &Window) -> Result<(), RunError> {
    let whole = kernel.window();
    if *window == whole {
        return Ok(());
    }
    whole.check_part(window)?;
    kernel.splits().allow(&whole, window)
}

/// A part of a run that was handed out, and may be run once, on any thread.
pub struct Part<'p> {
    kernel: &'p dyn DynKernel,
    window: Window,
    done: &'p AtomicUsize,
}

impl<'p> Part<'p> {
    /// All of `window` as the one part of a run, which counts in `done`.
    pub(crate) fn only(
        kernel: &'p mut dyn DynKernel,
        window: &Window,
        done: &'p AtomicUsize,
    ) -> Result<Part<'p>, RunError> {
        check_part(kernel, window)?;
        Ok(Part { kernel, window: *window, done })
    }

    /// Returns what the kernel computes.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Computes it. Threads that run parts at once have ids of their own.
    pub fn run(self, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        let (found, expected) = (thread.scratch.len(), self.kernel.scratch_per_thread());
        if found < expected || (expected > 0 && !thread.scratch.as_ptr().addr().is_multiple_of(SCRATCH_ALIGNMENT)) {
            return Err(RunError::Scratch { found, expected });
        }
        // SAFETY: the parts of a cut are disjoint and cut where the kernel allows it, and each is handed out once while its
        // kernel is borrowed exclusively. Ids that are not unique can't make two parts share scratch: each has borrowed its own.
        unsafe { self.kernel.run(&self.window, thread) }?;
        self.done.fetch_add(1, Ordering::Release);
        Ok(())
    }
}

/// The alignment of a thread's scratch, in bytes: threads share no cache line.
pub const SCRATCH_ALIGNMENT: usize = 64;
