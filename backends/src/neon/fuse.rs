//! Several nodes as one instruction: widening, accumulating, narrowing and halving forms, one row each.
//!
//! A row matches the tree of a node and its operands. What it passes over stays selected only where someone else uses
//! it. All of them compute the same bits as the tree (`proofs`).

use super::instructions::{call, call_of};
use super::text::INSERTED;
use super::{Neon, bits};
use crate::vector::program::{Arg, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Node, Op, Type, ValueId};

/// What a node is, up to the forms that compute the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `+`
    Sum,
    /// `-`
    Difference,
    /// `*`
    Product,
    /// `<<`
    ShiftLeft,
    /// `|`
    Union,
}

/// Which operands a row takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Two widened values.
    Long,
    /// A value and a widened one.
    Wide,
    /// A value and the product of two widened ones.
    LongProduct,
    /// A value and the widened absolute difference of two.
    LongDistance,
    /// A value and a product.
    WithProduct,
    /// A value and an absolute difference.
    WithDistance,
    /// A widened value and a constant.
    LongConstant,
    /// A widened value and a constant power of two.
    LongPower,
    /// A value and another, shifted right by a constant.
    WithShifted,
    /// A value and bits that it has not, where a condition holds.
    WithChosenBits,
    /// A value and bits above all of its own: those of another, shifted left by a constant or multiplied by a power of two.
    WithBitsAbove,
    /// A value and bits below all of its own: those of another, shifted right by a constant.
    WithBitsBelow,
}

/// A row: the tree, and the instruction. Long forms have a second one for the upper half, named `_high`.
#[derive(Clone, Copy, Debug)]
pub struct FusedRow {
    /// What the node is.
    pub root: Root,
    /// What its operands are.
    pub operands: Operands,
    /// The intrinsic, without suffix.
    pub intrinsic: &'static str,
}

const fn row(root: Root, operands: Operands, intrinsic: &'static str) -> FusedRow {
    FusedRow { root, operands, intrinsic }
}

/// The rows, those that cover most first.
#[rustfmt::skip]
pub const FUSED: &[FusedRow] = &[
    row(Root::Sum,        Operands::Long,           "vaddl"),
    row(Root::Difference, Operands::Long,           "vsubl"),
    row(Root::Product,    Operands::LongPower,      "vshll"),
    row(Root::Product,    Operands::Long,           "vmull"),
    row(Root::ShiftLeft,  Operands::LongConstant,   "vshll"),
    row(Root::Sum,        Operands::LongProduct,    "vmlal"),
    row(Root::Difference, Operands::LongProduct,    "vmlsl"),
    row(Root::Sum,        Operands::LongDistance,   "vabal"),
    row(Root::Sum,        Operands::Wide,           "vaddw"),
    row(Root::Difference, Operands::Wide,           "vsubw"),
    row(Root::Sum,        Operands::WithBitsAbove,  "vsliq"),
    row(Root::Sum,        Operands::WithChosenBits, INSERTED),
    row(Root::Union,      Operands::WithBitsAbove,  "vsliq"),
    row(Root::Union,      Operands::WithBitsBelow,  "vsriq"),
    row(Root::Union,      Operands::WithChosenBits, INSERTED),
    row(Root::Sum,        Operands::WithProduct,    "vmlaq"),
    row(Root::Difference, Operands::WithProduct,    "vmlsq"),
    row(Root::Sum,        Operands::WithDistance,   "vabaq"),
    row(Root::Sum,        Operands::WithShifted,    "vsraq"),
];

/// What of a wide value is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// A value, shifted by 1 to all bits of the narrow type.
    Shifted,
    /// A value, shifted by all bits of the narrow type: the upper halves, of two vectors by one instruction.
    Upper,
    /// The sum of two widened values, shifted by 1: a mean, which the instruction computes in the narrow type.
    Sum,
}

/// How a wide value becomes a narrow one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// In any way: the value fits.
    Any,
    /// Its low bits remain, which is the same for both signs.
    Wraps,
    /// It becomes the nearest value of the same sign.
    Saturates,
    /// A signed value becomes the nearest unsigned one.
    DropsSign,
}

/// A row that narrows: what the wide value is, and the instruction for each way of narrowing.
#[derive(Clone, Copy, Debug)]
pub struct NarrowRow {
    /// The operation on the wide value; its right operand is a constant.
    pub op: BinaryOp,
    /// What of the value.
    pub wide: Wide,
    /// How the result is narrowed.
    pub how: How,
    /// The intrinsic, without `_high`, `_n` and suffix.
    pub intrinsic: &'static str,
}

const fn narrow(op: BinaryOp, wide: Wide, how: How, intrinsic: &'static str) -> NarrowRow {
    NarrowRow { op, wide, how, intrinsic }
}

/// The rows that narrow; of two that match, the first.
#[rustfmt::skip]
pub const NARROW: &[NarrowRow] = &[
    narrow(BinaryOp::Shr,         Wide::Sum,     How::Any,       "vhaddq"),
    narrow(BinaryOp::RoundingShr, Wide::Sum,     How::Any,       "vrhaddq"),
    narrow(BinaryOp::Shr,         Wide::Upper,   How::Wraps,     "vuzp2q"),
    narrow(BinaryOp::Shr,         Wide::Shifted, How::Wraps,     "vshrn"),
    narrow(BinaryOp::Shr,         Wide::Shifted, How::Saturates, "vqshrn"),
    narrow(BinaryOp::Shr,         Wide::Shifted, How::DropsSign, "vqshrun"),
    narrow(BinaryOp::RoundingShr, Wide::Shifted, How::Wraps,     "vrshrn"),
    narrow(BinaryOp::RoundingShr, Wide::Shifted, How::Saturates, "vqrshrn"),
    narrow(BinaryOp::RoundingShr, Wide::Shifted, How::DropsSign, "vqrshrun"),
];

/// The vectors of a binary node, where a row covers it.
pub(super) fn binary(
    select: &mut Select<'_, Neon>,
    node: &Node,
    op: BinaryOp,
    a: ValueId,
    b: ValueId,
) -> Option<Vec<VectorId>> {
    let root = match op {
        BinaryOp::Add(Never | Wrap) => Root::Sum,
        BinaryOp::Sub(Never | Wrap) => Root::Difference,
        BinaryOp::Mul(Never | Wrap) => Root::Product,
        BinaryOp::Shl(_) => Root::ShiftLeft,
        BinaryOp::Or => Root::Union,
        _ => return None,
    };
    if node.ty.is_float() {
        return None;
    }
    FUSED.iter().filter(|row| row.root == root).find_map(|row| {
        let commutes = matches!(root, Root::Sum | Root::Union);
        let swapped = if commutes { apply(select, node.ty, row, &Operand::Value(b), a) } else { None };
        swapped.or_else(|| apply(select, node.ty, row, &Operand::Value(a), b))
    })
}

/// The left operand of a row: a node, or what has been computed of a sum.
pub(super) enum Operand {
    Value(ValueId),
    Vectors(Vec<VectorId>),
}

impl Operand {
    fn vectors(&self, select: &mut Select<'_, Neon>) -> Vec<VectorId> {
        match self {
            Operand::Value(id) => select.vectors(*id),
            Operand::Vectors(vectors) => vectors.clone(),
        }
    }

    fn value(&self) -> Option<ValueId> {
        match self {
            Operand::Value(id) => Some(*id),
            Operand::Vectors(_) => None,
        }
    }
}

/// A sum and one more term, added or subtracted.
pub(super) fn accumulate(
    select: &mut Select<'_, Neon>,
    ty: Type,
    is_subtracted: bool,
    sum: Operand,
    term: ValueId,
) -> Vec<VectorId> {
    let (root, plain) = if is_subtracted { (Root::Difference, "vsubq") } else { (Root::Sum, "vaddq") };
    let mut rows = FUSED.iter().filter(|row| row.root == root);
    rows.find_map(|row| apply(select, ty, row, &sum, term)).unwrap_or_else(|| {
        let operands = [sum.vectors(select), select.vectors(term)];
        select.each(plain, Lane::of(ty), Lane::of(ty), &operands)
    })
}

/// The vectors of `row` on these operands, where it matches.
fn apply(select: &mut Select<'_, Neon>, ty: Type, row: &FusedRow, a: &Operand, b: ValueId) -> Option<Vec<VectorId>> {
    let lane = Lane::of(ty);
    match row.operands {
        Operands::Long => {
            let a = a.value()?;
            let from = select.narrow_type(ty, &[a, b])?;
            let operands = [narrow_vectors(select, a, from)?, narrow_vectors(select, b, from)?];
            Some(long(select, row.intrinsic, from, None, &operands))
        }
        Operands::LongConstant => {
            let a = a.value()?;
            let from = select.narrow_type(ty, &[a])?;
            let n = select.constant(b).filter(|n| (1..i128::from(from.bits())).contains(n))?;
            let operands = [narrow_vectors(select, a, from)?];
            Some(long_shift(select, from, n as u32, &operands[0]))
        }
        Operands::LongPower => {
            let a = a.value()?;
            let from = select.narrow_type(ty, &[a])?;
            let n = select.constant(b).and_then(exponent).filter(|n| (1..from.bits()).contains(n))?;
            let operands = [narrow_vectors(select, a, from)?];
            Some(long_shift(select, from, n, &operands[0]))
        }
        Operands::Wide => {
            let from = select.narrow_type(ty, &[b])?;
            let operands = [narrow_vectors(select, b, from)?];
            let sum = a.vectors(select);
            Some(long(select, row.intrinsic, from, Some(sum), &operands))
        }
        Operands::LongProduct => {
            let (x, y) = select.product(b)?;
            let from = select.narrow_type(ty, &[x, y])?;
            let operands = [factor(select, x, from)?, factor(select, y, from)?];
            let sum = a.vectors(select);
            Some(long(select, row.intrinsic, from, Some(sum), &operands))
        }
        Operands::LongDistance => {
            let from = select.narrow_type(ty, &[b])?;
            let Op::Cast(_, inner) = select.body.node(b).op else { return None };
            let (x, y) = select.distance(inner)?;
            // A signed distance is unsigned: it is widened with zeros, as the instruction does.
            let lanes = Lane::of(select.body.node(x).ty);
            if from.bits() != lanes.bits() {
                return None;
            }
            let operands = [select.vectors(x), select.vectors(y)];
            let sum = a.vectors(select);
            Some(long(select, row.intrinsic, select.body.node(x).ty, Some(sum), &operands))
        }
        Operands::WithProduct => {
            // Lanes of 64 bits are not multiplied.
            let (x, y) = select.product(b).filter(|_| ty.bits() < 64)?;
            let sum = a.vectors(select);
            let factors = [x, y].map(|factor| hidden(select, factor, ty).unwrap_or_else(|| select.vectors(factor)));
            let [x, y] = factors;
            Some(select.each(row.intrinsic, lane, lane, &[sum, x, y]))
        }
        Operands::WithDistance => {
            let (x, y) = select.distance(b)?;
            let lane = Lane::of(select.body.node(x).ty);
            let operands = [a.vectors(select), select.vectors(x), select.vectors(y)];
            Some(select.each(row.intrinsic, lane, lane, &operands))
        }
        Operands::WithShifted => {
            let Op::Binary(BinaryOp::Shr, x, amount) = select.body.node(b).op else { return None };
            let n = select.constant(amount).filter(|n| (1..i128::from(ty.bits())).contains(n))?;
            let operands = [a.vectors(select), select.vectors(x)];
            Some(select.each_with(row.intrinsic, lane, n as u32, &operands))
        }
        Operands::WithChosenBits => bits::chosen(select, ty, row.intrinsic, a.value()?, b),
        Operands::WithBitsAbove => bits::above(select, ty, row.intrinsic, a.value()?, b),
        Operands::WithBitsBelow => bits::below(select, ty, row.intrinsic, a.value()?, b),
    }
}

/// n of 2^n.
pub(super) fn exponent(value: i128) -> Option<u32> {
    (value > 0 && value.count_ones() == 1).then_some(value.trailing_zeros())
}

/// A factor of a product that is added to a sum, before it was widened.
fn factor(select: &mut Select<'_, Neon>, id: ValueId, from: Type) -> Option<Vec<VectorId>> {
    hidden(select, id, from).or_else(|| narrow_vectors(select, id, from))
}

/// A constant power of two whose value the compiler does not see: it would make two instructions, a shift and a sum,
/// of the one that multiplies and adds.
fn hidden(select: &mut Select<'_, Neon>, id: ValueId, ty: Type) -> Option<Vec<VectorId>> {
    select.constant(id).and_then(exponent).filter(|n| *n > 0)?;
    let vector = select.splat_hidden(id, Lane::of(ty));
    Some(vec![vector; select.count(ty)])
}

/// A long instruction on both halves of each vector, on top of `sum` where it accumulates.
fn long(
    select: &mut Select<'_, Neon>,
    base: &'static str,
    from: Type,
    sum: Option<Vec<VectorId>>,
    operands: &[Vec<VectorId>],
) -> Vec<VectorId> {
    let (lane, name) = (Lane::of(from), select.name());
    let count = operands.first().map_or(0, Vec::len);
    let mut results = Vec::with_capacity(2 * count);
    for place in 0..2 * count {
        let is_low = place % 2 == 0;
        let mut args = Vec::with_capacity(operands.len() + 1);
        if let Some(sum) = &sum {
            args.push(Arg::Whole(sum[place], lane.wide()));
        }
        for vectors in operands {
            let vector = vectors[place / 2];
            args.push(if is_low { Arg::Low(vector, lane) } else { Arg::Whole(vector, lane) });
        }
        let call = call_of(base, if is_low { "" } else { "_high" }, lane, args);
        results.push(select.program.call(lane.wide(), &name, call));
    }
    results
}

fn long_shift(select: &mut Select<'_, Neon>, from: Type, n: u32, vectors: &[VectorId]) -> Vec<VectorId> {
    let (lane, name) = (Lane::of(from), select.name());
    let mut results = Vec::with_capacity(2 * vectors.len());
    for &vector in vectors {
        let low = call_of("vshll", "_n", lane, vec![Arg::Low(vector, lane)]).with(n);
        let high = call_of("vshll", "_high_n", lane, vec![Arg::Whole(vector, lane)]).with(n);
        results.push(select.program.call(lane.wide(), &name, low));
        results.push(select.program.call(lane.wide(), &name, high));
    }
    results
}

/// The vectors of a value before it was widened.
fn narrow_vectors(select: &mut Select<'_, Neon>, id: ValueId, from: Type) -> Option<Vec<VectorId>> {
    let count = select.count(from);
    match select.body.node(id).op {
        Op::Constant(_) => Some(vec![select.splat(id, Lane::of(from)); count]),
        Op::Cast(_, inner) if select.word(id).is_some() => Some(vec![select.splat(inner, Lane::of(from)); count]),
        Op::Cast(_, inner) if select.body.node(inner).ty != from => Some(interleave_zeros(select, inner)),
        Op::Cast(_, inner) => Some(select.vectors(inner)),
        _ => None,
    }
}

/// Bytes widened by interleaving them with zeros that the compiler does not know to be zeros. It would otherwise join
/// this widening with that of a long instruction into one to four times the width, and lose the long instruction.
fn interleave_zeros(select: &mut Select<'_, Neon>, widened: ValueId) -> Vec<VectorId> {
    if let Some((_, known)) = select.interleaved.iter().find(|(value, _)| *value == widened) {
        return known.clone();
    }
    let bytes = match select.body.node(widened).op {
        Op::Cast(_, source) if select.body.node(source).ty == Type::U8 => select.vectors(source),
        _ => return select.vectors(widened),
    };
    let zero = call("vdupq_n", Lane::U8, vec![Arg::Opaque("0u8".to_owned())]);
    let zero = select.program.call_named(Lane::U8, "zeros", zero);
    let name = select.name();
    let halves = bytes.iter().flat_map(|&bytes| [(bytes, "vzip1q"), (bytes, "vzip2q")]);
    let made: Vec<VectorId> = halves.map(|(bytes, base)| select.pack(base, &[bytes, zero], Lane::U8, &name)).collect();
    select.interleaved.push((widened, made.clone()));
    made
}

/// The vectors of a narrowing conversion, where a row covers it and its operand.
pub(super) fn cast(select: &mut Select<'_, Neon>, node: &Node, mode: CastMode, a: ValueId) -> Option<Vec<VectorId>> {
    let (wide, ty) = (select.body.node(a).ty, node.ty);
    if ty.is_float() || wide.is_float() || ty.bits() * 2 != wide.bits() {
        return None;
    }
    let Op::Binary(op, x, amount) = select.body.node(a).op else { return None };
    let n = select.constant(amount).filter(|n| (1..=i128::from(ty.bits())).contains(n))? as u32;
    let how = match mode {
        CastMode::Value | CastMode::Wrapping => How::Wraps,
        CastMode::Saturating if wide.is_signed() && !ty.is_signed() => How::DropsSign,
        CastMode::Saturating => How::Saturates,
    };
    let mut rows = NARROW.iter().filter(|row| row.op == op && (row.how == how || row.how == How::Any));
    rows.find_map(|row| match row.wide {
        Wide::Sum => (n == 1).then(|| mean(select, ty, row, x)).flatten(),
        Wide::Upper => (n == ty.bits()).then(|| {
            let (vectors, name) = (select.vectors(x), select.name());
            vectors.chunks(2).map(|pair| select.pack(row.intrinsic, pair, Lane::of(ty), &name)).collect()
        }),
        Wide::Shifted => Some(shifted(select, row, wide, n, x)),
    })
}

/// Both halves of each narrow vector, shifted by a constant.
fn shifted(select: &mut Select<'_, Neon>, row: &NarrowRow, wide: Type, n: u32, x: ValueId) -> Vec<VectorId> {
    let (from, half, name) = (Lane::of(wide), Lane::mask(wide.bits() / 2), select.name());
    let to = if wide.is_signed() && row.how != How::DropsSign { half.signed() } else { half };
    let vectors = select.vectors(x);
    let narrowed = vectors.chunks(2).map(|pair| {
        let low = call_of(row.intrinsic, "_n", from, vec![Arg::Whole(pair[0], from)]).with(n);
        let args = vec![Arg::Call(Box::new(low)), Arg::Whole(pair[1], from)];
        let high = call_of(row.intrinsic, "_high_n", from, args).with(n);
        select.program.call(to, &name, high)
    });
    narrowed.collect()
}

/// The mean of two widened values of the narrow type.
fn mean(select: &mut Select<'_, Neon>, ty: Type, row: &NarrowRow, sum: ValueId) -> Option<Vec<VectorId>> {
    let Op::Binary(BinaryOp::Add(Never | Wrap), x, y) = select.body.node(sum).op else { return None };
    let from = select.narrow_type(select.body.node(sum).ty, &[x, y]).filter(|&from| from == ty)?;
    let operands = [narrow_vectors(select, x, from)?, narrow_vectors(select, y, from)?];
    Some(select.each(row.intrinsic, Lane::of(ty), Lane::of(ty), &operands))
}
