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
    let channels = src.extents[1];
    scaled(lowering, layer, src, channels, epsilon)
}

/// All elements of an image are as many rows, each with a scale and a bias of its own, which are the same for every image.
fn scaled(lowering: &mut Lowering<'_>, layer: &Layer<'_>, src: Slot, each: usize, epsilon: f32) -> Result<(), Refusal> {
    let [scale, bias] = [lowering.input(layer, 1)?, lowering.input(layer, 2)?];
    let (images, rows) = (src.extents[0], src.extents[0] * each);
    let [scale, bias] = [scale, bias].map(|numbers| {
        // As many again for each image.
        let repeated = numbers.repeated(&[images, each]);
        lowering.reshaped(layer, &repeated, &[rows])
    });
    of_rows(lowering, layer, src, rows, |lowering, src, out| {
        lowering.compute(layer, Call::instance_norm { epsilon: epsilon.into() }, vec![src, scale, bias], out)
    })
}

/// A group of channels is a row; then each channel is scaled and shifted, where groups are not.
pub(crate) fn of_groups(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::GroupNormalization { groups, epsilon, is_scaled_by_group } = layer.node.operator else {
        return refused("it is no normalisation of groups");
    };
    let src = lowering.input(layer, 0)?;
    if is_scaled_by_group {
        return scaled(lowering, layer, src, groups, epsilon);
    }
    let (rank, rows) = (src.extents.len(), src.extents[0] * groups);
    let [ones, zeros] = neutral(lowering, layer, rows)?;
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

/// Scales of 1 and biases of 0.
fn neutral(lowering: &mut Lowering<'_>, layer: &Layer<'_>, rows: usize) -> Result<[Slot; 2], Refusal> {
    lowering.budget.floats(layer.node.name(), rows.saturating_mul(2))?;
    let filled = |number: f32| Array::Floats(std::iter::repeat_n(number, rows).collect());
    Ok([1.0, 0.0].map(|number| lowering.constant(filled(number), &[rows])))
}

/// What ONNX adds to a deviation is 1e-9; added to a variance, its square keeps what is constant from being divided by 0.
const LEAST_VARIANCE: f32 = 1e-18;

/// Some dimensions go last, and are a row.
pub(crate) fn of_variances(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::MeanVarianceNormalization { axes } = &layer.node.operator else {
        return refused("it is no normalisation of variances");
    };
    rows::together(lowering, layer, axes, |lowering, src, out| {
        let [ones, zeros] = neutral(lowering, layer, src.extents[0])?;
        let call = Call::instance_norm { epsilon: LEAST_VARIANCE.into() };
        lowering.compute(layer, call, vec![src, ones, zeros], out)
    })
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
