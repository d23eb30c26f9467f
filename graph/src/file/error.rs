//! Why files hold no plan that can be read here.

use std::{io, path::PathBuf};

use super::form::VERSION;
use crate::error::PlanError;

/// Why files hold no plan that can be read here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFileError {
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// Text that isn't a plan, with its line and column.
    #[error("this is no plan that can be read: {0}")]
    Malformed(String),
    /// A version of plans that is not read.
    #[error("the plan has version {found}, {}", remedy(*.found))]
    Version {
        /// Its version.
        found: u64,
    },
    /// A file of constants that is cut off, or another plan's.
    #[error("the constants take {found} bytes, and the plan says {expected}: is the file cut off, or another plan's?")]
    ConstantsLength {
        /// Bytes of the file.
        found: usize,
        /// Bytes that the plan says.
        expected: usize,
    },
    /// A constant that is not the one that the plan was made with.
    #[error(
        "constant {constant} is not the one that the plan was made with: its SHA-256 is another, or bytes before it are not 0"
    )]
    Altered {
        /// Its number.
        constant: usize,
    },
    /// Something that breaks a rule of plans.
    #[error("{what} is {found}, but {rule}")]
    Rule {
        /// What, and in which step.
        what: String,
        /// What it is.
        found: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A step of an operator of the writer's own, which is not given.
    #[error(
        "step {step} (node `{node}`) is computed by the custom operator `{operator}`, which is not given: `Plan::load_with` and `Plan::read_with` take it"
    )]
    Custom {
        /// The step's number.
        step: usize,
        /// The node.
        node: String,
        /// The operator.
        operator: String,
    },
    /// A step of a custom operator that was computed by another kernel.
    #[error(
        "step {step} (node `{node}`) is computed by `{expected}`, and the custom operator `{operator}` that is given has `{found}`"
    )]
    CustomKernel {
        /// The step's number.
        step: usize,
        /// The node.
        node: String,
        /// The operator.
        operator: String,
        /// The kernel that the operator has.
        found: &'static str,
        /// The kernel that the plan names.
        expected: String,
    },
    /// An operator of the library that refuses a step, or memory that is not there.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

fn remedy(found: u64) -> String {
    if found < VERSION {
        format!(
            "which this windrow no longer reads: version {VERSION} is what it reads; make the plan again from its model"
        )
    } else {
        format!("which a later windrow wrote: version {VERSION} is what this one reads")
    }
}
