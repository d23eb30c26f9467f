//! Numbers of a node that must be constants: its attributes in old versions, its inputs in new ones.

use super::attributes::Attributes;
use crate::{
    model::{Constant, Elements},
    shape::MAX_RANK,
};

/// Finds a constant input by its number.
pub(super) type Constants<'f, 'm> = &'f dyn Fn(usize) -> Option<&'m Constant>;

/// An input of one float, which must be a constant.
pub(super) fn number<'m>(
    node: &Attributes<'_, '_>,
    constant: Constants<'_, 'm>,
    input: usize,
    otherwise: f32,
) -> Result<f32, &'static str> {
    if node.node.inputs.get(input).is_none_or(|name| name.is_empty()) {
        return Ok(otherwise);
    }
    match constant(input).map(|constant| &constant.elements) {
        Some(Elements::Floats(floats)) => floats.first().copied().ok_or("a number has no element"),
        Some(Elements::Filled(value)) => Ok(*value),
        _ => Err("its numbers are no constants of floats"),
    }
}

/// Numbers for each dimension, of which nodes keep a copy: no more than there are dimensions, whatever a file says that many nodes share.
pub(super) fn few(numbers: Option<&[i64]>, each: usize) -> Result<Option<&[i64]>, &'static str> {
    match numbers {
        Some(numbers) if numbers.len() > each * MAX_RANK => Err("it has numbers for more dimensions than 6"),
        numbers => Ok(numbers),
    }
}

/// An input of integers, which must be a constant; `None` where it is left out.
pub(super) fn ints<'m>(
    node: &Attributes<'_, '_>,
    constant: Constants<'_, 'm>,
    input: usize,
) -> Result<Option<&'m [i64]>, &'static str> {
    if node.node.inputs.get(input).is_none_or(|name| name.is_empty()) {
        return Ok(None);
    }
    match constant(input).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) => Ok(Some(ints)),
        _ => Err("its numbers are no constants of integers"),
    }
}

/// Dimensions are an attribute at first, and an input from one version on.
pub(super) fn axes<'m>(
    node: &Attributes<'_, '_>,
    constant: Constants<'_, 'm>,
    since: i64,
) -> Result<Option<Vec<i64>>, &'static str> {
    let axes = if node.version < since { node.ints("axes") } else { ints(node, constant, 1)? };
    few(axes, 1).map(|axes| axes.map(<[i64]>::to_vec))
}
