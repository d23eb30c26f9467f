//! What can be wrong with a custom operator, and with a node that is one.

use windrow::{ElementType, InvalidConfiguration, InvalidTensor, family::FamilyError};

/// Why a custom operator can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidCustomOperator {
    /// An operator of this name is there already.
    #[error("there is an operator `{operator}` already: a name has one operator")]
    Twice {
        /// The operator.
        operator: String,
    },
    /// A kernel that no step of a plan can run.
    #[error("`{kernel}`, which is to compute `{operator}`, has {found}, but {rule}")]
    Kernel {
        /// The operator.
        operator: String,
        /// The kernel.
        kernel: &'static str,
        /// What it has.
        found: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A uniform or variant that the kernel does not have.
    #[error("`{kernel}`, which is to compute `{operator}`, has no uniform and no variant `{argument}`{}", offered(.known))]
    Argument {
        /// The operator.
        operator: String,
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: String,
        /// The kernel's uniforms and variants.
        known: Vec<&'static str>,
    },
}

/// Why a custom operator does not compute a node.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CustomNodeError {
    /// Another number of inputs than the kernel reads.
    #[error("it has {found} inputs, and `{kernel}` reads {expected}")]
    InputCount {
        /// The kernel.
        kernel: &'static str,
        /// Inputs of the node.
        found: usize,
        /// Images that the kernel reads.
        expected: usize,
    },
    /// An input that is left out.
    #[error("the input for `{argument}` of `{kernel}` is left out, and needed")]
    LeftOut {
        /// The kernel.
        kernel: &'static str,
        /// The kernel's image.
        argument: &'static str,
    },
    /// An input whose elements have another type than the kernel reads.
    #[error("the input for `{argument}` of `{kernel}` has elements {}, expected {expected}", typed(*.found))]
    InputType {
        /// The kernel.
        kernel: &'static str,
        /// The kernel's image.
        argument: &'static str,
        /// The type of the input's elements; `None` for one that is not computed with.
        found: Option<ElementType>,
        /// The type that the kernel reads.
        expected: ElementType,
    },
    /// An output whose elements have another type than the kernel writes.
    #[error("it writes elements {}, and `{kernel}` writes {expected}", typed(*.found))]
    OutputType {
        /// The kernel.
        kernel: &'static str,
        /// The type of the output's elements; `None` for one that is not computed with.
        found: Option<ElementType>,
        /// The type that the kernel writes.
        expected: ElementType,
    },
    /// An attribute that nothing reads.
    #[error("it has an attribute `{attribute}`, which the operator does not have{}", offered(.known))]
    UnknownAttribute {
        /// The attribute.
        attribute: String,
        /// Those that the operator has.
        known: Vec<String>,
    },
    /// An attribute that the node lacks, and for which there is no default.
    #[error("it has no attribute `{attribute}`, which gives `{argument}` of `{kernel}`, and has no default")]
    MissingAttribute {
        /// The attribute.
        attribute: String,
        /// The uniform or variant.
        argument: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
    /// An attribute of a kind that is not read.
    #[error("its attribute `{attribute}` is {found}, and integers, floats, lists of them and texts are read")]
    AttributeKind {
        /// The attribute.
        attribute: String,
        /// What it is.
        found: &'static str,
    },
    /// Attributes that are written in a way that is not read.
    #[error("its attributes can't be read: {reason}")]
    Attributes {
        /// Why.
        reason: &'static str,
    },
    /// A value that the kernel's argument can't have.
    #[error(transparent)]
    Value(#[from] FamilyError),
    /// A function of the operator's own that refuses the node.
    #[error("`{what}` can't be computed: {reason}")]
    Computed {
        /// The argument, or "extents".
        what: String,
        /// What the function says.
        reason: String,
    },
    /// The kernel refuses the tensors or the values.
    #[error(transparent)]
    Configuration(Box<InvalidConfiguration>),
    /// Elements near the edges that the kernel does not write.
    #[error(
        "`{kernel}` writes not all elements, since it reads beyond the edges: `CustomOperator::border` says what it finds there"
    )]
    Incomplete {
        /// The kernel.
        kernel: &'static str,
    },
    /// A tensor that can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
}

impl From<InvalidConfiguration> for CustomNodeError {
    fn from(error: InvalidConfiguration) -> CustomNodeError {
        CustomNodeError::Configuration(Box::new(error))
    }
}

fn offered<T: AsRef<str>>(known: &[T]) -> String {
    let names: Vec<String> = known.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    if names.is_empty() { String::new() } else { format!("; it has {}", names.join(", ")) }
}

fn typed(found: Option<ElementType>) -> String {
    found.map_or_else(|| "of a type that is not computed with".to_owned(), |found| found.name().to_owned())
}
