//! What can be wrong with a model, and with a plan of it.

use std::fmt;

use windrow::{Error, InvalidTensor, chain::FunctionError, memory::MemoryError};

use crate::{custom::CustomNodeError, malformed::Malformed, model::Node};

/// Why a file is no model that can be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Bytes that are no file of the format.
    #[error("this is no model that can be read: {0}")]
    Malformed(#[from] Malformed),
    /// Text that is no JSON of the form that is read, with its line and column.
    #[error("this is no model that can be read: {0}")]
    Json(String),
    /// A version of ONNX' operators that is not read.
    #[error("the model's operators are those of {}; versions 7 to 22 are read", version(*.found))]
    Opset {
        /// The version; `None` where the model names none.
        found: Option<i64>,
    },
    /// A value that two nodes write, or a node and a constant.
    #[error("node `{node}` writes `{value}`, which is there already: each value is written once")]
    WrittenTwice {
        /// The node.
        node: String,
        /// The value.
        value: String,
    },
    /// A value that is read before it is there.
    #[error("node `{node}` reads `{value}`, {}", unwritten(*.is_written))]
    Unwritten {
        /// The node.
        node: String,
        /// The value.
        value: String,
        /// Whether this node or a later one writes it, so that the nodes are out of order or in a cycle.
        is_written: bool,
    },
    /// An output of the model that nothing writes.
    #[error("nothing writes the output `{value}`")]
    Output {
        /// The value.
        value: String,
    },
    /// An attribute, or the number of inputs or outputs, that breaks a rule of the operator.
    #[error("`{attribute}` of node `{node}` is {found}, but {rule}")]
    Attribute {
        /// The node.
        node: String,
        /// The attribute.
        attribute: &'static str,
        /// What it is.
        found: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A constant or an input of the model that breaks a rule.
    #[error("`{value}` is {found}, but {rule}")]
    Value {
        /// The value.
        value: String,
        /// What it is.
        found: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// A node that its custom operator does not compute.
    #[error("node `{node}` (`{operator}`): {error}")]
    Custom {
        /// The node.
        node: String,
        /// The operator.
        operator: String,
        /// Why.
        #[source]
        error: Box<CustomNodeError>,
    },
    /// A value that the model has not.
    #[error("the model has no {kind} `{name}`")]
    NoValue {
        /// "input" or "constant".
        kind: &'static str,
        /// The name asked for.
        name: String,
    },
}

fn version(found: Option<i64>) -> String {
    found.map_or_else(|| "no stated version".to_owned(), |found| format!("version {found}"))
}

fn unwritten(is_written: bool) -> &'static str {
    if is_written { "which only this node or a later one writes" } else { "which nothing writes" }
}

/// Why a model can't be planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Nodes that no operator of the library computes: all of them.
    #[error("{}", listed(.0))]
    Unsupported(Vec<Unsupported>),
    /// A value whose shape breaks a rule of the node that reads it.
    #[error("node `{node}` reads `{value}` of {found}, but {rule}")]
    Shape {
        /// The node.
        node: String,
        /// The value.
        value: String,
        /// Its shape.
        found: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// Numbers of a node, which other nodes compute, that break a rule of its operator.
    #[error("the numbers of node `{node}` are wrong: {reason}")]
    Numbers {
        /// The node.
        node: String,
        /// The rule that they break.
        reason: String,
    },
    /// A node that its custom operator does not compute, of the tensors that it reads.
    #[error("node `{node}` (`{operator}`): {error}")]
    Custom {
        /// The node.
        node: String,
        /// The operator.
        operator: String,
        /// Why.
        #[source]
        error: Box<CustomNodeError>,
    },
    /// An input whose shape is not fixed.
    #[error("the shape of input `{value}` is not fixed: `Model::set_input_shape` fixes it")]
    OpenInput {
        /// The input.
        value: String,
    },
    /// A constant that is no tensor of floats, or can't be read.
    #[error("node `{node}` reads `{value}`, {reason}")]
    Constant {
        /// The node.
        node: String,
        /// The value.
        value: String,
        /// Why it can't.
        reason: String,
    },
    /// More memory than the plan may take.
    #[error(
        "`{value}` takes {needed} bytes, and the plan has {left} of {limit} left: `PlanOptions::memory` is the limit"
    )]
    Memory {
        /// The value that is too large.
        value: String,
        /// What it takes.
        needed: usize,
        /// What is left for it.
        left: usize,
        /// The limit.
        limit: usize,
    },
    /// A tensor that can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// The intermediates have no memory.
    #[error(transparent)]
    Intermediates(#[from] MemoryError),
}

impl PlanError {
    pub(crate) fn custom(node: &Node, error: CustomNodeError) -> PlanError {
        PlanError::Custom { node: node.name.clone(), operator: node.kind.clone(), error: Box::new(error) }
    }
}

/// A node that no operator of the library computes, or that a [target](crate::partition::Target) does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The node's name, or that of its first output.
    pub node: String,
    /// What it is in its format.
    pub operator: String,
    /// Why it is not taken.
    pub reason: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}): {}", self.node, self.operator, self.reason)
    }
}

fn listed(nodes: &[Unsupported]) -> String {
    let mut text = format!("no operator of the library computes {} of the nodes", nodes.len());
    nodes.iter().for_each(|node| text += &format!("\n  {node}"));
    text
}

/// Why a plan does not run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunPlanError {
    /// Too few or too many tensors.
    #[error("the plan {} {expected} tensors, found {found}", if *.outputs { "writes" } else { "reads" })]
    Count {
        /// Whether they are outputs.
        outputs: bool,
        /// Tensors given.
        found: usize,
        /// Tensors that it reads or writes.
        expected: usize,
    },
    /// A tensor of another shape, or with gaps between its elements.
    #[error("`{value}` is {found}, expected {expected} without gaps")]
    Tensor {
        /// The value.
        value: String,
        /// The shape given.
        found: String,
        /// The plan's shape.
        expected: String,
    },
    /// A node's operator was refused or stopped.
    #[error("node `{node}`: {error}")]
    Node {
        /// The node.
        node: String,
        /// Why.
        error: Box<FunctionError>,
    },
    /// A tensor can't be made.
    #[error(transparent)]
    Made(#[from] InvalidTensor),
    /// The intermediates have no memory.
    #[error(transparent)]
    Intermediates(#[from] MemoryError),
}

impl From<RunPlanError> for Error {
    fn from(error: RunPlanError) -> Error {
        Error::other(error)
    }
}
