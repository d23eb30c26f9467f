//! Places in images: the types of coordinates, and the one of the element that is being computed, as an author's function asks
//! for it.
//!
//! Emitted bodies know their coordinates; these are for the function itself, when it runs as the reference or is called
//! by hand.

/// The place of an element, outermost first: `[y, x]` is an `At<2>`.
///
/// A kernel whose first parameter is one is told where its element lies, and may read other images at places that it computes:
///
/// ```
/// use windrow::{View, prelude::At};
///
/// /// The image upside down.
/// fn upside_down([y, x]: At<2>, src: View<u8>) -> u8 {
///     let [height, _] = src.extents();
///     src.get([height - 1 - y, x]).unwrap_or(0)
/// }
///
/// let image = View::from_slice(&[1u8, 2, 3, 4, 5, 6], [2, 3])?;
/// assert_eq!(upside_down([0, 2], image), 6);
/// # Ok::<(), windrow::InvalidTensor>(())
/// ```
pub type At<const N: usize> = [i32; N];

/// A number that is counted in elements along a dimension: `usize`, or `i32` as kernels count.
pub trait Coordinate: sealed::Sealed + Copy {
    /// Returns the element's number, or one that no tensor has where there is no such element.
    #[doc(hidden)]
    fn place(self) -> usize;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for i32 {}
}

impl Coordinate for usize {
    #[inline]
    fn place(self) -> usize {
        self
    }
}

impl Coordinate for i32 {
    #[inline]
    fn place(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

/// Returns the output column of the current element.
///
/// Outside a kernel it is 0, or what [`at`] says.
pub fn x() -> i32 {
    cell::get().0
}

/// Returns the output row of the current element.
///
/// Outside a kernel it is 0, or what [`at`] says.
pub fn y() -> i32 {
    cell::get().1
}

/// Calls `f` with the current element at (x, y). The one before is current again afterwards, also where `f` panics.
pub fn at<R>(x: i32, y: i32, f: impl FnOnce() -> R) -> R {
    let _before = Restored(cell::get());
    cell::set((x, y));
    f()
}

/// Makes a coordinate current again when it is dropped.
struct Restored((i32, i32));

impl Drop for Restored {
    fn drop(&mut self) {
        cell::set(self.0);
    }
}

#[cfg(feature = "std")]
mod cell {
    use std::cell::Cell;

    std::thread_local! {
        static COORDINATE: Cell<(i32, i32)> = const { Cell::new((0, 0)) };
    }

    pub fn get() -> (i32, i32) {
        COORDINATE.get()
    }

    pub fn set(coordinate: (i32, i32)) {
        COORDINATE.set(coordinate);
    }
}

/// Without threads of the standard library there is one coordinate: the reference runs on one thread at a time.
#[cfg(not(feature = "std"))]
mod cell {
    use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

    static X: AtomicI32 = AtomicI32::new(0);
    static Y: AtomicI32 = AtomicI32::new(0);

    pub fn get() -> (i32, i32) {
        (X.load(Relaxed), Y.load(Relaxed))
    }

    pub fn set((x, y): (i32, i32)) {
        X.store(x, Relaxed);
        Y.store(y, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_lasts_as_long_as_its_call() {
        let checker = || (x() + y()) % 2;
        assert_eq!(at(3, 4, checker), 1);
        assert_eq!(checker(), 0);
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_panic_leaves_the_coordinate_as_it_was() {
        at(1, 2, || {
            let caught = std::panic::catch_unwind(|| at(3, 4, || panic!("on purpose")));
            assert!(caught.is_err());
            assert_eq!((x(), y()), (1, 2));
        });
    }
}
