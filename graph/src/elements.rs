//! Nodes that compute each element by itself, from one input or from several that may repeat.

use windrow_operators as library;

use crate::{
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::{Function, Operator, Pair},
    slot::Slot,
};

pub(crate) fn relu(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (src, out) = element_by_element(lowering, layer)?;
    let configured = library::relu::configure(&src.info()?, &out.info()?);
    lowering.compute(layer, "relu", configured, vec![src], out)
}

pub(crate) fn clip(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Clip { lower, upper } = layer.node.operator else { return refused("it is no clip") };
    let (src, out) = element_by_element(lowering, layer)?;
    let configured = library::clip::<f32>::configure(&src.info()?, lower, upper, &out.info()?);
    lowering.compute(layer, "clip", configured, vec![src], out)
}

pub(crate) fn element_by_element(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(Slot, Slot), Refusal> {
    let src = lowering.input(layer, 0)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    Ok((src.with_channels_last(), out.with_channels_last()))
}

pub(crate) fn add(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let configure = |lowering: &mut Lowering<'_>, [a, b]: [Slot; 2], out: Slot| {
        let configured = library::add_f32::configure(&a.info()?, &b.info()?, &out.info()?);
        lowering.compute(layer, "add_f32", configured, vec![a, b], out)
    };
    in_pairs(lowering, layer, configure)
}

pub(crate) fn multiply(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let configure = |lowering: &mut Lowering<'_>, [a, b]: [Slot; 2], out: Slot| {
        let configured = library::multiply_f32::configure(&a.info()?, &b.info()?, &out.info()?);
        lowering.compute(layer, "multiply_f32", configured, vec![a, b], out)
    };
    in_pairs(lowering, layer, configure)
}

/// Two inputs and no more, each of which may repeat; a sum of others goes pair by pair, from the first on.
pub(crate) fn in_pairs(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    mut step: impl FnMut(&mut Lowering<'_>, [Slot; 2], Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
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
        step(lowering, [sum, operand], target.clone())?;
        sum = target;
    }
    Ok(())
}

/// A function of each element.
pub(crate) fn function(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Function(function) = layer.node.operator else { return refused("it is no function") };
    let (src, out) = element_by_element(lowering, layer)?;
    let infos = (src.info()?, out.info()?);
    macro_rules! by {
        ($kernel:ident $(, $value:expr)*) => {{
            let configured = library::$kernel::configure(&infos.0, $($value,)* &infos.1);
            lowering.compute(layer, stringify!($kernel), configured, vec![src], out)
        }};
    }
    match function {
        Function::Abs => by!(absolute),
        Function::Neg => by!(negate),
        Function::Exp => by!(exp),
        Function::Log => by!(log),
        Function::Sqrt => by!(sqrt),
        Function::Reciprocal => by!(reciprocal),
        Function::Erf => by!(erf),
        Function::Floor => by!(floor),
        Function::Ceil => by!(ceil),
        Function::Round => by!(round),
        Function::Sigmoid => by!(sigmoid),
        Function::Tanh => by!(tanh),
        Function::Softplus => by!(softplus),
        Function::Softsign => by!(soft_sign),
        Function::Mish => by!(mish),
        Function::HardSwish => by!(hard_swish),
        Function::Gelu => by!(gelu),
        Function::GeluTanh => by!(gelu_tanh),
        Function::LeakyRelu { slope } => by!(leaky_relu, slope),
        Function::HardSigmoid { alpha, beta } => by!(hard_sigmoid, alpha, beta),
        Function::Elu { alpha } => by!(elu, alpha),
        Function::Selu { alpha, gamma } => by!(selu, alpha, gamma),
        Function::Celu { alpha } => by!(celu, alpha),
        Function::Swish { alpha } => by!(swish, alpha),
    }
}

/// A function of two elements.
pub(crate) fn pair(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Pair(pair) = layer.node.operator else { return refused("it is no function of two elements") };
    let is_sum = matches!(pair, Pair::Minimum | Pair::Maximum);
    if !is_sum && layer.node.inputs.len() != 2 {
        return refused("it has another number of inputs than two");
    }
    in_pairs(lowering, layer, |lowering, [a, b], out| {
        let infos = (a.info()?, b.info()?, out.info()?);
        macro_rules! by {
            ($name:literal, $kernel:ty) => {{
                let configured = <$kernel>::configure(&infos.0, &infos.1, &infos.2);
                lowering.compute(layer, $name, configured, vec![a, b], out)
            }};
        }
        match pair {
            Pair::Subtract => by!("subtract_f32", library::subtract_f32),
            Pair::Divide => by!("divide", library::divide),
            Pair::Power => by!("power", library::power),
            Pair::Prelu => by!("prelu", library::prelu),
            Pair::Minimum => by!("minimum", library::minimum<f32>),
            Pair::Maximum => by!("maximum", library::maximum<f32>),
        }
    })
}
