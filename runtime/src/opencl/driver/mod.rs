//! The gateway: every call of the OpenCL library is made here, and nowhere else.
//!
//! A [`Driver`] is what [`super::Devices`], contexts and all their objects share. Each of its methods makes one call of
//! the table in `call`: it counts it, turns its status into an [`OpenClError`], waits for its turn where drivers crash
//! otherwise, and, in tests, fails on purpose. Objects come back as a [`Handle`], which releases them.
//!
//! | File | Calls |
//! |---|---|
//! | `platform` | platforms, devices, what they say of themselves |
//! | `context` | contexts and queues |
//! | `memory` | buffers, parts of them, images, samplers |
//! | `program` | programs and kernels |
//! | `transfer` | bytes to, from and on a device |
//! | `event` | launches, events, order |
//! | `record` | command buffers |

mod call;
mod context;
mod counters;
mod event;
mod handle;
mod memory;
mod platform;
mod program;
mod record;
mod transfer;

#[cfg(test)]
mod tests;

pub use call::{Call, ObjectKind, Role};
pub use counters::Counters;
pub(crate) use event::Waits;
pub(crate) use handle::{
    ContextObject, EventObject, Handle, KernelObject, MemoryObject, ProgramObject, QueueObject, SamplerObject,
};
pub(crate) use platform::{DeviceId, PlatformId};
#[allow(unused_imports, reason = "as above")]
pub(crate) use record::{CommandBuffer, RecordFunctions};
#[allow(unused_imports, reason = "as above")]
pub(crate) use transfer::{Mapping, Rectangle};

use super::error::OpenClError;
use cl3::OpenClRuntime;
use counters::Counting;
use opencl3::{
    error_codes::{ClError, DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED},
    types::cl_int,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The way to the library, with counters of its own. Cheap to clone: the clones count together.
#[derive(Clone, Debug)]
pub struct Driver {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    counting: Counting,
    #[cfg(feature = "testing")]
    fault: Mutex<Option<Fault>>,
}

/// A call that is to fail.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug)]
struct Fault {
    call: Call,
    /// Calls that succeed before.
    after: u64,
    code: cl_int,
}

impl Driver {
    /// A way to the library whose counters stand at zero. The library itself is loaded by the first call.
    #[allow(clippy::new_without_default, reason = "two drivers are not the same")]
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Shared {
                counting: Counting::new(),
                #[cfg(feature = "testing")]
                fault: Mutex::new(None),
            }),
        }
    }

    /// What was called up to now.
    pub fn counters(&self) -> Counters {
        self.shared.counting.now()
    }

    /// Lets the call of `call` after `after` further ones fail with `code`, once.
    #[cfg(feature = "testing")]
    pub fn fail(&self, call: Call, after: u64, code: i32) {
        *self.fault() = Some(Fault { call, after, code });
    }

    /// Takes back a failure that is still to come.
    #[cfg(feature = "testing")]
    pub fn fail_no_more(&self) {
        *self.fault() = None;
    }

    /// Whether a failure is still to come.
    #[cfg(feature = "testing")]
    pub fn is_failure_pending(&self) -> bool {
        self.fault().is_some()
    }

    #[cfg(feature = "testing")]
    fn fault(&self) -> MutexGuard<'_, Option<Fault>> {
        self.shared.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code with which this call is to fail.
    #[cfg(feature = "testing")]
    fn injected(&self, call: Call) -> Option<cl_int> {
        let mut fault = self.fault();
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

    #[cfg(not(feature = "testing"))]
    fn injected(&self, _call: Call) -> Option<cl_int> {
        None
    }

    /// Makes `call`.
    fn make<T>(&self, call: Call, make: impl FnOnce() -> Result<T, cl_int>) -> Result<T, OpenClError> {
        let turn = call.takes_turns().then(turn);
        let result = self.injected(call).map_or_else(make, Err);
        drop(turn);
        self.shared.counting.count(call, result.is_ok());
        result.map_err(|code| failure(call, code))
    }

    /// Gives an object back. A failure has no one to go to, and is counted; one on purpose loses nothing.
    fn release(&self, call: Call, kind: ObjectKind, release: impl FnOnce() -> Result<(), cl_int>) {
        let turn = turn();
        let injected = self.injected(call);
        let result = release();
        drop(turn);
        if result.is_ok() {
            self.shared.counting.released(kind);
        }
        self.shared.counting.count(call, result.is_ok() && injected.is_none());
    }
}

/// Waits for this thread's turn.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The library's functions, for calls that `opencl3` makes with an event that nobody asked for.
fn library() -> Result<&'static OpenClRuntime, cl_int> {
    cl3::load_library().as_ref().map_err(|_| DLOPEN_RUNTIME_LOAD_FAILED)
}

/// The outcome of one of [`library`]'s functions, `None` where it has no such function.
fn checked(status: Option<cl_int>) -> Result<(), cl_int> {
    match status {
        Some(0) => Ok(()),
        Some(code) => Err(code),
        None => Err(DLOPEN_FUNCTION_NOT_AVAILABLE),
    }
}

fn failure(call: Call, code: cl_int) -> OpenClError {
    match code {
        DLOPEN_RUNTIME_LOAD_FAILED => OpenClError::NoLibrary,
        DLOPEN_FUNCTION_NOT_AVAILABLE => {
            OpenClError::NoFeature { device: "the OpenCL library".into(), feature: call.name().into() }
        }
        code => OpenClError::Call { call, code, name: ClError(code).into() },
    }
}
