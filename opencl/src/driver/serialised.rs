//! Which calls of several threads are serialised, driver by driver.
//!
//! The standard says that objects may be made and released, and programs built, on any thread at any time. Drivers in use
//! crash on it. Who is not in the table is taken for one of those.

use crate::{Call, Role, driver::ids::PlatformId};
use parking_lot::{Mutex, ReentrantMutex, ReentrantMutexGuard};
use std::{collections::BTreeMap, env, sync::Arc};
use windrow_runtime::InvalidText;

/// The environment variable that overrules the table: `everything`, `objects` or `nothing`.
pub const SERIALISED_CALLS_VARIABLE: &str = "WINDROW_SERIALISED_CALLS";

/// What one thread does at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SerialisedCalls {
    /// Making objects, giving them back, building programs.
    #[default]
    Everything,
    /// Making objects and giving them back; several threads may build at once.
    Objects,
    /// Nothing: no call waits for another.
    Nothing,
}

/// Drivers by a part of their platforms' names, with which calls are serialised, and why.
#[rustfmt::skip]
const DRIVERS: [(&str, SerialisedCalls, &str); 3] = [
    ("Portable Computing Language", SerialisedCalls::Everything, "PoCL 3.1 crashes where several threads make contexts or build"),
    ("Oclgrind",                    SerialisedCalls::Everything, "made for one thread"),
    ("NVIDIA CUDA",                 SerialisedCalls::Objects,    "keeps to the standard: its calls may come from any thread"),
];

impl SerialisedCalls {
    /// Returns which calls are serialised with the driver of a platform of this name.
    pub fn of_platform(name: &str) -> Self {
        let row = DRIVERS.iter().find(|(part, _, _)| name.contains(part));
        row.map_or(Self::default(), |(_, serialised, _)| *serialised)
    }

    /// Returns what `WINDROW_SERIALISED_CALLS` says.
    ///
    /// # Errors
    /// Where it says something else than a policy.
    pub fn of_environment() -> Result<Option<Self>, InvalidText> {
        match env::var(SERIALISED_CALLS_VARIABLE) {
            Ok(name) if !name.is_empty() => name.parse().map(Some),
            Ok(_) | Err(env::VarError::NotPresent) => Ok(None),
            Err(env::VarError::NotUnicode(_)) => "?".parse().map(Some),
        }
    }

    /// This thread's turn for a call, once it has come; none where the call waits for no other.
    pub(super) fn wait(self, call: Call, lane: &Lane) -> Option<ReentrantMutexGuard<'_, ()>> {
        self.takes(call).then(|| lane.0.lock())
    }

    fn takes(self, call: Call) -> bool {
        let of_everything = match call.role() {
            Role::Create(_) | Role::Retain(_) | Role::Release(_) | Role::Build => true,
            // A driver's first calls, on whatever thread, start it up.
            Role::Query => matches!(call, Call::GetPlatformIds | Call::GetDeviceIds | Call::GetDeviceInfo),
            Role::Set | Role::Transfer | Role::Copy | Role::Launch | Role::Order => false,
        };
        match self {
            Self::Everything => of_everything,
            Self::Objects => of_everything && call.role() != Role::Build,
            Self::Nothing => false,
        }
    }
}

/// Where calls of one platform are serialised: those of another don't wait for them, since a build may take minutes.
///
/// A thread that has its turn may take another: drivers call back in the middle of a call, and what is called may drop objects.
#[derive(Clone, Debug)]
pub(super) struct Lane(Arc<ReentrantMutex<()>>);

impl Lane {
    /// Returns the lane of a platform; with none, of the library itself.
    pub fn of(platform: Option<PlatformId>) -> Self {
        static LANES: Mutex<BTreeMap<usize, Lane>> = Mutex::new(BTreeMap::new());
        let key = platform.map_or(0, |platform| platform.raw().addr());
        LANES.lock().entry(key).or_insert_with(|| Lane(Arc::default())).clone()
    }
}

#[cfg(test)]
mod tests;
