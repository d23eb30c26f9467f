//! What can be wrong with a function, while it is made or when it runs.

use std::boxed::Box;

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
    /// The device that it runs on refused or failed.
    #[cfg(feature = "opencl")]
    #[error(transparent)]
    Device(Box<crate::opencl::OpenClError>),
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

#[cfg(feature = "opencl")]
impl From<crate::opencl::OpenClError> for FunctionError {
    fn from(error: crate::opencl::OpenClError) -> FunctionError {
        FunctionError::Device(Box::new(error))
    }
}

impl FunctionError {
    /// What went wrong with `kernel`.
    pub(crate) fn run(kernel: &'static str, error: RunError) -> FunctionError {
        FunctionError::Run { kernel, error: Box::new(error) }
    }
}
