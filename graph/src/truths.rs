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
    shape::dimension,
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
    let zero = zero(lowering, src.element, src.extents.len());
    let call = compared(src.element, comparison)?;
    lowering.compute(layer, call, vec![src, zero], out)
}

/// A tensor of one 0.
fn zero(lowering: &mut Lowering<'_>, element: ElementType, rank: usize) -> Slot {
    let zero = match element {
        ElementType::I32 => Array::Ints([0].into()),
        ElementType::U8 => Array::Unsigned([0].into()),
        _ => Array::Floats([0.0].into()),
    };
    lowering.constant(zero, &vec![1; rank])
}

/// The elements of a triangle of each matrix, and 0 elsewhere.
pub(crate) fn triangle(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Triangle { is_upper, diagonal } = layer.node.operator else { return refused("it is no triangle") };
    let src = lowering.input(layer, 0)?;
    let (rank, &[.., rows, columns]) = (src.extents.len(), &src.extents[..]) else {
        return refused("it has no matrices");
    };
    lowering.budget.bytes(layer.node.name(), rows.saturating_mul(columns).saturating_mul(2))?;
    let is_kept = |row: usize, column: usize| {
        let behind = (column as i64 - row as i64).saturating_sub(diagonal);
        if is_upper { behind >= 0 } else { behind <= 0 }
    };
    let kept = (0..rows).flat_map(|row| (0..columns).map(move |column| u8::from(is_kept(row, column))));
    let kept = lowering.constant(Array::Unsigned(kept.collect()), &[rows, columns]).of_rank(rank);
    let zero = zero(lowering, src.element, rank);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.with_channels_last();
    let operands = [kept, src, zero].iter().map(Slot::with_channels_last).collect();
    lowering.compute(layer, chosen(out.element)?, operands, out)
}

/// Places that are compared with those of the new dimension, counted from its start and from its end.
pub(crate) fn one_hot(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::OneHot { axis, depth } = layer.node.operator else { return refused("it marks no place") };
    let (mut places, values) = (lowering.input(layer, 0)?, lowering.input(layer, 2)?);
    let rank = places.extents.len() + 1;
    let Ok(axis) = dimension(axis, rank) else { return refused("it has no such dimension") };
    if places.element == ElementType::F32 {
        let to = lowering.memory(ElementType::I32, &places.extents);
        lowering.compute(layer, Call::from_float_i32 { rounding: Rounding::TowardZero }, vec![places], to.clone())?;
        places = to;
    }
    let mut extents = places.extents.clone();
    extents.insert(axis, 1);
    let places = lowering.reshaped(layer, &places, &extents).with_channels_last();
    let out = lowering.destination(layer.output, &[values.clone(), places.clone()])?.with_channels_last();
    lowering.budget.floats(layer.node.name(), depth.saturating_mul(2))?;
    let mut along = vec![1; rank];
    along[axis] = depth;
    let truths = |lowering: &mut Lowering<'_>, first: i64| {
        let columns = (0..depth as i64).map(|column| (column + first) as i32).collect();
        let columns = lowering.constant(Array::Ints(columns), &along).with_channels_last();
        let truths = lowering.memory(ElementType::U8, &out.extents);
        let call = compared(ElementType::I32, Comparison::Equal)?;
        lowering.compute(layer, call, vec![places.clone(), columns], truths.clone()).map(|()| truths)
    };
    let [from_start, from_end] = [truths(lowering, 0)?, truths(lowering, -(depth as i64))?];
    let is_meant = lowering.memory(ElementType::U8, &out.extents);
    lowering.compute(layer, Call::bitwise_or {}, vec![from_start, from_end], is_meant.clone())?;
    let of = |place: usize| values.part(0, place, 1).of_rank(rank);
    lowering.compute(layer, chosen(out.element)?, vec![is_meant, of(1), of(0)], out)
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
    lowering.compute(layer, chosen(out.element)?, operands, out)
}

/// What chooses between elements of a type.
pub(crate) fn chosen(element: ElementType) -> Result<Call, Refusal> {
    match element {
        ElementType::F32 => Ok(Call::select {}),
        ElementType::I32 => Ok(Call::select_i32 {}),
        ElementType::U8 => Ok(Call::select_u8 {}),
        other => refused(format!("it chooses among elements of {other:?}")),
    }
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
