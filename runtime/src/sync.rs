//! The atomics of the schedulers and the pools: the processor's, or the model checker's under `cfg(loom)`.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

#[cfg(all(feature = "std", not(loom)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(all(feature = "std", loom))]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
