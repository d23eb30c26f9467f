//! Constants that nodes make.

use super::{
    attributes::Attributes,
    proto::TensorProto,
    tensor::{constant, extents},
};
use crate::{
    error::ModelError,
    model::{Constant, Elements},
};

/// What a node makes whose output never changes: `Constant`, and `ConstantOfShape` of a constant.
pub(super) fn made<'m>(
    node: &Attributes<'_, '_>,
    of: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Option<Constant>, ModelError> {
    let tensor = node.get("value").and_then(|attribute| attribute.tensor.as_ref());
    match node.node.operator {
        "Constant" => stated(node, tensor),
        "ConstantOfShape" => {
            let Some(Elements::Ints(dims)) = of(0).map(|shape| &shape.elements) else { return Ok(None) };
            let extents = extents(node.name, dims)?;
            let elements = match tensor.map(|tensor| constant(node.name, tensor)).transpose()? {
                None => Elements::Filled(0.0),
                Some(Constant { elements: Elements::Floats(floats), .. }) if floats.len() == 1 => {
                    Elements::Filled(floats[0])
                }
                // Integers are numbers of shapes: as many as are needed are made once a plan is.
                Some(_) => return Ok(None),
            };
            Ok(Some(Constant { extents, elements }))
        }
        _ => Ok(None),
    }
}

/// What `Constant` states: a tensor, a number or a list of numbers.
fn stated(node: &Attributes<'_, '_>, tensor: Option<&TensorProto<'_>>) -> Result<Option<Constant>, ModelError> {
    if let Some(tensor) = tensor {
        return constant(node.name, tensor).map(Some);
    }
    let floats = |floats: &[f32]| Elements::Floats(floats.into());
    let ints = |ints: &[i64]| Elements::Ints(ints.into());
    let number = |name| node.get(name);
    let found = if let Some(float) = number("value_float").and_then(|found| found.float) {
        (Vec::new(), floats(&[float]))
    } else if let Some(int) = number("value_int").and_then(|found| found.int) {
        (Vec::new(), ints(&[int]))
    } else if let Some(found) = number("value_floats") {
        (vec![found.floats.len()], floats(&found.floats))
    } else if let Some(found) = number("value_ints") {
        (vec![found.ints.len()], ints(&found.ints))
    } else {
        return Ok(None);
    };
    let (extents, elements) = found;
    Ok(Some(Constant { extents, elements }))
}
