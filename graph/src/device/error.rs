//! What can be wrong with a plan on a device.

use windrow::{Error, InvalidTensor, opencl::OpenClError};

use crate::error::RunPlanError;

/// Why a plan can't be brought to a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DevicePlanError {
    /// A step whose kernel is refused, or whose tensors are.
    #[error("node `{node}`, computed by `{kernel}`: {error}")]
    Step {
        /// The node.
        node: String,
        /// The operator of the library, or `copy`.
        kernel: &'static str,
        /// Why.
        #[source]
        error: Box<Error>,
    },
    /// A node that is to be computed with the processor, and that the plan does not have.
    #[error("no step of the plan computes a node `{node}`{}", nearest(node, known))]
    UnknownNode {
        /// The node.
        node: String,
        /// Those that the plan's steps compute.
        known: Vec<String>,
    },
    /// The device has no memory for the tensors, or none of their size.
    #[error(transparent)]
    Memory(Box<OpenClError>),
    /// A tensor that can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
}

/// Why a plan does not run on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunOnDeviceError {
    /// The tensors are not the plan's.
    #[error(transparent)]
    Plan(#[from] RunPlanError),
    /// A node's kernel was not launched.
    #[error("node `{node}`: {error}")]
    Node {
        /// The node.
        node: String,
        /// Why.
        #[source]
        error: Box<OpenClError>,
    },
    /// A run that does not wait, where the processor has to.
    #[error("node `{node}` is computed with the processor, for which `launch` would have to wait: `run` does")]
    OnProcessor {
        /// The first such node.
        node: String,
    },
    /// The tensors did not go to the device, or did not come back.
    #[error(transparent)]
    OpenCl(Box<OpenClError>),
    /// A tensor can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
}

impl From<OpenClError> for DevicePlanError {
    fn from(error: OpenClError) -> DevicePlanError {
        DevicePlanError::Memory(Box::new(error))
    }
}

impl From<OpenClError> for RunOnDeviceError {
    fn from(error: OpenClError) -> RunOnDeviceError {
        RunOnDeviceError::OpenCl(Box::new(error))
    }
}

impl From<RunOnDeviceError> for Error {
    fn from(error: RunOnDeviceError) -> Error {
        Error::other(error)
    }
}

/// Names that a message has at most.
const SHOWN: usize = 12;

/// The name that is nearest, or the first of all names where none is near.
fn nearest(name: &str, known: &[String]) -> String {
    // Another letter in a name of one or two makes any other name of it.
    let is_near = |distance: usize| distance < name.chars().count().div_ceil(2) && distance <= 2.max(name.len() / 3);
    match known.iter().map(|other| (strsim::levenshtein(name, other), other)).min() {
        Some((distance, other)) if is_near(distance) => format!("; did you mean `{other}`?"),
        Some(_) => {
            let shown: Vec<String> = known.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = known.len() - shown.len();
            let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("; it has {}{rest}", shown.join(", "))
        }
        None => "; it has none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_nodes_are_answered_with_those_that_there_are() {
        let known: Vec<String> = (0..14).map(|number| format!("convolution_{number}")).collect();
        assert_eq!(nearest("convolution4", &known), "; did you mean `convolution_4`?");
        assert_eq!(nearest("relu", &known[..2]), "; it has `convolution_0`, `convolution_1`");
        assert!(nearest("relu", &known).ends_with("`convolution_11` and 2 more"));
        assert_eq!(nearest("relu", &[]), "; it has none");
        assert_eq!(nearest("xx", &["n0".to_owned()]), "; it has `n0`");
    }
}
