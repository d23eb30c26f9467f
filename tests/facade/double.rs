//! Floats of 64 bits: arithmetic, order, choices, conversions, and sums that 32 bits would round.

use windrow::{Tensor, prelude::*};

/// Sums, products, quotients, roots.
#[kernel(step(8, 1))]
pub fn mix(a: f64, b: f64) -> f64 {
    let sum = a + b * 0.1 - 1e-300;
    -(sum / (b - a)).abs().sqrt() * core::f64::consts::PI
}

/// The lesser and the greater, of constants and of elements.
#[kernel(step(8, 1), output(least, most, within))]
pub fn order(a: f64, b: f64) -> (f64, f64, f64) {
    (a.min(b), a.max(b), (a + b).clamp(-0.5, 1e100))
}

/// Every comparison, and a choice.
#[kernel(step(8, 1), output(order, chosen))]
pub fn compare(a: f64, b: f64) -> (u8, f64) {
    let order = (a < b) as u8 + 2 * ((a <= b) as u8) + 4 * ((a > b) as u8) + 8 * ((a >= b) as u8);
    let order = order + 16 * ((a == b) as u8) + 32 * ((a != b) as u8) + 64 * (a.is_nan() as u8);
    (order, if a < b && !b.is_nan() { a } else { f64::INFINITY })
}

/// Roundings to whole numbers.
#[kernel(step(8, 1), output(down, up, toward_zero, nearest))]
pub fn round(a: f64) -> (f64, f64, f64, f64) {
    (a.floor(), a.ceil(), a.trunc(), a.round_ties_even())
}

/// From every narrower type.
#[kernel(step(16, 1))]
pub fn widen(a: u8, b: i16, c: u32, d: f32) -> f64 {
    let sum = a as f64 + f64::from(b) + c.cast::<f64>();
    let flag: f64 = if a > 7 { 1.0 } else { 0.0 };
    sum * d as f64 + flag + (b > 3) as u8 as f64
}

/// To every narrower type: toward zero, saturated, NaN as 0; to nearest as a float.
#[kernel(output(byte, short, word, signed, single), step(16, 1))]
pub fn narrow(a: f64) -> (u8, i16, u32, i32, f32) {
    (a as u8, a.saturating_cast(), a as u32, a as i32, a as f32)
}

/// The channels of a pixel in another order.
#[kernel(step(8, 1))]
pub fn swizzle(p: [f64; 3], limit: f64) -> [f64; 3] {
    [p[2].min(limit), if p[0] < limit { p[1] } else { -p[1] }, p[0]]
}

/// Entries of a table.
#[kernel]
pub fn look_up(a: u8, lut: Table<f64, 40>) -> f64 {
    lut[a % 40] * 0.5
}

/// A sum of squares as a variance needs it, in place.
#[kernel(step(8, 1))]
pub fn accumulate(a: u16, #[inout] total: f64) -> f64 {
    total + a as f64 * a as f64
}

/// The mean of what lies before an element in its row, in a loop.
#[kernel(window(h, w), step(8, 1))]
pub fn running_mean([y, x]: At<2>, #[shape(h, w)] src: View<u8>) -> f32 {
    let mut sum = 0.0f64;
    for column in 0..x {
        sum += src.get([y, column]).unwrap_or(0) as f64 / 3.0;
    }
    (sum / (x + 1) as f64) as f32
}

/// A literal that nothing decides is an `f64`, as in Rust.
#[kernel]
pub fn third(a: u8) -> f32 {
    let third = 1.0 / 3.0;
    (a as f64 * third) as f32
}

#[test]
fn doubles_are_not_rounded_between() {
    let tenths = Tensor::from_vec(vec![0.1f64, 1.0 + f64::EPSILON, 5e-324, -0.0], [1, 4]).unwrap();
    let zeros = Tensor::from_vec(vec![0.0f64; 4], [1, 4]).unwrap();
    let (least, most, _) = order::apply(&tenths, &zeros).unwrap();
    assert_eq!(most.to_vec()[..3], tenths.to_vec()[..3]);
    assert!(least.to_vec()[3].is_sign_negative());
    let mut total = Tensor::from_vec(vec![9_007_199_254_740_991.0f64 - 4_294_836_225.0; 2], [1, 2]).unwrap();
    let counts = Tensor::from_vec(vec![u16::MAX, 0], [1, 2]).unwrap();
    accumulate::apply(&counts, &mut total).unwrap();
    assert_eq!(total.to_vec()[0], 9_007_199_254_740_991.0);
}
