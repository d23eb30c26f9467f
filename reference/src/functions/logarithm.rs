//! The logarithms.
//!
//! A number is m·2^e, m from √½ to √2, and its logarithm e times that of 2 and that of m, which is a polynomial's value.

#[cfg(not(feature = "std"))]
use super::Core;
use crate::traits::WrappingCast;

/// The natural logarithm.
pub fn ln(x: f32) -> f32 {
    let (f, e) = split(x);
    let f2 = f * f;
    let f4 = f2 * f2;
    let highest = (-7.608_493_4e-2f32).mul_add(f2, 0.129_009_95f32.mul_add(f, -0.132_464_22));
    let high = 0.141_823_28f32.mul_add(f, -0.166_087_17);
    let middle = 0.200_019_6f32.mul_add(f, -0.250_016);
    let low = 0.333_333_25f32.mul_add(f, -0.499_999_88);
    let q = highest.mul_add(f4, high.mul_add(f2, middle)).mul_add(f2, low);
    let rest = e.mul_add(-1.904_654_2e-9, q * f2);
    special(x, e.mul_add(core::f32::consts::LN_2, f + rest))
}

/// The logarithm to the base 2; exact where x is a power of two.
pub fn log2(x: f32) -> f32 {
    let (f, e) = split(x);
    let f2 = f * f;
    let f4 = f2 * f2;
    let highest = (-0.110_583_894f32).mul_add(f, 0.187_059_1).mul_add(f2, (-0.191_266_18f32).mul_add(f, 0.204_480_32));
    let high = (-0.239_577_04f32).mul_add(f, 0.288_571_92);
    let middle = (-0.360_698_5f32).mul_add(f, 0.480_898_2);
    let low = (-0.721_347_33f32).mul_add(f, 1.920_009_6e-8);
    let q = highest.mul_add(f4, high.mul_add(f2, middle)).mul_add(f2, low);
    let part = f.mul_add(core::f32::consts::LOG2_E, q * f);
    special(x, e + part)
}

/// m − 1 and e.
fn split(x: f32) -> (f32, f32) {
    let denormal = x < f32::MIN_POSITIVE;
    let normal = if denormal { x * 8_388_608.0 } else { x };
    let bits = normal.to_bits();
    let exponent = bits.wrapping_sub(0x3f35_04f3) & 0xff80_0000;
    let m = f32::from_bits(bits.wrapping_sub(exponent));
    let shift = if denormal { -23.0 } else { 0.0 };
    let e = (exponent.wrapping_cast::<i32>() as f32).mul_add(1.192_092_9e-7, shift);
    (m - 1.0, e)
}

/// The logarithm where it is one: of infinity it is infinity, of 0 −infinity, and of a negative number NaN.
fn special(x: f32, logarithm: f32) -> f32 {
    let finite = if x < f32::INFINITY { logarithm } else { x };
    let else_zero = if x == 0.0 { f32::NEG_INFINITY } else { f32::NAN };
    if x > 0.0 { finite } else { else_zero }
}
