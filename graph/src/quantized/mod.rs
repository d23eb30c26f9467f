//! Layers of integers of 8 bits, computed as TFLite's reference does, or as XNNPACK or onnxruntime does.

mod dynamic;
mod scaled;
mod sums;

use crate::{
    array::Array,
    call::Call,
    choices::Ties,
    elements,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    model::ValueId,
    operator::{Operator, Padding, Reduction},
    pooling::{self, Pooled},
    rows,
    scaling::{Engine, Factor, Shifted, powers},
    shape::reduced,
    slot::CHANNELS_LAST,
    sums::Numbers,
};
pub(crate) use dynamic::{dynamic, is_dynamic};
use scaled::{By, Number, Scaled, VECTOR, bounds, scaled, scaled_input};
use sums::{Sums, convolution, matrices, product};

/// Whether a layer computes with integers: what it writes, or what it reads first, are integers of 8 bits. What only moves them does not.
pub(crate) fn takes(lowering: &Lowering<'_>, layer: &Layer<'_>) -> bool {
    let analysis = &lowering.analysis;
    let is_quantized = |value: ValueId| analysis.element(value) == windrow::ElementType::I8;
    if !is_quantized(layer.output) && !layer.node.input(0).is_some_and(is_quantized) {
        return false;
    }
    let moves = matches!(
        layer.node.operator,
        Operator::Concatenate { .. }
            | Operator::Transpose(_)
            | Operator::Slice(_)
            | Operator::Part { .. }
            | Operator::Gather { .. }
            | Operator::GatherAt(_)
            | Operator::Expand
            | Operator::Tile(_)
            | Operator::DepthToSpace { .. }
            | Operator::SpaceToDepth { .. }
            | Operator::Resize(_)
            | Operator::Pad { with: Padding::Edge | Padding::Reflect | Padding::Wrap, .. }
    );
    let mut read = layer.node.inputs.iter().flatten().filter(|input| is_quantized(**input));
    let keeps_scales = read.all(|&input| analysis.quantization(input) == analysis.quantization(layer.output));
    !((moves || crate::analysis::is_view(&layer.node.operator)) && keeps_scales)
}

/// Adds the steps of such a layer.
pub(crate) fn lower(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match &layer.node.operator {
        Operator::Convolution { .. } => convolution(lowering, layer),
        Operator::Product { .. } => product(lowering, layer),
        Operator::Matrices => matrices(lowering, layer),
        Operator::Add => add(lowering, layer),
        Operator::Multiply => multiply(lowering, layer),
        Operator::MaxPool(_) | Operator::AveragePool { .. } => pooling(lowering, layer),
        Operator::Reduction { by: Reduction::Mean, .. } => mean(lowering, layer),
        Operator::Softmax { .. } => softmax(lowering, layer),
        Operator::Quantize { to_even } => quantize(lowering, layer, if *to_even { Ties::Even } else { Ties::Away }),
        Operator::Dequantize => dequantize(lowering, layer),
        Operator::Concatenate { .. } => refused("what it joins has other scales or zeros than what it writes"),
        _ => refused("no operator of the library computes it of integers of 8 bits"),
    }
}

/// The sum of two, which TFLite brings to 2^20 of twice the greater scale first.
fn add(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    if layer.node.inputs.len() != 2 {
        return refused("it adds more or less than two tensors");
    }
    if lowering.engine.is_of_floats() {
        return add_once(lowering, layer);
    }
    let [(a, a_zero), (b, b_zero)] = [scaled_input(lowering, layer, 0)?, scaled_input(lowering, layer, 1)?];
    let (out, out_zero) = scaled(lowering, layer.output)?;
    let twice = f64::from(2.0 * a.max(b));
    let numbers = [f64::from(a) / twice, f64::from(b) / twice, twice / f64::from((1u32 << 20) as f32 * out)];
    let [Some(first), Some(second), Some(sum)] = numbers.map(Factor::new) else {
        return refused("its scales are too far apart");
    };
    let factors = [first, second, sum];
    let (multiplier, shift) = (factors.map(|factor| factor.multiplier), factors.map(|factor| factor.shift));
    let zero = [a_zero, b_zero, out_zero].map(i32::from);
    let [lower, upper] = bounds(lowering.engine, out, out_zero, layer.upper);
    in_pairs(lowering, layer, &Call::add_quantized { multiplier, shift, zero, lower, upper })
}

/// The sum of two as XNNPACK computes it: by multipliers of 21 bits, and one shift that rounds halves up.
fn add_once(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let [(a, a_zero), (b, b_zero)] = [scaled_input(lowering, layer, 0)?, scaled_input(lowering, layer, 1)?];
    let (out, out_zero) = scaled(lowering, layer.output)?;
    let [lower, upper] = bounds(lowering.engine, out, out_zero, layer.upper);
    let Some(Shifted { multiplier, shift }) = Shifted::new([a / out, b / out]) else {
        return refused("its scales are too far apart");
    };
    let zeros = multiplier[0] * i32::from(a_zero) + multiplier[1] * i32::from(b_zero);
    let bias = (1 << (shift - 1)) - zeros;
    let zero = out_zero.into();
    in_pairs(lowering, layer, &Call::add_quantized_once { multiplier, bias, shift, zero, lower, upper })
}

/// A function of two elements. Images with room for more channels have no gaps where those are computed, too.
fn in_pairs(lowering: &mut Lowering<'_>, layer: &Layer<'_>, call: &Call) -> Result<(), Refusal> {
    let image = |input| Some(lowering.placed(layer.node.input(input)?)?.with_channels_last());
    if let (Some(a), Some(b)) = (image(0), image(1))
        && a.extents == b.extents
        && let (Some(a), Some(b)) = (lowering.with_room(&a, VECTOR), lowering.with_room(&b, VECTOR))
        && let Some(out) = lowering.roomy_destination(layer.output, VECTOR)
    {
        return lowering.compute(layer, call.clone(), vec![a, b], out);
    }
    elements::in_pairs(lowering, layer, call)
}

/// The product of two, less their zeros, scaled by one number for all.
fn multiply(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    if layer.node.inputs.len() != 2 {
        return refused("it multiplies more or less than two tensors");
    }
    let [(a, a_zero), (b, b_zero)] = [scaled_input(lowering, layer, 0)?, scaled_input(lowering, layer, 1)?];
    let (out, out_zero) = scaled(lowering, layer.output)?;
    let [lower, upper] = bounds(lowering.engine, out, out_zero, layer.upper);
    let (zero, scale, out_zero) = ([a_zero.into(), b_zero.into()], a * b / out, out_zero.into());
    let rank = lowering.analysis.extents(layer.output).len();
    let [first, second] = [lowering.input(layer, 0)?, lowering.input(layer, 1)?].map(|slot| slot.of_rank(rank));
    let to = lowering.destination(layer.output, &[first.clone(), second.clone()])?.with_channels_last();
    let mut reads = vec![first.with_channels_last(), second.with_channels_last()];
    let all = vec![1; rank];
    if lowering.engine.is_of_floats() {
        reads.push(lowering.constant(Array::Floats([scale].into()), &all));
        let call = Call::multiply_requantize_float { zero, out_zero, lower, upper };
        return lowering.compute(layer, call, reads, to);
    }
    let Some(Factor { multiplier, shift }) = Factor::new(scale.into()) else {
        return refused("its scales are too far apart");
    };
    reads.extend([multiplier, shift].map(|number| lowering.constant(Array::Ints([number].into()), &all)));
    lowering.compute(layer, Call::multiply_requantize { zero, out_zero, lower, upper }, reads, to)
}

/// Whether a layer writes integers that stand for what those stand for that it reads.
fn keeps_scale(lowering: &Lowering<'_>, layer: &Layer<'_>) -> Result<(f32, i8), Refusal> {
    let (read, written) = (scaled_input(lowering, layer, 0)?, scaled(lowering, layer.output)?);
    if read == written { Ok(read) } else { refused("what it writes has another scale or zero than what it reads") }
}

fn pooling(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, zero) = keeps_scale(lowering, layer)?;
    let [lower, upper] = bounds(lowering.engine, scale, zero, layer.upper);
    let (window, is_greatest) = match &layer.node.operator {
        Operator::MaxPool(window) => (window, true),
        Operator::AveragePool { window, counts_pads: false } => (window, false),
        _ => return refused("zeros count that are pads"),
    };
    let (src, out, Pooled { size, stride, pads }) = pooling::pooled(lowering, layer, window)?;
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    let call = if is_greatest {
        Call::max_pool2d_bytes { size, stride, pads, lower, upper }
    } else {
        Call::average_pool2d_bytes { size, stride, pads, lower, upper }
    };
    lowering.compute(layer, call, vec![src], out)
}

/// The mean of all places of an image, channel by channel: a convolution of each by itself, with as many weights of 1.
fn mean(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Reduction { axes, keeps: true, .. } = &layer.node.operator else {
        return refused("the dimensions that it takes together go");
    };
    let src = lowering.input(layer, 0)?;
    let (&[_, channels, rows, columns], Ok(goes)) = (&src.extents[..], reduced(axes, src.extents.len())) else {
        return refused("it takes together other dimensions than an image's rows and columns");
    };
    if goes != [false, false, true, true] {
        return refused("it takes together other dimensions than an image's rows and columns");
    }
    let ((scale, zero), (out_scale, out_zero)) = (scaled_input(lowering, layer, 0)?, scaled(lowering, layer.output)?);
    let count = rows * columns;
    if lowering.engine == Engine::Xnnpack {
        return mean_of_sums(lowering, layer, count);
    }
    let factor = Factor::of_mean(f64::from(scale) / f64::from(out_scale), count);
    let number = Number { factor, float: scale / (out_scale * count as f32) };
    let by = By::new(lowering, layer, &vec![number; channels])?;
    let bytes = count.saturating_mul(channels);
    lowering.budget.bytes(layer.node.name(), bytes)?;
    let weights = lowering.constant(Array::Bytes(vec![1; bytes].into()), &[rows, columns, channels]);
    lowering.budget.floats(layer.node.name(), channels)?;
    let bias = lowering.constant(Array::Ints(vec![0; channels].into()), &[channels]);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&CHANNELS_LAST);
    let scaled = Scaled { by, zero, out_zero: out_zero.into(), lower: i8::MIN, upper: i8::MAX };
    let numbers = Numbers { stride: [1; 2], dilation: [1; 2], pads: [0; 4] };
    Sums { src: src.permuted(&CHANNELS_LAST), weights, bias, scaled, out }.depthwise(lowering, layer, &numbers)
}

/// The mean of places as XNNPACK computes it: of their sum, by a factor and a summand.
fn mean_of_sums(lowering: &mut Lowering<'_>, layer: &Layer<'_>, count: usize) -> Result<(), Refusal> {
    let ((scale, zero), (out_scale, out_zero)) = (scaled_input(lowering, layer, 0)?, scaled(lowering, layer.output)?);
    let factor = scale / out_scale * (1.0 / count as f32);
    let offset = f32::from(out_zero) - count as f32 * f32::from(zero) * factor;
    rows::of_reduction(lowering, layer, |lowering, _, src, out| {
        let sums = lowering.memory(windrow::ElementType::I32, &out.extents);
        lowering.compute(layer, Call::reduce_sum_bytes {}, vec![src], sums.clone())?;
        let (factor, offset) = (factor.into(), offset.into());
        let call = Call::requantize_affine { factor, offset, lower: i8::MIN, upper: i8::MAX };
        lowering.compute(layer, call, vec![sums], out)
    })
}

/// The powers of a row are looked up by how far an integer lies below the greatest.
fn softmax(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, _) = scaled_input(lowering, layer, 0)?;
    if scaled(lowering, layer.output)? != (1.0 / 256.0, -128) {
        return refused("its shares have another scale than 1/256 and another zero than -128");
    }
    let Some(powers) = powers(scale) else { return refused(format!("what it reads has a scale of {scale}")) };
    lowering.budget.floats(layer.node.name(), powers.len())?;
    let powers = lowering.constant(Array::Ints(powers.as_slice().into()), &[powers.len()]);
    rows::of_softmax(lowering, layer, |lowering, rows, out| {
        lowering.compute(layer, Call::softmax_bytes {}, vec![rows, powers], out)
    })
}

fn quantize(lowering: &mut Lowering<'_>, layer: &Layer<'_>, ties: Ties) -> Result<(), Refusal> {
    let (scale, zero) = scaled(lowering, layer.output)?;
    let (src, out) = elements::element_by_element(lowering, layer)?;
    let call = Call::quantize { scale: scale.into(), zero: zero.into(), ties };
    lowering.compute(layer, call, vec![src], out)
}

fn dequantize(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, zero) = scaled_input(lowering, layer, 0)?;
    let (src, out) = elements::element_by_element(lowering, layer)?;
    lowering.compute(layer, Call::dequantize { scale: scale.into(), zero: zero.into() }, vec![src], out)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{
        Model,
        model::Quantization,
        operator::{Operator, Window},
    };

    fn layers() -> Model {
        Model::from_tflite(include_bytes!("../../tests/models/quantized/layers_int8.tflite")).unwrap()
    }

    /// The model with another scale for what the first node that `is_it` writes, and why it is refused then.
    fn refusal(is_it: impl Fn(&Operator) -> bool) -> String {
        let mut model = layers();
        let node = model.nodes.iter().find(|node| is_it(&node.operator)).unwrap();
        let output = node.outputs[0].unwrap();
        model.values[output.0].quantization = Some(Quantization { scales: Arc::from([0.5]), zero: 3 });
        model.plan().unwrap_err().to_string()
    }

    #[test]
    fn what_only_moves_or_compares_integers_keeps_their_scale() {
        assert!(layers().plan().is_ok());
        let error = refusal(|operator| matches!(operator, Operator::Concatenate { .. }));
        assert!(error.contains("what it joins has other scales or zeros than what it writes"), "{error}");
        let error = refusal(|operator| matches!(operator, Operator::MaxPool(Window { .. })));
        assert!(error.contains("what it writes has another scale or zero than what it reads"), "{error}");
    }
}
