//! Integers of 8 bits whose scales and zeros are tensors, and sums of their products that stay integers of 32 bits.

use windrow::ElementType;

use crate::{
    array::Array,
    call::Call,
    choices::{Overflow, Ties},
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    model::Elements,
    operator::{Operator, Window},
    rows,
    slot::{CHANNELS_LAST, Root, Slot},
    sums::{self, Numbers},
};

/// Whether an operator is one of these.
pub(crate) fn is_dynamic(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::DynamicScale
            | Operator::DynamicZero
            | Operator::QuantizeBy
            | Operator::IntegerMatrices
            | Operator::IntegerConvolution { .. }
    )
}

/// Adds the steps of such a layer.
pub(crate) fn dynamic(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match layer.node.operator {
        Operator::DynamicScale => of_two(lowering, layer, Call::dynamic_scale {}),
        Operator::DynamicZero => of_two(lowering, layer, Call::dynamic_zero {}),
        Operator::QuantizeBy => quantize(lowering, layer),
        Operator::IntegerMatrices => matrices(lowering, layer),
        Operator::IntegerConvolution { .. } => convolution(lowering, layer),
        _ => refused("it has no scale that is a tensor"),
    }
}

fn of_two(lowering: &mut Lowering<'_>, layer: &Layer<'_>, call: Call) -> Result<(), Refusal> {
    let reads = vec![lowering.input(layer, 0)?, lowering.input(layer, 1)?];
    let out = lowering.destination(layer.output, &reads)?;
    lowering.compute(layer, call, reads, out)
}

fn quantize(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let (scale, zero) = (lowering.input(layer, 1)?, lowering.input(layer, 2)?);
    let zero = widened(lowering, layer, zero)?;
    let out = lowering.destination(layer.output, &[src.clone(), scale.clone()])?.with_channels_last();
    let (rank, src) = (src.extents.len(), src.with_channels_last());
    let reads = vec![src, scale.of_rank(rank), zero.of_rank(rank)];
    lowering.compute(layer, Call::quantize_channels { ties: Ties::Even }, reads, out)
}

/// Integers of 8 bits as such of 32.
fn widened(lowering: &mut Lowering<'_>, layer: &Layer<'_>, slot: Slot) -> Result<Slot, Refusal> {
    let to = lowering.memory(ElementType::I32, &slot.extents);
    lowering.compute(layer, Call::widen_i8 { shift: 0 }, vec![slot], to.clone())?;
    Ok(to)
}

/// The second tensor of a layer: a constant, whose outputs go last.
struct Weights {
    slot: Slot,
    outputs: usize,
    /// For each place of a window and each output the sum of what is read of the channels, less the zeros: what the zero of the first
    /// tensor is multiplied by.
    sums: Vec<i32>,
    /// The zeros of the outputs, where one is not 0.
    zeros: Option<Vec<i32>>,
}

/// The zero of the first tensor.
enum Zero {
    Known(i8),
    /// A tensor of one element.
    Later(Slot),
}

fn weights(lowering: &mut Lowering<'_>, layer: &Layer<'_>, order: &[usize], places: usize) -> Result<Weights, Refusal> {
    const NO_CONSTANT: &str = "its second tensor is no constant of integers of 8 bits, of one matrix or of windows";
    let slot = lowering.input(layer, 1)?;
    if slot.extents.len() != order.len() {
        return refused(NO_CONSTANT);
    }
    let slot = lowering.in_order(layer, slot.permuted(order))?;
    let outputs = slot.extents.last().copied().unwrap_or(1);
    // Sums and zeros, and what is made of them.
    lowering.budget.floats(layer.node.name(), outputs.saturating_mul(places.saturating_add(3)))?;
    let zeros = zeros(lowering, layer, outputs)?;
    let Root::Constant(constant) = slot.root else { return refused(NO_CONSTANT) };
    let Some(Array::Bytes(bytes)) = lowering.constants.get(constant) else { return refused(NO_CONSTANT) };
    let mut sums = vec![0i32; places * outputs];
    for (place, channels) in bytes.chunks_exact(bytes.len() / places).enumerate() {
        for (at, &byte) in channels.iter().enumerate() {
            let sum = &mut sums[place * outputs + at % outputs];
            *sum = sum.wrapping_add(i32::from(byte) - zeros[at % outputs]);
        }
    }
    let zeros = zeros.iter().any(|zero| *zero != 0).then_some(zeros);
    Ok(Weights { slot, outputs, sums, zeros })
}

/// The zeros of the second tensor, one for each output.
fn zeros(lowering: &Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Vec<i32>, Refusal> {
    let Some(value) = layer.node.input(3) else { return Ok(vec![0; outputs]) };
    match lowering.analysis.constant(value).map(|constant| &constant.elements) {
        Some(Elements::Bytes(zeros)) if zeros.len() == 1 => Ok(vec![zeros[0].into(); outputs]),
        Some(Elements::Bytes(zeros)) if zeros.len() == outputs => Ok(zeros.iter().map(|&zero| zero.into()).collect()),
        _ => refused("the zeros of its second tensor are no constants, one for all or one for each output"),
    }
}

fn zero(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Zero, Refusal> {
    let Some(value) = layer.node.input(2) else { return Ok(Zero::Known(0)) };
    match lowering.analysis.constant(value).map(|constant| &constant.elements) {
        Some(Elements::Bytes(zeros)) if zeros.len() == 1 => Ok(Zero::Known(zeros[0])),
        None if lowering.analysis.extents(value).iter().product::<usize>() == 1 => {
            let slot = lowering.slot(layer, value)?;
            let slot = widened(lowering, layer, slot)?;
            Ok(Zero::Later(slot))
        }
        _ => refused("the zero of its first tensor is more than one integer of 8 bits"),
    }
}

/// What a zero takes from sums: their negated products, of extents that numbers have.
fn taken(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    zero: &Zero,
    numbers: &[i32],
    extents: &[usize],
) -> Result<Slot, Refusal> {
    let factor = if let Zero::Known(zero) = zero { i32::from(*zero) } else { 1 };
    let numbers = numbers.iter().map(|number| number.wrapping_mul(factor).wrapping_neg()).collect();
    let numbers = lowering.constant(Array::Ints(numbers), extents);
    let Zero::Later(zero) = zero else { return Ok(numbers) };
    let zero = zero.like(&[]).of_rank(extents.len());
    let to = lowering.memory(ElementType::I32, extents);
    lowering.compute(layer, Call::multiply_i32 { policy: Overflow::Wrap }, vec![zero, numbers], to.clone())?;
    Ok(to)
}

/// Rows of any number by one matrix: Σ a·b − zero of a · Σ (b − zero of b) − zero of b · Σ a.
fn matrices(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let Weights { slot: weights, outputs, sums, zeros } = weights(lowering, layer, &[0, 1], 1)?;
    let zero = zero(lowering, layer)?;
    let bias = taken(lowering, layer, &zero, &sums, &[outputs])?;
    let (order, inner): (Vec<usize>, _) = ((0..src.extents.len()).collect(), weights.extents[0]);
    let rows = src.extents.iter().product::<usize>() / inner;
    let src = lowering.reshaped(layer, &src, &[rows, inner]);
    rows::written(lowering, layer, &order, &[rows, outputs], src, |lowering, src, out| {
        let product = Call::dense_bytes { zero: 0 };
        let Some(zeros) = zeros else { return lowering.compute(layer, product, vec![src, weights, bias], out) };
        let to = lowering.memory(ElementType::I32, &out.extents);
        lowering.compute(layer, product, vec![src.clone(), weights, bias], to.clone())?;
        let from = lowering.reshaped(layer, &src, &[rows, inner, 1]);
        let all = lowering.memory(ElementType::I32, &[rows, 1]);
        lowering.compute(layer, Call::reduce_sum_bytes {}, vec![from], all.clone())?;
        let zeros = zeros.iter().map(|zero| -zero).collect();
        let zeros = lowering.constant(Array::Ints(zeros), &[1, outputs]);
        let less = lowering.memory(ElementType::I32, &out.extents);
        lowering.compute(layer, Call::multiply_i32 { policy: Overflow::Wrap }, vec![all, zeros], less.clone())?;
        lowering.compute(layer, Call::add_i32 { policy: Overflow::Wrap }, vec![to, less], out)
    })
}

/// Around the image there are its zeros, which sums have no part of.
fn convolution(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::IntegerConvolution { window, groups } = &layer.node.operator else {
        return refused("it is no convolution of integers");
    };
    let src = lowering.input(layer, 0)?;
    let &[_, channels, rows, columns] = lowering.input(layer, 1)?.extents.as_slice() else {
        return refused("its windows have another number of dimensions than two");
    };
    if *groups > sums::MAX_GROUPS {
        return refused(format!("it has {groups} groups; {} are computed", sums::MAX_GROUPS));
    }
    let weights = weights(lowering, layer, &[2, 3, 1, 0], rows * columns)?;
    let (laid, numbers) = sums::lay(window, [rows, columns], &src)?;
    let zero = zero(lowering, layer)?;
    let own = if let Zero::Known(zero) = zero { zero } else { 0 };
    let [_, _, h, w] = src.extents[..] else { return refused("it has another rank than four") };
    let spread = Spread { window, laid: laid.pads, size: [rows, columns], image: [h, w] };
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&CHANNELS_LAST);
    let (src, outputs) = (src.permuted(&CHANNELS_LAST), weights.outputs);
    lowering.budget.floats(layer.node.name(), outputs)?;
    let bias = lowering.constant(Array::Ints(vec![0; outputs].into()), &[outputs]);
    let sums = match zero {
        Zero::Known(_) => out.clone(),
        Zero::Later(_) => lowering.memory(ElementType::I32, &out.extents),
    };
    let each = outputs / groups;
    for group in 0..*groups {
        let part = |slot: &Slot, extent: usize| slot.part(3, group * extent, extent);
        let reads = vec![part(&src, channels), part(&weights.slot, each), bias.part(0, group * each, each)];
        let zeros = weights.zeros.as_ref().map(|zeros| &zeros[group * each..][..each]);
        summed(lowering, layer, (&numbers, own), reads, zeros, part(&sums, each))?;
    }
    if let Zero::Known(_) = zero {
        return Ok(());
    }
    let extents = [1, laid.windows[0], laid.windows[1], outputs];
    lowering.budget.floats(layer.node.name(), extents.iter().product::<usize>().saturating_mul(2))?;
    let less = taken(lowering, layer, &zero, &spread.sums(&weights.sums, laid.windows), &extents)?;
    lowering.compute(layer, Call::add_i32 { policy: Overflow::Wrap }, vec![sums, less], out)
}

/// The sums of one group: of products, less those of what is read, each times the zero of an output.
fn summed(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    (&Numbers { stride, dilation, pads }, zero): (&Numbers, i8),
    reads: Vec<Slot>,
    zeros: Option<&[i32]>,
    out: Slot,
) -> Result<(), Refusal> {
    let call = Call::conv2d_bytes { stride, dilation, pads, zero };
    let Some(zeros) = zeros else { return lowering.compute(layer, call, reads, out) };
    let [src, weights, bias] = &reads[..] else { return refused("it reads other tensors than three") };
    let (mut window, mut place) = (weights.extents.clone(), out.extents.clone());
    (window[3], place[3]) = (1, 1);
    let count = window.iter().product();
    lowering.budget.bytes(layer.node.name(), count)?;
    let ones = lowering.constant(Array::Bytes(vec![1; count].into()), &window);
    let (src, bias) = (src.clone(), bias.part(0, 0, 1));
    let [sums, less] = [0; 2].map(|_| lowering.memory(ElementType::I32, &out.extents));
    let read = lowering.memory(ElementType::I32, &place);
    lowering.compute(layer, call.clone(), reads, sums.clone())?;
    lowering.compute(layer, call, vec![src, ones, bias], read.clone())?;
    let zeros: Vec<i32> = zeros.iter().map(|zero| -zero).collect();
    let zeros = lowering.constant(Array::Ints(zeros.into()), &[1, 1, 1, out.extents[3]]);
    lowering.compute(layer, Call::multiply_i32 { policy: Overflow::Wrap }, vec![read, zeros], less.clone())?;
    lowering.compute(layer, Call::add_i32 { policy: Overflow::Wrap }, vec![sums, less], out)
}

/// Windows over an image with pads.
struct Spread<'w> {
    window: &'w Window,
    laid: [usize; 4],
    size: [usize; 2],
    image: [usize; 2],
}

impl Spread<'_> {
    /// For each place of the result and each output, the sum of the weights that lie inside the image.
    fn sums(&self, weights: &[i32], places: [usize; 2]) -> Vec<i32> {
        let outputs = weights.len() / (self.size[0] * self.size[1]);
        let mut sums = Vec::with_capacity(places[0] * places[1] * outputs);
        for y in 0..places[0] {
            let rows = self.inside(0, y);
            for x in 0..places[1] {
                let begin = sums.len();
                sums.resize(begin + outputs, 0i32);
                for (row, column) in rows.iter().flat_map(|&row| self.inside(1, x).into_iter().map(move |c| (row, c))) {
                    let own = &weights[(row * self.size[1] + column) * outputs..][..outputs];
                    sums[begin..].iter_mut().zip(own).for_each(|(sum, own)| *sum = sum.wrapping_add(*own));
                }
            }
        }
        sums
    }

    /// The rows or the columns of a window that lie inside.
    fn inside(&self, d: usize, at: usize) -> Vec<usize> {
        let first = at * self.window.stride[d];
        let lies = |&tap: &usize| {
            let place = first + tap * self.window.dilation[d];
            (self.laid[d]..self.laid[d] + self.image[d]).contains(&place)
        };
        (0..self.size[d]).filter(lies).collect()
    }
}
