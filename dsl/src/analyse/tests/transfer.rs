//! Interval arithmetic against arithmetic: sound for every operation, and exact where that is claimed.

use super::random::{FLOAT_UNARY, Random};
use crate::analyse::{floats, integers};
use crate::arithmetic::{binary, cast, mul_add, unary};
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

/// Some floats of a type, in order.
fn floats_of(ty: Type) -> Vec<f64> {
    let mut floats: Vec<f64> = FLOATS.into_iter().map(f64::from).collect();
    if ty == Type::F64 {
        floats.extend([f64::MIN, -1.0 / 3.0, -5e-324, 5e-324, 0.1, 1.0 + f64::EPSILON, 1e300]);
        floats.sort_by(f64::total_cmp);
    }
    floats
}

fn floats_between(random: &mut Random, ty: Type) -> (Floats, Vec<f64>) {
    let floats = floats_of(ty);
    let (a, b) = (random.below(floats.len()), random.below(floats.len()));
    let (lo, hi) = (floats[a.min(b)], floats[a.max(b)]);
    let nan = random.below(3) == 0;
    let mut points: Vec<f64> = floats.into_iter().filter(|value| lo <= *value && *value <= hi).collect();
    points.extend(nan.then_some(f64::NAN));
    (Floats { lo, hi, nan }, points)
}

#[test]
fn float_operations_hold_every_result() {
    for ty in [Type::F32, Type::F64] {
        let random = &mut Random::new(11);
        for _ in 0..700 {
            let operands = [(); 3].map(|()| floats_between(random, ty));
            operations_hold_every_result(ty, &operands);
            conversions_hold_every_result(ty, &operands[0]);
        }
    }
}

fn operations_hold_every_result(ty: Type, [(x, xs), (y, ys), (z, zs)]: &[(Floats, Vec<f64>); 3]) {
    let of = |value: f64| Constant::of_float(value, ty);
    let holds = |range: Floats, value: Option<Constant>, what: &dyn std::fmt::Debug| {
        let value = value.and_then(Constant::as_float).unwrap_or_else(|| panic!("{what:?}: no value"));
        assert!(range.range().contains_float(value), "{what:?} {x:?} {y:?} {z:?}: {value:?} not in {range:?}");
    };
    for op in [Add(Never), Sub(Never), Mul(Never), Div, Min, Max] {
        let (apart, same) = (floats::binary(op, ty, [*x, *y], false), floats::binary(op, ty, [*x, *x], true));
        for a in xs {
            ys.iter().for_each(|b| holds(apart, binary(op, ty, of(*a), of(*b)), &(op, a, b)));
            holds(same, binary(op, ty, of(*a), of(*a)), &(op, a, "itself"));
        }
    }
    let fused = floats::multiply_add(ty, [*x, *y, *z]);
    for (a, b) in xs.iter().flat_map(|a| ys.iter().map(move |b| (*a, *b))) {
        zs.iter().for_each(|c| holds(fused, mul_add(of(a), of(b), of(*c)), &("mul_add", a, b, c)));
    }
    for op in FLOAT_UNARY {
        xs.iter().for_each(|a| holds(floats::unary(op, ty, *x), unary(op, ty, of(*a)), &(op, a)));
    }
}

fn conversions_hold_every_result(ty: Type, (x, xs): &(Floats, Vec<f64>)) {
    for a in xs {
        if ty == Type::F32 {
            assert!(floats::to_bits(*x).holds((*a as f32).to_bits().into()), "{x:?} {a:?}");
        }
        for to in [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32] {
            let Some(Constant::Int(value)) = cast(CastMode::Value, to, Constant::of_float(*a, ty)) else { panic!() };
            let limits = as_interval(to.limits());
            assert!(floats::to_integer(*x, limits).holds(value), "{x:?} {a:?} as {to:?}");
        }
        for to in [Type::F32, Type::F64] {
            let value = cast(CastMode::Value, to, Constant::of_float(*a, ty)).and_then(Constant::as_float).unwrap();
            assert!(floats::from_float(*x, to).range().contains_float(value), "{x:?} {a:?} as {to:?}");
        }
    }
}

/// In binary64, and rounded, is in binary32: sums, products, quotients and roots.
#[test]
fn floats_of_32_bits_are_rounded_once() {
    let random = &mut Random::new(14);
    let same = |found: Option<Constant>, expected: f32, what: &dyn std::fmt::Debug| {
        let Some(Constant::Float(bits)) = found else { panic!("{what:?}") };
        let found = f32::from_bits(bits);
        assert!(bits == expected.to_bits() || found.is_nan() && expected.is_nan(), "{what:?}: {found:?} {expected:?}");
    };
    for _ in 0..200_000 {
        let bits = [(); 2].map(|()| random.next() as u32);
        let (a, b) = (f32::from_bits(bits[0]), f32::from_bits(bits[1]));
        // Near each other, so that sums cancel and quotients lie near 1, and among the subnormal.
        let near = f32::from_bits(bits[0] ^ (bits[1] & 0xff));
        let small = f32::from_bits(bits[1] & 0x80ff_ffff);
        for b in [b, near, small] {
            let of = |op| binary(op, Type::F32, Constant::Float(a.to_bits()), Constant::Float(b.to_bits()));
            same(of(Add(Never)), a + b, &(a, "+", b));
            same(of(Sub(Never)), a - b, &(a, "-", b));
            same(of(Mul(Never)), a * b, &(a, "*", b));
            same(of(Div), a / b, &(a, "/", b));
        }
        same(unary(UnaryOp::Sqrt, Type::F32, Constant::Float(a.to_bits())), a.sqrt(), &("sqrt", a));
    }
}

#[test]
fn float_comparisons_know_nan() {
    for ty in [Type::F32, Type::F64] {
        let random = &mut Random::new(12);
        for _ in 0..3_000 {
            let ((x, xs), (y, ys)) = (floats_between(random, ty), floats_between(random, ty));
            for op in [Eq, Ne, Lt, Le, Gt, Ge] {
                let (can_be_false, can_be_true) = floats::compare(op.comparison().unwrap(), x, y);
                for (a, b) in xs.iter().flat_map(|a| ys.iter().map(move |b| (*a, *b))) {
                    let truth = binary(op, ty, Constant::of_float(a, ty), Constant::of_float(b, ty));
                    let Some(Constant::Bool(truth)) = truth else { panic!("{op:?}") };
                    assert!(if truth { can_be_true } else { can_be_false }, "{op:?} {a:?} {b:?}");
                    let refined = floats::refine(op, truth, ty, [x, y]).map(Floats::range);
                    let is_held = refined.is_some_and(|range| range.contains_float(a));
                    assert!(is_held, "{op:?} {truth}: {a:?} {b:?} {refined:?}");
                }
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
            assert!(range.contains_float(f32::from_bits(bits).into()), "{first:x} {last:x} {bits:x} {range}");
        }
    }
    let positive = floats::from_bits(Interval { lo: 1 << 23, hi: 127 << 23 });
    assert_eq!(positive.range(), Range::Float { lo: f32::MIN_POSITIVE.into(), hi: 1.0, nan: false });
}

#[test]
fn integers_become_the_nearest_float() {
    let integers = Interval { lo: 16_777_217, hi: 4_294_967_295 };
    let range = floats::from_integer(integers, Type::F32).range();
    assert!(range.contains_float((16_777_217_u32 as f32).into()) && range.contains_float((u32::MAX as f32).into()));
    let range = floats::from_integer(integers, Type::F64).range();
    assert_eq!(range, Range::Float { lo: 16_777_217.0, hi: 4_294_967_295.0, nan: false });
}

#[test]
fn a_number_keeps_nan_out_of_min_and_max() {
    let bound = Floats { lo: -87.0, hi: -87.0, nan: false };
    let found = floats::binary(Max, Type::F32, [Floats::ALL, bound], false);
    assert_eq!(found, Floats { lo: -87.0, hi: f64::INFINITY, nan: false });
    let found = floats::binary(Min, Type::F32, [bound, Floats::ALL], false);
    assert_eq!(found, Floats { lo: f64::NEG_INFINITY, hi: -87.0, nan: false });
}
