//! What is said where a proof fails: the counter-example, and ways out that hold.

use super::builder::Builder;
use crate::ir::Overflow::Never;
use crate::ir::*;

use BinaryOp::*;

#[track_caller]
fn says(b: &Builder, parts: &[&str]) {
    let texts = b.refused();
    assert_eq!(texts.len(), 1, "{}", texts.join("\n"));
    for part in parts {
        assert!(texts[0].contains(part), "no {part:?} in:\n{}", texts[0]);
    }
}

#[test]
fn overflow_shows_interval_example_and_ways_out() {
    let mut b = Builder::new();
    let (x, y) = (b.input("a", Type::U8), b.input("b", Type::U8));
    b.add(x, y);
    says(
        &b,
        &[
            "`a + b` can overflow u8",
            "it lies in 0..=510; u8 holds 0..=255",
            "a = 255, b = 1 gives 256",
            "`a as u16 + b as u16`",
            "`a.wrapping_add(b)` or `a.saturating_add(b)`",
        ],
    );
}

#[test]
fn difference_of_uniforms_offers_a_requirement() {
    let mut b = Builder::new();
    let (x, y) = (b.uniform("upper", Type::U8), b.uniform("lower", Type::U8));
    b.sub(x, y);
    says(&b, &["upper = 0, lower = 1 gives -1", "`upper as i16 - lower as i16`", "`require(lower <= upper)`"]);
}

#[test]
fn cast_offers_saturation_and_range() {
    let mut b = Builder::new();
    let x = b.input("x", Type::I16);
    b.cast(x, Type::U8);
    says(
        &b,
        &[
            "`x as u8` can change the value",
            "`x` lies in -32768..=32767",
            "`x.clamp(0, 255) as u8`",
            "`x.saturating_cast()`",
        ],
    );
}

#[test]
fn divisor_offers_bounds() {
    let mut b = Builder::new();
    let (x, scale) = (b.input("x", Type::U8), b.bounded("scale", Type::U8, 0, 100));
    b.binary(Div, x, scale);
    says(
        &b,
        &[
            "`x / scale` can divide by zero",
            "scale = 0 divides by 0",
            "`#[uniform(1..=100)] scale: u8`",
            "`x / scale.max(1)`",
        ],
    );
}

#[test]
fn quotient_names_the_one_case() {
    let mut b = Builder::new();
    let (x, y) = (b.input("x", Type::I8), b.bounded("d", Type::I8, -5, -1));
    b.binary(Div, x, y);
    says(&b, &["can overflow i8", "x = -128, d = -1 divides -128 by -1", "`x as i16 / d as i16`"]);
}

#[test]
fn amount_offers_bounds() {
    let mut b = Builder::new();
    let (x, n) = (b.input("x", Type::U16), b.uniform("shift", Type::U32));
    b.binary(Shr, x, n);
    says(&b, &["shift = 16 shifts by 16", "`#[uniform(0..=15)] shift: u32`", "`x >> shift.min(15)`"]);
}

#[test]
fn index_offers_bounds() {
    let mut b = Builder::new();
    let index = b.uniform("channel", Type::U32);
    b.demand(Demand::Index { index, length: 3 });
    says(&b, &["channel = 3 reads index 3", "`#[uniform(0..=2)] channel: u32`"]);
}

#[test]
fn table_index_offers_a_limit() {
    for entry in [Type::U8, Type::I32, Type::F32] {
        let mut b = Builder::new();
        let x = b.input("x", Type::I16);
        b.lookup(entry, 256, x);
        says(&b, &["`lut[x]` can index past the end of the table", "`lut[x.clamp(0, 255)]`"]);
    }
}

#[test]
fn clamp_offers_a_requirement() {
    let mut b = Builder::new();
    let x = b.input("x", Type::F32);
    let (lo, hi) = (b.bounded_float("lower", -1.0, 1.0), b.bounded_float("upper", 0.0, 2.0));
    b.clamp(x, lo, hi);
    says(&b, &["`clamp(lower, upper)`", "`require(lower <= upper)`", "`.max(lower).min(upper)`"]);
}

#[test]
fn magnitude_of_the_least_value() {
    let mut b = Builder::new();
    let x = b.input("x", Type::I16);
    b.unary(UnaryOp::Abs(Never), x);
    says(&b, &["`x.abs()` can overflow i16", "x = -32768 gives 32768", "`(x as i32).abs()`", "`x.unsigned_abs()`"]);
}

#[test]
fn a_sum_of_squares_is_widened_to_u32() {
    let mut b = Builder::new();
    let (x, y) = (b.input("x", Type::I16), b.input("y", Type::I16));
    let (x, y) = (b.cast(x, Type::I32), b.cast(y, Type::I32));
    let (x, y) = (b.mul(x, x), b.mul(y, y));
    b.add(x, y);
    says(&b, &["x = -32768, y = -32768 gives 2147483648", "it lies in 0..=2147483648"]);
}

#[test]
fn an_example_satisfies_its_path_condition() {
    let mut b = Builder::new();
    let (x, y) = (b.input("a", Type::U8), b.input("b", Type::U8));
    let limit = b.int(Type::U8, 200);
    let small = b.binary(Lt, x, limit);
    b.branch(small, |b| b.add(x, y), |_| x);
    says(&b, &["it lies in 0..=454", " gives 256"]);
}

#[test]
fn many_inputs_are_shortened() {
    let mut b = Builder::new();
    let mut sum = b.int(Type::U8, 0);
    let taps: Vec<ValueId> = (0..9).map(|dx| b.tap("src", Type::U8, dx, 0)).collect();
    let half = b.int(Type::U32, 2);
    for tap in taps {
        let quarter = b.binary(Shr, tap, half);
        sum = b.add(sum, quarter);
    }
    let texts = b.refused();
    assert!(texts[0].contains("src.at("), "{}", texts[0]);
}
