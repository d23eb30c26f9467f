//! The error function.

#[cfg(not(feature = "std"))]
use super::Core;

/// 1.5·2^23: the last bits of a sum with it are the nearest integer.
const SHIFTER: f32 = 12_582_912.0;

/// The error function: 2/√π times the integral of e^−t² from 0 to x.
pub fn erf(x: f32) -> f32 {
    let magnitude = x.abs();
    let a = if magnitude > 3.95 { 3.95 } else { magnitude };
    let near = near_zero(a);
    let far = far_from_zero(a);
    let result = if a < 0.9375 { near } else { far };
    f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
}

/// x + x·p(x²).
fn near_zero(a: f32) -> f32 {
    let a2 = a * a;
    let a4 = a2 * a2;
    let high = 8.000_279e-5f32.mul_add(a2, -8.050_384_4e-4).mul_add(a2, 5.192_438e-3);
    let middle = (-2.685_573_7e-2f32).mul_add(a2, 0.112_836_26);
    let low = (-0.376_126_3f32).mul_add(a2, 0.128_379_17);
    high.mul_add(a4, middle).mul_add(a4, low).mul_add(a, a)
}

/// 1 − 2^−g, g a polynomial.
fn far_from_zero(a: f32) -> f32 {
    let a2 = a * a;
    let a4 = a2 * a2;
    let highest = 3.072_121e-5f32.mul_add(a, -6.301_339e-4);
    let high = 6.033_805e-3f32.mul_add(a, -3.628_258_8e-2);
    let middle = 0.156_281_75f32.mul_add(a, 0.913_665_7);
    let low = 1.629_575_7f32.mul_add(a, -2.583_035e-4);
    let g = highest.mul_add(a2, high).mul_add(a4, middle.mul_add(a2, low));
    let shifted = SHIFTER - g;
    let n = shifted - SHIFTER;
    let f = -g - n;
    let power = f32::from_bits(shifted.to_bits().wrapping_shl(23).wrapping_add(0x3f80_0000));
    let f2 = f * f;
    let upper = 1.341_357_8e-3f32.mul_add(f, 9.671_655e-3).mul_add(f2, 5.550_281_7e-2f32.mul_add(f, 0.240_222_4));
    let two_to_f = upper.mul_add(f2, 0.693_147_24f32.mul_add(f, 1.0));
    1.0 - two_to_f * power
}
