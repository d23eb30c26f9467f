//! A short list in place: a driver has no heap.

use core::mem::MaybeUninit;

use crate::arguments::MAX_ARGUMENTS;

/// Up to as many values as a kernel has arguments.
pub(super) struct Few<T> {
    values: [MaybeUninit<T>; MAX_ARGUMENTS],
    /// How many are initialised.
    pub(super) count: usize,
}

impl<T: Copy> Few<T> {
    pub(super) fn none() -> Few<T> {
        Few { values: [const { MaybeUninit::uninit() }; MAX_ARGUMENTS], count: 0 }
    }

    pub(super) fn push(&mut self, value: T) {
        self.values[self.count].write(value);
        self.count += 1;
    }

    pub(super) fn iter(&self) -> core::slice::Iter<'_, T> {
        // SAFETY: the first `count` are initialised.
        unsafe { self.values[..self.count].assume_init_ref() }.iter()
    }

    pub(super) fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        // SAFETY: as above.
        unsafe { self.values[..self.count].assume_init_mut() }.iter_mut()
    }
}
