//! A node that a custom operator computes, as a step.

use super::tensors;
use crate::{
    call::Call,
    error::PlanError,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::Operator,
};

/// Has the kernel read and write the tensors where they lie.
///
/// The order of dimensions is the kernel's to say, but for one that computes each element by itself: that one takes images as the plan
/// keeps them.
pub(crate) fn lower(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Custom(custom) = &layer.node.operator else { return refused("it is no custom operator") };
    let analysis = &lowering.analysis;
    let called = tensors(layer.node, analysis.model, &analysis.extents).and_then(|tensors| custom.call(&tensors));
    let (call, _) = called.map_err(|error| PlanError::custom(layer.node, error))?;
    let mut reads = Vec::new();
    for input in 0..layer.node.inputs.len() {
        reads.push(lowering.input(layer, input)?);
    }
    let mut out = lowering.destination(layer.output, &reads)?;
    let is_element_wise = custom.operator.is_element_wise();
    if is_element_wise {
        reads.iter_mut().for_each(|read| *read = read.of_rank(out.extents.len()));
    }
    if is_element_wise || custom.is_turned {
        for slot in reads.iter_mut().chain([&mut out]) {
            *slot = slot.with_channels_last();
        }
    }
    lowering.compute(layer, Call::custom(Box::new(call)), reads, out)
}
