//! A [`Driver`], and how each of its methods makes its call.

#[cfg(feature = "testing")]
use crate::testing::fault::Faults;
use crate::{
    Call, Counters, DriverError, ObjectKind, SerialisedCalls,
    driver::{ids::PlatformId, serialised::Lane},
};
use cl3::OpenClRuntime;
use opencl3::{
    error_codes::{DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED},
    types::cl_int,
};
use parking_lot::Mutex;
use std::sync::Arc;

/// The way to the library, with counters of its own. Cheap to clone: the clones count together.
#[derive(Clone, Debug)]
pub struct Driver {
    pub(crate) shared: Arc<Shared>,
    /// Of whoever the objects are that are made through it.
    serialised: SerialisedCalls,
    /// Where they take them.
    lane: Lane,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(super) counting: Mutex<Counters>,
    #[cfg(feature = "testing")]
    pub faults: Faults,
}

impl Driver {
    /// Returns a way to the library, with counters at zero. The library itself is loaded by the first call.
    #[allow(clippy::new_without_default, reason = "two drivers are not the same")]
    pub fn new() -> Self {
        let shared = Shared {
            counting: Mutex::new(Counters::ZERO),
            #[cfg(feature = "testing")]
            faults: Faults::default(),
        };
        Self { shared: Arc::new(shared), serialised: SerialisedCalls::default(), lane: Lane::of(None) }
    }

    /// Returns what was called up to now.
    pub fn counters(&self) -> Counters {
        *self.shared.counting.lock()
    }

    /// Returns which calls of several threads are serialised. One that no context has given out is careful: it may be
    /// anybody's.
    pub fn serialised(&self) -> SerialisedCalls {
        self.serialised
    }

    /// The same, for objects of a platform with which these calls are serialised.
    pub(crate) fn with_serialised(&self, serialised: SerialisedCalls, platform: PlatformId) -> Self {
        Self { serialised, lane: Lane::of(Some(platform)), ..self.clone() }
    }

    #[cfg(not(feature = "testing"))]
    fn injected(&self, _call: Call) -> Option<cl_int> {
        None
    }

    /// Makes `call`.
    pub(super) fn make<T>(&self, call: Call, make: impl FnOnce() -> Result<T, cl_int>) -> Result<T, DriverError> {
        let turn = self.serialised.wait(call, &self.lane);
        let result = self.injected(call).map_or_else(make, Err);
        drop(turn);
        self.shared.counting.lock().count(call, result.is_ok());
        result.map_err(|code| DriverError::of(call, code))
    }

    /// Gives an object back. A failure is counted, as no caller could be given it; one on purpose loses nothing.
    pub(super) fn release(&self, call: Call, kind: ObjectKind, release: impl FnOnce() -> Result<(), cl_int>) {
        let turn = self.serialised.wait(call, &self.lane);
        let injected = self.injected(call);
        let result = release();
        drop(turn);
        let mut counting = self.shared.counting.lock();
        if result.is_ok() {
            counting.count_released(kind);
        }
        counting.count(call, result.is_ok() && injected.is_none());
    }
}

/// The library's functions, for calls that `opencl3` makes with an event that nobody asked for.
pub(super) fn library() -> Result<&'static OpenClRuntime, cl_int> {
    cl3::load_library().as_ref().map_err(|_| DLOPEN_RUNTIME_LOAD_FAILED)
}

/// The outcome of one of [`library`]'s functions, `None` where it has no such function.
pub(super) fn checked(status: Option<cl_int>) -> Result<(), cl_int> {
    match status {
        Some(0) => Ok(()),
        Some(code) => Err(code),
        None => Err(DLOPEN_FUNCTION_NOT_AVAILABLE),
    }
}
