//! The attributes of nodes that are custom operators.

use super::proto::{AttributeProto, NodeProto};
use crate::custom::{Attribute, CustomNodeError};

/// A node's attributes, by their names.
pub(super) fn attributes(node: &NodeProto<'_>) -> Result<Vec<(String, Attribute)>, CustomNodeError> {
    node.attributes.iter().map(attribute).collect()
}

/// An attribute by its name.
fn attribute(proto: &AttributeProto<'_>) -> Result<(String, Attribute), CustomNodeError> {
    let other = |found| Err(CustomNodeError::AttributeKind { attribute: proto.name.to_owned(), found });
    let found = match (proto.kind, proto.float, proto.int, proto.text) {
        // `AttributeProto.AttributeType`.
        (Some(4), ..) => return other("a tensor"),
        (Some(5), ..) => return other("a graph"),
        (Some(8), ..) => return other("a list of texts"),
        (Some(9..), ..) => return other("of another kind"),
        _ if proto.tensor.is_some() => return other("a tensor"),
        // A number that is 0 may be left out.
        (Some(1), float, ..) => Attribute::Float(float.unwrap_or(0.0)),
        (Some(2), _, int, _) => Attribute::Int(int.unwrap_or(0)),
        (Some(6), ..) => Attribute::Floats(proto.floats.clone()),
        (Some(7), ..) => Attribute::Ints(proto.ints.clone()),
        (_, Some(float), ..) => Attribute::Float(float),
        (_, _, Some(int), _) => Attribute::Int(int),
        (kind, _, _, text) if kind == Some(3) || text.is_some() => {
            let Ok(text) = std::str::from_utf8(text.unwrap_or_default()) else {
                return other("a text that is not UTF-8");
            };
            Attribute::Text(text.to_owned())
        }
        _ if !proto.floats.is_empty() => Attribute::Floats(proto.floats.clone()),
        _ => Attribute::Ints(proto.ints.clone()),
    };
    Ok((proto.name.to_owned(), found))
}
