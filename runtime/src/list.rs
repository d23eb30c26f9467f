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
    #[inline]
    pub const fn new() -> List<T> {
        List { values: [const { MaybeUninit::uninit() }; MAX_ARGUMENTS], pushed: 0 }
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        if let Some(place) = self.values.get_mut(self.pushed) {
            place.write(value);
        }
        self.pushed += 1;
    }

    /// Returns what `f` makes of each; those beyond the room count as before.
    #[inline]
    pub fn map<'s, U: Copy>(&'s self, f: impl FnMut(&'s T) -> U) -> List<U> {
        let mut list = List::new();
        list.fill(self, f);
        list
    }

    /// The same in the place of what it held: a list that is returned may be copied, with all its room.
    #[inline]
    pub fn fill<'s, U: Copy>(&mut self, from: &'s List<U>, f: impl FnMut(&'s U) -> T) {
        self.pushed = 0;
        from.iter().map(f).for_each(|value| self.push(value));
        self.pushed = from.pushed;
    }

    /// Returns the number of values given, those beyond the room included.
    #[inline]
    pub fn len(&self) -> usize {
        self.pushed
    }

    #[inline]
    pub fn as_slice(&self) -> &[T] {
        let kept = self.pushed.min(MAX_ARGUMENTS);
        // SAFETY: the values kept are initialised.
        unsafe { self.values[..kept].assume_init_ref() }
    }

    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        let kept = self.pushed.min(MAX_ARGUMENTS);
        // SAFETY: as above.
        unsafe { self.values[..kept].assume_init_mut() }
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.as_slice().get(index)
    }

    #[inline]
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
    fn what_is_made_of_a_list_counts_as_it_does() {
        let mut list = List::new();
        (0..MAX_ARGUMENTS + 1).for_each(|value| list.push(value));
        list.iter_mut().for_each(|value| *value += 1);
        let doubled = list.map(|value| 2 * value);
        assert_eq!(
            (doubled.len(), doubled.get(2), doubled.iter().count()),
            (MAX_ARGUMENTS + 1, Some(&6), MAX_ARGUMENTS)
        );
    }
}
