//! The shares of powers in the sum of a row, of bytes (TFLite's reference `SOFTMAX` of int8).
use windrow::prelude::*;

/// exp(β · scale · (x − m)) / Σ exp(β · scale · (x − m)) along a row, of which m is the greatest element: in 256ths, less 128.
///
/// `powers` holds the powers by m − x, in units of 2^−31: what gemmlowp's `exp_on_negative_values` gives, and 0 where TFLite
/// leaves an element out; what it does not hold is 0. Sums have units of 2^−19, and wrap. A share whose quotient gemmlowp would
/// shift by more than 31 bits, which C leaves undefined, is 0: it is below half a 256th. Rows are the last dimension; those outside it,
/// taken together, are the other one.
#[kernel(step(8, 1), window(r, c))]
pub fn softmax_bytes([r, c]: At<2>, #[shape(r, c)] src: View<i8, 2>, powers: View<i32, 1>) -> i8 {
    // Twice the product of fractions, rounded, halves up.
    let times = |a: i32, b: i32| {
        let low = a.wrapping_mul(b);
        let high = a.mul_high(b).wrapping_shl(1).wrapping_sub(low >> 31);
        high.wrapping_sub(low.wrapping_shl(1) >> 31)
    };
    let [_, columns] = src.extents();
    let most = greatest(0..columns, |i| src[[r, i]]) as i32;
    let power = |i: i32| powers.get([most - src[[r, i]] as i32]).unwrap_or(0);
    let mut total = 0i32;
    for i in 0..columns {
        total = total.wrapping_add(power(i).rounding_shr(12));
    }
    // 1 / (1 + a), where total = 2^k · (1 + a), by three of Newton's steps: x has units of 2^−29, half is (1 + a) / 2.
    let zeros = total.leading_zeros();
    let half = (total.wrapping_shl(zeros) & i32::MAX).rounding_halving_add(i32::MAX);
    let mut x = times(half, -1_010_580_540).wrapping_add(1_515_870_810);
    for _ in 0..3 {
        let rest = (1i32 << 29).wrapping_sub(times(half, x));
        x = x.wrapping_add(times(x, rest).saturating_mul(4));
    }
    let share = times(x.saturating_add(x), power(c));
    let right = 35 - zeros as i32;
    let shifted = if right > 31 { 0 } else { share.rounding_shr(right.min(31) as u32) };
    shifted.saturating_sub(128).saturating_cast()
}
