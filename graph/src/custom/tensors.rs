//! What a node of a model reads and writes, as a custom operator is told it.

use windrow::tensor::Quantization;

use super::{CustomNodeError, meaning::Tensors};
use crate::model::{Model, Node, ValueId};

/// The tensors of a node. `extents` has those of the values that it reads.
pub(crate) fn tensors<'n>(
    node: &Node,
    model: &Model,
    extents: &'n [Option<Vec<usize>>],
) -> Result<Tensors<'n>, CustomNodeError> {
    let input = |&input: &ValueId| {
        let own = extents[input.0].as_deref().unwrap_or_default();
        Ok((model.values[input.0].element, own, quantization(model, input)?))
    };
    let inputs = node.inputs.iter().flatten().map(input).collect::<Result<_, CustomNodeError>>()?;
    let output = node.outputs.first().copied().flatten();
    Ok(Tensors { inputs, output: output.map_or(Ok(None), |output| quantization(model, output))? })
}

/// What the integers of a value stand for, where that is the same for all of them.
fn quantization(model: &Model, value: ValueId) -> Result<Option<Quantization>, CustomNodeError> {
    match model.values[value.0].quantization.as_ref().map(|found| (&found.scales[..], found.zero)) {
        Some((&[scale], zero)) => Ok(Some(Quantization::new(scale, zero.into())?)),
        _ => Ok(None),
    }
}
