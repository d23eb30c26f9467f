//! Several nodes as one instruction: widening, accumulating, narrowing and halving forms, one row each.
//!
//! A row matches the tree of a node and its operands. What it passes over stays selected only where someone else uses
//! it. All of them compute the same bits as the tree: integers wrap, and the rounding forms have the headroom that a
//! checked sum was proved not to need.

use super::program::{Arg, Call, Lane, VectorId};
use super::select::Select;
use windrow_dsl::arithmetic::{bits, fits, is_signed};
use windrow_dsl::ir::{BinaryOp, CastMode, Constant, Node, Op, Type, ValueId};

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
}

/// Which operands a row takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
    /// A value and another, shifted right by a constant.
    WithShifted,
}

/// A row: the tree, and the instruction. Long forms have a second one for the upper half, named `_high`.
#[derive(Clone, Copy, Debug)]
pub struct FusedRow {
    /// What the node is.
    pub root: Root,
    /// What its operands are.
    pub form: Form,
    /// The intrinsic, without suffix.
    pub intrinsic: &'static str,
}

const fn row(root: Root, form: Form, intrinsic: &'static str) -> FusedRow {
    FusedRow { root, form, intrinsic }
}

/// The rows, those that cover most first.
#[rustfmt::skip]
pub const FUSED: &[FusedRow] = &[
    row(Root::Sum,        Form::Long,         "vaddl"),
    row(Root::Difference, Form::Long,         "vsubl"),
    row(Root::Product,    Form::Long,         "vmull"),
    row(Root::ShiftLeft,  Form::LongConstant, "vshll"),
    row(Root::Sum,        Form::LongProduct,  "vmlal"),
    row(Root::Difference, Form::LongProduct,  "vmlsl"),
    row(Root::Sum,        Form::LongDistance, "vabal"),
    row(Root::Sum,        Form::Wide,         "vaddw"),
    row(Root::Difference, Form::Wide,         "vsubw"),
    row(Root::Sum,        Form::WithProduct,  "vmlaq"),
    row(Root::Difference, Form::WithProduct,  "vmlsq"),
    row(Root::Sum,        Form::WithDistance, "vabaq"),
    row(Root::Sum,        Form::WithShifted,  "vsraq"),
];

/// A row that narrows: what the wide value is, and the instruction for each way of narrowing.
#[derive(Clone, Copy, Debug)]
pub struct NarrowRow {
    /// The operation on the wide value; its right operand is a constant.
    pub op: BinaryOp,
    /// How the result is narrowed.
    pub mode: CastMode,
    /// Whether the wide value is signed and the narrow one is not.
    pub drops_sign: bool,
    /// The intrinsic, without `_high`, `_n` and suffix.
    pub intrinsic: &'static str,
}

const fn narrow(op: BinaryOp, mode: CastMode, drops_sign: bool, intrinsic: &'static str) -> NarrowRow {
    NarrowRow { op, mode, drops_sign, intrinsic }
}

/// The rows that narrow. A wrapping narrowing is the same for both signs.
#[rustfmt::skip]
pub const NARROW: &[NarrowRow] = &[
    narrow(BinaryOp::Shr,         CastMode::Wrapping,   false, "vshrn"),
    narrow(BinaryOp::Shr,         CastMode::Saturating, false, "vqshrn"),
    narrow(BinaryOp::Shr,         CastMode::Saturating, true,  "vqshrun"),
    narrow(BinaryOp::RoundingShr, CastMode::Wrapping,   false, "vrshrn"),
    narrow(BinaryOp::RoundingShr, CastMode::Saturating, false, "vqrshrn"),
    narrow(BinaryOp::RoundingShr, CastMode::Saturating, true,  "vqrshrun"),
];

/// The vectors of a binary node, where a row covers it.
pub fn binary(select: &mut Select<'_>, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Vec<VectorId>> {
    let root = match op {
        BinaryOp::Add | BinaryOp::WrappingAdd => Root::Sum,
        BinaryOp::Sub | BinaryOp::WrappingSub => Root::Difference,
        BinaryOp::Mul | BinaryOp::WrappingMul => Root::Product,
        BinaryOp::Shl | BinaryOp::WrappingShl => Root::ShiftLeft,
        _ => return None,
    };
    if node.ty == Type::F32 {
        return None;
    }
    FUSED.iter().filter(|row| row.root == root).find_map(|row| {
        let swapped = if root == Root::Sum { apply(select, node.ty, row, b, a) } else { None };
        swapped.or_else(|| apply(select, node.ty, row, a, b))
    })
}

/// The vectors of `row` on these operands, where it matches.
fn apply(select: &mut Select<'_>, ty: Type, row: &FusedRow, a: ValueId, b: ValueId) -> Option<Vec<VectorId>> {
    let lane = Lane::of(ty);
    match row.form {
        Form::Long => {
            let from = narrow_type(select, ty, &[a, b])?;
            let operands = [narrow_vectors(select, a, from)?, narrow_vectors(select, b, from)?];
            Some(long(select, row.intrinsic, from, None, &operands))
        }
        Form::LongConstant => {
            let from = narrow_type(select, ty, &[a])?;
            let n = constant(select, b).filter(|n| (1..i64::from(bits(from))).contains(n))?;
            let operands = [narrow_vectors(select, a, from)?];
            Some(long_shift(select, from, n as u32, &operands[0]))
        }
        Form::Wide => {
            let from = narrow_type(select, ty, &[b])?;
            let operands = [narrow_vectors(select, b, from)?];
            let sum = select.vectors(a);
            Some(long(select, row.intrinsic, from, Some(sum), &operands))
        }
        Form::LongProduct => {
            let (x, y) = product(select, b)?;
            let from = narrow_type(select, ty, &[x, y])?;
            let operands = [factor(select, x, from)?, factor(select, y, from)?];
            let sum = select.vectors(a);
            Some(long(select, row.intrinsic, from, Some(sum), &operands))
        }
        Form::LongDistance => {
            let from = narrow_type(select, ty, &[b])?;
            let Op::Cast(_, inner) = select.body.node(b).op else { return None };
            let (x, y) = distance(select, inner)?;
            // A signed distance is unsigned: it is widened with zeros, as the instruction does.
            let lanes = Lane::of(select.body.node(x).ty);
            if bits(from) != lanes.bits() {
                return None;
            }
            let operands = [select.vectors(x), select.vectors(y)];
            let sum = select.vectors(a);
            Some(long(select, row.intrinsic, select.body.node(x).ty, Some(sum), &operands))
        }
        Form::WithProduct => {
            let (x, y) = product(select, b)?;
            let sum = select.vectors(a);
            let factors = [x, y].map(|factor| hidden(select, factor, ty).unwrap_or_else(|| select.vectors(factor)));
            let [x, y] = factors;
            Some(select.each(row.intrinsic, lane, lane, &[sum, x, y]))
        }
        Form::WithDistance => {
            let (x, y) = distance(select, b)?;
            let lane = Lane::of(select.body.node(x).ty);
            let operands = [select.vectors(a), select.vectors(x), select.vectors(y)];
            Some(select.each(row.intrinsic, lane, lane, &operands))
        }
        Form::WithShifted => {
            let Op::Binary(BinaryOp::Shr, x, amount) = select.body.node(b).op else { return None };
            let n = constant(select, amount).filter(|n| (1..i64::from(bits(ty))).contains(n))?;
            let operands = [select.vectors(a), select.vectors(x)];
            Some(select.each_with(&format!("{}_n", row.intrinsic), lane, n as u32, &operands))
        }
    }
}

/// A factor of a product that is added to a sum, before it was widened.
fn factor(select: &mut Select<'_>, id: ValueId, from: Type) -> Option<Vec<VectorId>> {
    hidden(select, id, from).or_else(|| narrow_vectors(select, id, from))
}

/// A constant power of two whose value the compiler does not see: it would make two instructions, a shift and a sum,
/// of the one that multiplies and adds.
fn hidden(select: &mut Select<'_>, id: ValueId, ty: Type) -> Option<Vec<VectorId>> {
    constant(select, id).filter(|value| *value > 1 && value.count_ones() == 1)?;
    let vector = select.splat_hidden(id, Lane::of(ty));
    Some(vec![vector; super::program::vectors_of(ty, select.lanes)])
}

/// A long instruction on both halves of each vector, on top of `sum` where it accumulates.
fn long(
    select: &mut Select<'_>,
    base: &str,
    from: Type,
    sum: Option<Vec<VectorId>>,
    operands: &[Vec<VectorId>],
) -> Vec<VectorId> {
    let (lane, name) = (Lane::of(from), select.name());
    let high = format!("{base}_high");
    let count = operands.first().map_or(0, Vec::len);
    let mut results = Vec::with_capacity(2 * count);
    for place in 0..count {
        for (half, base) in [(0, base), (1, high.as_str())] {
            let accumulated = sum.as_ref().map(|sum| Arg::Whole(sum[2 * place + half], lane.wide()));
            let rest = operands.iter().map(|vectors| match half {
                0 => Arg::Low(vectors[place], lane),
                _ => Arg::Whole(vectors[place], lane),
            });
            let args = accumulated.into_iter().chain(rest).collect();
            results.push(select.program.call(lane.wide(), &name, Call::new(base, lane, args)));
        }
    }
    results
}

fn long_shift(select: &mut Select<'_>, from: Type, n: u32, vectors: &[VectorId]) -> Vec<VectorId> {
    let (lane, name) = (Lane::of(from), select.name());
    let mut results = Vec::with_capacity(2 * vectors.len());
    for &vector in vectors {
        let low = Call::new("vshll_n", lane, vec![Arg::Low(vector, lane)]).with(n);
        let high = Call::new("vshll_high_n", lane, vec![Arg::Whole(vector, lane)]).with(n);
        results.push(select.program.call(lane.wide(), &name, low));
        results.push(select.program.call(lane.wide(), &name, high));
    }
    results
}

/// The factors of a product.
fn product(select: &Select<'_>, id: ValueId) -> Option<(ValueId, ValueId)> {
    match select.body.node(id).op {
        Op::Binary(BinaryOp::Mul | BinaryOp::WrappingMul, x, y) => Some((x, y)),
        _ => None,
    }
}

/// The operands of an absolute difference.
fn distance(select: &Select<'_>, id: ValueId) -> Option<(ValueId, ValueId)> {
    match select.body.node(id).op {
        Op::Binary(BinaryOp::AbsDiff, x, y) => Some((x, y)),
        _ => None,
    }
}

fn constant(select: &Select<'_>, id: ValueId) -> Option<i64> {
    match select.body.node(id).op {
        Op::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    }
}

/// The type of half the width that all values have, one of them by conversion.
fn narrow_type(select: &Select<'_>, ty: Type, ids: &[ValueId]) -> Option<Type> {
    let own = ids.iter().find_map(|&id| match select.body.node(id).op {
        Op::Cast(mode, inner) if mode != CastMode::Saturating && select.word(id).is_none() => {
            let from = select.body.node(inner).ty;
            (from != Type::Bool && from != Type::F32 && bits(from) * 2 == bits(ty)).then_some(from)
        }
        _ => None,
    })?;
    let signed = if bits(own) == 8 { Type::I8 } else { Type::I16 };
    [own, signed].into_iter().find(|&from| ids.iter().all(|&id| is_narrow(select, id, from)))
}

/// Whether a value is one of `from`, widened.
fn is_narrow(select: &Select<'_>, id: ValueId, from: Type) -> bool {
    let node = select.body.node(id);
    match node.op {
        Op::Constant(Constant::Int(value)) => fits(value, from),
        Op::Cast(mode, inner) => {
            let own = select.body.node(inner).ty;
            let keeps = own == from || bits(own) < bits(from) && (!is_signed(own) || is_signed(from));
            match select.word(id) {
                Some(_) => keeps,
                None => mode != CastMode::Saturating && (own == from || is_halfway(select, inner, from)),
            }
        }
        _ => false,
    }
}

/// Whether an unsigned value was itself widened, so that it is a value of the signed type of its width too.
fn is_halfway(select: &Select<'_>, id: ValueId, from: Type) -> bool {
    let node = select.body.node(id);
    match node.op {
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => {
            let source = select.body.node(inner).ty;
            bits(node.ty) == bits(from)
                && source != Type::F32
                && bits(source) < bits(node.ty)
                && !is_signed(source)
                && source != Type::Bool
        }
        _ => false,
    }
}

/// The vectors of a value before it was widened.
fn narrow_vectors(select: &mut Select<'_>, id: ValueId, from: Type) -> Option<Vec<VectorId>> {
    let count = super::program::vectors_of(from, select.lanes);
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
fn interleave_zeros(select: &mut Select<'_>, widened: ValueId) -> Vec<VectorId> {
    let bytes = match select.body.node(widened).op {
        Op::Cast(_, source) if select.body.node(source).ty == Type::U8 => select.vectors(source),
        _ => return select.vectors(widened),
    };
    let zero = Call::new("vdupq_n", Lane::U8, vec![Arg::Opaque("0u8".to_owned())]);
    let zero = select.program.call_before(Lane::U8, "zeros", zero);
    let name = select.name();
    let halves = bytes.iter().flat_map(|&bytes| [(bytes, "vzip1q"), (bytes, "vzip2q")]);
    halves.map(|(bytes, base)| select.pack(base, &[bytes, zero], Lane::U8, &name)).collect()
}

/// The vectors of a narrowing conversion, where a row covers it and its operand.
pub fn cast(select: &mut Select<'_>, node: &Node, mode: CastMode, a: ValueId) -> Option<Vec<VectorId>> {
    let wide = select.body.node(a).ty;
    if node.ty == Type::F32 || wide == Type::F32 || bits(node.ty) * 2 != bits(wide) {
        return None;
    }
    let Op::Binary(op, x, amount) = select.body.node(a).op else { return None };
    let n = constant(select, amount).filter(|n| (1..=i64::from(bits(node.ty))).contains(n))?;
    if n == 1
        && let Some(mean) = halving(select, node.ty, op, x)
    {
        return Some(mean);
    }
    let mode = if mode == CastMode::Value { CastMode::Wrapping } else { mode };
    let drops_sign = mode == CastMode::Saturating && is_signed(wide) && !is_signed(node.ty);
    let row = NARROW.iter().find(|row| row.op == op && row.mode == mode && row.drops_sign == drops_sign)?;
    let (from, name) = (Lane::of(wide), select.name());
    let to = if drops_sign { from.unsigned() } else { from };
    let to = if bits(node.ty) == 8 {
        if to.is_signed() { Lane::I8 } else { Lane::U8 }
    } else if to.is_signed() {
        Lane::I16
    } else {
        Lane::U16
    };
    let vectors = select.vectors(x);
    let narrowed = vectors.chunks(2).map(|pair| {
        let low = Call::new(&format!("{}_n", row.intrinsic), from, vec![Arg::Whole(pair[0], from)]).with(n as u32);
        let args = vec![Arg::Call(Box::new(low)), Arg::Whole(pair[1], from)];
        let high = Call::new(&format!("{}_high_n", row.intrinsic), from, args).with(n as u32);
        select.program.call(to, &name, high)
    });
    Some(narrowed.collect())
}

/// (a + b) / 2 of two widened values, narrowed again: the halving additions.
fn halving(select: &mut Select<'_>, ty: Type, op: BinaryOp, sum: ValueId) -> Option<Vec<VectorId>> {
    let base = match op {
        BinaryOp::Shr => "vhaddq",
        BinaryOp::RoundingShr => "vrhaddq",
        _ => return None,
    };
    let Op::Binary(BinaryOp::Add | BinaryOp::WrappingAdd, x, y) = select.body.node(sum).op else { return None };
    let from = narrow_type(select, select.body.node(sum).ty, &[x, y]).filter(|&from| from == ty)?;
    let operands = [narrow_vectors(select, x, from)?, narrow_vectors(select, y, from)?];
    Some(select.each(base, Lane::of(ty), Lane::of(ty), &operands))
}
