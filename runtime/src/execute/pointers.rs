//! The row pointers of a call: where each row of each image is, and how far the pointer moves to the next group of rows.

use core::{mem::MaybeUninit, slice};

use crate::limits::{MAX_INPUT_ROWS, MAX_OUTPUT_ROWS};

/// Row pointers that a call may have.
pub(super) const MOST_ROWS: usize = MAX_INPUT_ROWS + MAX_OUTPUT_ROWS;

/// The memory of `N` row pointers.
pub(super) struct PointerMemory<const N: usize> {
    places: [MaybeUninit<*mut u8>; N],
    steps: [MaybeUninit<isize>; N],
}

impl<const N: usize> PointerMemory<N> {
    pub const fn uninit() -> PointerMemory<N> {
        PointerMemory { places: [MaybeUninit::uninit(); N], steps: [MaybeUninit::uninit(); N] }
    }
}

/// Those of the inputs, then those of the outputs. Moving all of them takes a fraction of the time of finding them.
pub(super) struct RowPointers<'m> {
    places: &'m mut [MaybeUninit<*mut u8>],
    steps: &'m mut [MaybeUninit<isize>],
    /// How many of both are initialised.
    count: usize,
    /// How many of them are inputs'.
    inputs: usize,
}

impl<'m> RowPointers<'m> {
    pub fn over<const N: usize>(memory: &'m mut PointerMemory<N>) -> RowPointers<'m> {
        RowPointers { places: &mut memory.places, steps: &mut memory.steps, count: 0, inputs: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        (self.count, self.inputs) = (0, 0);
    }

    /// Adds a row of an input, after those before it; from group to group it moves `step` bytes.
    pub fn input(&mut self, place: *const u8, step: isize) {
        self.push(place.cast_mut(), step);
        self.inputs = self.count;
    }

    /// Adds a row of an output, after all inputs.
    pub fn output(&mut self, place: *mut u8, step: isize) {
        self.push(place, step);
    }

    fn push(&mut self, place: *mut u8, step: isize) {
        debug_assert!(self.count < self.places.len(), "more rows than there is memory for");
        if let (Some(to), Some(by)) = (self.places.get_mut(self.count), self.steps.get_mut(self.count)) {
            (*to, *by) = (MaybeUninit::new(place), MaybeUninit::new(step));
            self.count += 1;
        }
    }

    /// Returns the inputs' rows and the outputs', and how far each moves to the next group.
    pub fn rows(&self) -> (&[*const u8], &[*mut u8], &[isize]) {
        // SAFETY: the first `count` are initialised, of them `inputs` are inputs'; a pointer's kind isn't part of its value.
        unsafe {
            let first = self.places.as_ptr().cast::<*mut u8>();
            let outputs = slice::from_raw_parts(first.add(self.inputs), self.count - self.inputs);
            let steps = slice::from_raw_parts(self.steps.as_ptr().cast(), self.count);
            (slice::from_raw_parts(first.cast(), self.inputs), outputs, steps)
        }
    }

    /// Moves each to the next group of rows.
    pub fn move_down(&mut self) {
        // SAFETY: the first `count` are initialised.
        let (places, steps) = unsafe {
            (
                slice::from_raw_parts_mut(self.places.as_mut_ptr().cast::<*mut u8>(), self.count),
                slice::from_raw_parts(self.steps.as_ptr().cast::<isize>(), self.count),
            )
        };
        for (place, step) in places.iter_mut().zip(steps) {
            *place = place.wrapping_offset(*step);
        }
    }
}
