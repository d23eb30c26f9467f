//! e^x, 2^x and what is made of them.
//!
//! A power is split into a power of two, which is a float's exponent, and a factor near 1, which is a polynomial's value. The
//! nearest integer to a float is found by adding 1.5·2^23: the sum's last bits are that integer.

#[cfg(not(feature = "std"))]
use super::Core;

/// 1.5·2^23.
const SHIFTER: f32 = 12_582_912.0;
/// The bits of 1.
const ONE: u32 = 0x3f80_0000;

/// e^x.
pub fn exp(x: f32) -> f32 {
    let above = if x < -104.0 { -104.0 } else { x };
    let within = if above > 89.0 { 89.0 } else { above };
    exp_within(within)
}

/// e^x of −104 to 89 or NaN: below is 0, and above is infinity.
fn exp_within(x: f32) -> f32 {
    // x = n·ln 2 + r; of n, a half goes into each of two factors, so that the result is rounded once.
    let shifted = x.mul_add(core::f32::consts::LOG2_E, SHIFTER);
    let count = shifted - SHIFTER;
    let r = count.mul_add(1.904_654_2e-9, count.mul_add(-core::f32::consts::LN_2, x));
    let n = shifted.to_bits().wrapping_shl(23);
    let half = x.mul_add(0.721_347_5, SHIFTER).to_bits().wrapping_shl(23);
    let first = f32::from_bits(half.wrapping_add(ONE));
    let second = f32::from_bits(n.wrapping_sub(half).wrapping_add(ONE));
    let r2 = r * r;
    let high = 1.382_073_4e-3f32.mul_add(r, 8.368_677e-3);
    let low = 4.166_826_6e-2f32.mul_add(r, 0.166_665_21);
    let q = high.mul_add(r2, low).mul_add(r, 0.499_999_94);
    let power = q.mul_add(r2, r) + 1.0;
    power * first * second
}

/// 2^x; exact where x is an integer.
pub fn exp2(x: f32) -> f32 {
    let above = if x < -151.0 { -151.0 } else { x };
    let within = if above > 129.0 { 129.0 } else { above };
    // x = n + f; of n, a half goes into each of two factors, so that the result is rounded once.
    let shifted = within + SHIFTER;
    let f = within - (shifted - SHIFTER);
    let n = shifted.to_bits().wrapping_shl(23);
    let half = within.mul_add(0.5, SHIFTER).to_bits().wrapping_shl(23);
    let first = f32::from_bits(half.wrapping_add(ONE));
    let second = f32::from_bits(n.wrapping_sub(half).wrapping_add(ONE));
    exp2_near(f) * first * second
}

/// 2^f of −1/2 to 1/2.
fn exp2_near(f: f32) -> f32 {
    let f2 = f * f;
    let high = 1.534_624_8e-4f32.mul_add(f, 1.339_893e-3);
    let middle = 9.618_461e-3f32.mul_add(f, 5.550_332_4e-2);
    let low = 0.240_226_48f32.mul_add(f, 2.039_137e-8);
    let q = high.mul_add(f2, middle).mul_add(f2, low);
    f.mul_add(core::f32::consts::LN_2, q * f) + 1.0
}

/// The hyperbolic tangent.
pub fn tanh(x: f32) -> f32 {
    let magnitude = x.abs();
    let a = if magnitude > 9.5 { 9.5 } else { magnitude };
    // a = n·(ln 2)/2 + h; u = (e^2a − 1)/2 without the difference of two near values; tanh a = u / (u + 1).
    let shifted = a.mul_add(2.885_39, SHIFTER);
    let n = shifted - SHIFTER;
    let h = n.mul_add(9.523_271e-10, n.mul_add(-0.346_573_6, a));
    let power = f32::from_bits(shifted.to_bits().wrapping_shl(23).wrapping_add(ONE));
    let h2 = h * h;
    let high = 1.264_804_6e-2f32.mul_add(h, 4.458_346e-2);
    let middle = 0.133_336_72f32.mul_add(h, 0.333_331_94);
    let low = 0.666_666_6f32.mul_add(h, 1.0);
    let q = high.mul_add(h2, middle).mul_add(h2, low);
    let near = q.mul_add(h2, h);
    let u = power.mul_add(near, power.mul_add(0.5, -0.5));
    let result = u / (u + 1.0);
    f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
}

/// 1 / (1 + e^−x).
pub fn sigmoid(x: f32) -> f32 {
    // Of a negative number e^x / (1 + e^x), which does not overflow.
    let opposite = -x.abs();
    let power = exp_within(if opposite < -104.0 { -104.0 } else { opposite });
    let above = if x < 0.0 { power } else { 1.0 };
    above / (power + 1.0)
}
