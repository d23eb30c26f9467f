//! Sums of products of integers of 8 bits, which are scaled, rounded and bounded while they are in registers.

use super::scaled::{By, Scaled, VECTOR, scaled_input};
use crate::{
    array::Array,
    call::Call,
    fold::{Layer, is_depthwise},
    lower::{Lowering, Refusal, refused},
    model::Elements,
    operator::Operator,
    row_windows::{Columns, RowWindows},
    rows,
    scale::each,
    slot::{CHANNELS_LAST, Slot},
    sums::{self, MAX_GROUPS, Numbers},
};

/// Bytes that instructions multiply at a time.
const TOGETHER: usize = 4;

/// The bias of each output, of integers of 32 bits; zeros where a layer has none.
fn bias(lowering: &mut Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Slot, Refusal> {
    lowering.budget.floats(layer.node.name(), outputs)?;
    let Some(value) = layer.node.input(2) else {
        return Ok(lowering.constant(Array::Ints(vec![0; outputs].into()), &[outputs]));
    };
    let unit = units(lowering, layer)?;
    let analysis = &lowering.analysis;
    let scales = analysis.quantization(value).map(|own| &own.scales);
    let found = match analysis.constant(value).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) if ints.len() == outputs => {
            let int = |(output, &int): (usize, &i64)| match scales {
                Some(scales) => in_units(int, each(scales, output)?, each(&unit, output)?),
                None => i32::try_from(int).ok(),
            };
            ints.iter().enumerate().map(int).collect::<Option<Vec<i32>>>()
        }
        Some(Elements::Floats(floats)) if floats.len() == outputs => {
            let int = |(output, &float): (usize, &f32)| Some((float / each(&unit, output)?).round_ties_even() as i32);
            floats.iter().enumerate().map(int).collect()
        }
        _ => None,
    };
    match found {
        Some(ints) => Ok(lowering.constant(Array::Ints(ints.into()), &[outputs])),
        None => refused("its bias is no constant with an integer of 32 bits for each output"),
    }
}

/// What 1 stands for in a layer's sums: one number for all outputs, or one for each.
fn units(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Vec<f32>, Refusal> {
    let (scale, _) = scaled_input(lowering, layer, 0)?;
    let weights = layer.node.input(1).and_then(|weights| lowering.analysis.quantization(weights));
    let scales = weights.map_or_else(Default::default, |weights| weights.scales.clone());
    lowering.budget.floats(layer.node.name(), scales.len())?;
    Ok(scales.iter().map(|own| scale * own).collect())
}

/// An integer of a scale in the unit of sums. Scales that differ by no more than roundings are that unit.
fn in_units(int: i64, scale: f32, unit: f32) -> Option<i32> {
    let ratio = f64::from(scale) / f64::from(unit);
    if (ratio - 1.0).abs() < 1e-6 {
        return i32::try_from(int).ok();
    }
    Some((int as f64 * ratio).round_ties_even() as i32)
}

/// `[output, channel, row, column]` as the library's operators read them.
fn weights(lowering: &mut Lowering<'_>, layer: &Layer<'_>, order: &[usize]) -> Result<Slot, Refusal> {
    let slot = lowering.input(layer, 1)?.permuted(order);
    lowering.in_order(layer, slot)
}

pub(super) fn convolution(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
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
    let (_, numbers) = sums::lay(window, [rows, columns], &src)?;
    let is_pointwise = ([rows, columns], numbers.stride, numbers.pads) == ([1; 2], [1; 2], [0; 4]);
    let image = src.permuted(&CHANNELS_LAST);
    if is_depthwise {
        let Some(weights) = weights.reshaped(&[rows, columns, channels]) else {
            return refused("its weights lie apart");
        };
        // What follows a layer of few channels reads those that nothing else needs, too.
        if let Some(src) = lowering.with_room(&image, VECTOR)
            && let Some(out) = lowering.roomy_destination(layer.output, VECTOR)
        {
            let sums = Sums { src, weights, bias, scaled, out };
            return sums.widened(lowering, layer)?.depthwise(lowering, layer, &numbers);
        }
        let out = lowering.destination(layer.output, &[src])?.permuted(&CHANNELS_LAST);
        return Sums { src: image, weights, bias, scaled, out }.depthwise(lowering, layer, &numbers);
    }
    if *groups == 1
        && outputs < VECTOR
        && let Some(out) = lowering.roomy_destination(layer.output, VECTOR)
    {
        let sums = Sums { src: image, weights, bias, scaled, out }.widened(lowering, layer)?;
        return sums.group(lowering, layer, &numbers, is_pointwise);
    }
    let out = lowering.destination(layer.output, &[src])?.permuted(&CHANNELS_LAST);
    let each = outputs / groups;
    for group in 0..*groups {
        let sums = Sums {
            src: image.part(3, group * channels, channels),
            weights: weights.part(3, group * each, each),
            bias: bias.part(0, group * each, each),
            scaled: scaled.part(group * each, each),
            out: out.part(3, group * each, each),
        };
        sums.group(lowering, layer, &numbers, is_pointwise)?;
    }
    Ok(())
}

pub(super) fn product(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
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

/// Rows of any number by one matrix.
pub(super) fn matrices(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let weights = weights(lowering, layer, &[0, 1])?;
    let &[inner, outputs] = &weights.extents[..] else { return refused("its weights have no two dimensions") };
    let rows = src.extents.iter().product::<usize>() / inner.max(1);
    let (bias, scaled) = (bias(lowering, layer, outputs)?, Scaled::new(lowering, layer, outputs)?);
    let order: Vec<usize> = (0..src.extents.len()).collect();
    let src = lowering.reshaped(layer, &src, &[rows, inner]);
    rows::written(lowering, layer, &order, &[rows, outputs], src, |lowering, src, out| {
        Sums { src, weights, bias, scaled, out }.product(lowering, layer, true)
    })
}

/// What a product or a convolution of integers reads and writes.
pub(super) struct Sums {
    pub src: Slot,
    pub weights: Slot,
    pub bias: Slot,
    pub scaled: Scaled,
    pub out: Slot,
}

impl Sums {
    /// With outputs that nothing reads, for which there is room.
    fn widened(self, lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Sums, Refusal> {
        Ok(Sums {
            weights: lowering.widened(layer, self.weights, VECTOR)?,
            bias: lowering.widened(layer, self.bias, VECTOR)?,
            scaled: self.scaled.widened(lowering, layer)?,
            ..self
        })
    }

    /// One group of a convolution.
    fn group(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        numbers: &Numbers,
        is_pointwise: bool,
    ) -> Result<(), Refusal> {
        match self.as_product().filter(|_| is_pointwise) {
            Some(sums) => sums.product(lowering, layer, false),
            None => {
                let (window, outputs) = (self.weights.extents[1], self.out.extents[2]);
                let columns = Columns { window, outputs, numbers, together: TOGETHER };
                let pad = Array::Bytes([self.scaled.zero].into());
                match columns.as_channels(lowering, layer, [&self.src, &self.weights], pad) {
                    Some(RowWindows { src, weights, numbers }) => {
                        Sums { src, weights, ..self }.convolution(lowering, layer, &numbers)
                    }
                    None => self.convolution(lowering, layer, numbers),
                }
            }
        }
    }

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
        let Scaled { zero, out_zero, lower, upper, .. } = self.scaled;
        let call = match self.scaled.by {
            By::Factors { .. } if is_rounded_once => Call::dense_requantize_once { zero, out_zero, lower, upper },
            By::Factors { .. } => Call::dense_requantize { zero, out_zero, lower, upper },
            By::Floats { .. } => Call::dense_requantize_float { zero, out_zero, lower, upper },
        };
        let (reads, out) = self.slots();
        lowering.compute(layer, call, reads, out)
    }

    fn convolution(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let Scaled { zero, out_zero, lower, upper, .. } = self.scaled;
        let call = match self.scaled.by {
            By::Factors { .. } => Call::conv2d_requantize { stride, dilation, pads, zero, out_zero, lower, upper },
            By::Floats { .. } => Call::conv2d_requantize_float { stride, dilation, pads, zero, out_zero, lower, upper },
        };
        let (reads, out) = self.slots();
        lowering.compute(layer, call, reads, out)
    }

    pub fn depthwise(
        self,
        lowering: &mut Lowering<'_>,
        layer: &Layer<'_>,
        &Numbers { stride, dilation, pads }: &Numbers,
    ) -> Result<(), Refusal> {
        let Scaled { zero, out_zero, lower, upper, .. } = self.scaled;
        // The window of most networks has kernels of its own, without loops.
        let is_3_by_3 = matches!(self.weights.extents[..], [3, 3, _]) && dilation == [1; 2];
        let call = match self.scaled.by {
            By::Factors { .. } if is_3_by_3 => {
                Call::depthwise3x3_requantize { stride, pads, zero, out_zero, lower, upper }
            }
            By::Floats { .. } if is_3_by_3 => {
                Call::depthwise3x3_requantize_float { stride, pads, zero, out_zero, lower, upper }
            }
            By::Factors { .. } => {
                Call::depthwise_conv2d_requantize { stride, dilation, pads, zero, out_zero, lower, upper }
            }
            By::Floats { .. } => {
                Call::depthwise_conv2d_requantize_float { stride, dilation, pads, zero, out_zero, lower, upper }
            }
        };
        let (reads, out) = self.slots();
        lowering.compute(layer, call, reads, out)
    }

    /// What the kernel reads, in its order, and what it writes.
    fn slots(self) -> (Vec<Slot>, Slot) {
        let Sums { src, weights, bias, scaled, out } = self;
        let reads = match scaled.over(&out.extents).by {
            By::Factors { multiplier, shift } => vec![src, weights, bias, multiplier, shift],
            By::Floats { scale } => vec![src, weights, bias, scale],
        };
        (reads, out)
    }
}
