//! The coordinate of the element that is being computed, as an author's function asks for it.
//!
//! Emitted bodies know their coordinates; these are for the function itself, when it runs as the reference or is called
//! by hand.

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
