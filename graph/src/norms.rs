//! Nodes that normalise elements together which are no last dimensions: channels of images, groups of them, and any one dimension.

use crate::{
    array::Array,
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::Operator,
    rows::{self, written},
    slot::Slot,
};

/// A channel of an image is a row, with a scale and a bias of its own.
pub(crate) fn of_instances(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::InstanceNormalization { epsilon } = layer.node.operator else {
        return refused("it is no normalisation of channels");
    };
    let src = lowering.input(layer, 0)?;
    let [scale, bias] = [lowering.input(layer, 1)?, lowering.input(layer, 2)?];
    let (images, rows) = (src.extents[0], src.extents[0] * src.extents[1]);
    let [scale, bias] = [scale, bias].map(|numbers| {
        // As many again for each image.
        let extents = [images, numbers.extents[0]];
        let repeated = numbers.repeated(&extents);
        lowering.reshaped(layer, &repeated, &[rows])
    });
    of_rows(lowering, layer, src, rows, |lowering, src, out| {
        lowering.compute(layer, Call::instance_norm { epsilon: epsilon.into() }, vec![src, scale, bias], out)
    })
}

/// A group of channels is a row; then each channel is scaled and shifted.
pub(crate) fn of_groups(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::GroupNormalization { groups, epsilon } = layer.node.operator else {
        return refused("it is no normalisation of groups");
    };
    let src = lowering.input(layer, 0)?;
    let (rank, rows) = (src.extents.len(), src.extents[0] * groups);
    lowering.budget.floats(layer.node.name(), rows.saturating_mul(2))?;
    let [ones, zeros] =
        [1.0, 0.0].map(|number| lowering.constant(Array::Floats(std::iter::repeat_n(number, rows).collect()), &[rows]));
    let row = src.extents.iter().product::<usize>() / rows;
    let from = lowering.reshaped(layer, &src, &[rows, row]);
    let normal = lowering.memory(src.element, &[rows, row]);
    lowering.compute(
        layer,
        Call::instance_norm { epsilon: epsilon.into() },
        vec![from, ones, zeros],
        normal.clone(),
    )?;
    let mut each = vec![1; rank];
    each[1] = src.extents[1];
    let [scale, shift] =
        [lowering.input(layer, 1)?, lowering.input(layer, 2)?].map(|numbers| lowering.reshaped(layer, &numbers, &each));
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    lowering.compute(layer, Call::scale_shift {}, vec![normal.like(&out.extents), scale, shift], out)
}

/// A dimension goes last, and is a row.
pub(crate) fn of_lengths(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::LengthNormalization { axis } = layer.node.operator else {
        return refused("it is no normalisation of lengths");
    };
    rows::along(lowering, layer, axis, |lowering, rows, out| {
        lowering.compute(layer, Call::row_l2_normalize {}, vec![rows], out)
    })
}

/// Has `step` read as many rows of all elements, and write them.
fn of_rows(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    src: Slot,
    rows: usize,
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let order: Vec<usize> = (0..src.extents.len()).collect();
    let extents = [rows, src.extents.iter().product::<usize>() / rows];
    let src = lowering.reshaped(layer, &src, &extents);
    written(lowering, layer, &order, &extents, src, step)
}
