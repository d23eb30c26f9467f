//! Layers of integers of 8 bits: sums of products are exact, and are scaled, rounded and bounded while they are in registers.

use windrow_operators::{self as library, functions};

use crate::{
    array::Array,
    elements,
    fold::{Layer, is_depthwise},
    lower::{Lowering, Refusal, refused},
    model::{Elements, Quantization, ValueId},
    operator::{Operator, Reduction},
    rows,
    scaling::{Factor, Requantization, Shifted, powers},
    shape::reduced,
    slot::{CHANNELS_LAST, Slot},
    sums::{Numbers, One},
    table::{self, MAX_GROUPS, Pooled},
};

/// Whether a layer computes with integers: where what it writes, or what it reads first, are integers of 8 bits.
pub(crate) fn takes(lowering: &Lowering<'_>, layer: &Layer<'_>) -> bool {
    let is_quantized = |value: ValueId| lowering.analysis.element(value) == windrow::ElementType::I8;
    let is_moved = matches!(
        layer.node.operator,
        Operator::Concatenate { .. } | Operator::Transpose(_) | Operator::Slice(_) | Operator::Part { .. }
    ) || crate::analysis::is_view(&layer.node.operator);
    !is_moved && (is_quantized(layer.output) || layer.node.input(0).is_some_and(is_quantized))
}

/// Adds the steps of such a layer.
pub(crate) fn lower(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match &layer.node.operator {
        Operator::Convolution { .. } => convolution(lowering, layer),
        Operator::Product { .. } => product(lowering, layer),
        Operator::Add => add(lowering, layer),
        Operator::MaxPool(_) | Operator::AveragePool { .. } => pooling(lowering, layer),
        Operator::Reduction { by: Reduction::Mean, .. } => mean(lowering, layer),
        Operator::Softmax { .. } => softmax(lowering, layer),
        Operator::Quantize => quantize(lowering, layer),
        Operator::Dequantize => dequantize(lowering, layer),
        _ => refused("no operator of the library computes it of integers of 8 bits"),
    }
}

/// Bytes of the widest vectors of most processors. Fewer outputs are computed one by one there: such a layer has more, which nothing reads.
const VECTOR: usize = 32;

/// What a value's integers stand for, with one scale.
fn scaled(lowering: &Lowering<'_>, value: ValueId) -> Result<(f32, i8), Refusal> {
    match lowering.analysis.quantization(value) {
        Some(Quantization { scales, zero }) if scales.len() == 1 => Ok((scales[0], *zero)),
        _ => refused(format!("`{}` has no scale, or more than one", lowering.analysis.name(value))),
    }
}

/// What the first input's integers stand for.
fn scaled_input(lowering: &Lowering<'_>, layer: &Layer<'_>, input: usize) -> Result<(f32, i8), Refusal> {
    match layer.image.map(|(image, _)| image).filter(|_| input == 0).or_else(|| layer.node.input(input)) {
        Some(value) => scaled(lowering, value),
        None => refused(format!("input {input} is left out")),
    }
}

/// The integers between which a layer's outputs lie.
fn bounds(scale: f32, zero: i8, upper: Option<f32>) -> [i8; 2] {
    match upper {
        None => [i8::MIN, i8::MAX],
        // The sum saturates: bounds may be infinite.
        Some(upper) => [zero, (f32::from(zero) + (upper / scale).round()).min(127.0) as i8],
    }
}

/// How the sums of a layer become integers of 8 bits.
struct Scaled {
    by: By,
    zero: i8,
    out_zero: i32,
    lower: i8,
    upper: i8,
}

/// A number for each output.
enum By {
    Factors { multiplier: Slot, shift: Slot },
    Floats { scale: Slot },
}

impl By {
    /// `factor` is that of the sums of each output, as both engines compute it.
    fn new(lowering: &mut Lowering<'_>, layer: &Layer<'_>, numbers: &[Number]) -> Result<By, Refusal> {
        lowering.budget.floats(layer.node.name(), numbers.len().saturating_mul(2))?;
        let extents = [numbers.len()];
        if lowering.requantization == Requantization::Float {
            let scale = numbers.iter().map(|number| number.float).collect();
            return Ok(By::Floats { scale: lowering.constant(Array::Floats(scale), &extents) });
        }
        let factors: Option<Vec<Factor>> = numbers.iter().map(|number| number.factor).collect();
        let Some(factors) = factors else { return refused("what its sums are multiplied by is 2^30 or more") };
        let mut ints =
            |of: fn(&Factor) -> i32| lowering.constant(Array::Ints(factors.iter().map(of).collect()), &extents);
        Ok(By::Factors { multiplier: ints(|factor| factor.multiplier), shift: ints(|factor| factor.shift) })
    }
}

/// What sums are multiplied by.
#[derive(Clone, Copy)]
struct Number {
    factor: Option<Factor>,
    float: f32,
}

impl Scaled {
    fn new(lowering: &mut Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Scaled, Refusal> {
        let (scale, zero) = scaled_input(lowering, layer, 0)?;
        let (out_scale, out_zero) = scaled(lowering, layer.output)?;
        let weights = layer.node.input(1).and_then(|weights| lowering.analysis.quantization(weights));
        let Some(Quantization { scales, zero: 0 }) = weights else {
            return refused("its weights have no scales, or another zero than 0");
        };
        if scales.len() != 1 && scales.len() != outputs {
            return refused(format!("its weights have {} scales, not one for each output", scales.len()));
        }
        let number = |&own: &f32| {
            let factor = Factor::new(f64::from(scale) * f64::from(own) / f64::from(out_scale));
            Number { factor, float: scale * own / out_scale }
        };
        let numbers: Vec<Number> = scales.iter().cycle().take(outputs).map(number).collect();
        let [lower, upper] = bounds(out_scale, out_zero, layer.upper);
        Ok(Scaled { by: By::new(lowering, layer, &numbers)?, zero, out_zero: out_zero.into(), lower, upper })
    }

    /// The numbers of some outputs.
    fn part(&self, start: usize, extent: usize) -> Scaled {
        let part = |slot: &Slot| slot.part(0, start, extent);
        let by = match &self.by {
            By::Factors { multiplier, shift } => By::Factors { multiplier: part(multiplier), shift: part(shift) },
            By::Floats { scale } => By::Floats { scale: part(scale) },
        };
        Scaled { by, ..*self }
    }
}

/// The bias of each output, of integers of 32 bits; zeros where a layer has none.
fn bias(lowering: &mut Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Slot, Refusal> {
    lowering.budget.floats(layer.node.name(), outputs)?;
    let Some(value) = layer.node.input(2) else {
        return Ok(lowering.constant(Array::Ints(vec![0; outputs].into()), &[outputs]));
    };
    let found = match lowering.analysis.constant(value).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) if ints.len() == outputs => {
            ints.iter().map(|&int| i32::try_from(int).ok()).collect::<Option<Vec<i32>>>()
        }
        _ => None,
    };
    match found {
        Some(ints) => Ok(lowering.constant(Array::Ints(ints.into()), &[outputs])),
        None => refused("its bias is no constant with an integer of 32 bits for each output"),
    }
}

/// `[output, channel, row, column]` as the library's operators read them.
fn weights(lowering: &mut Lowering<'_>, layer: &Layer<'_>, order: &[usize]) -> Result<Slot, Refusal> {
    let slot = lowering.input(layer, 1)?.permuted(order);
    lowering.in_order(layer, slot)
}

fn convolution(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Convolution { window, groups } = &layer.node.operator else { return refused("it is no convolution") };
    let (src, window) = (lowering.source(layer)?, &layer.padded(window));
    let is_depthwise = is_depthwise(&lowering.analysis, layer.node);
    if !is_depthwise && *groups > MAX_GROUPS {
        return refused(format!(
            "it has {groups} groups; {MAX_GROUPS} are computed, or one for each channel and output"
        ));
    }
    let weights = weights(lowering, layer, if is_depthwise { &[2, 3, 0, 1] } else { &[2, 3, 1, 0] })?;
    let [rows, columns, a, b] = weights.extents[..] else { return refused("its weights have no four dimensions") };
    let (channels, outputs) = if is_depthwise { (a, a) } else { (a, b) };
    let (bias, scaled) = (bias(lowering, layer, outputs)?, Scaled::new(lowering, layer, outputs)?);
    let (_, numbers) = table::lay(window, [rows, columns], &src)?;
    let is_pointwise = ([rows, columns], numbers.stride, numbers.pads) == ([1; 2], [1; 2], [0; 4]);
    if !is_depthwise
        && *groups == 1
        && outputs < VECTOR
        && let Some(out) = lowering.roomy_destination(layer.output, VECTOR)
    {
        let weights = lowering.widened(layer, weights, VECTOR)?;
        let (bias, scaled) = (lowering.widened(layer, bias, VECTOR)?, scaled.widened(lowering, layer)?);
        let sums = Sums { src: src.permuted(&CHANNELS_LAST), weights, bias, scaled, out };
        return match sums.as_product().filter(|_| is_pointwise) {
            Some(sums) => sums.product(lowering, layer, false),
            None => sums.convolution(lowering, layer, &numbers),
        };
    }
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&CHANNELS_LAST);
    let src = src.permuted(&CHANNELS_LAST);
    if is_depthwise {
        let Some(weights) = weights.reshaped(&[rows, columns, channels]) else {
            return refused("its weights lie apart");
        };
        return Sums { src, weights, bias, scaled, out }.depthwise(lowering, layer, &numbers);
    }
    let each = outputs / groups;
    for group in 0..*groups {
        let sums = Sums {
            src: src.part(3, group * channels, channels),
            weights: weights.part(3, group * each, each),
            bias: bias.part(0, group * each, each),
            scaled: scaled.part(group * each, each),
            out: out.part(3, group * each, each),
        };
        match sums.as_product().filter(|_| is_pointwise) {
            Some(sums) => sums.product(lowering, layer, false)?,
            None => sums.convolution(lowering, layer, &numbers)?,
        }
    }
    Ok(())
}

fn product(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Product { alpha, beta, transposed } = layer.node.operator else { return refused("it is no product") };
    if (alpha, beta) != (1.0, 1.0) {
        return refused("its factors are not 1");
    }
    let order = |turn: bool| if turn { [1, 0] } else { [0, 1] };
    let src = lowering.input(layer, 0)?.permuted(&order(transposed[0]));
    let weights = weights(lowering, layer, &order(transposed[1]))?;
    let outputs = weights.extents[1];
    let (bias, scaled) = (bias(lowering, layer, outputs)?, Scaled::new(lowering, layer, outputs)?);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    // TFLite's reference scales what products add in 64-bit floats, and rounds that once; other sums are rounded twice.
    Sums { src, weights, bias, scaled, out }.product(lowering, layer, true)
}

impl Scaled {
    /// With numbers for outputs that nothing reads.
    fn widened(self, lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Scaled, Refusal> {
        let by = match self.by {
            By::Factors { multiplier, shift } => By::Factors {
                multiplier: lowering.widened(layer, multiplier, VECTOR)?,
                shift: lowering.widened(layer, shift, VECTOR)?,
            },
            By::Floats { scale } => By::Floats { scale: lowering.widened(layer, scale, VECTOR)? },
        };
        Ok(Scaled { by, ..self })
    }

    /// Aligned with outputs of these extents, whose last dimension is that of the numbers.
    fn over(self, extents: &[usize]) -> Scaled {
        let by = match self.by {
            By::Factors { multiplier, shift } => {
                By::Factors { multiplier: multiplier.repeated(extents), shift: shift.repeated(extents) }
            }
            By::Floats { scale } => By::Floats { scale: scale.repeated(extents) },
        };
        Scaled { by, ..self }
    }
}

/// What a product or a convolution of integers reads and writes.
struct Sums {
    src: Slot,
    weights: Slot,
    bias: Slot,
    scaled: Scaled,
    out: Slot,
}

impl Sums {
    /// The product that a convolution without a window is, as that of floats.
    fn as_product(&self) -> Option<Sums> {
        let of_places = |slot: &Slot| match slot.extents[..] {
            [n, h, w, channels] => slot.reshaped(&[n.checked_mul(h)?.checked_mul(w)?, channels]),
            _ => None,
        };
        let [_, _, channels, outputs] = self.weights.extents[..] else { return None };
        Some(Sums {
            src: of_places(&self.src)?,
            weights: self.weights.reshaped(&[channels, outputs])?,
            bias: self.bias.clone(),
            scaled: self.scaled.part(0, outputs),
            out: of_places(&self.out)?,
        })
    }

    fn product(self, lowering: &mut Lowering<'_>, layer: &Layer<'_>, is_rounded_once: bool) -> Result<(), Refusal> {
        let Sums { src, weights, bias, scaled, out } = self;
        let Scaled { by, zero, out_zero, lower, upper } = scaled.over(&out.extents);
        let (s, w, b, o) = (&src.info()?, &weights.info()?, &bias.info()?, &out.info()?);
        match by {
            By::Factors { multiplier, shift } => {
                let (m, by) = (&multiplier.info()?, &shift.info()?);
                let reads = vec![src, weights, bias, multiplier, shift];
                if is_rounded_once {
                    type Kernel = One<functions::dense_requantize_once>;
                    let configured = Kernel::configure(s, w, b, m, by, zero, out_zero, lower, upper, o);
                    lowering.compute(layer, "dense_requantize_once", configured, reads, out)
                } else {
                    type Kernel = One<functions::dense_requantize>;
                    let configured = Kernel::configure(s, w, b, m, by, zero, out_zero, lower, upper, o);
                    lowering.compute(layer, "dense_requantize", configured, reads, out)
                }
            }
            By::Floats { scale } => {
                type Kernel = One<functions::dense_requantize_float>;
                let configured = Kernel::configure(s, w, b, &scale.info()?, zero, out_zero, lower, upper, o);
                let reads = vec![src, weights, bias, scale];
                lowering.compute(layer, "dense_requantize_float", configured, reads, out)
            }
        }
    }

    fn convolution(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let Sums { src, weights, bias, scaled, out } = self;
        let Scaled { by, zero, out_zero, lower, upper } = scaled.over(&out.extents);
        let (s, w, b, o) = (&src.info()?, &weights.info()?, &bias.info()?, &out.info()?);
        match by {
            By::Factors { multiplier, shift } => {
                type Kernel = One<functions::conv2d_requantize>;
                let (m, by) = (&multiplier.info()?, &shift.info()?);
                let configured =
                    Kernel::configure(s, w, b, m, by, stride, dilation, pads, zero, out_zero, lower, upper, o);
                let reads = vec![src, weights, bias, multiplier, shift];
                lowering.compute(layer, "conv2d_requantize", configured, reads, out)
            }
            By::Floats { scale } => {
                type Kernel = One<functions::conv2d_requantize_float>;
                let by = &scale.info()?;
                let configured =
                    Kernel::configure(s, w, b, by, stride, dilation, pads, zero, out_zero, lower, upper, o);
                lowering.compute(layer, "conv2d_requantize_float", configured, vec![src, weights, bias, scale], out)
            }
        }
    }

    fn depthwise(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let Sums { src, weights, bias, scaled, out } = self;
        let Scaled { by, zero, out_zero, lower, upper } = scaled.over(&out.extents);
        let (s, w, b, o) = (&src.info()?, &weights.info()?, &bias.info()?, &out.info()?);
        match by {
            By::Factors { multiplier, shift } => {
                type Kernel = One<functions::depthwise_conv2d_requantize>;
                let (m, by) = (&multiplier.info()?, &shift.info()?);
                let configured =
                    Kernel::configure(s, w, b, m, by, stride, dilation, pads, zero, out_zero, lower, upper, o);
                let reads = vec![src, weights, bias, multiplier, shift];
                lowering.compute(layer, "depthwise_conv2d_requantize", configured, reads, out)
            }
            By::Floats { scale } => {
                type Kernel = One<functions::depthwise_conv2d_requantize_float>;
                let by = &scale.info()?;
                let configured =
                    Kernel::configure(s, w, b, by, stride, dilation, pads, zero, out_zero, lower, upper, o);
                let reads = vec![src, weights, bias, scale];
                lowering.compute(layer, "depthwise_conv2d_requantize_float", configured, reads, out)
            }
        }
    }
}

/// The sum of two, which TFLite brings to 2^20 of twice the greater scale first.
fn add(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    if layer.node.inputs.len() != 2 {
        return refused("it adds more or less than two tensors");
    }
    let [(a, a_zero), (b, b_zero)] = [scaled_input(lowering, layer, 0)?, scaled_input(lowering, layer, 1)?];
    let (out, out_zero) = scaled(lowering, layer.output)?;
    let twice = f64::from(2.0 * a.max(b));
    let numbers = [f64::from(a) / twice, f64::from(b) / twice, twice / f64::from((1u32 << 20) as f32 * out)];
    let [Some(first), Some(second), Some(sum)] = numbers.map(Factor::new) else {
        return refused("its scales are too far apart");
    };
    if lowering.requantization == Requantization::Float {
        return add_once(lowering, layer);
    }
    let factors = [first, second, sum];
    let (multiplier, shift) = (factors.map(|factor| factor.multiplier), factors.map(|factor| factor.shift));
    let zero = [a_zero, b_zero, out_zero].map(i32::from);
    let [lower, upper] = bounds(out, out_zero, layer.upper);
    elements::in_pairs(lowering, layer, |lowering, [a, b], to| {
        let infos = (a.info()?, b.info()?, to.info()?);
        let configured = library::add_quantized::<i8>::configure(
            &infos.0, &infos.1, multiplier, shift, zero, lower, upper, &infos.2,
        );
        lowering.compute(layer, "add_quantized", configured, vec![a, b], to)
    })
}

/// The sum of two as XNNPACK computes it: by multipliers of 21 bits, and one shift that rounds halves up.
fn add_once(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let [(a, a_zero), (b, b_zero)] = [scaled_input(lowering, layer, 0)?, scaled_input(lowering, layer, 1)?];
    let (out, out_zero) = scaled(lowering, layer.output)?;
    let [lower, upper] = bounds(out, out_zero, layer.upper);
    let Some(Shifted { multiplier, shift }) = Shifted::new([a / out, b / out]) else {
        return refused("its scales are too far apart");
    };
    let zeros = multiplier[0] * i32::from(a_zero) + multiplier[1] * i32::from(b_zero);
    let bias = (1 << (shift - 1)) - zeros;
    elements::in_pairs(lowering, layer, |lowering, [a, b], to| {
        let infos = (a.info()?, b.info()?, to.info()?);
        let zero = i32::from(out_zero);
        let configured = library::add_quantized_once::<i8>::configure(
            &infos.0, &infos.1, multiplier, bias, shift, zero, lower, upper, &infos.2,
        );
        lowering.compute(layer, "add_quantized_once", configured, vec![a, b], to)
    })
}

/// Whether a layer writes integers that stand for what those stand for that it reads.
fn keeps_scale(lowering: &Lowering<'_>, layer: &Layer<'_>) -> Result<(f32, i8), Refusal> {
    let (read, written) = (scaled_input(lowering, layer, 0)?, scaled(lowering, layer.output)?);
    if read == written { Ok(read) } else { refused("what it writes has another scale or zero than what it reads") }
}

fn pooling(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, zero) = keeps_scale(lowering, layer)?;
    let [lower, upper] = bounds(scale, zero, layer.upper);
    let (window, is_greatest) = match &layer.node.operator {
        Operator::MaxPool(window) => (window, true),
        Operator::AveragePool { window, counts_pads: false } => (window, false),
        _ => return refused("zeros count that are pads"),
    };
    let (src, out, Pooled { size, stride, pads }) = table::pooled(lowering, layer, window)?;
    let (src, out) = (src.permuted(&CHANNELS_LAST), out.permuted(&CHANNELS_LAST));
    let infos = (src.info()?, out.info()?);
    if is_greatest {
        let configured =
            library::max_pool2d_bytes::<i8>::configure(&infos.0, size, stride, pads, lower, upper, &infos.1);
        return lowering.compute(layer, "max_pool2d_bytes", configured, vec![src], out);
    }
    let configured =
        library::average_pool2d_bytes::<i8>::configure(&infos.0, size, stride, pads, lower, upper, &infos.1);
    lowering.compute(layer, "average_pool2d_bytes", configured, vec![src], out)
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
    if lowering.requantization == Requantization::Float {
        return mean_of_sums(lowering, layer, count);
    }
    let factor = Factor::of_mean(f64::from(scale) / f64::from(out_scale), count);
    let number = Number { factor, float: 0.0 };
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
        let infos = (src.info()?, sums.info()?, out.info()?);
        let configured = library::reduce_sum_bytes::<i8>::configure(&infos.0, &infos.1);
        lowering.compute(layer, "reduce_sum_bytes", configured, vec![src], sums.clone())?;
        let configured =
            library::requantize_affine::<i8>::configure(&infos.1, factor, offset, i8::MIN, i8::MAX, &infos.2);
        lowering.compute(layer, "requantize_affine", configured, vec![sums], out)
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
        let infos = (rows.info()?, powers.info()?, out.info()?);
        let configured = library::softmax_bytes::configure(&infos.0, &infos.1, &infos.2);
        lowering.compute(layer, "softmax_bytes", configured, vec![rows, powers], out)
    })
}

fn quantize(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, zero) = scaled(lowering, layer.output)?;
    let (src, out) = elements::element_by_element(lowering, layer)?;
    let ties = library::Ties::Away;
    let configured = library::quantize::<i8>::configure(&src.info()?, scale, zero.into(), ties, &out.info()?);
    lowering.compute(layer, "quantize", configured, vec![src], out)
}

fn dequantize(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (scale, zero) = scaled_input(lowering, layer, 0)?;
    let (src, out) = elements::element_by_element(lowering, layer)?;
    let configured = library::dequantize::<i8>::configure(&src.info()?, scale, zero.into(), &out.info()?);
    lowering.compute(layer, "dequantize", configured, vec![src], out)
}
