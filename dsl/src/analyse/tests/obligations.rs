//! What operators demand, and by what it is proved: one test for each row of that table.

use super::builder::Builder;
use crate::ir::Overflow::Never;
use crate::ir::*;

use BinaryOp::*;

fn window(b: &mut Builder, to: Type) -> Vec<Vec<ValueId>> {
    (-1..=1)
        .map(|dy| {
            (-1..=1)
                .map(|dx| {
                    let p = b.tap("src", Type::U8, dx, dy);
                    b.cast(p, to)
                })
                .collect()
        })
        .collect()
}

#[test]
fn gaussian3_fits_u16() {
    let mut b = Builder::new();
    let w = window(&mut b, Type::U16);
    let two = b.int(Type::U16, 2);
    let mut columns = Vec::new();
    for ((above, centre), below) in w[0].iter().zip(&w[1]).zip(&w[2]) {
        let middle = b.mul(two, *centre);
        let upper = b.add(*above, middle);
        columns.push(b.add(upper, *below));
    }
    let middle = b.mul(two, columns[1]);
    let left = b.add(columns[0], middle);
    let sum = b.add(left, columns[2]);
    let four = b.int(Type::U32, 4);
    let shifted = b.binary(Shr, sum, four);
    let out = b.cast(shifted, Type::U8);
    assert_eq!(b.accepted(sum), (0, 4080));
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn sobel_lies_within_1020() {
    let mut b = Builder::new();
    let w = window(&mut b, Type::I16);
    let two = b.int(Type::I16, 2);
    let column = |b: &mut Builder, x: usize| {
        let middle = b.mul(two, w[1][x]);
        let upper = b.add(w[0][x], middle);
        b.add(upper, w[2][x])
    };
    let (right, left) = (column(&mut b, 2), column(&mut b, 0));
    let out = b.sub(right, left);
    assert_eq!(b.accepted(out), (-1020, 1020));
}

#[test]
fn abs_diff_of_i16_fits_after_min() {
    let mut b = Builder::new();
    let (x, y) = (b.input("a", Type::I16), b.input("b", Type::I16));
    let difference = b.binary(AbsDiff, x, y);
    let most = b.int(Type::U16, 32767);
    let cut = b.binary(Min, difference, most);
    let out = b.cast(cut, Type::I16);
    assert_eq!(b.accepted(out), (0, 32767));
}

#[test]
fn casts_that_say_what_happens_need_no_proof() {
    let mut b = Builder::new();
    let x = b.input("x", Type::I16);
    let (saturated, wrapped) = (b.saturating_cast(x, Type::U8), b.wrapping_cast(x, Type::U8));
    assert_eq!(b.accepted(saturated), (0, 255));
    assert_eq!(b.accepted(wrapped), (0, 255));
}

fn convolution(b: &mut Builder, taps: u32, magnitudes: Option<u64>) -> ValueId {
    let k = b.array("k", Type::I16, taps, magnitudes);
    let mut sum = b.int(Type::I32, 0);
    for (i, k) in k.into_iter().enumerate() {
        let tap = b.tap("src", Type::U8, i as i32, 0);
        let (k, tap) = (b.cast(k, Type::I32), b.cast(tap, Type::I32));
        let product = b.mul(k, tap);
        sum = b.add(sum, product);
    }
    sum
}

#[test]
fn convolution_3x3_at_run_time() {
    let mut b = Builder::new();
    let sum = convolution(&mut b, 9, None);
    assert_eq!(b.accepted(sum), (-75_202_560, 9 * 32767 * 255));
}

#[test]
fn convolution_15x15_at_run_time() {
    let mut b = Builder::new();
    let sum = convolution(&mut b, 225, None);
    assert_eq!(b.accepted(sum), (-1_880_064_000, 225 * 32767 * 255));
}

#[test]
fn sum_of_magnitudes_bounds_a_convolution() {
    let mut b = Builder::new();
    let sum = convolution(&mut b, 9, Some(256));
    assert_eq!(b.accepted(sum), (-65280, 65280));
}

#[test]
fn division_needs_a_bounded_divisor() {
    let divide = |lo: Option<i128>| {
        let mut b = Builder::new();
        let sum = convolution(&mut b, 9, None);
        let scale = match lo {
            Some(lo) => b.bounded("scale", Type::I32, lo, 32768),
            None => b.uniform("scale", Type::I32),
        };
        let quotient = b.binary(Div, sum, scale);
        (b, quotient)
    };
    let (b, quotient) = divide(Some(1));
    assert_eq!(b.accepted(quotient), (-75_202_560, 75_200_265));
    divide(Some(0)).0.refused();
    divide(None).0.refused();
}

#[test]
fn shifts_need_bounded_amounts() {
    let shift = |op, most| {
        let mut b = Builder::new();
        let x = b.input("x", Type::U8);
        let n = b.bounded("shift", Type::U32, 0, most);
        let x = b.cast(x, Type::I16);
        let out = b.binary(op, x, n);
        (b, out)
    };
    let (b, out) = shift(Shl(Never), 7);
    assert_eq!(b.accepted(out), (0, 32640));
    let (b, out) = shift(Shr, 15);
    assert_eq!(b.accepted(out), (0, 255));
    shift(Shl(Never), 8).0.refused();
    shift(Shr, 16).0.refused();
}

#[test]
fn indices_need_bounds() {
    let index = |most| {
        let mut b = Builder::new();
        let index = b.bounded("channel", Type::U32, 0, most);
        b.demand(Demand::Index { index, length: 3 });
        b
    };
    assert!(index(2).prove().1.is_empty());
    index(3).refused();
}

#[test]
fn sum_of_i16_squares_exceeds_i32_by_one() {
    let squares = |lo| {
        let mut b = Builder::new();
        let (x, y) = (b.bounded("x", Type::I16, lo, 32767), b.bounded("y", Type::I16, lo, 32767));
        let (x, y) = (b.cast(x, Type::I32), b.cast(y, Type::I32));
        let (x, y) = (b.mul(x, x), b.mul(y, y));
        let sum = b.add(x, y);
        (b, sum)
    };
    squares(-32768).0.refused();
    let (b, sum) = squares(-32767);
    assert_eq!(b.accepted(sum), (0, 2 * 32767 * 32767));
}

#[test]
fn sum_of_i16_squares_fits_u32() {
    let mut b = Builder::new();
    let square = |b: &mut Builder, name: &str| {
        let v = b.input(name, Type::I16);
        let magnitude = |b: &mut Builder| {
            let magnitude = b.unary(UnaryOp::UnsignedAbs, v);
            b.cast(magnitude, Type::U32)
        };
        let (first, second) = (magnitude(b), magnitude(b));
        b.mul(first, second)
    };
    let (x, y) = (square(&mut b, "x"), square(&mut b, "y"));
    let sum = b.add(x, y);
    assert_eq!(b.accepted(sum), (0, 1 << 31));
}

#[test]
fn blend_fits_u16() {
    let mut b = Builder::new();
    let (x, y, w) = (b.input("a", Type::U8), b.input("b", Type::U8), b.input("w", Type::U8));
    let all = b.int(Type::U8, 255);
    let rest = b.sub(all, w);
    let [x, y, w, rest] = [x, y, w, rest].map(|v| b.cast(v, Type::U16));
    let (first, second) = (b.mul(x, w), b.mul(y, rest));
    let sum = b.add(first, second);
    let half = b.int(Type::U16, 127);
    let rounded = b.add(sum, half);
    let divisor = b.int(Type::U16, 255);
    let quotient = b.binary(Div, rounded, divisor);
    let out = b.cast(quotient, Type::U8);
    assert_eq!(b.accepted(rounded), (127, 65152));
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn integer_bilinear_fits_u16() {
    let mut b = Builder::new();
    let lerp = |b: &mut Builder, x: ValueId, y: ValueId, f: ValueId| {
        let one = b.int(Type::U16, 256);
        let rest = b.sub(one, f);
        let (first, second) = (b.mul(x, rest), b.mul(y, f));
        let sum = b.add(first, second);
        let eight = b.int(Type::U32, 8);
        b.binary(RoundingShr, sum, eight)
    };
    let [fx, fy] = ["fx", "fy"].map(|name| {
        let f = b.input(name, Type::U8);
        b.cast(f, Type::U16)
    });
    let p = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| {
        let p = b.tap("src", Type::U8, x, y);
        b.cast(p, Type::U16)
    });
    let (top, bottom) = (lerp(&mut b, p[0], p[1], fx), lerp(&mut b, p[2], p[3], fx));
    let blended = lerp(&mut b, top, bottom, fy);
    let out = b.cast(blended, Type::U8);
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn magnitude_rounds_an_exact_root() {
    let mut b = Builder::new();
    let square = |b: &mut Builder, name: &str| {
        let v = b.input(name, Type::I16);
        let magnitude = b.unary(UnaryOp::UnsignedAbs, v);
        let magnitude = b.cast(magnitude, Type::U32);
        b.mul(magnitude, magnitude)
    };
    let (x, y) = (square(&mut b, "x"), square(&mut b, "y"));
    let z = b.add(x, y);
    let r = b.unary(UnaryOp::Isqrt, z);
    let squared = b.mul(r, r);
    let rest = b.sub(z, squared);
    let up = b.binary(Gt, rest, r);
    let rounded = b.branch(
        up,
        |b| {
            let one = b.int(Type::U32, 1);
            b.add(r, one)
        },
        |_| r,
    );
    let most = b.int(Type::U32, 32767);
    let cut = b.binary(Min, rounded, most);
    let out = b.cast(cut, Type::I16);
    assert_eq!(b.accepted(out), (0, 32767));
}

#[test]
fn float_intervals_carry_into_an_exponent() {
    let mut b = Builder::new();
    let (x, maximum) = (b.input("x", Type::F32), b.uniform("maximum", Type::F32));
    let difference = b.sub(x, maximum);
    let least = b.float(-87.0);
    let x = b.binary(Max, difference, least);
    let zero = b.float(0.0);
    let x = b.binary(Min, x, zero);
    let log2_e = b.float(core::f32::consts::LOG2_E);
    let scaled = b.mul(x, log2_e);
    let n = b.unary(UnaryOp::RoundTiesEven, scaled);
    let n = b.cast(n, Type::I32);
    let bias = b.int(Type::I32, 127);
    let exponent = b.add(n, bias);
    let amount = b.int(Type::U32, 23);
    let bits = b.binary(Shl(Never), exponent, amount);
    let bits = b.cast(bits, Type::U32);
    let power = b.unary(UnaryOp::FromBits, bits);
    assert_eq!(b.accepted(exponent), (1, 127));
    let (facts, _) = b.prove();
    assert_eq!(facts.ranges[power.0 as usize], Range::Float { lo: f32::MIN_POSITIVE.into(), hi: 1.0, nan: false });
}

#[test]
fn float_to_integer_needs_no_proof() {
    let mut b = Builder::new();
    let x = b.input("x", Type::F32);
    let out = b.cast(x, Type::U8);
    assert_eq!(b.accepted(out), (0, 255));
}

#[test]
fn i16_table_by_offset() {
    let mut b = Builder::new();
    let x = b.input("x", Type::I16);
    let x = b.cast(x, Type::I32);
    let offset = b.int(Type::I32, 32768);
    let index = b.add(x, offset);
    let out = b.lookup(Type::I16, 65536, index);
    assert_eq!(b.accepted(out), (-32768, 32767));
    let mut b = Builder::new();
    let x = b.input("x", Type::U16);
    b.lookup(Type::U8, 65535, x);
    b.refused();
}
