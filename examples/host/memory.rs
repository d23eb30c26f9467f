//! A host's own memory: an arena of fixed size, from which windrow's intermediates are served.

use std::{alloc::Layout, cell::UnsafeCell, ptr::NonNull, sync::Mutex};

use windrow::memory::Allocator;

/// Pieces of one array, taken from its start on; all of it is free again when the last piece comes back.
pub struct Arena {
    memory: Box<[UnsafeCell<u8>]>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    used: usize,
    pieces: usize,
    most: usize,
}

// SAFETY: pieces are handed out under the lock, and no two share a byte.
unsafe impl Sync for Arena {}

impl Arena {
    pub fn new(bytes: usize) -> Arena {
        let memory = (0..bytes).map(|_| UnsafeCell::new(0)).collect();
        Arena { memory, state: Mutex::default() }
    }

    /// Bytes in use, gaps included, and the most that ever were.
    pub fn used(&self) -> (usize, usize) {
        self.state.lock().map_or((0, 0), |state| (state.used, state.most))
    }
}

// SAFETY: a piece lies in the array, behind those handed out before.
unsafe impl Allocator for Arena {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut state = self.state.lock().ok()?;
        let first = self.memory.as_ptr().addr() + state.used;
        let start = state.used + (first.next_multiple_of(layout.align()) - first);
        let piece = self.memory.get(start..start + layout.size())?;
        (state.used, state.pieces) = (start + layout.size(), state.pieces + 1);
        state.most = state.most.max(state.used);
        NonNull::new(UnsafeCell::raw_get(piece.as_ptr()))
    }

    unsafe fn deallocate(&self, _memory: NonNull<u8>, _layout: Layout) {
        let Ok(mut state) = self.state.lock() else { return };
        state.pieces -= 1;
        if state.pieces == 0 {
            state.used = 0;
        }
    }
}
