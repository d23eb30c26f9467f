//! The table: which operator of the library computes which node.
//!
//! A row takes a node by what it is; whether its operator computes just this is what the operator's own `configure` says, whose
//! refusal becomes the reason that a user reads. A network that needs another operator needs a row more.

use crate::{
    array::Array,
    call::Call,
    custom, cuts, elements,
    fold::{Affine, Layer, affine, is_depthwise},
    gathered,
    lower::{Lowering, Refusal, refused},
    matrices, norms,
    operator::Operator,
    places, pooling, quantized,
    row_windows::{Columns, RowWindows},
    rows,
    shape::{dimension, transposition},
    slot::{CHANNELS_LAST, Slot},
    sums::{MAX_GROUPS, Numbers, Sums, lay},
    transposed, truths,
    weights::{bias, channels, permuted},
};

/// Operators of the library for nodes of one kind.
struct Row {
    takes: fn(&Lowering<'_>, &Layer<'_>) -> bool,
    lower: fn(&mut Lowering<'_>, &Layer<'_>) -> Result<(), Refusal>,
}

/// The first row that takes a layer computes it.
const ROWS: &[Row] = &[
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Custom(_)), lower: custom::lower },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Signed | Operator::Unsigned), lower: truths::sign },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Cast(_)), lower: truths::cast },
    Row { takes: |_, layer| quantized::is_dynamic(&layer.node.operator), lower: quantized::dynamic },
    Row { takes: quantized::takes, lower: quantized::lower },
    Row { takes: |lowering, layer| is_depthwise(&lowering.analysis, layer.node), lower: depthwise },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Convolution { .. }), lower: convolution },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::TransposedConvolution { .. }),
        lower: transposed::convolution,
    },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Product { .. }), lower: product },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::MaxPool(_)), lower: pooling::max_pool },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::L2Pool(_)), lower: pooling::l2_pool },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::NormPool { .. }), lower: pooling::norm_pool },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::AveragePool { .. }), lower: pooling::average_pool },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Reduction { .. }), lower: rows::reduction },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Place { .. }), lower: rows::place },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::BatchNormalization { .. }), lower: normalization },
    Row { takes: |_, layer| layer.node.operator == Operator::Relu, lower: elements::relu },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Clip { .. }), lower: elements::clip },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Function(_)), lower: elements::function },
    Row { takes: |_, layer| layer.node.operator == Operator::Add, lower: elements::add },
    Row { takes: |_, layer| layer.node.operator == Operator::Multiply, lower: elements::multiply },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Pair(_)), lower: elements::pair },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Compare(_)), lower: truths::compare },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Logic(_)), lower: truths::logic },
    Row { takes: |_, layer| layer.node.operator == Operator::Not, lower: truths::not },
    Row { takes: |_, layer| layer.node.operator == Operator::Select, lower: truths::select },
    Row { takes: |_, layer| layer.node.operator == Operator::Matrices, lower: matrices::matrices },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::LayerNormalization { .. }),
        lower: rows::layer_normalization,
    },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::LocalResponseNormalization { .. }),
        lower: rows::local_response,
    },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::InstanceNormalization { .. }),
        lower: norms::of_instances,
    },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::GroupNormalization { .. }),
        lower: norms::of_groups,
    },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::LengthNormalization { .. }),
        lower: norms::of_lengths,
    },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::MeanVarianceNormalization { .. }),
        lower: norms::of_variances,
    },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Softmax { .. }), lower: rows::softmax },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Hardmax { .. }), lower: rows::hardmax },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Concatenate { .. }), lower: concatenate },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Transpose(_)), lower: transpose },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::Slice(_) | Operator::Part { .. }),
        lower: cuts::cut,
    },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Pad { .. }), lower: cuts::pad },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Gather { .. }), lower: gathered::gather },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::GatherAt(_)), lower: places::gather },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::ScatterAt { .. }), lower: places::scatter },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Triangle { .. }), lower: truths::triangle },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::OneHot { .. }), lower: truths::one_hot },
    Row { takes: |_, layer| layer.node.operator == Operator::Expand, lower: gathered::expand },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Tile(_)), lower: gathered::tile },
    Row { takes: |_, layer| matches!(layer.node.operator, Operator::Resize(_)), lower: gathered::resize },
    Row {
        takes: |_, layer| matches!(layer.node.operator, Operator::DepthToSpace { .. } | Operator::SpaceToDepth { .. }),
        lower: gathered::squares,
    },
    Row { takes: |_, layer| crate::analysis::is_view(&layer.node.operator), lower: view },
];

/// Adds the steps that compute a layer.
pub(crate) fn lower(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match ROWS.iter().find(|row| (row.takes)(lowering, layer)) {
        Some(row) => (row.lower)(lowering, layer),
        None => refused("no row of the table takes it"),
    }
}

/// `[image, channel, row, column]` and `[output, channel, row, column]`: the channels of both go last, and outputs behind them.
/// Each group reads and writes its part of the channels where they lie.
fn convolution(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Convolution { window, groups } = &layer.node.operator else { return refused("it is no convolution") };
    if *groups > MAX_GROUPS {
        return refused(format!(
            "it has {groups} groups, and not as many channels and outputs; {MAX_GROUPS} are computed"
        ));
    }
    let (src, window) = (lowering.source(layer)?, &layer.padded(window));
    let weights = permuted(lowering, layer, 1, &[2, 3, 1, 0], layer.affine.as_ref().map(|affine| (3, affine)))?;
    let [rows, columns, channels, outputs] = weights.extents[..] else {
        return refused("its weights have no four dimensions");
    };
    let bias = bias(lowering, layer, outputs)?;
    let (_, numbers) = lay(window, [rows, columns], &src)?;
    let added = added(lowering, layer)?;
    let read: Vec<Slot> = added.iter().chain([&src]).cloned().collect();
    let out = lowering.destination(layer.output, &read)?;
    let last = |slot: &Slot| slot.permuted(&CHANNELS_LAST);
    let (src, out, added) = (last(&src), last(&out), added.as_ref().map(last));
    let each = outputs / groups;
    let is_pointwise = ([rows, columns], numbers.stride, numbers.pads) == ([1; 2], [1; 2], [0; 4]);
    for group in 0..*groups {
        let of_group = |slot: &Slot| slot.part(3, group * each, each);
        let sums = Sums {
            src: src.part(3, group * channels, channels),
            weights: of_group(&weights),
            bias: bias.part(0, group * each, each),
            added: added.as_ref().map(of_group),
            out: of_group(&out),
        };
        match sums.as_product().filter(|_| is_pointwise) {
            Some(sums) => sums.product(lowering, layer)?,
            None => {
                let (window, outputs) = (columns, sums.out.extents[2]);
                let columns = Columns { window, outputs, numbers: &numbers, together: 1 };
                let pad = Array::Floats([0.0].into());
                match columns.as_channels(lowering, layer, [&sums.src, &sums.weights], pad) {
                    Some(RowWindows { src, weights, numbers }) => {
                        Sums { src, weights, ..sums }.convolution(lowering, layer, &numbers)?;
                    }
                    None => sums.convolution(lowering, layer, &numbers)?,
                }
            }
        }
    }
    Ok(())
}

/// Where what is added to a layer lies.
fn added(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Option<Slot>, Refusal> {
    Ok(match layer.added {
        Some(value) => Some(lowering.slot(layer, value)?),
        None => None,
    })
}

/// As [`convolution`], of weights `[channel, 1, row, column]`.
fn depthwise(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Convolution { window, .. } = &layer.node.operator else { return refused("it is no convolution") };
    let (src, window) = (lowering.source(layer)?, &layer.padded(window));
    let weights = permuted(lowering, layer, 1, &[2, 3, 0, 1], layer.affine.as_ref().map(|affine| (2, affine)))?;
    let [rows, columns, count, _] = weights.extents[..] else {
        return refused("its weights have another rank than four");
    };
    let Some(weights) = weights.reshaped(&[rows, columns, count]) else { return refused("its weights lie apart") };
    let bias = bias(lowering, layer, count)?;
    let (_, numbers) = lay(window, [rows, columns], &src)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    let Numbers { stride, dilation, pads } = numbers;
    let call = match layer.upper {
        None => Call::depthwise_conv2d { stride, dilation, pads },
        Some(upper) => Call::depthwise_conv2d_relu { stride, dilation, pads, upper: upper.into() },
    };
    lowering.compute(layer, call, vec![src, weights, bias], out)
}

/// alpha · a · b + beta · c, whose factors are folded into constants.
fn product(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Product { alpha, beta, transposed } = layer.node.operator else { return refused("it is no product") };
    let order = |turn: bool| if turn { [1, 0] } else { [0, 1] };
    let src = lowering.input(layer, 0)?.permuted(&order(transposed[0]));
    let outputs = lowering.analysis.extents(layer.output).get(1).copied().unwrap_or(0);
    if alpha != 1.0 {
        // One factor of 64 bits for each output.
        lowering.budget.floats(layer.node.name(), outputs.saturating_mul(2))?;
    }
    let factor = (alpha != 1.0).then(|| Affine { scale: vec![f64::from(alpha); outputs], shift: Vec::new() });
    let factor = factor.as_ref().map(|factor| (1, factor));
    let weights = permuted(lowering, layer, 1, &order(transposed[1]), factor)?;
    let bias = channels(lowering, layer, layer.node.input(2), outputs, f64::from(beta), None)?;
    let added = added(lowering, layer)?;
    let read: Vec<Slot> = added.iter().chain([&src]).cloned().collect();
    let out = lowering.destination(layer.output, &read)?;
    Sums { src, weights, bias, added, out }.product(lowering, layer)
}

/// A normalisation that is not folded into a convolution: x · scale + shift, for each channel.
fn normalization(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let Some(value) = layer.node.input(0) else { return refused("it reads nothing") };
    let count = src.extents.get(1).copied().unwrap_or(0);
    let found = affine(&lowering.analysis, layer.node, value, count, &mut lowering.budget)?;
    let Some(found) = found else { return refused("what it normalises by is no constant") };
    let Affine { scale, shift } = layer.affine.as_ref().map_or(found.clone(), |next| found.then(next));
    let floats = |numbers: &[f64]| Array::Floats(numbers.iter().map(|&number| number as f32).collect());
    // One each, aligned with the channels.
    let mut extents = vec![1; src.extents.len()];
    extents[1] = count;
    let [scale, shift] =
        [scale, shift].map(|numbers| lowering.constant(floats(&numbers), &extents).with_channels_last());
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.with_channels_last();
    let src = src.with_channels_last();
    let call = match layer.upper {
        None => Call::scale_shift {},
        Some(upper) => Call::scale_shift_relu { upper: upper.into() },
    };
    lowering.compute(layer, call, vec![src, scale, shift], out)
}

/// What the layers before it have not written in its place is copied there.
fn concatenate(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Concatenate { axis } = layer.node.operator else { return refused("it joins nothing") };
    let mut operands = Vec::new();
    for input in 0..layer.node.inputs.len() {
        operands.push(lowering.input(layer, input)?);
    }
    let whole = match lowering.placed(layer.output) {
        Some(slot) => slot,
        None => lowering.destination(layer.output, &operands)?,
    };
    let Ok(axis) = dimension(axis, whole.extents.len()) else { return refused("it has no such dimension") };
    let mut start = 0;
    for operand in operands {
        let extent = operand.extents[axis];
        let part = whole.part(axis, start, extent);
        if operand != part {
            lowering.copy(layer, operand, part);
        }
        start += extent;
    }
    Ok(())
}

/// A view: nothing moves.
fn transpose(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Transpose(order) = &layer.node.operator else { return refused("it is no transposition") };
    let src = lowering.input(layer, 0)?;
    let Ok(order) = transposition(order.as_deref(), src.extents.len()) else { return refused("it names no order") };
    let slot = src.permuted(&order);
    lowering.place(layer.output, slot);
    Ok(())
}

/// A view, where strides can say the shape; else a copy in the shape's order.
fn view(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let extents = lowering.analysis.extents(layer.output).to_vec();
    let slot = lowering.reshaped(layer, &src, &extents);
    lowering.place(layer.output, slot);
    Ok(())
}
