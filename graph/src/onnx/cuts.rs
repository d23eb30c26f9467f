//! Nodes that take elements away, put some around or repeat them.

use super::{
    attributes::Attributes,
    numbers::{Constants, few, ints, number},
};
use crate::operator::{Cut, Operator, Padding, PartOf};

/// Elements of a dimension, at most.
const MOST_TAKEN: i64 = 1 << 30;

/// Numbers are attributes at first, and inputs from version 10 on.
pub(super) fn slice<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Vec<Cut>, &'static str> {
    let numbers = |name: &str, input: usize| {
        let numbers = if node.version < 10 { node.ints(name) } else { ints(node, constant, input)? };
        few(numbers, 1).map(|numbers| numbers.map(<[i64]>::to_vec))
    };
    let (Some(starts), Some(ends)) = (numbers("starts", 1)?, numbers("ends", 2)?) else {
        return Err("its places are left out");
    };
    let axes = numbers("axes", 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = if node.version < 10 { None } else { numbers("steps", 4)? }.unwrap_or_else(|| vec![1; starts.len()]);
    if [&ends, &axes, &steps].iter().any(|numbers| numbers.len() != starts.len()) {
        return Err("it has not as many ends, axes and steps as starts");
    }
    let cut = |at: usize| {
        let step = usize::try_from(steps[at]).ok().filter(|step| (1..=1 << 30).contains(step));
        let step = step.ok_or("its steps are backwards, or none")?;
        Ok(Cut { axis: axes[at], start: starts[at], end: ends[at], step })
    };
    (0..starts.len()).map(cut).collect()
}

/// Numbers are attributes at first, and inputs from version 11 on.
pub(super) fn pad<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Operator, &'static str> {
    let is_old = node.version < 11;
    let with = match node.text("mode") {
        None | Some(b"constant") if is_old => Padding::Number(node.float("value", 0.0)),
        None | Some(b"constant") => Padding::Number(number(node, constant, 2, 0.0)?),
        Some(b"edge") => Padding::Edge,
        Some(b"reflect") => Padding::Reflect,
        Some(b"wrap") => Padding::Wrap,
        Some(_) => return Err("what it puts around is of another mode than ONNX names"),
    };
    let (pads, axes) =
        if is_old { (node.ints("pads"), None) } else { (ints(node, constant, 1)?, ints(node, constant, 3)?) };
    let (pads, axes) = (few(pads, 2)?.ok_or("its pads are left out")?.to_vec(), few(axes, 1)?.map(<[i64]>::to_vec));
    let (range, rule) = match with {
        Padding::Number(_) => (-MOST_TAKEN..=4095, "its pads are -2^30 to 4095"),
        _ => (-MOST_TAKEN..=MOST_TAKEN, "its pads are -2^30 to 2^30"),
    };
    if !pads.iter().all(|pad| range.contains(pad)) {
        return Err(rule);
    }
    Ok(Operator::Pad { pads, axes, with })
}

/// The parts of `Split`, as many as outputs: their sizes are an attribute at first, and an input from version 13 on.
pub(super) fn parts<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Vec<PartOf>, &'static str> {
    let count = node.node.outputs.len();
    let sizes = if node.version < 13 { node.ints("split") } else { ints(node, constant, 1)? };
    let Some(sizes) = sizes else {
        return Ok((0..count).map(|index| PartOf::Equal { index, count }).collect());
    };
    let sizes = sizes.iter().map(|&size| usize::try_from(size).ok().filter(|size| (1..=1 << 30).contains(size)));
    let sizes = sizes.collect::<Option<Vec<_>>>().filter(|sizes| sizes.len() == count);
    let sizes = sizes.ok_or("it has not one size for each output")?;
    let all = sizes.iter().sum();
    let mut start = 0;
    let part = |extent: usize| {
        start += extent;
        PartOf::These { start: start - extent, extent, all }
    };
    Ok(sizes.into_iter().map(part).collect())
}

/// Copies along each dimension.
pub(super) fn tile<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Operator, &'static str> {
    let repeats = few(ints(node, constant, 1)?, 1)?.ok_or("its numbers of copies are left out")?.iter();
    let repeats = repeats.map(|&times| usize::try_from(times).ok().filter(|times| (1..=1 << 30).contains(times)));
    repeats.collect::<Option<_>>().map(Operator::Tile).ok_or("its numbers of copies are none of 1 to 2^30")
}
