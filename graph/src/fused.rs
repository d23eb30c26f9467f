//! Nodes that have no step of their own, since another node's step computes them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A node that another node's step computes too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fused {
    pub(crate) node: String,
    pub(crate) operator: String,
    pub(crate) how: Fusion,
}

/// How a node becomes part of another node's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fusion {
    /// The zeros that it puts around an image are the pads of the convolution that alone reads them.
    Padded,
    /// Its factors and summands, one for each channel, are part of the weights and the bias.
    Folded,
    /// What it adds is added while each sum is in a register.
    Added,
    /// It bounds each result while that is in a register.
    Bounded,
}

impl Fused {
    /// Returns the node's name.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns the format's name of what the node computes.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Returns how it became part of the step.
    pub fn how(&self) -> Fusion {
        self.how
    }
}

impl fmt::Display for Fusion {
    /// The reason, as the end of a sentence that begins with the node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fusion::Padded => "its zeros are the pads of this convolution, which alone reads them",
            Fusion::Folded => "its constants for each channel are folded into the weights and the bias",
            Fusion::Added => "it alone reads this result, and is added while that is in a register",
            Fusion::Bounded => "it alone reads this result, and bounds it while it is in a register",
        })
    }
}
