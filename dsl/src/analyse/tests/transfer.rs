//! Interval arithmetic against arithmetic: sound for every operation, and exact where that is claimed.

use super::random::Random;
use crate::analyse::{floats, integers};
use crate::arithmetic::{binary, cast, unary};
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::range::{Floats, Interval, Range};
use crate::ir::*;

use BinaryOp::*;

const UNARY: [UnaryOp; 13] = [
    UnaryOp::Neg(Never),
    UnaryOp::Not,
    UnaryOp::Abs(Never),
    UnaryOp::UnsignedAbs,
    UnaryOp::Neg(Wrap),
    UnaryOp::Abs(Wrap),
    UnaryOp::Neg(Saturate),
    UnaryOp::Abs(Saturate),
    UnaryOp::Signum,
    UnaryOp::Isqrt,
    UnaryOp::CountOnes,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
];

/// Operations whose interval is the least that holds every result.
const EXACT: [BinaryOp; 11] = [
    Add(Never),
    Sub(Never),
    Mul(Never),
    Min,
    Max,
    AbsDiff,
    Add(Saturate),
    Sub(Saturate),
    Mul(Saturate),
    HalvingAdd,
    RoundingHalvingAdd,
];
const SOUND: [BinaryOp; 9] = [Div, Rem, And, Or, Xor, Add(Wrap), Sub(Wrap), Mul(Wrap), MulHigh];
const SHIFTS: [BinaryOp; 4] = [Shl(Never), Shr, RoundingShr, Shl(Wrap)];

pub(super) fn interval(random: &mut Random, ty: Type) -> (i128, i128) {
    let (lo, hi) = ty.limits();
    let edges = [lo, hi, 0, -1, 1, lo + 1, hi - 1, 7, 100];
    let start = if random.below(3) == 0 { random.pick(&edges) } else { random.between(lo, hi) };
    let start = start.clamp(lo, hi);
    let end = if random.below(6) == 0 { hi } else { start + random.between(0, 14) };
    (start, end.min(hi))
}

/// What Rust's arithmetic gives, before the type cuts it.
fn exact(op: BinaryOp, ty: Type, x: i128, y: i128) -> Option<i128> {
    match op {
        Add(Never) => Some(x + y),
        Sub(Never) => Some(x - y),
        Mul(Never) => Some(x * y),
        Shl(Never) => Some(x << y),
        Div | Rem if y == 0 => None,
        Div => Some(x / y),
        Rem => Some(x % y),
        _ => match binary(op, ty, Constant::Int(x), Constant::Int(y)) {
            Some(Constant::Int(value)) => Some(value),
            other => panic!("{op:?} {x} {y}: {other:?}"),
        },
    }
}

fn hull(values: impl Iterator<Item = i128>) -> Option<Interval> {
    let (lo, hi) = values.fold((i128::MAX, i128::MIN), |(lo, hi), value| (lo.min(value), hi.max(value)));
    (lo <= hi).then_some(Interval { lo, hi })
}

pub(super) fn as_interval((lo, hi): (i128, i128)) -> Interval {
    Interval { lo, hi }
}

#[test]
fn binary_operations_hold_every_result() {
    let random = &mut Random::new(7);
    for round in 0..500 {
        let ty = if round % 2 == 0 { Type::U8 } else { Type::I8 };
        let (x, y) = (interval(random, ty), interval(random, ty));
        for op in EXACT.into_iter().chain(SOUND) {
            let results = || (x.0..=x.1).flat_map(|x| (y.0..=y.1).filter_map(move |y| exact(op, ty, x, y)));
            let Some(truth) = hull(results()) else { continue };
            let found = integers::binary(op, ty, as_interval(x), as_interval(y), false);
            assert!(found.contains(&truth), "{op:?} {ty:?} {x:?} {y:?}: {found} lacks {truth}");
            assert!(!EXACT.contains(&op) || found == truth, "{op:?} {ty:?} {x:?} {y:?}: {found}, not {truth}");
            let same = hull((x.0..=x.1).filter_map(|x| exact(op, ty, x, x)));
            let found = integers::binary(op, ty, as_interval(x), as_interval(x), true);
            assert!(same.is_none_or(|same| found.contains(&same)), "{op:?} {ty:?} {x:?} itself: {found}");
        }
    }
}

/// The product of the greatest two leaves 128 bits; its lower 64 are 1.
#[test]
fn a_product_that_no_interval_holds_may_wrap_to_anything() {
    let greatest = Interval::point(Type::U64.limits().1);
    let both = [Mul(Wrap), Mul(Saturate)].map(|op| integers::binary(op, Type::U64, greatest, greatest, false));
    assert_eq!(both, [range::limits(Type::U64).unwrap(), greatest]);
}

#[test]
fn shifts_hold_every_result() {
    let random = &mut Random::new(8);
    for round in 0..500 {
        let ty = [Type::U8, Type::I8, Type::U16, Type::I16][round % 4];
        let x = interval(random, ty);
        let first = random.between(0, i128::from(ty.bits()) - 1);
        let y = (first, random.between(first, i128::from(ty.bits()) - 1));
        for op in SHIFTS {
            let truth =
                hull((x.0..=x.1.min(x.0 + 300)).flat_map(|x| (y.0..=y.1).filter_map(move |y| exact(op, ty, x, y))));
            let found = integers::binary(op, ty, as_interval(x), as_interval(y), false);
            assert!(found.contains(&truth.expect("not empty")), "{op:?} {ty:?} {x:?} {y:?}: {found}");
        }
    }
    let far = integers::binary(Shl(Wrap), Type::U8, as_interval((3, 3)), as_interval((9, 9)), false);
    assert!(far.holds(6));
}

#[test]
fn unary_operations_hold_every_result() {
    let random = &mut Random::new(9);
    for round in 0..1_000 {
        let ty = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32][round % 6];
        let x = interval(random, ty);
        for op in UNARY {
            if op == UnaryOp::Isqrt && x.0 < 0 {
                continue;
            }
            let value = |x: i128| match (op, unary(op, ty, Constant::Int(x))) {
                (UnaryOp::Neg(Never), _) => -x,
                (UnaryOp::Abs(Never), _) => x.abs(),
                (_, Some(Constant::Int(value))) => value,
                (_, other) => panic!("{op:?} {x}: {other:?}"),
            };
            let points = [x.1, x.0, 0i128.clamp(x.0, x.1), (-1i128).clamp(x.0, x.1)];
            let truth = hull((x.0..=x.1.min(x.0 + 300)).chain(points).map(value)).expect("not empty");
            let found = integers::unary(op, ty, as_interval(x));
            assert!(found.contains(&truth), "{op:?} {ty:?} {x:?}: {found} lacks {truth}");
            let exact = !matches!(op, UnaryOp::CountOnes | UnaryOp::TrailingZeros) && x.1 - x.0 <= 300;
            assert!(!exact || found == truth, "{op:?} {ty:?} {x:?}: {found}, not {truth}");
        }
    }
}

#[test]
fn comparisons_are_decided_only_where_they_are() {
    let random = &mut Random::new(10);
    for _ in 0..1_500 {
        let (x, y) = (interval(random, Type::I8), interval(random, Type::I8));
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            let truth = |x: i128, y: i128| {
                binary(op, Type::I8, Constant::Int(x), Constant::Int(y)) == Some(Constant::Bool(true))
            };
            let found = (x.0..=x.1).flat_map(|x| (y.0..=y.1).map(move |y| truth(x, y)));
            let expected = found.fold((false, false), |(no, yes), truth| (no || !truth, yes || truth));
            assert_eq!(
                integers::compare(op.comparison().unwrap(), as_interval(x), as_interval(y), false),
                expected,
                "{op:?} {x:?} {y:?}"
            );
        }
    }
    assert_eq!(integers::compare(Comparison::Le, as_interval((0, 9)), as_interval((0, 9)), true), (false, true));
    assert_eq!(integers::compare(Comparison::Ne, as_interval((0, 9)), as_interval((0, 9)), true), (true, false));
}

const FLOATS: [f32; 19] = [
    f32::NEG_INFINITY,
    f32::MIN,
    -1e20,
    -255.5,
    -2.0,
    -1.0,
    -0.5,
    -f32::MIN_POSITIVE,
    -1e-45,
    -0.0,
    0.0,
    1e-45,
    0.75,
    1.0,
    3.0,
    300.25,
    1e20,
    f32::MAX,
    f32::INFINITY,
];

fn floats_between(random: &mut Random) -> (Floats, Vec<f32>) {
    let (a, b) = (random.below(FLOATS.len()), random.below(FLOATS.len()));
    let (lo, hi) = (FLOATS[a.min(b)], FLOATS[a.max(b)]);
    let nan = random.below(3) == 0;
    let mut points: Vec<f32> = FLOATS.into_iter().filter(|value| lo <= *value && *value <= hi).collect();
    points.extend(nan.then_some(f32::NAN));
    (Floats { lo, hi, nan }, points)
}

#[test]
fn float_operations_hold_every_result() {
    let random = &mut Random::new(11);
    for _ in 0..700 {
        let ((x, xs), (y, ys), (z, zs)) = (floats_between(random), floats_between(random), floats_between(random));
        let holds = |range: Floats, value: f32, what: &dyn std::fmt::Debug| {
            assert!(range.range().contains_float(value), "{what:?} {x:?} {y:?} {z:?}: {value:?} not in {range:?}");
        };
        for op in [Add(Never), Sub(Never), Mul(Never), Div, Min, Max] {
            let value = |a: f32, b: f32| match binary(
                op,
                Type::F32,
                Constant::Float(a.to_bits()),
                Constant::Float(b.to_bits()),
            ) {
                Some(Constant::Float(bits)) => f32::from_bits(bits),
                other => panic!("{other:?}"),
            };
            let (apart, same) = (floats::binary(op, x, y, false), floats::binary(op, x, x, true));
            for a in &xs {
                ys.iter().for_each(|b| holds(apart, value(*a, *b), &(op, a, b)));
                holds(same, value(*a, *a), &(op, a, "itself"));
            }
        }
        let fused = floats::multiply_add(x, y, z);
        for a in &xs {
            for b in &ys {
                zs.iter().for_each(|c| holds(fused, a.mul_add(*b, *c), &("mul_add", a, b, c)));
            }
        }
        for op in [
            UnaryOp::Neg(Never),
            UnaryOp::Abs(Never),
            UnaryOp::Sqrt,
            UnaryOp::Floor,
            UnaryOp::Ceil,
            UnaryOp::Trunc,
            UnaryOp::RoundTiesEven,
        ] {
            for a in &xs {
                let Some(Constant::Float(bits)) = unary(op, Type::F32, Constant::Float(a.to_bits())) else {
                    panic!("{op:?}")
                };
                holds(floats::unary(op, x), f32::from_bits(bits), &(op, a));
            }
        }
        for a in &xs {
            assert!(floats::to_bits(x).holds(a.to_bits().into()), "{x:?} {a:?}");
            for ty in [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32] {
                let Some(Constant::Int(value)) = cast(CastMode::Value, ty, Constant::Float(a.to_bits())) else {
                    panic!()
                };
                let limits = as_interval(ty.limits());
                assert!(floats::to_integer(x, limits).holds(value), "{x:?} {a:?} as {ty:?}");
            }
        }
    }
}

#[test]
fn float_comparisons_know_nan() {
    let random = &mut Random::new(12);
    for _ in 0..3_000 {
        let ((x, xs), (y, ys)) = (floats_between(random), floats_between(random));
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            let (can_be_false, can_be_true) = floats::compare(op.comparison().unwrap(), x, y);
            for (a, b) in xs.iter().flat_map(|a| ys.iter().map(move |b| (*a, *b))) {
                let truth = binary(op, Type::F32, Constant::Float(a.to_bits()), Constant::Float(b.to_bits()));
                let Some(Constant::Bool(truth)) = truth else { panic!("{op:?}") };
                assert!(if truth { can_be_true } else { can_be_false }, "{op:?} {a:?} {b:?}");
                let refined = floats::refine(op, truth, x, y).map(Floats::range);
                assert!(
                    refined.is_some_and(|range| range.contains_float(a)),
                    "{op:?} {truth}: {a:?} {b:?} {refined:?}"
                );
            }
        }
    }
}

#[test]
fn bits_of_floats_and_back() {
    let random = &mut Random::new(13);
    for _ in 0..3_000 {
        let first = random.next() as u32;
        let last = first.saturating_add(random.pick(&[0, 5, 1 << 20, 1 << 30]));
        let range = floats::from_bits(Interval { lo: first.into(), hi: last.into() }).range();
        for bits in [first, last, first + (last - first) / 2, first + (last - first) / 3] {
            assert!(range.contains_float(f32::from_bits(bits)), "{first:x} {last:x} {bits:x} {range}");
        }
    }
    let positive = floats::from_bits(Interval { lo: 1 << 23, hi: 127 << 23 });
    assert_eq!(positive.range(), Range::Float { lo: f32::MIN_POSITIVE, hi: 1.0, nan: false });
}

#[test]
fn integers_become_the_nearest_float() {
    let range = floats::from_integer(Interval { lo: 16_777_217, hi: 4_294_967_295 }).range();
    assert!(range.contains_float(16_777_217_u32 as f32) && range.contains_float(u32::MAX as f32));
}

#[test]
fn a_number_keeps_nan_out_of_min_and_max() {
    let bound = Floats { lo: -87.0, hi: -87.0, nan: false };
    let found = floats::binary(Max, Floats::ALL, bound, false);
    assert_eq!(found, Floats { lo: -87.0, hi: f32::INFINITY, nan: false });
    let found = floats::binary(Min, bound, Floats::ALL, false);
    assert_eq!(found, Floats { lo: f32::NEG_INFINITY, hi: -87.0, nan: false });
}
