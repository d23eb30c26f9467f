//! A profile in the trace event format of Chrome, which Perfetto reads too.
//!
//! A process stands for a device, or for the processor; a row for a thread, or for what a launch did: waiting, running.
//! All times are the host's, in microseconds from the first one on.

use crate::{CpuSpan, LaunchRecord, Profile};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The process that stands for the processor; devices follow.
const CPU: usize = 0;
/// The rows of a device.
const WAITING: usize = 0;
const RUNNING: usize = 1;

impl Profile {
    /// Returns the trace.
    pub fn chrome_trace(&self) -> String {
        let devices: Vec<&str> =
            self.launches.iter().map(|launch| launch.device.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
        let process = |device: &str| 1 + devices.iter().position(|other| *other == device).unwrap_or(0);
        let starts = self.launches.iter().map(|launch| launch.on_host(launch.timestamps.queued));
        let first = starts.chain(self.spans.iter().map(|span| span.started)).min().unwrap_or(0);
        let mut events = names(&devices);
        for launch in &self.launches {
            events.extend(of_launch(launch, process(&launch.device), first));
        }
        events.extend(self.spans.iter().map(|span| of_span(span, first)));
        json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string()
    }
}

fn names(devices: &[&str]) -> Vec<Value> {
    let name = |kind: &str, process: usize, row: usize, name: &str| json!({ "ph": "M", "name": kind, "pid": process, "tid": row, "args": { "name": name } });
    let mut events = vec![name("process_name", CPU, 0, "CPU")];
    for (index, device) in devices.iter().enumerate() {
        events.push(name("process_name", 1 + index, 0, device));
        events.push(name("thread_name", 1 + index, WAITING, "waiting"));
        events.push(name("thread_name", 1 + index, RUNNING, "running"));
    }
    events
}

fn of_launch(launch: &LaunchRecord, process: usize, first: u64) -> [Value; 2] {
    let stamps = &launch.timestamps;
    let event = |row: usize, from: u64, to: u64| {
        let (from, to) = (launch.on_host(from), launch.on_host(to));
        json!({
            "ph": "X", "name": launch.kernel, "cat": "opencl", "pid": process, "tid": row,
            "ts": micros(from.saturating_sub(first)), "dur": micros(to.saturating_sub(from)),
            "args": { "global": launch.global, "local": launch.local, "timestamps": stamps },
        })
    };
    [event(WAITING, stamps.queued, stamps.started), event(RUNNING, stamps.started, stamps.ended)]
}

fn of_span(span: &CpuSpan, first: u64) -> Value {
    json!({
        "ph": "X", "name": span.kernel, "cat": "cpu", "pid": CPU, "tid": span.thread,
        "ts": micros(span.started.saturating_sub(first)), "dur": micros(span.ended.saturating_sub(span.started)),
    })
}

fn micros(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

#[cfg(test)]
mod tests;
