//! The least or the greatest of taps: along one dimension, then along the other.
//!
//! A minimum does not mind the order, nor a tap taken twice, so any grouping is right. What a row of a block shares with
//! the next is folded first.

use super::grid::Grid;
use super::writer::{FormWriter, WindowOrder};
use crate::ir::{BinaryOp, CastMode, Op, Type, ValueId};

/// The fewest taps that make a fold worth a form of its own.
pub const FEWEST: usize = 3;

/// A fold.
#[derive(Debug)]
pub struct Fold {
    /// `Min` or `Max`.
    pub op: BinaryOp,
    /// The elements, in their own type; the fold is computed in it, and then widened.
    pub taps: Grid<ValueId>,
}

/// The fold in the style of `writer`.
pub fn write(writer: &mut FormWriter<'_>, fold: &Fold) -> ValueId {
    let name = match (writer.style.order, fold.op) {
        (WindowOrder::Direct, _) => None,
        (WindowOrder::Columns, BinaryOp::Min) => Some("column_least"),
        (WindowOrder::Columns, _) => Some("column_greatest"),
        (WindowOrder::Rows, BinaryOp::Min) => Some("row_least"),
        (WindowOrder::Rows, _) => Some("row_greatest"),
    };
    let lines =
        if writer.style.order == WindowOrder::Columns { fold.taps.transposed() } else { fold.taps.clone() }.rows();
    let mut values = Vec::new();
    let mut windows: Vec<Vec<i32>> = Vec::new();
    for (_, entries) in &lines {
        let taps: Vec<ValueId> = entries.iter().map(|(_, tap)| writer.value.at(*tap)).collect();
        let value = chain(writer, fold.op, &taps);
        if let (true, Some(name)) = (taps.len() > 1, name) {
            writer.builder.adopt_name(value, Some(name.into()));
        }
        values.push(value);
        windows.push(entries.iter().map(|(at, _)| *at).collect());
    }
    let is_gapless = lines.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    let shares =
        writer.style.order != WindowOrder::Columns && is_gapless && windows.windows(2).all(|pair| pair[0] == pair[1]);
    let value = if shares { shared(writer, fold.op, &values) } else { chain(writer, fold.op, &values) };
    widen(writer, value)
}

/// A value of the taps' type, in the type of the node that is replaced.
pub fn widen(writer: &mut FormWriter<'_>, value: ValueId) -> ValueId {
    let ty: Type = writer.ty();
    if writer.builder.node(value).ty == ty { value } else { writer.builder.cast(CastMode::Value, ty, value) }
}

/// One operation on two values.
pub fn apply(writer: &mut FormWriter<'_>, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
    let ty = writer.builder.node(a).ty;
    writer.builder.op(Op::Binary(op, a, b), ty, writer.value.node)
}

/// The fold of values, in order; of none, nothing sensible is asked for.
pub fn chain(writer: &mut FormWriter<'_>, op: BinaryOp, values: &[ValueId]) -> ValueId {
    let mut values = values.iter().copied();
    let first = values.next().unwrap_or(ValueId(0));
    values.fold(first, |folded, value| apply(writer, op, folded, value))
}

/// The fold of neighbouring rows; what a row of the block shares with the next is folded first.
pub fn shared(writer: &mut FormWriter<'_>, op: BinaryOp, values: &[ValueId]) -> ValueId {
    let parted = if writer.phase() == 0 { values.split_first() } else { values.split_last() };
    match parted {
        Some((&own, common)) if !common.is_empty() => {
            let common = chain(writer, op, common);
            apply(writer, op, common, own)
        }
        Some((&own, _)) => own,
        None => ValueId(0),
    }
}
