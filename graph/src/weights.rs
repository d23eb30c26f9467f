//! Weights in the order in which the library's operators read them, made once, while a model is planned.

use std::sync::Arc;

use crate::{
    array::Array,
    fold::{Affine, Layer},
    lower::{Lowering, Refusal, refused},
    model::{Constant, Elements, ValueId, count},
    slot::{Root, Slot},
};

/// An input with its dimensions in another order, side by side if it is a constant, and each element times the factor of its
/// place along one dimension.
pub(crate) fn permuted(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    input: usize,
    order: &[usize],
    factors: Option<(usize, &Affine)>,
) -> Result<Slot, Refusal> {
    let Some(value) = layer.node.input(input) else { return refused(format!("input {input} is left out")) };
    let Some(constant) = lowering.analysis.constant(value) else {
        return match factors {
            None => Ok(lowering.slot(layer, value)?.permuted(order)),
            Some(_) => refused("a factor of what is no constant can't be folded into it"),
        };
    };
    let name = lowering.analysis.name(value);
    // Where elements lie, and where they go.
    let from = Slot::packed(Root::Constant(0), &constant.extents).permuted(order);
    lowering.budget.floats(name, count(&from.extents).unwrap_or(usize::MAX))?;
    let floats = match &constant.elements {
        _ if from.extents.contains(&0) => return Err(unread(lowering, layer, value, constant)),
        Elements::Floats(floats) => gathered(&from, |at| floats[at], factors),
        Elements::Filled(value) => gathered(&from, |_| *value, factors),
        Elements::Bytes(_) | Elements::Ints(_) | Elements::Absent | Elements::Unread(_) => {
            return Err(unread(lowering, layer, value, constant));
        }
    };
    Ok(lowering.constant(Array::Floats(floats), &from.extents))
}

/// The elements of a slot in C order.
fn gathered(from: &Slot, element: impl Fn(usize) -> f32, factors: Option<(usize, &Affine)>) -> Arc<[f32]> {
    let (rank, mut at) = (from.extents.len(), vec![0; from.extents.len()]);
    let mut place = from.offset;
    let elements = (0..from.extents.iter().product()).map(|_| {
        let found = element(place);
        let scaled = match factors {
            Some((dimension, affine)) => (f64::from(found) * affine.scale[at[dimension]]) as f32,
            None => found,
        };
        for d in (0..rank).rev() {
            (at[d], place) = (at[d] + 1, place + from.strides[d]);
            if at[d] < from.extents[d] {
                break;
            }
            place -= at[d] * from.strides[d];
            at[d] = 0;
        }
        scaled
    });
    elements.collect()
}

/// One element for each output, of a constant that has one for each or one for all, or of nothing: times a factor, and then as
/// `affine` says.
pub(crate) fn channels(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    value: Option<ValueId>,
    outputs: usize,
    factor: f64,
    affine: Option<&Affine>,
) -> Result<Slot, Refusal> {
    // What is made, and what it is made of.
    lowering.budget.floats(layer.node.name(), outputs.saturating_mul(2))?;
    let own: Vec<f32> = match value {
        None => Vec::new(),
        Some(value) => {
            let Some(constant) = lowering.analysis.constant(value) else {
                return refused("what is added to it is no constant");
            };
            let is_row = constant.extents.iter().rev().skip(1).all(|&extent| extent == 1);
            if !is_row || ![Some(1), Some(outputs)].contains(&count(&constant.extents)) {
                return refused("what is added to it is more than one element for each output");
            }
            match constant.floats() {
                Ok(floats) => floats.into_owned(),
                Err(_) => return Err(unread(lowering, layer, value, constant)),
            }
        }
    };
    let of = |output: usize| {
        let own = f64::from(if own.len() == 1 { own[0] } else { own.get(output).copied().unwrap_or(0.0) }) * factor;
        affine.map_or(own, |affine| own * affine.scale[output] + affine.shift[output]) as f32
    };
    let floats = (0..outputs).map(of).collect();
    Ok(lowering.constant(Array::Floats(floats), &[outputs]))
}

fn unread(lowering: &Lowering<'_>, layer: &Layer<'_>, value: ValueId, constant: &Constant) -> Refusal {
    let reason = constant.floats().err().unwrap_or("which can't be read").to_owned();
    let (node, value) = (layer.node.name.clone(), lowering.analysis.name(value).to_owned());
    Refusal::Failed(crate::error::PlanError::Constant { node, value, reason })
}

/// The bias of a convolution with what is folded into it; zeros where it has none.
pub(crate) fn bias(lowering: &mut Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Slot, Refusal> {
    match (&layer.affine, layer.node.input(2)) {
        (None, Some(bias)) => Ok(lowering.slot(layer, bias)?),
        (affine, bias) => channels(lowering, layer, bias, outputs, 1.0, affine.as_ref()),
    }
}
