//! Where memory comes from: the heap, or a host's own allocator; blocks that go back to it.

use core::{alloc::Layout, fmt, ptr::NonNull};
use std::sync::Arc;

use super::error::MemoryError;
use crate::{
    info::TensorInfo,
    view::{AnyView, AnyViewMut},
};

/// The alignment of a managed tensor, in bytes: a cache line.
pub const ALIGNMENT: usize = 64;

/// Supplies memory.
///
/// # Safety
/// Memory that `allocate` returns holds `layout.size()` bytes that are readable and writable and nobody else's until it is
/// given to `deallocate`. (Its alignment is checked.)
pub unsafe trait Allocator: Send + Sync {
    /// Returns memory of this size and alignment, whatever it holds; `None` where there is none. The size is not 0.
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>>;

    /// Takes memory back.
    ///
    /// # Safety
    /// `memory` came from `allocate` of this allocator with the same layout, and is not used any more.
    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout);
}

/// The program's own heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

// SAFETY: the global allocator keeps this contract.
unsafe impl Allocator for Heap {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: the size is not 0.
        NonNull::new(unsafe { std::alloc::alloc(layout) })
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { std::alloc::dealloc(memory.as_ptr(), layout) }
    }
}

/// A piece of an allocator's memory, of zeros at first; it goes back when dropped.
pub struct Block {
    memory: NonNull<u8>,
    layout: Layout,
    allocator: Arc<dyn Allocator>,
}

// SAFETY: a block is plain data; nothing is reached through a shared one without a borrow of what holds it.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    /// Returns a block of `size` bytes at a multiple of `alignment`. Without bytes the allocator is not asked.
    pub fn new(allocator: &Arc<dyn Allocator>, size: usize, alignment: usize) -> Result<Block, MemoryError> {
        let layout = Layout::from_size_align(size, alignment)
            .map_err(|_| MemoryError::InvalidLayout { bytes: size, alignment })?;
        let allocator = Arc::clone(allocator);
        if size == 0 {
            return Ok(Block { memory: layout.dangling_ptr(), layout, allocator });
        }
        let memory = allocator.allocate(layout).ok_or(MemoryError::OutOfMemory { bytes: size, alignment })?;
        let block = Block { memory, layout, allocator };
        if !memory.as_ptr().addr().is_multiple_of(alignment) {
            return Err(MemoryError::Misaligned { alignment });
        }
        // SAFETY: the allocator's memory has `size` bytes. Views read whatever they find: they must find something.
        unsafe { memory.write_bytes(0, size) };
        Ok(block)
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The first byte.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.memory
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: the memory came from this allocator with this layout.
            unsafe { self.allocator.deallocate(self.memory, self.layout) };
        }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").field("memory", &self.memory).field("layout", &self.layout).finish_non_exhaustive()
    }
}

/// A tensor in a block of its own, of zeros at first; what its elements are is known at run time.
#[derive(Debug)]
pub struct Allocation {
    block: Block,
    info: TensorInfo,
}

impl Allocation {
    /// Returns the tensor `info` in `allocator`'s memory.
    pub fn new(allocator: &Arc<dyn Allocator>, info: TensorInfo) -> Result<Allocation, MemoryError> {
        Ok(Allocation { block: Block::new(allocator, info.size_in_bytes(), ALIGNMENT)?, info })
    }

    /// Returns what is known of the block.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Returns the tensor, to read.
    pub fn view(&self) -> AnyView<'_> {
        // SAFETY: the block holds the tensor, of zeros at first, and is borrowed with `self`.
        unsafe { AnyView::from_raw(self.first(), self.info) }
    }

    /// Returns the tensor, to write.
    pub fn view_mut(&mut self) -> AnyViewMut<'_> {
        // SAFETY: as above, exclusively.
        unsafe { AnyViewMut::from_raw(self.first(), self.info) }
    }

    /// The first element, from which strides may go back.
    fn first(&self) -> NonNull<u8> {
        // SAFETY: the block holds the tensor.
        unsafe { self.block.base().add(self.info.layout().lead()) }
    }
}
