//! Nodes that compute each element by itself, from one input or from several that may repeat.

use windrow::ElementType;

use crate::{
    call::Call,
    choices::Overflow,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::{Function, Operator, Pair},
    slot::Slot,
};

pub(crate) fn relu(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (src, out) = element_by_element(lowering, layer)?;
    lowering.compute(layer, Call::relu {}, vec![src], out)
}

pub(crate) fn clip(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Clip { lower, upper } = layer.node.operator else { return refused("it is no clip") };
    let (src, out) = element_by_element(lowering, layer)?;
    lowering.compute(layer, Call::clip { lower: lower.into(), upper: upper.into() }, vec![src], out)
}

pub(crate) fn element_by_element(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(Slot, Slot), Refusal> {
    let src = lowering.input(layer, 0)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    Ok((src.with_channels_last(), out.with_channels_last()))
}

pub(crate) fn add(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match element(lowering, layer) {
        ElementType::I32 => in_pairs(lowering, layer, &Call::add_i32 { policy: Overflow::Wrap }),
        _ => in_pairs(lowering, layer, &Call::add_f32 {}),
    }
}

/// The type of what a layer reads first.
fn element(lowering: &Lowering<'_>, layer: &Layer<'_>) -> ElementType {
    layer.node.input(0).map_or(ElementType::F32, |input| lowering.analysis.element(input))
}

pub(crate) fn multiply(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    match element(lowering, layer) {
        ElementType::I32 => in_pairs(lowering, layer, &Call::multiply_i32 { policy: Overflow::Wrap }),
        _ => in_pairs(lowering, layer, &Call::multiply_f32 {}),
    }
}

/// Two inputs and no more, each of which may repeat; a sum of others goes pair by pair, from the first on.
pub(crate) fn in_pairs(lowering: &mut Lowering<'_>, layer: &Layer<'_>, call: &Call) -> Result<(), Refusal> {
    let extents = lowering.analysis.extents(layer.output).to_vec();
    let mut operands = Vec::new();
    for input in 0..layer.node.inputs.len() {
        operands.push(lowering.input(layer, input)?.of_rank(extents.len()));
    }
    let out = lowering.destination(layer.output, &operands)?.with_channels_last();
    let mut operands = operands.into_iter().map(|slot| slot.with_channels_last());
    let Some(mut sum) = operands.next() else { return refused("it reads nothing") };
    let mut rest = operands.peekable();
    if rest.peek().is_none() {
        lowering.copy(layer, sum, out);
        return Ok(());
    }
    while let Some(operand) = rest.next() {
        let target = if rest.peek().is_none() {
            out.clone()
        } else {
            // As large as the whole: what is added so far may be no smaller.
            lowering.memory(out.element, &out.extents)
        };
        lowering.compute(layer, call.clone(), vec![sum, operand], target.clone())?;
        sum = target;
    }
    Ok(())
}

/// A function of each element.
pub(crate) fn function(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Function(function) = layer.node.operator else { return refused("it is no function") };
    let (src, out) = element_by_element(lowering, layer)?;
    let call = match function {
        Function::Abs => Call::absolute {},
        Function::Neg => Call::negate {},
        Function::Exp => Call::exp {},
        Function::Log => Call::log {},
        Function::Sqrt => Call::sqrt {},
        Function::Reciprocal => Call::reciprocal {},
        Function::Erf => Call::erf {},
        Function::Floor => Call::floor {},
        Function::Ceil => Call::ceil {},
        Function::Round => Call::round {},
        Function::Sign => Call::sign {},
        Function::Sin => Call::sin {},
        Function::Cos => Call::cos {},
        Function::Tan => Call::tan {},
        Function::Asin => Call::asin {},
        Function::Acos => Call::acos {},
        Function::Atan => Call::atan {},
        Function::Sinh => Call::sinh {},
        Function::Cosh => Call::cosh {},
        Function::Asinh => Call::asinh {},
        Function::Acosh => Call::acosh {},
        Function::Atanh => Call::atanh {},
        Function::Shrink { level, bias } => Call::shrink { level: level.into(), bias: bias.into() },
        Function::ThresholdedRelu { level } => Call::thresholded_relu { level: level.into() },
        Function::Sigmoid => Call::sigmoid {},
        Function::Tanh => Call::tanh {},
        Function::Softplus => Call::softplus {},
        Function::Softsign => Call::soft_sign {},
        Function::Mish => Call::mish {},
        Function::HardSwish => Call::hard_swish {},
        Function::Gelu => Call::gelu {},
        Function::GeluTanh => Call::gelu_tanh {},
        Function::LeakyRelu { slope } => Call::leaky_relu { slope: slope.into() },
        Function::HardSigmoid { alpha, beta } => Call::hard_sigmoid { alpha: alpha.into(), beta: beta.into() },
        Function::Elu { alpha } => Call::elu { alpha: alpha.into() },
        Function::Selu { alpha, gamma } => Call::selu { alpha: alpha.into(), gamma: gamma.into() },
        Function::Celu { alpha } => Call::celu { alpha: alpha.into() },
        Function::Swish { alpha } => Call::swish { alpha: alpha.into() },
    };
    lowering.compute(layer, call, vec![src], out)
}

/// A function of two elements.
pub(crate) fn pair(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Pair(pair) = layer.node.operator else { return refused("it is no function of two elements") };
    let is_sum = matches!(pair, Pair::Minimum | Pair::Maximum);
    if !is_sum && layer.node.inputs.len() != 2 {
        return refused("it has another number of inputs than two");
    }
    let call = match pair {
        Pair::Subtract if element(lowering, layer) == ElementType::I32 => Call::subtract_i32 { policy: Overflow::Wrap },
        Pair::Minimum if element(lowering, layer) == ElementType::I32 => Call::minimum_i32 {},
        Pair::Maximum if element(lowering, layer) == ElementType::I32 => Call::maximum_i32 {},
        Pair::Subtract => Call::subtract_f32 {},
        Pair::Divide => Call::divide {},
        Pair::Power => Call::power {},
        Pair::Prelu => Call::prelu {},
        Pair::Minimum => Call::minimum {},
        Pair::Maximum => Call::maximum {},
    };
    in_pairs(lowering, layer, &call)
}
