//! Nodes whose numbers other nodes compute: what such a node means is known once those are.

use std::{fmt, sync::Arc};

use super::{attributes::Attributes, operators::operator, proto::NodeProto};
use crate::{error::ModelError, model::Constant, operator::Operator};

/// A node of the file as it lies there, whose operator its numbers say.
#[derive(Clone, PartialEq)]
pub struct Later {
    node: Arc<[u8]>,
    version: i64,
    /// What is said of it where they stay unknown.
    reason: String,
}

impl Later {
    pub(super) fn new(node: &Attributes<'_, '_>, reason: String) -> Later {
        Later { node: node.node.bytes.into(), version: node.version, reason }
    }

    /// Why nothing computes it.
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }

    /// The node's operator, where `constant` finds its numbers by the place of an input.
    pub(crate) fn operator<'m>(
        &self,
        name: &str,
        constant: &dyn Fn(usize) -> Option<&'m Constant>,
    ) -> Result<Operator, ModelError> {
        let node = NodeProto::of(&self.node)?;
        operator(&Attributes { node: &node, name, kind: node.operator, version: self.version }, constant)
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Later").field("reason", &self.reason).finish_non_exhaustive()
    }
}
