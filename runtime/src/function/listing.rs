//! What a composite does in one run, as a list: which stage runs where, and what is copied between the places.

use core::fmt;
use std::{string::String, vec::Vec};

/// One thing that a run does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A stage runs.
    Run {
        /// The operator's name.
        stage: String,
        /// Where: the processor, a device's name, or both.
        place: String,
    },
    /// A value is copied from one memory to another.
    Copy {
        /// What it is: `input 0`, or `gaussian3x3 0` for the first output of a stage.
        value: String,
        /// Its bytes.
        bytes: usize,
        /// The place that it is copied from.
        from: String,
        /// The place that it is copied to.
        to: String,
    },
}

/// What a run does, in order. It is printed with a line for each step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Listing {
    /// Places all stages of these names alike.
    pub fn of_stages<'n>(stages: impl IntoIterator<Item = &'n str>, place: &str) -> Listing {
        let run = |stage: &str| Step::Run { stage: stage.into(), place: place.into() };
        Listing { steps: stages.into_iter().map(run).collect() }
    }

    /// Returns the number of bytes that a run copies from one memory to another.
    pub fn bytes_copied(&self) -> usize {
        let bytes = |step: &Step| match step {
            Step::Run { .. } => 0,
            Step::Copy { bytes, .. } => *bytes,
        };
        self.steps.iter().map(bytes).sum()
    }
}

/// `run gaussian3x3 on the processor`, `copy input 0 (307200 bytes) from the processor to NVIDIA H200`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Run { stage, place } => write!(f, "run {stage} on {place}"),
            Step::Copy { value, bytes, from, to } => write!(f, "copy {value} ({bytes} bytes) from {from} to {to}"),
        }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}
