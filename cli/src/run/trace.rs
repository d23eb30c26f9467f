//! The times of steps as a trace in Chrome's format, which Perfetto and `chrome://tracing` draw.

use std::time::Duration;

use serde::Serialize;
use windrow_graph::Step;

/// All runs, one behind another.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Trace {
    trace_events: Vec<Event>,
    display_time_unit: &'static str,
}

/// Something that took a time: microseconds from the start of the first run.
#[derive(Debug, Serialize)]
struct Event {
    name: String,
    cat: &'static str,
    ph: &'static str,
    ts: f64,
    dur: f64,
    pid: u32,
    tid: u32,
    args: Arguments,
}

/// What is said of a step.
#[derive(Debug, Default, Serialize)]
struct Arguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    writes: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fused: Vec<String>,
}

impl Trace {
    pub fn new() -> Trace {
        Trace { display_time_unit: "ms", ..Trace::default() }
    }

    /// Adds a run that began and took so long.
    pub fn run(&mut self, number: u32, start: Duration, took: Duration) {
        self.event(format!("run {number}"), "run", (start, took), Arguments::default());
    }

    /// Adds a step that began and took so long.
    pub fn step(&mut self, step: &Step, start: Duration, took: Duration) {
        let arguments = Arguments {
            node: Some(step.node().to_owned()),
            operator: Some(step.operator().to_owned()),
            writes: Some(step.extents().to_vec()),
            fused: step.fused().iter().map(|fused| fused.operator().to_owned()).collect(),
        };
        self.event(step.kernel().to_owned(), "step", (start, took), arguments);
    }

    fn event(&mut self, name: String, cat: &'static str, (start, took): (Duration, Duration), args: Arguments) {
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        let (ts, dur) = (microseconds(start), microseconds(took));
        self.trace_events.push(Event { name, cat, ph: "X", ts, dur, pid: 1, tid: 1, args });
    }

    /// The file's text.
    pub fn text(&self) -> String {
        // Names and numbers: nothing of them can't be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}
