//! How often each function was called, and how many objects are alive.

use crate::{Call, ObjectKind, Role};

const CALLS: usize = Call::ALL.len();
const KINDS: usize = ObjectKind::ALL.len();

/// What was called through one [`super::Driver`] up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    calls: [u64; CALLS],
    failures: [u64; CALLS],
    created: [u64; KINDS],
    released: [u64; KINDS],
}

impl Counters {
    /// Returns how often `call` was made, failures included.
    pub fn calls(&self, call: Call) -> u64 {
        self.calls[call.index()]
    }

    /// Returns how often `call` failed.
    pub fn failures(&self, call: Call) -> u64 {
        self.failures[call.index()]
    }

    /// Returns how often objects were given back that the driver refused to take. They are lost.
    pub fn failed_releases(&self) -> u64 {
        let releases = Call::ALL.iter().filter(|call| matches!(call.role(), Role::Release(_)));
        releases.map(|call| self.failures(*call)).sum()
    }

    /// Programs compiled or linked.
    pub fn builds(&self) -> u64 {
        self.made(|role| role == Role::Build)
    }

    /// Blocks of device memory made: buffers, parts of buffers and images.
    pub fn allocations(&self) -> u64 {
        self.made(|role| role == Role::Create(ObjectKind::Memory))
    }

    /// Writes, reads and maps: bytes that cross between the host and a device.
    pub fn transfers(&self) -> u64 {
        self.made(|role| role == Role::Transfer)
    }

    /// Kernels run.
    pub fn launches(&self) -> u64 {
        self.made(|role| role == Role::Launch)
    }

    /// Objects of `kind` made, or taken part in, events of commands included.
    pub fn created(&self, kind: ObjectKind) -> u64 {
        self.created[kind as usize]
    }

    /// Objects of `kind` given back.
    pub fn released(&self, kind: ObjectKind) -> u64 {
        self.released[kind as usize]
    }

    /// Objects of all kinds that were made and not given back.
    pub fn live(&self) -> u64 {
        self.created.iter().sum::<u64>() - self.released.iter().sum::<u64>()
    }

    /// Returns what happened after `before` was taken.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        fn less<const N: usize>(now: &[u64; N], before: &[u64; N]) -> [u64; N] {
            core::array::from_fn(|k| now[k].saturating_sub(before[k]))
        }
        Self {
            calls: less(&self.calls, &before.calls),
            failures: less(&self.failures, &before.failures),
            created: less(&self.created, &before.created),
            released: less(&self.released, &before.released),
        }
    }

    fn made(&self, wanted: impl Fn(Role) -> bool) -> u64 {
        let rows = Call::ALL.iter().filter(|call| wanted(call.role()));
        rows.map(|call| self.calls(*call) - self.failures(*call)).sum()
    }
}

impl Counters {
    pub(super) const ZERO: Self =
        Self { calls: [0; CALLS], failures: [0; CALLS], created: [0; KINDS], released: [0; KINDS] };

    pub(super) fn count(&mut self, call: Call, succeeded: bool) {
        self.calls[call.index()] += 1;
        self.failures[call.index()] += u64::from(!succeeded);
    }

    pub(super) fn count_created(&mut self, kind: ObjectKind) {
        self.created[kind as usize] += 1;
    }

    pub(super) fn count_released(&mut self, kind: ObjectKind) {
        self.released[kind as usize] += 1;
    }
}
