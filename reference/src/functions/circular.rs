//! Sine and cosine, for arguments of every magnitude.
//!
//! An argument is counted in quarters of a turn by multiplying its significand with the bits of 2/π that matter at its
//! exponent (Payne and Hanek's reduction), in integers: nothing is lost, however large it is.

#[cfg(not(feature = "std"))]
use super::Core;
use crate::traits::{MulHigh, WrappingCast};

/// 25 zeros, then the bits of 2/π behind the point.
const TWO_OVER_PI: [u32; 7] =
    [0x0000_0051, 0x7cc1_b727, 0x220a_94fe, 0x13ab_e8fa, 0x9a6e_e06d, 0xb14a_cc9e, 0x21c8_20ff];

/// The sine.
pub fn sin(x: f32) -> f32 {
    let (quarters, r, rest) = reduce(x);
    circular(x, quarters ^ (x.to_bits() & 0x8000_0000), r, rest)
}

/// The cosine.
pub fn cos(x: f32) -> f32 {
    let (quarters, r, rest) = reduce(x);
    circular(x, quarters.wrapping_add(0x4000_0000), r, rest)
}

/// |x| as quarters of a turn, of which the two upper bits matter, and an angle, which is the sum of two floats: one below
/// 1/2 of the last place of the other. An angle below 1 is left as it is.
fn reduce(x: f32) -> (u32, f32, f32) {
    let magnitude = x.to_bits() & 0x7fff_ffff;
    let m = (magnitude & 0x007f_ffff) | 0x0080_0000;
    // x = m·2^(e − 23); e, from 0 to 127, is in the seven bits from 2^23 on.
    let e = magnitude.wrapping_add(0x0080_0000);
    // 96 bits of 2/π from the e-th on: by words of 64 and 32 bits, then by the bits that are left.
    let by_two = e & 0x2000_0000 != 0;
    let by_one = e & 0x1000_0000 != 0;
    let coarse = |k: usize| if by_two { TWO_OVER_PI[k + 2] } else { TWO_OVER_PI[k] };
    let fine = |k: usize| if by_one { coarse(k + 1) } else { coarse(k) };
    let left = (e >> 23) & 31;
    let right = 31 - left;
    let word = |k: usize| fine(k).wrapping_shl(left) | ((fine(k + 1) >> 1) >> right);
    let (high, middle, low) = (word(0), word(1), word(2));
    // Their product with the significand in units of 2^-62 quarters, modulo four quarters.
    let carried = m.mul_high(low);
    let lower = m.wrapping_mul(middle).wrapping_add(carried);
    let carry = if lower < carried { 1 } else { 0 };
    let upper = m.wrapping_mul(high).wrapping_add(m.mul_high(middle)).wrapping_add(carry);
    let quarters = upper.wrapping_add(0x2000_0000);
    // What is left of the nearest quarter: `a` in units of 2^-30 quarters, and `b`, which is far less, of 2^-61.
    let fraction = upper.wrapping_sub(quarters & 0xc000_0000).wrapping_cast::<i32>();
    let a = fraction as f32;
    let lost = fraction.wrapping_sub(a as i32) as f32;
    let b = lost.mul_add(2_147_483_648.0, (lower >> 1) as f32);
    // (a + b)·π/2.
    let product = a * 1.462_918_1e-9;
    let error = a.mul_add(1.462_918_1e-9, -product);
    let small = b.mul_add(6.812_243_3e-19, a.mul_add(-4.070_940_3e-17, error));
    let sum = product + small;
    let rest = small - (sum - product);
    if magnitude < ONE { (0, f32::from_bits(magnitude), 0.0) } else { (quarters, sum, rest) }
}

/// The bits of 1.
const ONE: u32 = 0x3f80_0000;

/// The sine of an angle and of quarters of a turn; of what isn't finite NaN.
fn circular(x: f32, quarters: u32, r: f32, rest: f32) -> f32 {
    let r2 = r * r;
    let r4 = r2 * r2;
    let s = 2.726_358e-6f32.mul_add(r2, -1.984_239e-4).mul_add(r4, 8.333_354e-3f32.mul_add(r2, -0.166_666_67));
    let sine = s.mul_add(r2 * r, rest) + r;
    let c = 2.420_161_4e-5f32.mul_add(r2, -1.388_469_7e-3).mul_add(r4, 4.166_657_5e-2f32.mul_add(r2, -0.5));
    let cosine = c.mul_add(r2, -(r * rest)) + 1.0;
    let value = if quarters & 0x4000_0000 == 0 { sine } else { cosine };
    let signed = f32::from_bits(value.to_bits() ^ (quarters & 0x8000_0000));
    if x.abs() < f32::INFINITY { signed } else { f32::NAN }
}
