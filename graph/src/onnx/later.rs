//! Nodes whose numbers other nodes compute: what such a node means is known once those are.

use super::{attributes::Attributes, operators::operator, proto::NodeProto};
use crate::{
    error::ModelError,
    model::Constant,
    operator::{Later, Operator},
};

/// A node to be looked at again, and why it is none that is computed now.
pub(super) fn later(node: &Attributes<'_, '_>, reason: String) -> Later {
    Later { node: node.node.bytes.into(), version: node.version, reason }
}

/// The operator of such a node, where `constant` finds its numbers by the place of an input.
pub(crate) fn known<'m>(
    later: &Later,
    name: &str,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Operator, ModelError> {
    let node = NodeProto::of(&later.node)?;
    operator(&Attributes { node: &node, name, kind: node.operator, version: later.version }, constant)
}
