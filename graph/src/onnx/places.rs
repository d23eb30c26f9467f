//! Nodes that read or write by places that are tensors, and those that choose by where an element lies.

use super::{
    attributes::Attributes,
    numbers::{Constants, ints},
};
use crate::{
    model::Elements,
    operator::{Operator, Places, Update},
    shape::MAX_RANK,
};

/// Nodes whose places are tensors; `None` for a node of another kind.
pub(super) fn placed<'m>(
    node: &Attributes<'_, '_>,
    constant: Constants<'_, 'm>,
) -> Option<Result<Operator, &'static str>> {
    let elements = Places::Elements { axis: node.int("axis", 0) };
    Some(match node.kind {
        "GatherElements" => Ok(Operator::GatherAt(elements)),
        "GatherND" => match usize::try_from(node.int("batch_dims", 0)) {
            Ok(batch @ 0..MAX_RANK) => Ok(Operator::GatherAt(Places::Slices { batch })),
            _ => Err("it shares another number of dimensions than 0 to 5"),
        },
        // The name of `ScatterElements` before version 11.
        "Scatter" | "ScatterElements" => scattered(node, elements),
        "ScatterND" => scattered(node, Places::Slices { batch: 0 }),
        "Trilu" => triangle(node, constant),
        "OneHot" => depth(constant).map(|depth| Operator::OneHot { axis: node.int("axis", -1), depth }),
        _ => return None,
    })
}

fn scattered(node: &Attributes<'_, '_>, places: Places) -> Result<Operator, &'static str> {
    let update = match node.text("reduction") {
        None | Some(b"none") => Update::Replace,
        Some(b"add") => Update::Add,
        Some(b"mul") => Update::Multiply,
        Some(b"max") => Update::Greatest,
        Some(b"min") => Update::Least,
        Some(_) => return Err("its reduction is none that ONNX names"),
    };
    Ok(Operator::ScatterAt { places, update })
}

fn triangle<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Operator, &'static str> {
    let diagonal = match ints(node, constant, 1)? {
        None => 0,
        Some(&[diagonal]) => diagonal,
        Some(_) => return Err("its diagonal is not one number"),
    };
    Ok(Operator::Triangle { is_upper: node.int("upper", 1) != 0, diagonal })
}

/// A number of any type, which must be a constant.
fn depth<'m>(constant: Constants<'_, 'm>) -> Result<usize, &'static str> {
    let depth = match constant(1).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) => ints.first().copied(),
        Some(Elements::Floats(floats)) => floats.first().map(|&float| float as i64),
        _ => None,
    };
    let depth = depth.and_then(|depth| usize::try_from(depth).ok()).filter(|depth| (1..=1 << 30).contains(depth));
    depth.ok_or("its depth is no constant of 1 to 2^30")
}
