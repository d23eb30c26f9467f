//! Which nodes of a model another library would compute, in which parts, and why not the others.
//!
//! A target says of a node whether it takes it, and how many nodes around it become part of the same. What it is asked, and what it may
//! ask, is here; the rules of a target are its own.

mod acl;
mod candidate;

use crate::{
    analysis::Analysis,
    budget::Budget,
    error::{PlanError, Unsupported},
    model::{Model, Node},
    operator::Operator,
    plan::PlanOptions,
};

pub use acl::TvmAcl;
pub use candidate::Candidate;
use candidate::Graph;

/// A library that computes nodes of a model, alone or with nodes around them.
///
/// ```
/// use windrow_graph::{
///     Model,
///     operator::Operator,
///     partition::{Candidate, Taken, Target},
/// };
///
/// /// Takes poolings of few places.
/// struct Small;
///
/// impl Target for Small {
///     fn take(&self, node: &Candidate<'_>) -> Result<Taken, String> {
///         let Operator::MaxPool(window) = node.node().operator() else { return Err("it is no pooling".to_owned()) };
///         match window.size {
///             Some([rows, columns]) if rows * columns <= 4 => Ok(Taken::new("pooling")),
///             _ => Err("its windows have more than 4 places".to_owned()),
///         }
///     }
/// }
///
/// let model = Model::from_onnx(include_bytes!("../../tests/models/squeezenet.onnx"))?;
/// let found = model.partition(&Small)?;
/// assert_eq!(found.parts.len(), 0);
/// assert!(found.left.iter().any(|left| left.reason == "its windows have more than 4 places"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Target {
    /// Says as what a node is taken and with which nodes around it; or why it is not taken.
    ///
    /// # Errors
    /// The reason, as the end of a sentence about the node: "its windows have more than 4 places".
    fn take(&self, node: &Candidate<'_>) -> Result<Taken, String>;
}

/// How a target takes a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Taken {
    /// The target's name of what it computes.
    pub pattern: &'static str,
    /// How many nodes before it are part of the same: that which writes the node's first input, that which writes the first input of
    /// that, and so on, each of which alone reads the one before.
    pub before: usize,
    /// How many nodes behind it are: that which alone reads what the node writes, and so on.
    pub behind: usize,
}

impl Taken {
    /// A node alone.
    pub fn new(pattern: &'static str) -> Taken {
        Taken { pattern, before: 0, behind: 0 }
    }

    /// The same, with nodes before.
    #[must_use]
    pub fn with_before(self, before: usize) -> Taken {
        Taken { before, ..self }
    }

    /// The same, with nodes behind.
    #[must_use]
    pub fn with_behind(self, behind: usize) -> Taken {
        Taken { behind, ..self }
    }
}

/// What becomes of a model's nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partition {
    /// What the target computes, in the order of the nodes that it was asked for.
    pub parts: Vec<Part>,
    /// The nodes that it does not, in their order, each with the reason.
    pub left: Vec<Unsupported>,
}

/// Nodes that a target computes together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The target's name of what it computes.
    pub pattern: &'static str,
    /// Their places in [`Model::nodes`], in order.
    pub nodes: Vec<usize>,
}

impl Model {
    /// Says which nodes a target would compute, in which parts, and why not the others.
    ///
    /// Counted are the nodes of the file on which outputs depend, save what is constant and what does nothing: `Identity`, `Dropout`, and
    /// bounds that no integer of the scale passes.
    ///
    /// # Errors
    /// A [`PlanError`] where the shapes of the model's values can't be known.
    pub fn partition(&self, target: &dyn Target) -> Result<Partition, PlanError> {
        let analysis = Analysis::new(self, &mut Budget::new(PlanOptions::default().memory))?;
        let mut graph = Graph::new(&analysis);
        let (mut parts, mut reasons) = (Vec::new(), vec![None; self.nodes.len()]);
        let counted: Vec<usize> = (0..self.nodes.len()).filter(|&node| graph.counts(node)).collect();
        for &node in &counted {
            if graph.is_taken(node) {
                continue;
            }
            match target.take(&graph.candidate(node)) {
                Ok(taken) => {
                    let nodes = graph.around(node, taken.before, taken.behind);
                    graph.take(&nodes);
                    parts.push(Part { pattern: taken.pattern, nodes });
                }
                Err(reason) => reasons[node] = Some(reason),
            }
        }
        let mut left = Vec::new();
        for &node in counted.iter().filter(|&&node| !graph.is_taken(node)) {
            let Node { name, kind, .. } = &self.nodes[node];
            let reason = reasons[node].take().unwrap_or_default();
            left.push(Unsupported { node: name.clone(), operator: kind.clone(), reason });
        }
        Ok(Partition { parts, left })
    }
}

/// Whether a node does nothing to what it reads, whatever that is.
fn is_identity(node: &Node) -> bool {
    matches!(node.operator, Operator::Identity)
}
