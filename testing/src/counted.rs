//! An allocator for tests of how much memory something takes, and how often it asks for some.

use std::{
    alloc::Layout,
    ptr::NonNull,
    sync::atomic::{AtomicUsize, Ordering},
};
use windrow_runtime::memory::{Allocator, MemoryCounters};

/// An allocator that counts what another one hands out.
#[derive(Debug, Default)]
pub struct Counted<A> {
    allocator: A,
    resident: AtomicUsize,
    peak: AtomicUsize,
    allocations: AtomicUsize,
}

impl<A> Counted<A> {
    /// Counts what `allocator` hands out.
    pub fn new(allocator: A) -> Counted<A> {
        let zero = || AtomicUsize::new(0);
        Counted { allocator, resident: zero(), peak: zero(), allocations: zero() }
    }

    /// Returns the bytes that are handed out now, and the most at once; all of them count as live.
    pub fn counters(&self) -> MemoryCounters {
        let resident = self.resident.load(Ordering::Acquire);
        MemoryCounters { resident, live: resident, peak: self.peak.load(Ordering::Acquire) }
    }

    /// Returns how often memory was handed out.
    pub fn allocations(&self) -> usize {
        self.allocations.load(Ordering::Acquire)
    }
}

// SAFETY: the memory is the other allocator's.
unsafe impl<A: Allocator> Allocator for Counted<A> {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let memory = self.allocator.allocate(layout)?;
        let resident = self.resident.fetch_add(layout.size(), Ordering::AcqRel) + layout.size();
        self.peak.fetch_max(resident, Ordering::AcqRel);
        self.allocations.fetch_add(1, Ordering::AcqRel);
        Some(memory)
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { self.allocator.deallocate(memory, layout) };
        self.resident.fetch_sub(layout.size(), Ordering::AcqRel);
    }
}
