//! The arc tangents.

#[cfg(not(feature = "std"))]
use super::Core;

/// The arc tangent, from −π/2 to π/2.
pub fn atan(x: f32) -> f32 {
    let a = x.abs();
    // Of more than 1, π/2 less that of the reciprocal.
    let steep = a > 1.0;
    let t = (if steep { -1.0 } else { a }) / (if steep { a } else { 1.0 });
    let small = atan_rest(t);
    // π/2 is the sum of two floats.
    let rest = if steep { small + -4.371_139e-8 } else { small };
    let angle = (rest + t) + if steep { core::f32::consts::FRAC_PI_2 } else { 0.0 };
    f32::from_bits(angle.to_bits() | (x.to_bits() & 0x8000_0000))
}

/// The arc tangent of y / x in the quadrant of the point (x, y), from −π to π.
pub fn atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (y.abs(), x.abs());
    let steep = a > b;
    let (above, below) = if steep { (b, a) } else { (a, b) };
    // Equal sides are at 45 degrees, infinite ones too; both zero are at 0.
    let equal = if b == 0.0 { 0.0 } else { 1.0 };
    let t = if a == b { equal } else { above / below };
    let small = atan_rest(t);
    // A quarter of a turn less that, or half a turn less that: each a sum of two floats.
    let quarter = if steep { core::f32::consts::FRAC_PI_2 } else { 0.0 };
    let quarter_rest = if steep { -4.371_139e-8 } else { 0.0 };
    let back = x.to_bits() >> 31 != 0;
    let base = if back { core::f32::consts::PI - quarter } else { quarter };
    let base_rest = if back { -8.742_278e-8 - quarter_rest } else { quarter_rest };
    let flip = if steep != back { 0x8000_0000 } else { 0u32 };
    let angle = signed(t, flip) + base;
    let lost = signed(t, flip) - (angle - base);
    let sum = angle + (lost + (signed(small, flip) + base_rest));
    let result = f32::from_bits(sum.to_bits() | (y.to_bits() & 0x8000_0000));
    if a <= f32::INFINITY && b <= f32::INFINITY { result } else { f32::NAN }
}

/// The value with its sign changed, where the mask says so.
fn signed(value: f32, flip: u32) -> f32 {
    f32::from_bits(value.to_bits() ^ flip)
}

/// atan t − t of −1 to 1.
fn atan_rest(t: f32) -> f32 {
    let t2 = t * t;
    let t4 = t2 * t2;
    let highest = (-1.787_547_6e-3f32).mul_add(t2, 1.088_736_1e-2).mul_add(t2, -3.112_700_2e-2);
    let high = 5.790_654_6e-2f32.mul_add(t2, -8.400_475e-2);
    let middle = 0.109_511_75f32.mul_add(t2, -0.142_640_52);
    let low = 0.199_985_31f32.mul_add(t2, -0.333_333);
    let p = highest.mul_add(t4, high).mul_add(t4, middle).mul_add(t4, low);
    p * (t2 * t)
}
