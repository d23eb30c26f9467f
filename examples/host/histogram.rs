//! A histogram of 256 bins, written by hand: every thread counts in scratch of its own, and adds what it counted at the end.
//!
//! Arm Compute Library's `NEHistogramKernel` does it so. The image's rows may be shared among threads; the bins may not, and
//! counting with atomics would make the threads wait for each other at every element.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use windrow::{
    RunError, View, Window,
    schedule::{DynKernel, Splits, ThreadInfo},
};

pub const BINS: usize = 256;

/// Rows that a thread counts at least, to be worth the 256 additions at the end.
const ROWS: usize = 16;

/// The histogram of an image of 8 bits.
pub struct Histogram<'a> {
    image: View<'a, u8>,
    bins: &'a [AtomicU32; BINS],
}

impl<'a> Histogram<'a> {
    /// Adds the image's elements to `bins`.
    pub fn new(image: View<'a, u8>, bins: &'a [AtomicU32; BINS]) -> Histogram<'a> {
        Histogram { image, bins }
    }
}

impl DynKernel for Histogram<'_> {
    fn name(&self) -> &str {
        "histogram"
    }

    fn window(&self) -> Window {
        let extents = self.image.info().shape().extents();
        Window::covering([0; 6], [extents[0], extents[1], 1, 1, 1, 1], (1, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(1, ROWS)
    }

    fn scratch_per_thread(&self) -> usize {
        size_of::<[u32; BINS]>()
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: every pattern of bytes is a number; the scratch's alignment is that of a cache line.
        let (_, counts, _) = unsafe { thread.scratch.align_to_mut::<u32>() };
        let reason = "the scratch is too small";
        let counts: &mut [u32; BINS] = counts.first_chunk_mut().ok_or(RunError::Kernel { reason })?;
        // The part that this thread ran before has left its counts here.
        counts.fill(0);
        for row in (window.dimension(1).start()..window.dimension(1).end()).filter_map(|y| self.image.row(y)) {
            row.iter().for_each(|element| counts[usize::from(*element)] += 1);
        }
        self.bins.iter().zip(counts).filter(|(_, count)| **count > 0).for_each(|(bin, count)| {
            bin.fetch_add(*count, Relaxed);
        });
        Ok(())
    }
}
