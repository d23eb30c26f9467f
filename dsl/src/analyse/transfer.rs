//! What a node can be, given what its operands can be: the one place that maps operations to interval arithmetic.

use super::{floats, integers};
use crate::ir::range::{Floats, Interval, Range, limits};
use crate::ir::{BinaryOp, CastMode, Constant, Node, Op, Type, UnaryOp, ValueId};
use windrow_reference::limits::MAX_EXTENT;

/// The greatest coordinate of an element.
const MAX_COORDINATE: i128 = MAX_EXTENT as i128 - 1;

/// The result of a node, exact even where it leaves the node's type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// Integers, before they are put into the type.
    Int(Interval),
    /// Anything else.
    Other(Range),
}

impl Outcome {
    /// As a range of the node's type; what doesn't fit is left out.
    pub(super) fn range(self, ty: Type) -> Range {
        match self {
            Self::Int(exact) => match limits(ty) {
                Some(limits) => exact.meet(limits).unwrap_or(limits).range(),
                None => Range::of_type(ty),
            },
            Self::Other(range) => range,
        }
    }
}

/// What `node` gives. `get` has the ranges of the operands, `ty` their types, `same` tells whether two are one value; in
/// a kernel that is `fast`, floats may be rounded otherwise than they are written. Inputs, uniforms and tables hold
/// anything of their type here: [`super::analysis`] knows more about them.
pub(super) fn outcome(
    node: &Node,
    get: &impl Fn(ValueId) -> Range,
    ty: &impl Fn(ValueId) -> Type,
    same: &impl Fn(ValueId, ValueId) -> bool,
    fast: bool,
) -> Outcome {
    let any = Outcome::Other(Range::of_type(node.ty));
    match node.op {
        Op::Constant(constant) => constant_outcome(constant),
        Op::Coordinate { offset, .. } => {
            Outcome::Int(Interval { lo: offset.into(), hi: MAX_COORDINATE + i128::from(offset) })
        }
        Op::Extent { .. } => Outcome::Int(Interval { lo: 1, hi: MAX_EXTENT as i128 }),
        Op::Load(_)
        | Op::Uniform { .. }
        | Op::Lookup { .. }
        | Op::Stride { .. }
        | Op::Plane { .. }
        | Op::Gather { .. }
        | Op::Fetch { .. }
        | Op::Contiguous { .. }
        | Op::Across { .. }
        | Op::Local { .. }
        | Op::Derived { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. } => any,
        Op::Turn { start, end, .. } => match (get(start), get(end)) {
            (Range::Int { lo, .. }, Range::Int { hi, .. }) => Outcome::Int(Interval::new(lo, lo.max(hi - 1))),
            _ => any,
        },
        Op::Unary(op, x) => unary(op, ty(x), get(x)).unwrap_or(any),
        Op::Binary(op, a, b) => binary(op, ty(a), [get(a), get(b)], same(a, b), fast).unwrap_or(any),
        Op::MulAdd(a, b, c) => match (get(a), get(b), get(c)) {
            (Range::Float { .. }, Range::Float { .. }, Range::Float { .. }) => {
                float(floats::multiply_add(node.ty, [a, b, c].map(|value| as_floats(get(value)))))
            }
            _ => any,
        },
        Op::Select { condition, then, otherwise } => Outcome::Other(match get(condition) {
            Range::Bool { can_be_false: false, .. } => get(then),
            Range::Bool { can_be_true: false, .. } => get(otherwise),
            Range::Bool { .. } | Range::Int { .. } | Range::Float { .. } => get(then).hull(get(otherwise)),
        }),
        Op::Cast(mode, x) => cast(mode, get(x), node.ty).unwrap_or(any),
    }
}

fn constant_outcome(constant: Constant) -> Outcome {
    match constant {
        Constant::Int(value) => Outcome::Int(Interval::point(value)),
        Constant::Float(_) | Constant::Double(_) => float(constant.as_float().map_or(Floats::ALL, Floats::point)),
        Constant::Bool(truth) => truths(!truth, truth),
    }
}

fn unary(op: UnaryOp, ty: Type, x: Range) -> Option<Outcome> {
    Some(match (x, op) {
        (Range::Int { .. }, UnaryOp::FromBits) => float(floats::from_bits(as_interval(x)?)),
        (Range::Int { .. }, UnaryOp::FromHalf) => float(floats::from_half(as_interval(x)?)),
        (Range::Int { .. }, _) => Outcome::Int(integers::unary(op, ty, as_interval(x)?)),
        (Range::Float { .. }, UnaryOp::ToBits) => Outcome::Int(floats::to_bits(as_floats(x))),
        (Range::Float { .. }, UnaryOp::ToHalf) => Outcome::Int(floats::to_half(as_floats(x))),
        // Bounds can't tell that NaN is the only value.
        (Range::Float { nan, .. }, UnaryOp::IsNan) => truths(true, nan),
        (Range::Float { .. }, _) => float(floats::unary(op, ty, as_floats(x))),
        (Range::Bool { can_be_false, can_be_true }, UnaryOp::Not) => truths(can_be_true, can_be_false),
        (Range::Bool { .. }, _) => return None,
    })
}

fn binary(op: BinaryOp, ty: Type, [x, y]: [Range; 2], same: bool, fast: bool) -> Option<Outcome> {
    Some(match (x, y) {
        (Range::Int { .. }, Range::Int { .. }) => {
            let (x, y) = (as_interval(x)?, as_interval(y)?);
            match op.comparison() {
                Some(op) => {
                    let (can_be_false, can_be_true) = integers::compare(op, x, y, same);
                    truths(can_be_false, can_be_true)
                }
                None => Outcome::Int(integers::binary(op, ty, x, y, same)),
            }
        }
        (Range::Float { .. }, Range::Float { .. }) => {
            let (x, y) = (as_floats(x), as_floats(y));
            match op.comparison() {
                Some(op) => {
                    let (can_be_false, can_be_true) = floats::compare(op, x, y);
                    truths(can_be_false, can_be_true)
                }
                None if fast => float(floats::fast(op, ty, [x, y], same)),
                None => float(floats::binary(op, ty, [x, y], same)),
            }
        }
        (Range::Bool { can_be_false: f, can_be_true: t }, Range::Bool { can_be_false: g, can_be_true: u }) => {
            match op {
                BinaryOp::And => truths(f || g, t && u),
                BinaryOp::Or => truths(f && g, t || u),
                BinaryOp::Xor | BinaryOp::Ne => truths((f && g) || (t && u), (f && u) || (t && g)),
                BinaryOp::Eq => truths((f && u) || (t && g), (f && g) || (t && u)),
                _ => return None,
            }
        }
        (Range::Int { .. } | Range::Float { .. } | Range::Bool { .. }, _) => return None,
    })
}

fn cast(mode: CastMode, x: Range, to: Type) -> Option<Outcome> {
    Some(match (x, limits(to)) {
        (Range::Int { .. }, Some(limits)) => {
            let x = as_interval(x)?;
            Outcome::Int(match mode {
                CastMode::Value => x,
                CastMode::Wrapping => integers::wrap(x, limits),
                CastMode::Saturating => integers::saturate(x, limits),
            })
        }
        (Range::Int { .. }, None) if to.is_float() => float(floats::from_integer(as_interval(x)?, to)),
        (Range::Float { .. }, Some(limits)) => Outcome::Int(floats::to_integer(as_floats(x), limits)),
        (Range::Float { .. }, None) if to.is_float() => float(floats::from_float(as_floats(x), to)),
        (Range::Bool { can_be_false, can_be_true }, Some(_)) => {
            Outcome::Int(Interval { lo: i128::from(!can_be_false), hi: i128::from(can_be_true) })
        }
        (Range::Bool { .. }, None) if to == Type::BOOL => Outcome::Other(x),
        (Range::Int { .. } | Range::Float { .. } | Range::Bool { .. }, None) => return None,
    })
}

fn float(floats: Floats) -> Outcome {
    Outcome::Other(floats.range())
}

fn truths(can_be_false: bool, can_be_true: bool) -> Outcome {
    Outcome::Other(Range::Bool { can_be_false, can_be_true })
}

fn as_interval(range: Range) -> Option<Interval> {
    range.as_int().map(|(lo, hi)| Interval::new(lo, hi))
}

fn as_floats(range: Range) -> Floats {
    match range {
        Range::Float { lo, hi, nan } => Floats { lo, hi, nan },
        Range::Int { .. } | Range::Bool { .. } => Floats::ALL,
    }
}

/// The widest shift that a type allows.
pub(super) fn last_bit(ty: Type) -> i128 {
    i128::from(ty.bits()) - 1
}
