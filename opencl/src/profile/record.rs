//! What was noted of each launch.

use crate::LocalSize;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

/// The four times of a launch, in nanoseconds on the device's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timestamps {
    /// The host put it into the queue.
    pub queued: u64,
    /// The queue gave it to the device.
    pub submitted: u64,
    /// The device began.
    pub started: u64,
    /// The device was done.
    pub ended: u64,
}

impl Timestamps {
    /// Returns the time from the beginning to the end.
    pub fn run(&self) -> Duration {
        Duration::from_nanos(self.ended.saturating_sub(self.started))
    }

    /// Returns the time from the queue to the beginning: what the driver took, compiling included.
    pub fn wait(&self) -> Duration {
        Duration::from_nanos(self.started.saturating_sub(self.queued))
    }

    /// Returns whether the times are in order, as the standard says they are.
    pub fn is_monotone(&self) -> bool {
        [self.queued, self.submitted, self.started, self.ended].is_sorted()
    }
}

/// One launch of a kernel, or one replay of a recording: a device tells the times of its end and its beginning alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchRecord {
    /// The entry point's name; of a recording, those of all its launches, in order.
    pub kernel: String,
    /// The device.
    pub device: String,
    /// When.
    pub timestamps: Timestamps,
    /// Work-items; of a recording, those of all its launches along the first dimension.
    pub global: [usize; 3],
    /// Work-items of a group; none: as the driver liked.
    pub local: Option<[usize; 3]>,
    /// What the device's clock showed less than the host's: `started + offset` is on the host's clock.
    pub offset: i64,
}

impl LaunchRecord {
    /// Returns the work-groups of the launch.
    pub fn local_size(&self) -> LocalSize {
        match self.local {
            Some([x, y, _]) => LocalSize::Fixed(x as u32, y as u32),
            None => LocalSize::Driver,
        }
    }

    /// A time of the device on the host's clock.
    pub(super) fn on_host(&self, time: u64) -> u64 {
        time.saturating_add_signed(self.offset)
    }
}

/// A part of a kernel that a thread of the processor ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuSpan {
    /// The kernel's name.
    pub kernel: String,
    /// Which thread, from 0 on.
    pub thread: usize,
    /// When it began, in nanoseconds on the host's clock.
    pub started: u64,
    /// When it was done.
    pub ended: u64,
}

/// What a profiler noted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The launches, in the order in which they were enqueued.
    pub launches: Vec<LaunchRecord>,
    /// The parts that ran on the processor, in the order in which they ended.
    pub spans: Vec<CpuSpan>,
}

impl Profile {
    /// Returns a line a kernel: how often it ran, and for how long; the longest in all first.
    pub fn table(&self) -> String {
        let mut kernels: BTreeMap<(&str, &str), Vec<Duration>> = BTreeMap::new();
        for launch in &self.launches {
            kernels.entry((&launch.kernel, &launch.device)).or_default().push(launch.timestamps.run());
        }
        for span in &self.spans {
            let time = Duration::from_nanos(span.ended.saturating_sub(span.started));
            kernels.entry((&span.kernel, "CPU")).or_default().push(time);
        }
        let mut rows: Vec<_> =
            kernels.into_iter().map(|(names, times)| (times.iter().sum::<Duration>(), names, times)).collect();
        rows.sort_by(|(a, ..), (b, ..)| b.cmp(a));
        let mut text =
            format!("{:>8} {:>12} {:>12} {:>12}  kernel, device\n", "runs", "total µs", "median µs", "least µs");
        for (total, (kernel, device), mut times) in rows {
            times.sort_unstable();
            let micros = |time: Duration| time.as_secs_f64() * 1e6;
            let (median, least) = (times[times.len() / 2], times[0]);
            // Writing to a text never fails.
            let _ = writeln!(
                text,
                "{:>8} {:>12.1} {:>12.1} {:>12.1}  {kernel}, {device}",
                times.len(),
                micros(total),
                micros(median),
                micros(least)
            );
        }
        text
    }

    /// Returns all of it as JSON.
    ///
    /// # Errors
    /// None that it is known to have.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

#[cfg(test)]
pub(super) mod tests;
