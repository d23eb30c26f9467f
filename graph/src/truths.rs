//! Truth values, what is chosen by them, and elements of other types.

use windrow::ElementType;

use crate::{
    array::Array,
    call::Call,
    choices::{Comparison, Rounding},
    elements::{element_by_element, in_pairs},
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::{self, Logic, Operator, Type},
    slot::Slot,
};

/// What stands for true.
const TRUTH: u8 = 1;

pub(crate) fn compare(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Compare(comparison) = layer.node.operator else { return refused("it is no comparison") };
    let comparison = match comparison {
        operator::Comparison::Equal => Comparison::Equal,
        operator::Comparison::Greater => Comparison::Greater,
        operator::Comparison::GreaterOrEqual => Comparison::GreaterEqual,
        operator::Comparison::Less => Comparison::Less,
        operator::Comparison::LessOrEqual => Comparison::LessEqual,
    };
    let element = layer.node.input(0).map_or(ElementType::F32, |input| lowering.analysis.element(input));
    in_pairs(lowering, layer, &compared(element, comparison)?)
}

fn compared(element: ElementType, comparison: Comparison) -> Result<Call, Refusal> {
    match element {
        ElementType::F32 => Ok(Call::compare { comparison, truth: TRUTH }),
        ElementType::I32 => Ok(Call::compare_i32 { comparison, truth: TRUTH }),
        ElementType::U8 => Ok(Call::compare_u8 { comparison, truth: TRUTH }),
        other => refused(format!("it compares elements of {other:?}")),
    }
}

pub(crate) fn logic(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Logic(logic) = layer.node.operator else { return refused("it makes nothing of truth values") };
    let call = match logic {
        Logic::And => Call::bitwise_and {},
        Logic::Or => Call::bitwise_or {},
        Logic::Xor => Call::bitwise_xor {},
    };
    in_pairs(lowering, layer, &call)
}

pub(crate) fn not(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    beside_zero(lowering, layer, Comparison::Equal)
}

/// Each element compared with 0.
fn beside_zero(lowering: &mut Lowering<'_>, layer: &Layer<'_>, comparison: Comparison) -> Result<(), Refusal> {
    let (src, out) = element_by_element(lowering, layer)?;
    let zero = match src.element {
        ElementType::I32 => Array::Ints([0].into()),
        ElementType::U8 => Array::Unsigned([0].into()),
        _ => Array::Floats([0.0].into()),
    };
    let zero = lowering.constant(zero, &vec![1; src.extents.len()]);
    let call = compared(src.element, comparison)?;
    lowering.compute(layer, call, vec![src, zero], out)
}

/// One of two tensors, element by element, each of which may repeat.
pub(crate) fn select(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let rank = lowering.analysis.extents(layer.output).len();
    let mut operands: Vec<Slot> = Vec::new();
    for input in 0..3 {
        operands.push(lowering.input(layer, input)?.of_rank(rank));
    }
    let out = lowering.destination(layer.output, &operands)?.with_channels_last();
    let operands: Vec<Slot> = operands.iter().map(Slot::with_channels_last).collect();
    let call = match out.element {
        ElementType::F32 => Call::select {},
        ElementType::I32 => Call::select_i32 {},
        ElementType::U8 => Call::select_u8 {},
        other => return refused(format!("it chooses among elements of {other:?}")),
    };
    lowering.compute(layer, call, operands, out)
}

/// Elements of another type.
pub(crate) fn cast(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Cast(to) = layer.node.operator else { return refused("it makes no elements of another type") };
    let from = layer.node.input(0).map_or(ElementType::F32, |input| lowering.analysis.element(input));
    let rounding = Rounding::TowardZero;
    let call = match (from, to) {
        (_, Type::Truth) => return beside_zero(lowering, layer, Comparison::NotEqual),
        (ElementType::I32, Type::Float) => Call::to_float_i32 {},
        (ElementType::U8, Type::Float) => Call::to_float_u8 {},
        (ElementType::I8, Type::Float) => Call::to_float_i8 {},
        (ElementType::U8, Type::Integer) => Call::widen_u8 { shift: 0 },
        (ElementType::F32, Type::Integer) => Call::from_float_i32 { rounding },
        (ElementType::F32, Type::Byte) => Call::from_float_u8 { rounding },
        (ElementType::F32, Type::Float) | (ElementType::I32, Type::Integer) | (ElementType::U8, Type::Byte) => {
            let (src, out) = element_by_element(lowering, layer)?;
            lowering.copy(layer, src, out);
            return Ok(());
        }
        (from, to) => return refused(format!("it makes elements of {from:?} to {to:?}")),
    };
    let (src, out) = element_by_element(lowering, layer)?;
    lowering.compute(layer, call, vec![src], out)
}

/// Integers of 8 bits with the other kind of sign.
pub(crate) fn sign(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let (src, out) = element_by_element(lowering, layer)?;
    let call = if layer.node.operator == Operator::Signed { Call::to_signed {} } else { Call::to_unsigned {} };
    lowering.compute(layer, call, vec![src], out)
}
