//! What can be wrong with a function, while it is made or when it runs.

use core::{error::Error, fmt};
use std::{boxed::Box, string::ToString, sync::Arc};

use crate::{
    error::{InvalidConfiguration, RunError},
    info::{InvalidTensor, Shape},
    memory::MemoryError,
};

/// Why a function can't be made, prepared or run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FunctionError {
    /// A kernel can't be configured so.
    #[error(transparent)]
    Configuration(#[from] InvalidConfiguration),
    /// A tensor can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// The intermediates have no memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The executor refused or failed: the device that it runs on, say.
    #[error(transparent)]
    Executor(ExecutorError),
    /// A kernel of the function was refused or stopped.
    #[error("`{kernel}`: {error}")]
    Run {
        /// The kernel.
        kernel: &'static str,
        /// Why.
        error: Box<RunError>,
    },
    /// A kernel that also reads what it writes: nothing in a chain is written twice.
    #[error("`{kernel}` writes in place, which nothing in a chain may")]
    InPlace {
        /// The kernel.
        kernel: &'static str,
    },
    /// Another number of slots than the kernel has outputs.
    #[error("`{kernel}` writes {found} images, expected {expected}")]
    StageOutputs {
        /// The kernel.
        kernel: &'static str,
        /// Outputs that it was configured with.
        found: usize,
        /// Slots asked for.
        expected: usize,
    },
    /// A stage that is to be prepared, and was not.
    #[error("`{kernel}` has not been prepared")]
    Unprepared {
        /// The kernel.
        kernel: &'static str,
    },
    /// A stage that is prepared for another kernel or other images, or that is not to be prepared.
    #[error("`{kernel}` can't be prepared by `{found}` as it is configured: only its uniforms may differ")]
    OtherStage {
        /// The kernel in the chain.
        kernel: &'static str,
        /// The kernel given.
        found: &'static str,
    },
    /// A slot of another chain.
    #[error("the slot belongs to another chain")]
    ForeignSlot,
    /// An input of the chain, or an output of it already, was named as its output.
    #[error("slot {slot} is {}", if *.twice { "an output already" } else { "an input of the chain: nothing writes it" })]
    Output {
        /// The slot's number.
        slot: usize,
        /// Whether it is an output already.
        twice: bool,
    },
    /// An original that is not what the function makes something of.
    #[error("`{original}` {rule}")]
    Original {
        /// What it is.
        original: &'static str,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A chain without outputs.
    #[error("the chain has no output")]
    NoOutput,
    /// Images whose planes can't be told to belong together.
    #[error(
        "the outputs of a chain in bands have the same planes, and its other images those or one; found {first} and {found}"
    )]
    Planes {
        /// The first output's shape.
        first: Shape,
        /// The other image's shape.
        found: Shape,
    },
    /// Too few or too many images.
    #[error("the function {} {expected} images, found {found}", if *.outputs { "writes" } else { "reads" })]
    ImageCount {
        /// Whether they are outputs.
        outputs: bool,
        /// Images given.
        found: usize,
        /// Images that it reads or writes.
        expected: usize,
    },
    /// An image of another type or shape.
    #[error("{} {index}: {error}", if *.output { "output" } else { "input" })]
    Image {
        /// Whether it is an output.
        output: bool,
        /// Its number.
        index: usize,
        /// What is wrong with it.
        error: Box<RunError>,
    },
    /// An output in memory that an input or another output also uses.
    #[error("output {output} shares memory with {} {other}", if *.with_output { "output" } else { "input" })]
    Overlap {
        /// The output's number.
        output: usize,
        /// The other image's number.
        other: usize,
        /// Whether that is an output too.
        with_output: bool,
    },
}

/// The error of an executor that this crate doesn't know. Clones share it; it equals another that says the same.
#[derive(Clone, Debug)]
pub struct ExecutorError(Arc<dyn Error + Send + Sync>);

impl ExecutorError {
    /// Wraps the executor's own error.
    pub fn new(error: impl Error + Send + Sync + 'static) -> ExecutorError {
        ExecutorError(Arc::new(error))
    }

    /// The executor's own error, where it is of this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl fmt::Display for ExecutorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for ExecutorError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl PartialEq for ExecutorError {
    fn eq(&self, other: &ExecutorError) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.to_string() == other.to_string()
    }
}

impl FunctionError {
    /// What went wrong with `kernel`.
    pub(crate) fn run(kernel: &'static str, error: RunError) -> FunctionError {
        FunctionError::Run { kernel, error: Box::new(error) }
    }
}
