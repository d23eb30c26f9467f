//! What a function does once: originals become what runs need, and are given up.

use core::fmt;
use std::{
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    thread::{self, ThreadId},
};

use super::error::FunctionError;

/// Something made of originals, once: by hand or by the first that needs it.
///
/// Threads that ask at once wait for the one that makes it. The originals are dropped as soon as it is made; where making it
/// fails, they stay, and the next one tries again.
pub struct Prepared<O, P> {
    originals: Mutex<Option<O>>,
    /// The thread that is making it.
    maker: Mutex<Option<ThreadId>>,
    prepared: OnceLock<P>,
}

/// Something that is prepared asked for itself while it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is being prepared asks for itself: it is not there before it is made")]
pub struct Reentered;

impl From<Reentered> for FunctionError {
    fn from(Reentered: Reentered) -> FunctionError {
        FunctionError::Original { original: "what is being prepared", rule: "asks for itself while it is made" }
    }
}

impl<O, P> Prepared<O, P> {
    /// Returns what is to be made of these.
    pub fn new(originals: O) -> Prepared<O, P> {
        Prepared { originals: Mutex::new(Some(originals)), maker: Mutex::new(None), prepared: OnceLock::new() }
    }

    /// Returns what `make` made of the originals, now or before.
    ///
    /// # Errors
    /// That of `make`; [`Reentered`] where `make` asks for what it makes.
    pub fn get<E: From<Reentered>>(&self, make: impl FnOnce(&O) -> Result<P, E>) -> Result<&P, E> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        if *lock(&self.maker) == Some(thread::current().id()) {
            return Err(Reentered.into());
        }
        let mut originals = lock(&self.originals);
        let Some(held) = originals.as_ref() else {
            // The originals went after this was set: it does not wait.
            return Ok(self.prepared.wait());
        };
        let made = {
            let _maker = Maker::of(&self.maker);
            make(held)?
        };
        let prepared = self.prepared.get_or_init(|| made);
        *originals = None;
        Ok(prepared)
    }

    /// Returns whether the value has been made.
    pub fn is_prepared(&self) -> bool {
        self.prepared.get().is_some()
    }
}

/// A thread that panicked while it made it left nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This thread is the one that makes something, until this is dropped.
struct Maker<'p>(&'p Mutex<Option<ThreadId>>);

impl Maker<'_> {
    fn of(maker: &Mutex<Option<ThreadId>>) -> Maker<'_> {
        *lock(maker) = Some(thread::current().id());
        Maker(maker)
    }
}

impl Drop for Maker<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

impl<O, P: fmt::Debug> fmt::Debug for Prepared<O, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("prepared", &self.prepared.get()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Arc, sync::mpsc, thread, time::Duration};

    #[test]
    fn what_asks_for_itself_while_it_is_made_is_told_so() {
        let (prepared, (send, receive)) = (Arc::new(Prepared::<u8, u8>::new(7)), mpsc::channel());
        thread::spawn(move || {
            let inner = |_: &u8| prepared.get::<FunctionError>(|held| Ok(*held)).copied();
            let found = prepared.get::<FunctionError>(inner).copied();
            // The error is not kept: it can still be made.
            send.send((found, prepared.get::<FunctionError>(|held| Ok(*held)).copied())).unwrap();
        });
        let (found, again) = receive.recv_timeout(Duration::from_secs(60)).expect("it waits for itself");
        assert!(found.is_err());
        assert_eq!(again, Ok(7));
    }
}
