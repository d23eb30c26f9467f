//! Nodes whose numbers other nodes compute.

use std::{fmt, sync::Arc};

/// A node of a file as it lies there, whose operator its numbers say.
#[derive(Clone, PartialEq)]
pub struct Later {
    pub(crate) node: Arc<[u8]>,
    /// The version of the operators that it means.
    pub(crate) version: i64,
    /// What is said of it where its numbers stay unknown.
    pub(crate) reason: String,
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Later").field("reason", &self.reason).finish_non_exhaustive()
    }
}
