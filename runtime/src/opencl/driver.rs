//! One thread at a time where drivers need it.
//!
//! The standard says that objects may be made and released on any thread at any time. Drivers in use crash when
//! contexts are made, released or built on several threads at once, so those calls, and only those, take turns here.

use std::{
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
    sync::{Mutex, MutexGuard, PoisonError},
};

static TURN: Mutex<()> = Mutex::new(());

/// Waits for this thread's turn to make or build objects.
pub(super) fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An object of the driver that is released in its turn. It must not be dropped by who holds a turn.
#[derive(Debug)]
pub(super) struct Object<T>(ManuallyDrop<T>);

impl<T> Object<T> {
    pub(super) fn new(object: T) -> Self {
        Self(ManuallyDrop::new(object))
    }
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        let _turn = turn();
        // SAFETY: this is the only place that drops it, and it runs once.
        unsafe { ManuallyDrop::drop(&mut self.0) }
    }
}

impl<T> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Object<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
