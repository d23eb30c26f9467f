//! A float to the power of a float.
//!
//! The logarithm to the base 2 is computed as the sum of two floats, good to about 2^-36 of it, since the exponent multiplies
//! its error.

#[cfg(not(feature = "std"))]
use super::Core;
use crate::traits::WrappingCast;

/// 1.5·2^23: the last bits of a sum with it are the nearest integer.
const SHIFTER: f32 = 12_582_912.0;
/// The bits of 1.
const ONE: u32 = 0x3f80_0000;

/// x^y.
pub fn powf(x: f32, y: f32) -> f32 {
    let a = x.abs();
    let (log, log_rest) = log2_pair(a);
    // y·log2 a, a sum of two floats.
    let product = y * log;
    let product_rest = y.mul_add(log, -product) + y * log_rest;
    let above = if product < -200.0 { -200.0 } else { product };
    let within = if above > 200.0 { 200.0 } else { above };
    let rest = if within == product { product_rest } else { 0.0 };
    let magnitude = exp2_sum(within, rest);
    // The corners.
    let whole = y.trunc() == y;
    let odd = whole && (y * 0.5).trunc() != y * 0.5;
    let one = a == 1.0 || y == 0.0;
    let numbers = !x.is_nan() && !y.is_nan();
    let value = if one { 1.0 } else { magnitude };
    let sign = if odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let signed = f32::from_bits(value.to_bits() | sign);
    let real = numbers && (x >= 0.0 || whole || a == f32::INFINITY);
    if real || x == 1.0 || y == 0.0 { signed } else { f32::NAN }
}

/// log2 a as a sum of two floats; of 0 and of infinity infinite. a is not negative.
fn log2_pair(a: f32) -> (f32, f32) {
    let denormal = a < f32::MIN_POSITIVE;
    let normal = if denormal { a * 8_388_608.0 } else { a };
    let bits = normal.to_bits();
    let exponent = bits.wrapping_sub(0x3f35_04f3) & 0xff80_0000;
    let m = f32::from_bits(bits.wrapping_sub(exponent));
    let shift = if denormal { -23.0 } else { 0.0 };
    let e = (exponent.wrapping_cast::<i32>() as f32).mul_add(1.192_092_9e-7, shift);
    // s + s_rest = (m − 1) / (m + 1).
    let f = m - 1.0;
    let below = m + 1.0;
    let below_rest = m - (below - 1.0);
    let reciprocal = 1.0 / below;
    let s = f * reciprocal;
    let s_rest = s.mul_add(-below_rest, s.mul_add(-below, f)) * reciprocal;
    // ln m = 2·atanh s = 2s + s·z·u with z = s² and u = 2/3 + 2/5·z + …, all of them sums.
    let z = s * s;
    let z_rest = s.mul_add(s, -z) + (s + s) * s_rest;
    let p = 0.234_193_85f32.mul_add(z, 0.285_470_96).mul_add(z, 0.400_001_53) * z;
    let u = p + 0.666_666_7;
    let u_rest = (0.666_666_7 - u) + p + -1.986_821_6e-8;
    let sz = s * z;
    let sz_rest = s.mul_add(z, -sz) + s.mul_add(z_rest, s_rest * z);
    let t = sz * u;
    let t_rest = sz.mul_add(u, -t) + sz.mul_add(u_rest, sz_rest * u);
    let twice = s + s;
    let ln = twice + t;
    let ln_rest = (twice - ln) + t + (t_rest + (s_rest + s_rest));
    // To the base 2, and with the exponent.
    let part = ln * core::f32::consts::LOG2_E;
    let part_rest =
        ln.mul_add(core::f32::consts::LOG2_E, -part) + ln.mul_add(1.925_963e-8, ln_rest * core::f32::consts::LOG2_E);
    let sum = e + part;
    let sum_rest = (e - sum) + part + part_rest;
    let finite = if a < f32::INFINITY { sum } else { a };
    (if a == 0.0 { f32::NEG_INFINITY } else { finite }, if a < f32::INFINITY { sum_rest } else { 0.0 })
}

/// 2^(x + rest) of −200 to 200.
fn exp2_sum(x: f32, rest: f32) -> f32 {
    let shifted = x + SHIFTER;
    let f = (x - (shifted - SHIFTER)) + rest;
    let n = shifted.to_bits().wrapping_shl(23);
    let half = x.mul_add(0.5, SHIFTER).to_bits().wrapping_shl(23);
    let first = f32::from_bits(half.wrapping_add(ONE));
    let second = f32::from_bits(n.wrapping_sub(half).wrapping_add(ONE));
    let f2 = f * f;
    let high = 1.534_624_8e-4f32.mul_add(f, 1.339_893e-3);
    let middle = 9.618_461e-3f32.mul_add(f, 5.550_332_4e-2);
    let low = 0.240_226_48f32.mul_add(f, 2.039_137e-8);
    let q = high.mul_add(f2, middle).mul_add(f2, low);
    let power = f.mul_add(core::f32::consts::LN_2, q * f) + 1.0;
    power * first * second
}
