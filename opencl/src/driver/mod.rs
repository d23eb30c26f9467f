//! The gateway: every call of the OpenCL library is made here, and nowhere else.
//!
//! A [`Driver`] is what [`super::Devices`], contexts and all their objects share. Each of its methods makes one call of
//! the table in `call`: it counts it, turns its status into an [`DriverError`], waits for its turn where drivers crash
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
//!
//! Which calls of several threads are serialised is in `serialised`.

pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod counters;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod gateway;
pub(crate) mod handle;
pub(crate) mod ids;
pub(crate) mod memory;
pub(crate) mod platform;
pub(crate) mod program;
pub(crate) mod record;
pub(crate) mod serialised;
pub(crate) mod transfer;

#[cfg(test)]
mod tests;

pub use call::{Call, ObjectKind, Role};
pub use counters::Counters;
pub use error::DriverError;
pub use gateway::Driver;
pub(crate) use record::{CommandBuffer, RecordFunctions};
pub use serialised::{SERIALISED_CALLS_VARIABLE, SerialisedCalls};
