//! The language's own example: operators as an author writes them. Every one of them must compile as it stands.
use windrow::prelude::*;

/// Absolute difference
#[kernel(step(32, 1))]
pub fn abs_diff(a: u8, b: u8) -> u8 { a.abs_diff(b) }
#[kernel(step(16, 1))]
pub fn abs_diff_i16(a: i16, b: i16) -> i16 { a.abs_diff(b).min(32767) as i16 }
/// u8 + i16 -> i16, policy
#[kernel]
pub fn add_mixed(a: u8, b: i16, #[variant] policy: Overflow) -> i16 {
    match policy { Overflow::Wrap => (a as i16).wrapping_add(b), Overflow::Saturate => (a as i16).saturating_add(b) }
}
#[kernel]
pub fn sub_u8_sat(a: u8, b: u8) -> u8 { (a as i16 - b as i16).saturating_cast() }
#[kernel]
pub fn sub_relation(a: u8, b: u8) -> u8 { if a > b { a - b } else { b - a } }
#[kernel]
pub fn threshold_range(x: u8, #[uniform] lower: u8, #[uniform] upper: u8, #[uniform] inside: u8, #[uniform] outside: u8) -> u8 {
    if x > upper || x < lower { outside } else { inside }
}
#[kernel(step(16, 4), neighbourhood(x = -1..=1, y = -1..=1))]
pub fn gaussian3x3(src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8
}
#[kernel(step(16, 4))]
pub fn gaussian3x3_table(src: Neighbourhood<u8>) -> u8 {
    const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
    let mut sum = 0;
    for y in 0..3 {
        for x in 0..3 {
            sum += K[y][x] * src.at(x as i32 - 1, y as i32 - 1) as u16;
        }
    }
    (sum >> 4) as u8
}
#[kernel(step(16, 4))]
pub fn gaussian3x3_zip(src: Neighbourhood<u8>) -> u8 {
    const K: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
    let mut sum = 0;
    for (row, weights) in src.window::<3, 3>().into_iter().zip(K) {
        for (pixel, w) in row.into_iter().zip(weights) { sum += w * pixel as u16; }
    }
    (sum >> 4) as u8
}
#[kernel(step(16, 4))]
pub fn gaussian5x5(src: Neighbourhood<u8>) -> u8 {
    const K: [u16; 5] = [1, 4, 6, 4, 1];
    let mut sum = 0;
    for (dy, wy) in (-2..=2).zip(K) {
        let mut row = 0;
        for (dx, wx) in (-2..=2).zip(K) { row += wx * src.at(dx, dy) as u16; }
        sum += wy * row; // 65280 fits u16 exactly
    }
    (sum >> 8) as u8
}
#[kernel(step(16, 4), output(dx, dy))]
pub fn sobel3x3(src: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| src.at(x, y) as i16;
    let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1);
    let row = |y| p(-1, y) + 2 * p(0, y) + p(1, y);
    (column(1) - column(-1), row(1) - row(-1))
}
#[kernel(step(16, 2))]
pub fn median3x3(src: Neighbourhood<u8>) -> u8 {
    let min3 = |a: u8, b: u8, c: u8| a.min(b).min(c);
    let max3 = |a: u8, b: u8, c: u8| a.max(b).max(c);
    let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c));
    let low = |x| min3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    let mid = |x| med3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    let high = |x| max3(src.at(x, -1), src.at(x, 0), src.at(x, 1));
    med3(max3(low(-1), low(0), low(1)), med3(mid(-1), mid(0), mid(1)), min3(high(-1), high(0), high(1)))
}
#[kernel(step(16, 2))]
pub fn median3x3_network(src: Neighbourhood<u8>) -> u8 {
    const EXCHANGES: [(usize, usize); 19] = [(1,2),(4,5),(7,8),(0,1),(3,4),(6,7),(1,2),(4,5),(7,8),(0,3),(5,8),(4,7),(3,6),(1,4),(2,5),(4,7),(4,2),(6,4),(4,2)];
    let mut v = [0; 9];
    for i in 0..9 { v[i] = src.at(i as i32 % 3 - 1, i as i32 / 3 - 1); }
    for (i, j) in EXCHANGES { (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j])); }
    v[4]
}
#[kernel(step(16, 2))]
pub fn erode3x3(src: Neighbourhood<u8>) -> u8 {
    let mut least = u8::MAX;
    for dy in -1..=1 { for dx in -1..=1 { least = least.min(src.at(dx, dy)); } }
    least
}
#[kernel(step(16, 2))]
pub fn gradient(src: Neighbourhood<u8>) -> u8 {
    let mut least = src.at(0, 0);
    let mut greatest = least;
    for dy in -1..=1 { for dx in -1..=1 { let p = src.at(dx, dy); least = least.min(p); greatest = greatest.max(p); } }
    greatest - least
}
/// OpenVX convolve: flipped; / scale truncates toward zero; saturate
#[kernel]
pub fn convolve3x3(src: Neighbourhood<u8>, #[uniform] k: [[i16; 3]; 3], #[uniform(1..=32768)] scale: i32) -> u8 {
    let mut sum = 0;
    for (dy, row) in (-1..=1).zip(k) {
        for (dx, c) in (-1..=1).zip(row) { sum += c as i32 * src.at(-dx, -dy) as i32; }
    }
    (sum / scale).saturating_cast()
}
#[kernel]
pub fn rgb_to_gray([r, g, b]: [u8; 3]) -> u8 {
    ((54 * r as u16 + 183 * g as u16 + 19 * b as u16) >> 8) as u8
}
#[kernel]
pub fn channel_extract(p: [u8; 3], #[uniform(0..=2)] channel: usize) -> u8 { p[channel] }
#[kernel]
pub fn channel_combine(r: u8, g: u8, b: u8) -> [u8; 3] { [r, g, b] }
#[kernel]
pub fn table_lookup(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }
#[kernel]
pub fn table_lookup_i16(x: i16, lut: Table<i16, 65536>) -> i16 { lut[x as i32 + 32768] }
#[kernel]
pub fn magnitude(x: i16, y: i16) -> i16 {
    let square = |v: i16| v.unsigned_abs() as u32 * v.unsigned_abs() as u32;
    let z = square(x) + square(y);
    let r = z.isqrt();
    let rounded = if z - r * r > r { r + 1 } else { r };
    rounded.min(32767) as i16
}
#[kernel]
pub fn weighted_average(a: u8, b: u8, #[uniform] alpha: f32) -> u8 { ((1.0 - alpha) * a as f32 + alpha * b as f32) as u8 }
#[kernel]
pub fn blend_int(a: u8, b: u8, w: u8) -> u8 { ((a as u16 * w as u16 + b as u16 * (255 - w) as u16 + 127) / 255) as u8 }
#[kernel]
pub fn box3x3(src: Neighbourhood<u8>) -> u8 {
    let mut sum = 0;
    for dy in -1..=1 { for dx in -1..=1 { sum += src.at(dx, dy) as u16; } }
    (sum / 9) as u8
}
#[kernel]
pub fn bilinear_int(src: Neighbourhood<u8>, fx: u8, fy: u8) -> u8 {
    let lerp = |a: u16, b: u16, f: u16| a * (256 - f) + b * f;
    let top = lerp(src.at(0, 0) as u16, src.at(1, 0) as u16, fx as u16).rounding_shr(8);
    let bottom = lerp(src.at(0, 1) as u16, src.at(1, 1) as u16, fx as u16).rounding_shr(8);
    lerp(top, bottom, fy as u16).rounding_shr(8) as u8
}
#[kernel(types(T = f32, i16))]
pub fn relu(x: T) -> T { x.max(0 as T) }
#[kernel]
pub fn bounded_relu(x: f32, #[uniform] upper: f32) -> f32 { x.max(0.0).min(upper) }
#[kernel]
pub fn accumulate(x: u8, #[inout] acc: i16) -> i16 { acc.saturating_add(x as i16) }
#[kernel(types(T = u8, i16, f32))]
pub fn lighten(a: T, b: T) -> T { a.max(b) }
#[kernel]
pub fn multiply(a: u8, b: u8, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> u8 {
    let product = (a as u32 * b as u32) >> shift;
    match policy { Overflow::Wrap => product.wrapping_cast(), Overflow::Saturate => product.saturating_cast() }
}
#[kernel]
pub fn exp_part(x: f32, #[uniform] maximum: f32) -> f32 {
    const LOG2_E: f32 = core::f32::consts::LOG2_E;
    let x = (x - maximum).max(-87.0).min(0.0);
    let n = (x * LOG2_E).round_ties_even();
    let r = n.mul_add(-0.693_359_4, x);
    let r = n.mul_add(2.121_944_4e-4, r);
    const C: [f32; 6] = [1.0, 1.0, 0.5, 0.166_666_57, 0.041_665_795, 0.008_333_452];
    let mut p = C[5];
    for c in C.into_iter().rev().skip(1) { p = p.mul_add(r, c); }
    p * f32::from_bits(((n as i32 + 127) << 23) as u32)
}
#[kernel]
pub fn convert_down(x: i16, #[uniform(0..=7)] shift: u32, #[variant] policy: Overflow) -> u8 {
    let v = x >> shift;
    match policy { Overflow::Wrap => v as u8, Overflow::Saturate => v.saturating_cast() }
}
#[kernel]
pub fn convert_up(x: u8, #[uniform(0..=7)] shift: u32) -> i16 { (x as i16) << shift }
