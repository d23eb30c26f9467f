//! When kernels ran: on devices, by their events, and on the processor.
//!
//! A [`Profiler`] is switched on and off between runs. While it is off, no event is made for it. What it noted is a
//! [`Profile`]: a table, JSON, or a trace that `chrome://tracing` and Perfetto show.

pub(crate) mod profiler;
pub(crate) mod record;
pub(crate) mod trace;

pub use profiler::{Profiler, TimedScheduler};
pub use record::{CpuSpan, LaunchRecord, Profile, Timestamps};
