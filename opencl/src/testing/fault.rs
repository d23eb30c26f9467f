//! Calls that don't do what the library does, for tests: one that fails, or all of a kind that wait for each other.

use crate::{Call, Driver};
use opencl3::types::cl_int;
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What a driver's calls do instead.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    once: Mutex<Option<Fault>>,
    always: Mutex<Option<Replaced>>,
    met: Condvar,
}

/// A call that is to fail.
#[derive(Clone, Copy, Debug)]
struct Fault {
    call: Call,
    /// Calls that succeed before.
    after: u64,
    code: cl_int,
}

/// Calls that never reach the library.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    call: Call,
    code: cl_int,
    wait: Duration,
    /// Calls that are under way, and the most that ever were at once.
    inside: usize,
    most: usize,
}

impl Driver {
    /// Lets the call of `call` after `after` further ones fail with `code`, once.
    pub fn fail(&self, call: Call, after: u64, code: i32) {
        *self.once() = Some(Fault { call, after, code });
    }

    /// Takes back a failure that is still to come.
    pub fn fail_no_more(&self) {
        *self.once() = None;
    }

    /// Returns whether a failure is still to come.
    pub fn is_failure_pending(&self) -> bool {
        self.once().is_some()
    }

    /// Lets every call of `call` fail with `code` without reaching the library: as soon as two were under way at once, or
    /// after `wait`.
    pub fn replace(&self, call: Call, code: i32, wait: Duration) {
        *self.always() = Some(Replaced { call, code, wait, inside: 0, most: 0 });
    }

    /// Returns the most replaced calls that were under way at once.
    pub fn most_at_once(&self) -> usize {
        self.always().map_or(0, |replaced| replaced.most)
    }

    /// The code with which this call is to fail.
    pub(crate) fn injected(&self, call: Call) -> Option<cl_int> {
        self.injected_always(call).or_else(|| self.injected_once(call))
    }

    fn injected_once(&self, call: Call) -> Option<cl_int> {
        let mut fault = self.once();
        match fault.as_mut() {
            Some(wanted) if wanted.call == call && wanted.after == 0 => {
                let code = wanted.code;
                *fault = None;
                Some(code)
            }
            Some(wanted) if wanted.call == call => {
                wanted.after -= 1;
                None
            }
            Some(_) | None => None,
        }
    }

    fn injected_always(&self, call: Call) -> Option<cl_int> {
        let mut always = self.always();
        let replaced = always.as_mut().filter(|replaced| replaced.call == call)?;
        replaced.inside += 1;
        replaced.most = replaced.most.max(replaced.inside);
        let (code, wait) = (replaced.code, replaced.wait);
        self.shared.faults.met.notify_all();
        let alone = |always: &mut Option<Replaced>| always.is_some_and(|replaced| replaced.most < 2);
        let waited = self.shared.faults.met.wait_timeout_while(always, wait, alone);
        let (mut always, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if let Some(replaced) = always.as_mut() {
            replaced.inside -= 1;
        }
        Some(code)
    }

    fn once(&self) -> MutexGuard<'_, Option<Fault>> {
        self.shared.faults.once.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn always(&self) -> MutexGuard<'_, Option<Replaced>> {
        self.shared.faults.always.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
