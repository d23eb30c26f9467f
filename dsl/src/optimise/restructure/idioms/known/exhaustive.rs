//! What intervals decide, tried on intervals of bytes: every operation on operands in intervals that begin or end with every
//! value, and on every constant. Each result is computed as the interpreter computes it.
//!
//! Of two intervals the corners are tried, and a value that is in both: what is decided for them follows from the order of
//! values. Beside a constant all values of the other operand are tried.

use super::*;
use crate::arithmetic;
use crate::ir::{InputId, Node, Tap, legal};
use crate::optimise::testing::{binary_operations, unary_operations};
use proc_macro2::Span;

/// An input in an interval.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    id: ValueId,
    lo: i128,
    hi: i128,
}

fn node(op: Op, ty: Type) -> Node {
    Node { op, ty, guard: None, name: None, span: Span::call_site() }
}

/// An input of its own for each interval.
fn leaves(out: &mut Ranged, input: u32, ty: Type, intervals: impl Iterator<Item = (i128, i128)>) -> Vec<Leaf> {
    let of = |(channel, (lo, hi)): (u32, (i128, i128))| {
        let id = out.push(node(Tap { input: InputId(input), channel, dx: 0, dy: 0 }.op(), ty));
        out.learn(id, Range::Int { lo, hi });
        Leaf { id, lo, hi }
    };
    (0..).zip(intervals).map(of).collect()
}

/// The intervals of a type that begin or end with each of its values, the other bound being the type's.
fn anchored(ty: Type) -> impl Iterator<Item = (i128, i128)> {
    let (least, most) = ty.limits();
    (least..=most).flat_map(move |value| [(least, value), (value, most)])
}

/// Each value of a type alone.
fn points(ty: Type) -> impl Iterator<Item = (i128, i128)> {
    let (least, most) = ty.limits();
    (least..=most).map(|value| (value, value))
}

/// What a value is where the inputs are these.
fn value(out: &Ranged, id: ValueId, inputs: &[(ValueId, i128)]) -> Option<Constant> {
    if let Some((_, value)) = inputs.iter().find(|(input, _)| *input == id) {
        return Some(Constant::Int(*value));
    }
    let at = |id: ValueId| value(out, id, inputs);
    match out.node(id).op {
        Op::Constant(constant) => Some(constant),
        Op::Unary(op, x) => arithmetic::unary(op, out.ty(x), at(x)?),
        Op::Binary(op, x, y) => arithmetic::binary(op, out.ty(x), at(x)?, at(y)?),
        Op::Cast(mode, x) => arithmetic::cast(mode, out.ty(id), at(x)?).filter(|value| value.is_of(out.ty(id))),
        ref op => panic!("{op:?} was made of bytes"),
    }
}

/// Asks for an operation, and compares what is decided at these values; whether it was.
fn ask(
    out: &mut Ranged,
    op: Op,
    ty: Type,
    leaves: [Leaf; 2],
    tried: impl Iterator<Item = [i128; 2]>,
    expected: impl Fn([i128; 2]) -> Option<Constant>,
) -> usize {
    let id = out.push(node(op.clone(), ty));
    let Some(better) = decide(out, id) else { return 0 };
    assert_eq!(out.ty(better), ty, "{op:?}");
    for [x, y] in tried {
        // Elsewhere Rust would panic.
        if let Some(expected) = expected([x, y]) {
            let found = value(out, better, &[(leaves[0].id, x), (leaves[1].id, y)]);
            assert_eq!(found, Some(expected), "{op:?} of {x} and {y}, of {leaves:?}: {:?}", out.node(better));
        }
    }
    1
}

/// The corners of two intervals, and a value that is in both, where there is one.
fn corners([x, y]: [Leaf; 2]) -> impl Iterator<Item = [i128; 2]> {
    let corners = [[x.lo, y.lo], [x.lo, y.hi], [x.hi, y.lo], [x.hi, y.hi]];
    corners.into_iter().chain([[y.lo.clamp(x.lo, x.hi), y.lo], [x.lo, x.lo.clamp(y.lo, y.hi)]])
}

/// How many operations on two values of a type were decided.
fn of_two(ty: Type) -> usize {
    let mut decided = 0;
    for op in binary_operations() {
        let (mut out, other) = (Ranged::with_capacity(1 << 18), if op.shifts() { Type::U32 } else { ty });
        let Some(result) = legal::binary(op, ty) else { continue };
        let left = leaves(&mut out, 0, ty, anchored(ty));
        let right = match op.shifts() {
            true => leaves(&mut out, 1, other, (0..=9).flat_map(|least| (least..=9).map(move |most| (least, most)))),
            false => leaves(&mut out, 1, other, anchored(ty).chain(points(ty))),
        };
        for (i, &x) in left.iter().enumerate() {
            for (j, &y) in right.iter().enumerate() {
                let expected = |[x, y]: [i128; 2]| arithmetic::binary(op, ty, Constant::Int(x), Constant::Int(y));
                let made = Op::Binary(op, x.id, y.id);
                if y.lo == y.hi {
                    let all = (x.lo..=x.hi).map(|x| [x, y.lo]);
                    decided += ask(&mut out, made, result, [x, y], all, expected);
                } else if (i + j) % 5 == 0 || op.shifts() {
                    // A part of the pairs, in which each interval meets many others.
                    decided += ask(&mut out, made, result, [x, y], corners([x, y]), expected);
                }
            }
        }
    }
    decided
}

/// How many operations on one value of a type, and conversions, were decided.
fn of_one(ty: Type) -> usize {
    let mut decided = 0;
    let mut out = Ranged::with_capacity(1 << 14);
    let (least, most) = ty.limits();
    let intervals = (least..=most).flat_map(|lo| (lo..=most).map(move |hi| (lo, hi)));
    for x in leaves(&mut out, 0, ty, intervals) {
        let (all, both) = (|| (x.lo..=x.hi).map(|x| [x, x]), [x, x]);
        for (op, result) in unary_operations().filter_map(|op| Some((op, legal::unary(op, ty)?))) {
            // What wraps and what does not is one value, which keeps the mode that demands less.
            let mut out = Ranged::with_capacity(4);
            let own = leaves(&mut out, 0, ty, [(x.lo, x.hi)].into_iter())[0];
            let expected = |[x, _]: [i128; 2]| arithmetic::unary(op, ty, Constant::Int(x));
            decided += ask(&mut out, Op::Unary(op, own.id), result, [own, own], all(), expected);
        }
        if x.lo != least && x.hi != most {
            continue;
        }
        for &to in Type::ALL.iter().filter(|to| **to != ty && to.is_integer()) {
            for mode in [CastMode::Wrapping, CastMode::Saturating] {
                if legal::cast(mode, ty, to) {
                    let expected = |[x, _]: [i128; 2]| arithmetic::cast(mode, to, Constant::Int(x));
                    decided += ask(&mut out, Op::Cast(mode, x.id), to, both, all(), expected);
                }
            }
        }
    }
    decided
}

/// How many sums of two constants were made one.
fn of_sums(ty: Type) -> usize {
    let mut decided = 0;
    let (least, most) = ty.limits();
    for c in least..=most {
        let mut out = Ranged::with_capacity(1_000);
        let x = leaves(&mut out, 0, ty, [(least, most)].into_iter())[0];
        let add = |out: &mut Ranged, a, number| {
            let number = out.int(number, ty, x.id);
            out.push(node(Op::Binary(BinaryOp::Add(Never), a, number), ty))
        };
        let inner = add(&mut out, x.id, c);
        for d in least..=most {
            let id = add(&mut out, inner, d);
            let Some(better) = decide(&mut out, id) else { continue };
            decided += 1;
            for x_value in least..=most {
                if (least..=most).contains(&(x_value + c)) && (least..=most).contains(&(x_value + c + d)) {
                    let found = value(&out, better, &[(x.id, x_value)]);
                    assert_eq!(found, Some(Constant::Int(x_value + c + d)), "{x_value} + {c} + {d}");
                }
            }
        }
    }
    decided
}

fn check(ty: Type) {
    let decided = [of_one(ty), of_two(ty), of_sums(ty)];
    assert!(decided.iter().all(|&count| count > 10_000), "{decided:?}");
}

#[test]
fn what_is_decided_holds_for_unsigned_bytes() {
    check(Type::U8);
}

#[test]
fn what_is_decided_holds_for_signed_bytes() {
    check(Type::I8);
}
