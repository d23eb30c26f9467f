//! What can be wrong with a function, while it is made or when it runs.

use core::{error::Error, fmt};
use std::{
    boxed::Box,
    string::{String, ToString},
    sync::Arc,
};

use crate::{
    element::ElementType,
    error::{InvalidConfiguration, RunError},
    info::{InvalidTensor, Shape},
    memory::MemoryError,
    overlap::Overlap,
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
        kernel: String,
        /// Why.
        error: Box<RunError>,
    },
    /// Another number of values than the kernel has outputs.
    #[error("the number of images that `{kernel}` writes is {found}, expected {expected}")]
    StageOutputs {
        /// The kernel.
        kernel: String,
        /// Outputs that it was configured with.
        found: usize,
        /// Values asked for.
        expected: usize,
    },
    /// A stage that is to be prepared, and was not.
    #[error("`{kernel}` has not been prepared")]
    Unprepared {
        /// The kernel.
        kernel: String,
    },
    /// A stage that is prepared for another kernel or other images, or that is not to be prepared.
    #[error("`{kernel}` can't be prepared by `{found}` as it is configured: only its uniforms may differ")]
    OtherStage {
        /// The kernel in the chain.
        kernel: String,
        /// The kernel given.
        found: String,
    },
    /// An image of a traced function that is read before a kernel computes it.
    #[error("the image is read before a kernel computes it")]
    Unwritten,
    /// A value of another chain.
    #[error("the value belongs to another chain")]
    ForeignValue,
    /// An input of the chain, a view, or an output of it already, was named as its output.
    #[error("value {value} can't be an output of the chain: {rule}")]
    Output {
        /// The value's number.
        value: usize,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A view that a value has not.
    #[error("a view of value {value}: {error}")]
    View {
        /// The value's number.
        value: usize,
        /// Why not.
        error: InvalidTensor,
    },
    /// A table or a uniform that a value can't be.
    #[error("`{argument}` of `{stage}` is {expected} of {expected_element} without gaps, value {value} is {found}")]
    Computed {
        /// The stage.
        stage: String,
        /// The table or the uniform.
        argument: String,
        /// The value's number.
        value: usize,
        /// The value's type and shape.
        found: String,
        /// The number of scalars.
        expected: usize,
        /// Their type.
        expected_element: ElementType,
    },
    /// A uniform that a stage hasn't got.
    #[error("`{stage}` has no uniform `{uniform}`")]
    NoUniform {
        /// The stage.
        stage: String,
        /// The uniform asked for.
        uniform: String,
    },
    /// An operator does not take its images, or can't be made to run.
    #[error("`{stage}`: {error}")]
    Operator {
        /// The stage.
        stage: String,
        /// Why.
        error: Box<OperatorError>,
    },
    /// A stage that can't run where it was to.
    #[error("`{stage}` can't run {place}: {reason}")]
    Refused {
        /// The stage.
        stage: String,
        /// Where: "in bands", say.
        place: String,
        /// Why not.
        reason: String,
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
    #[error("the number of images that the function {} is {expected}, found {found}", if *.outputs { "writes" } else { "reads" })]
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

impl From<Overlap> for FunctionError {
    fn from(Overlap { output, other, with_output }: Overlap) -> FunctionError {
        FunctionError::Overlap { output, other, with_output }
    }
}

/// Why an operator can't infer, lower or pack.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// A generated kernel can't be configured so.
    #[error(transparent)]
    Configuration(#[from] InvalidConfiguration),
    /// A tensor can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// An image is not what the operator takes.
    #[error(transparent)]
    Run(Box<RunError>),
    /// Too few or too many images.
    #[error("the number of images that it reads is {expected}, found {found}")]
    InputCount {
        /// Images given.
        found: usize,
        /// Images that it reads.
        expected: usize,
    },
    /// An image that breaks a rule of the operator.
    #[error("`{argument}` is {found}, but {rule}")]
    Input {
        /// The argument.
        argument: String,
        /// What is given.
        found: String,
        /// The rule.
        rule: String,
    },
    /// Too few or too many tables.
    #[error(
        "the number of tables that it looks up is {expected}, found {found}: give them by `ChainBuilder::add_with_tables`"
    )]
    TableCount {
        /// Tables given.
        found: usize,
        /// Tables that it looks up.
        expected: usize,
    },
    /// A table of another type or length.
    #[error("`{argument}` has {found} entries of {found_element}, expected {expected} of {expected_element}")]
    Table {
        /// The table.
        argument: String,
        /// Its entries.
        found: usize,
        /// Their type.
        found_element: ElementType,
        /// The entries declared.
        expected: usize,
        /// Their declared type.
        expected_element: ElementType,
    },
    /// A target on which it does not run.
    #[error("it can't run on {target}: {reason}")]
    Target {
        /// The target's name.
        target: String,
        /// Why not.
        reason: String,
    },
    /// An error of the operator's own.
    #[error(transparent)]
    Other(ExecutorError),
}

impl From<RunError> for OperatorError {
    fn from(error: RunError) -> OperatorError {
        OperatorError::Run(Box::new(error))
    }
}

/// The error of an executor or operator that this crate doesn't know. Clones share it; it equals another that says the same.
#[derive(Clone, Debug)]
pub struct ExecutorError(Arc<dyn Error + Send + Sync>);

impl ExecutorError {
    /// Wraps the executor's own error.
    pub fn new(error: impl Error + Send + Sync + 'static) -> ExecutorError {
        ExecutorError(Arc::new(error))
    }

    /// Returns the executor's own error, where it is of this type.
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
    pub(crate) fn run(kernel: &str, error: RunError) -> FunctionError {
        FunctionError::Run { kernel: kernel.into(), error: Box::new(error) }
    }

    /// Returns what the operator of a stage says, under the stage's name.
    pub fn of_stage(stage: &str, error: OperatorError) -> FunctionError {
        match error {
            OperatorError::Configuration(error) => error.into(),
            OperatorError::Tensor(error) => error.into(),
            OperatorError::Run(error) => FunctionError::Run { kernel: stage.into(), error },
            error => FunctionError::Operator { stage: stage.into(), error: Box::new(error) },
        }
    }

    /// Returns a stage that can't run in a place.
    pub fn refused(stage: &str, place: impl Into<String>, reason: impl Into<String>) -> FunctionError {
        FunctionError::Refused { stage: stage.into(), place: place.into(), reason: reason.into() }
    }
}
