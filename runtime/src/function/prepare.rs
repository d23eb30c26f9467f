//! What a function does once: originals become what runs need, and are given up.

use core::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Something made of originals, once: by hand or by the first that needs it.
///
/// Threads that ask at once wait for the one that makes it. The originals are dropped as soon as it is made; where making it
/// fails, they stay, and the next one tries again.
pub struct Prepared<O, P> {
    originals: Mutex<Option<O>>,
    prepared: OnceLock<P>,
}

impl<O, P> Prepared<O, P> {
    /// To be made of these.
    pub fn new(originals: O) -> Prepared<O, P> {
        Prepared { originals: Mutex::new(Some(originals)), prepared: OnceLock::new() }
    }

    /// What `make` made of the originals, now or before.
    pub fn get<E>(&self, make: impl FnOnce(&O) -> Result<P, E>) -> Result<&P, E> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        let mut originals = self.originals.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(held) = originals.as_ref() else {
            // The originals went after this was set: it does not wait.
            return Ok(self.prepared.wait());
        };
        let made = make(held)?;
        let prepared = self.prepared.get_or_init(|| made);
        *originals = None;
        Ok(prepared)
    }

    /// Whether it has been made.
    pub fn is_prepared(&self) -> bool {
        self.prepared.get().is_some()
    }
}

impl<O, P: fmt::Debug> fmt::Debug for Prepared<O, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("prepared", &self.prepared.get()).finish_non_exhaustive()
    }
}
