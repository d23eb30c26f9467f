//! A short list in place: a run has no heap, and touches no memory for arguments that it doesn't have.

use core::{fmt, mem::MaybeUninit};

use crate::limits::MAX_ARGUMENTS;

/// Up to [`MAX_ARGUMENTS`] values; it counts, but doesn't keep, what is beyond.
#[derive(Clone, Copy)]
pub(crate) struct List<T: Copy> {
    /// Those kept are initialised.
    values: [MaybeUninit<T>; MAX_ARGUMENTS],
    pushed: usize,
}

impl<T: Copy> List<T> {
    pub const fn new() -> List<T> {
        List { values: [const { MaybeUninit::uninit() }; MAX_ARGUMENTS], pushed: 0 }
    }

    pub fn push(&mut self, value: T) {
        if let Some(place) = self.values.get_mut(self.pushed) {
            place.write(value);
        }
        self.pushed += 1;
    }

    /// Makes `value` the one at `index`, which is at most behind the last, and moves those from there on; there is room for it.
    pub fn insert(&mut self, index: usize, value: T) {
        self.push(value);
        let kept = self.as_mut_slice();
        if let Some(moved) = kept.get_mut(index..) {
            moved.rotate_right(1);
        }
    }

    /// The number of values given, those beyond the room included.
    pub fn len(&self) -> usize {
        self.pushed
    }

    pub fn as_slice(&self) -> &[T] {
        let kept = self.pushed.min(MAX_ARGUMENTS);
        // SAFETY: so many are initialised.
        unsafe { self.values[..kept].assume_init_ref() }
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        let kept = self.pushed.min(MAX_ARGUMENTS);
        // SAFETY: as above.
        unsafe { self.values[..kept].assume_init_mut() }
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        self.as_slice().get(index)
    }

    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.as_mut_slice().iter_mut()
    }
}

impl<T: Copy> Default for List<T> {
    fn default() -> List<T> {
        List::new()
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_room_is_counted() {
        let mut list = List::new();
        assert!(list.as_slice().is_empty());
        (0..MAX_ARGUMENTS + 2).for_each(|value| list.push(value));
        assert_eq!(
            (list.len(), list.as_slice().len(), list.get(MAX_ARGUMENTS)),
            (MAX_ARGUMENTS + 2, MAX_ARGUMENTS, None)
        );
        assert_eq!(list.get(MAX_ARGUMENTS - 1), Some(&(MAX_ARGUMENTS - 1)));
    }

    #[test]
    fn what_is_inserted_moves_those_behind() {
        let mut list = List::new();
        [2, 4].into_iter().for_each(|value| list.push(value));
        list.insert(0, 1);
        list.insert(2, 3);
        list.insert(4, 5);
        assert_eq!(list.as_slice(), [1, 2, 3, 4, 5]);
        list.iter_mut().for_each(|value| *value *= 10);
        assert_eq!(list.as_slice(), [10, 20, 30, 40, 50]);
    }
}
