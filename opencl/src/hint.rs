//! Wishes that a device need not know.

use serde::{Deserialize, Serialize};

/// A wish that a device need not know. It changes speed or memory, never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Hint {
    /// Others' work goes first: a user interface stays fluent.
    LowPriority,
    /// This work goes first.
    HighPriority,
    /// Memory that is not in use is given back at once.
    LowMemory,
    /// Memory that is not in use is kept for the next run.
    KeepMemory,
}

/// What became of a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintReport {
    /// The hint.
    pub hint: Hint,
    /// Whether it is in effect.
    pub taken: bool,
    /// By what, or why not.
    pub reason: &'static str,
}
