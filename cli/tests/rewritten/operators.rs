//! Operators of the library as somebody else might write them: sums commuted, taps written out, divisions for shifts,
//! comparisons turned round, other names. `cli/tests/rewritten.rs` holds them to the same values and the same cost.

use windrow::prelude::*;

#[kernel]
pub fn abs_diff(left: u8, right: u8) -> u8 {
    if left < right { right - left } else { left - right }
}

#[kernel]
pub fn abs_diff_i16(left: i16, right: i16) -> i16 {
    (right as i32 - left as i32).abs().min(32767) as i16
}

#[kernel]
pub fn add(p: u8, q: u8, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => q.wrapping_add(p),
        Overflow::Saturate => (q as i32 + p as i32).min(255) as u8,
    }
}

#[kernel]
pub fn add_widening(p: u8, q: u8) -> i16 {
    (q as i32 + p as i32) as i16
}

#[kernel]
pub fn add_i16(p: i16, q: i16, #[variant] policy: Overflow) -> i16 {
    match policy {
        Overflow::Wrap => q.wrapping_add(p),
        Overflow::Saturate => (q as i32 + p as i32).saturating_cast(),
    }
}

#[kernel]
pub fn subtract(p: u8, q: u8, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => p.wrapping_sub(q),
        Overflow::Saturate => {
            if p > q {
                p - q
            } else {
                0
            }
        }
    }
}

#[kernel]
pub fn subtract_i16(p: i16, q: i16, #[variant] policy: Overflow) -> i16 {
    match policy {
        Overflow::Wrap => p.wrapping_sub(q),
        Overflow::Saturate => (p as i32 - q as i32).clamp(-32768, 32767) as i16,
    }
}

#[kernel]
pub fn multiply(p: u8, q: u8, #[uniform(0..=15)] by: u32, #[variant] policy: Overflow) -> u8 {
    let scaled = (q as i32 * p as i32) >> by;
    match policy {
        Overflow::Wrap => scaled.wrapping_cast(),
        Overflow::Saturate => scaled.min(255) as u8,
    }
}

#[kernel]
pub fn bitwise_not(p: u8) -> u8 {
    p ^ 255
}

#[kernel]
pub fn channel_extract(pixel: [u8; 3], #[uniform(0..=2)] channel: usize) -> u8 {
    let [r, g, b] = pixel;
    if channel == 0 {
        r
    } else if channel == 1 {
        g
    } else {
        b
    }
}

#[kernel]
pub fn rgb_to_gray([x, y, z]: [u8; 3]) -> u8 {
    ((z as i32 * 19 + (x as i32 * 54 + y as i32 * 183)) / 256) as u8
}

#[kernel]
pub fn gaussian3x3(q: Neighbourhood<u8>) -> u8 {
    let p = |x, y| q.at(x, y) as i32;
    let edges = p(0, 1) + p(1, 0) + p(0, -1) + p(-1, 0);
    let corners = p(1, 1) + p(-1, 1) + p(1, -1) + p(-1, -1);
    ((4 * p(0, 0) + corners + 2 * edges) / 16) as u8
}

#[kernel]
pub fn gaussian5x5(q: Neighbourhood<u8>) -> u8 {
    let p = |x, y| q.at(x, y) as i32;
    let column = |x| p(x, 2) + p(x, -2) + ((p(x, 1) + p(x, -1)) << 2) + 6 * p(x, 0);
    ((6 * column(0) + 4 * (column(-1) + column(1)) + column(2) + column(-2)) / 256) as u8
}

#[kernel]
pub fn half_scale_gaussian3x3(#[stride(2, 2)] q: Neighbourhood<u8>) -> u8 {
    let p = |x, y| q.at(x, y) as i32;
    let row = |y| p(1, y) + p(-1, y) + (p(0, y) << 1);
    ((row(1) + (row(0) << 1) + row(-1)) / 16) as u8
}

#[kernel]
pub fn half_scale_gaussian5x5(#[stride(2, 2)] q: Neighbourhood<u8>) -> u8 {
    let p = |x, y| q.at(x, y) as i32;
    let column = |x| p(x, 2) + p(x, -2) + ((p(x, 1) + p(x, -1)) << 2) + 6 * p(x, 0);
    ((6 * column(0) + 4 * (column(-1) + column(1)) + column(2) + column(-2)) / 256) as u8
}

#[kernel]
pub fn box3x3(q: Neighbourhood<u8>) -> u8 {
    let p = |x, y| q.at(x, y) as i32;
    let first = p(1, 0) + (p(-1, 1) + p(0, -1)) + p(0, 0);
    ((p(1, 1) + first + p(-1, -1) + (p(1, -1) + p(-1, 0) + p(0, 1))) / 9) as u8
}

#[kernel(output(across?, down?))]
pub fn sobel3x3(f: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| f.at(x, y) as i32;
    let across = |y| p(1, y) - p(-1, y);
    let down = |x| p(x, 1) - p(x, -1);
    ((across(1) + across(-1) + (across(0) << 1)) as i16, (2 * down(0) + (down(-1) + down(1))) as i16)
}

#[kernel(output(across?, down?))]
pub fn scharr3x3(f: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| f.at(x, y) as i32;
    let across = |y| p(1, y) - p(-1, y);
    let down = |x| p(x, 1) - p(x, -1);
    ((3 * (across(1) + across(-1)) + 10 * across(0)) as i16, (10 * down(0) + 3 * (down(-1) + down(1))) as i16)
}

#[kernel]
pub fn median3x3(q: Neighbourhood<u8>) -> u8 {
    let mut v = [0; 9];
    for i in 0..9 {
        v[i] = q.at(i as i32 / 3 - 1, i as i32 % 3 - 1);
    }
    for i in 0..5 {
        for j in i + 1..9 {
            (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
        }
    }
    v[4]
}

#[kernel]
pub fn erode3x3(s: Neighbourhood<u8>) -> u8 {
    let column = |x: i32| s.at(x, 1).min(s.at(x, -1)).min(s.at(x, 0));
    column(0).min(column(1).min(column(-1)))
}

#[kernel]
pub fn dilate3x3(s: Neighbourhood<u8>) -> u8 {
    let greater = |a: u8, b: u8| if a < b { b } else { a };
    let row = |y: i32| greater(s.at(0, y), greater(s.at(1, y), s.at(-1, y)));
    greater(row(0), greater(row(-1), row(1)))
}

#[kernel]
pub fn non_linear_cross3(s: Neighbourhood<u8>, #[variant] order: Rank) -> u8 {
    let (n, w, c, e, z) = (s.at(0, -1), s.at(-1, 0), s.at(0, 0), s.at(1, 0), s.at(0, 1));
    let middle = |a: u8, b: u8, c: u8| a.max(b).min(a.min(b).max(c));
    match order {
        Rank::Min => e.min(w).min(n.min(z)).min(c),
        Rank::Median => middle(c, (n.max(w)).min(e.max(z)), (n.min(w)).max(e.min(z))),
        Rank::Max => c.max(e.max(w)).max(z.max(n)),
    }
}

#[kernel(types(T = u8, i16))]
pub fn convolve3x3(q: Neighbourhood<u8>, #[uniform] w: [[i16; 3]; 3], #[uniform(1..=32768)] by: i32) -> T {
    let p = |x: i32, y: i32| q.at(x, y) as i32;
    let t = |x: usize, y: usize| w[y][x] as i32;
    let top = t(0, 0) * p(1, 1) + t(1, 0) * p(0, 1) + t(2, 0) * p(-1, 1);
    let middle = p(1, 0) * t(0, 1) + p(-1, 0) * t(2, 1) + p(0, 0) * t(1, 1);
    let bottom = p(0, -1) * t(1, 2) + p(1, -1) * t(0, 2) + p(-1, -1) * t(2, 2);
    ((bottom + (middle + top)) / by).saturating_cast()
}

#[kernel]
pub fn magnitude(across: i16, down: i16) -> i16 {
    let (across, down) = (across.unsigned_abs() as u32, down.unsigned_abs() as u32);
    let z = down * down + across * across;
    let root = z.isqrt();
    (if root < z - root * root { root + 1 } else { root }).min(32767) as i16
}

#[kernel]
pub fn accumulate(x: u8, #[inout] sum: i16) -> i16 {
    (x as i32 + sum as i32).saturating_cast()
}

#[kernel]
pub fn accumulate_squared(x: u8, #[uniform(0..=15)] by: u32, #[inout] sum: i16) -> i16 {
    let x = x as u32;
    (((x * x) >> by) as i32 + sum as i32).clamp(-32768, 32767) as i16
}

#[kernel]
pub fn weighted_average(p: u8, q: u8, #[uniform(0.0..=1.0)] weight: f32) -> u8 {
    (weight * p as f32 + q as f32 * (1.0 - weight)) as u8
}

#[kernel]
pub fn convert_up(p: u8, #[uniform(0..=7)] by: u32) -> i16 {
    ((p as i32) << by) as i16
}

#[kernel]
pub fn convert_down(p: i16, #[uniform(0..=7)] by: u32, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => (p as i32 >> by).wrapping_cast(),
        Overflow::Saturate => (p as i32 >> by).clamp(0, 255) as u8,
    }
}

#[kernel]
pub fn sharpen(p: u8, q: u8, #[uniform(0..=1024)] weight: i32) -> u8 {
    let difference = p as i32 - q as i32;
    ((weight * difference >> 8) + p as i32).clamp(0, 255) as u8
}

#[kernel]
pub fn threshold(p: u8, #[uniform] level: u8, #[uniform] high: u8, #[uniform] low: u8) -> u8 {
    if level >= p { low } else { high }
}

#[kernel]
pub fn threshold_range(
    p: u8,
    #[uniform] least: u8,
    #[uniform] most: u8,
    #[uniform] within: u8,
    #[uniform] beyond: u8,
) -> u8 {
    if least <= p && p <= most { within } else { beyond }
}

#[kernel]
pub fn table_lookup(index: u8, entries: Table<u8, 256>) -> u8 {
    entries[index as usize]
}

#[kernel]
pub fn relu(p: f32) -> f32 {
    0.0f32.max(p)
}

#[kernel]
pub fn bounded_relu(p: f32, #[uniform] most: f32) -> f32 {
    most.min(0.0f32.max(p))
}

#[kernel]
pub fn is_infinite(value: f32, #[uniform] positive: u8, #[uniform] negative: u8) -> u8 {
    if value == f32::NEG_INFINITY {
        negative
    } else if value == f32::INFINITY {
        positive
    } else {
        0
    }
}

#[kernel]
pub fn narrow_u16_u8(value: u16, #[uniform(0..=15)] shift: u32, #[variant] policy: Overflow) -> u8 {
    match policy {
        Overflow::Wrap => (value >> shift & 255) as u8,
        Overflow::Saturate => (value >> shift).min(255) as u8,
    }
}

#[kernel]
pub fn suppress3x3_u8(image: Neighbourhood<u8>) -> u8 {
    let middle = image.at(0, 0);
    let above = image.at(1, -1) <= middle && image.at(0, -1) <= middle && image.at(-1, -1) <= middle;
    let below = image.at(-1, 1) < middle && image.at(0, 1) < middle && image.at(1, 1) < middle;
    if below && image.at(1, 0) < middle && image.at(-1, 0) <= middle && above { middle } else { 0 }
}

#[kernel]
pub fn bias_clip(value: f32, bias: f32, #[uniform] lower: f32, #[uniform] upper: f32) -> f32 {
    let sum = bias + value;
    let raised = sum.max(lower);
    raised.min(upper)
}

#[kernel]
pub fn offset_contribution(
    product: i32,
    columns: i32,
    rows: i32,
    #[uniform] left: i32,
    #[uniform] right: i32,
    #[uniform] constant: i32,
) -> i32 {
    let of_rows = right.wrapping_mul(rows);
    let of_columns = left.wrapping_mul(columns);
    of_rows.wrapping_add(of_columns).wrapping_add(product).wrapping_add(constant)
}

#[kernel]
pub fn sign(value: f32) -> f32 {
    if value < 0.0 {
        -1.0
    } else if 0.0 < value {
        1.0
    } else {
        value
    }
}

#[kernels]
mod pools {
    use windrow::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Pooling {
        Max,
        Average,
        L2,
    }

    #[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
    pub fn pool2x2_stride2(#[stride(2, 2)] image: Neighbourhood<f32>, #[variant] pooling: Pooling) -> f32 {
        let (a, b, c, d) = (image.at(0, 0), image.at(1, 0), image.at(0, 1), image.at(1, 1));
        match pooling {
            Pooling::Max => (b.max(a)).max(d.max(c)),
            Pooling::Average => ((b + a) + (d + c)) * 0.25,
            Pooling::L2 => (((b * b + a * a) + (d * d + c * c)) * 0.25).sqrt(),
        }
    }
}

#[kernel(step(8, 1), types(T = u8, f32))]
pub fn remap_nearest(image: View<T>, columns: f32, rows: f32, #[uniform] outside: T) -> T {
    let index = |place: f32| (0.5 + place).max(-1e9).min(1e9).floor() as i32;
    let (row, column) = (index(rows), index(columns));
    match image.get([row, column]) {
        Some(element) => element,
        None => outside,
    }
}

#[kernel(step(8, 1), types(T = u8, i16, f32))]
pub fn scale_nearest(at: At<2>, image: View<T>, #[uniform] down: [f32; 2], #[uniform] along: [f32; 2]) -> T {
    let index = |own: i32, places: [f32; 2], extent: i32| {
        let place = (places[1] + 0.5) + places[0] * own as f32;
        (place.max(-1e9).min(1e9).floor() as i32).clamp(0, extent - 1)
    };
    let [height, width] = image.extents();
    image.get([index(at[0], down, height), index(at[1], along, width)]).unwrap_or(0 as T)
}

#[kernel(types(T = u8, f32), window(n, h * block, w * block, d / (block * block)))]
pub fn depth_to_space(at: At<4>, #[shape(n, h, w, d)] squares: View<T, 4>, #[uniform(1..=8)] block: i32) -> T {
    let [image, row, column, channel] = at;
    let (down, right) = (row % block, column % block);
    let channels = squares.extents()[3] / (block * block);
    match squares.get([image, row / block, column / block, channel + channels * (right + block * down)]) {
        Some(element) => element,
        None => 0 as T,
    }
}

#[kernel(step(8, 1), window(o, i))]
pub fn argmax(at: At<2>, #[shape(o, a, i)] image: View<f32, 3>) -> i32 {
    let (outer, inner) = (at[0], at[1]);
    let mut greatest = image[[outer, 0, inner]];
    let mut place = 0;
    for index in 1..image.extents()[1] {
        let element = image[[outer, index, inner]];
        if greatest < element {
            place = index;
            greatest = element;
        }
    }
    place
}

#[kernel(window(1), output(mean, deviation))]
pub fn mean_std_dev([_]: At<1>, #[shape(r, c)] image: View<u8, 2>) -> (f32, f32) {
    let all = image.extents();
    let elements = all[0] as f32 * all[1] as f32;
    let mean = sum(0..all[0], |row| sum(0..all[1], |column| image[[row, column]] as u32) as f32) / elements;
    let squared = |row: i32, column: i32| {
        let apart = image[[row, column]] as f32 - mean;
        apart * apart
    };
    let squares = sum(0..all[0], |row| sum(0..all[1], |column| squared(row, column)));
    (mean, (squares / elements).sqrt())
}
