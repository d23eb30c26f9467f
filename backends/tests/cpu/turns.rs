//! Kernels with loops at run time.

use crate::make::Subject;
use windrow_dsl::ir::{Constant, Kernel};

/// Loops whose ends are computed: one in another, with ends that differ from element to element, without turns, with variables
/// of every kind.
pub fn subjects() -> Vec<Subject> {
    of_source(KERNELS).into_iter().chain(of_source(super::scans::KERNELS)).collect()
}

const KERNELS: &str = "
        #[kernel] pub fn row_sum(src: View<f32>, row: u8) -> f32 {
            let [height, width] = src.extents();
            let mut sum = 0.5;
            for column in 0..width { sum += src.get([row as i32 % 9, column]).unwrap_or(1.5); }
            sum }
        #[kernel] pub fn product(a: View<f32>, b: View<f32>, row: u8, column: u8) -> f32 {
            let [_, inner] = a.extents();
            let mut sum = 0.0;
            for k in 0..inner {
                let (left, right) = (a.get([row as i32 % 5, k]), b.get([k, column as i32 % 7]));
                sum = left.unwrap_or(0.25).mul_add(right.unwrap_or(-3.0), sum);
            }
            sum }
        #[kernel] pub fn around([y, x]: At<2>, src: View<u8>, radius: u8) -> (u16, u8) {
            let radius = (radius & 3) as i32;
            let (mut sum, mut count) = (0u16, 0u8);
            for row in y - radius..=y + radius {
                for column in x - radius..x + radius {
                    if let Some(element) = src.get([row, column]) {
                        sum = sum.wrapping_add(element as u16);
                        count = count.wrapping_add(1);
                    }
                }
            }
            (sum, count) }
        #[kernel] pub fn gcd(a: u16, b: u16) -> u16 {
            let (mut a, mut b) = (a, b);
            for _ in 0..24u32.min(a as u32 + b as u32) { (a, b) = if b == 0 { (a, b) } else { (b, a % b) }; }
            a }
        #[kernel] pub fn places(src: View<i16>, level: i16, t: Table<i32, 9>) -> (i32, i16, u8) {
            let [height, width] = src.extents();
            let (mut at, mut best, mut found) = (-1, i16::MIN, [false; 2]);
            for row in 0..height {
                for column in 0..width {
                    let element = src[[row, column]];
                    if element > best { (best, at) = (element, t[(row % 3 * 3 + column % 3) as usize]); }
                    found[0] = found[0] || element < level;
                    found[1] = found[1] != (element == level);
                }
            }
            (at, best, found[0] as u8 + 2 * found[1] as u8) }
        #[kernel] pub fn long(a: i64, n: u8) -> i64 {
            let mut product = a;
            for i in n as i32 % 4..9 { product = product.wrapping_mul(i as i64 + 3); }
            product }
        #[kernel] pub fn rows_by_columns([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
            let ([height, inner], [depth, width]) = (a.extents(), b.extents());
            let mut sum = 0.0;
            for k in 0..inner.min(depth) {
                sum = a[[y.min(height - 1), k]].mul_add(b[[k, x.min(width - 1)]], sum);
            }
            sum }
        #[kernel] pub fn convolved([n, y, x, k]: At<4>, src: View<f32, 4>, weights: View<f32, 4>, bias: View<f32, 1>) -> f32 {
            let ([images, _, _, channels], [rows, columns, depth, count]) = (src.extents(), weights.extents());
            let [biases] = bias.extents();
            let mut sum = bias[[k.min(biases - 1)]];
            for row in 0..rows {
                for column in 0..columns {
                    for channel in 0..channels.min(depth) {
                        let weight = weights[[row, column, channel, k.min(count - 1)]];
                        if let Some(element) = src.get([n.min(images - 1), y + row - 1, x + column - 1, channel]) {
                            sum = element.mul_add(weight, sum);
                        }
                    }
                }
            }
            sum }
        #[kernel] pub fn bytes_by_bytes([y, x]: At<2>, a: View<i8>, b: View<u8>) -> (i32, u8) {
            let ([height, inner], [depth, width]) = (a.extents(), b.extents());
            let (mut sum, mut last) = (0i32, 0u8);
            for k in 0..inner.min(depth) {
                let element = b[[k, x.min(width - 1)]];
                sum = sum.wrapping_add(a[[y.min(height - 1), k]] as i32 * element as i32);
                last = last.max(element);
            }
            (sum, last) }
        #[kernel] pub fn beside([y, x]: At<2>, src: View<u16>, #[uniform(0..=3)] radius: i32) -> (u32, i32) {
            let (mut sum, mut count) = (7u32, 0);
            for row in y - radius..=y + radius {
                for column in x - radius..x + 2 * radius {
                    if let Some(element) = src.get([row, column]) {
                        sum = sum.wrapping_mul(3).wrapping_add(element as u32);
                        count = (count + 1) % 1000;
                    }
                    count = (count + row % 2 + (column & 1)).clamp(-900, 900);
                }
            }
            (sum, count) }
        #[kernel] pub fn pixels([y, x]: At<2>, src: View<[u8; 2]>, own: i16, #[uniform(0..=3)] right: i32) -> i16 {
            let mut sum = own;
            for column in x..x + right {
                if let Some([a, b]) = src.get([y, column]) { sum = sum.wrapping_add(a as i16 - b as i16); }
            }
            sum }
        #[kernel] pub fn same_for_all([y, _]: At<2>, src: View<i32>, x: i32, t: Table<i32, 9>) -> i32 {
            let [height, width] = src.extents();
            let (mut sum, mut rows) = (0i32, 0u32);
            for row in 0..height {
                let mut best = i32::MIN;
                for column in 0..width { best = best.max(src[[row, column]] / 3 ^ row); }
                sum = sum.wrapping_add(best).wrapping_mul(t[(row % 9) as usize].wrapping_shl(rows % 32));
                rows = (rows + 1).min(99);
            }
            if y > 1 { sum.wrapping_add(x) } else { sum.wrapping_sub(x.wrapping_shl(rows % 32)) } }
        #[kernel] pub fn narrow_and_the_same([y, x]: At<2>, src: View<i32>, bytes: View<u8>, words: View<i16>) -> (i32, i32, i32) {
            let (byte, other) = (bytes.get([y, 1]).unwrap_or(99), bytes.get([y, 2]).unwrap_or(200));
            let (word, own) = (words.get([y, 1]).unwrap_or(-321), src.get([y, x]).unwrap_or(77));
            let sum = own.wrapping_add(word as i32).wrapping_add(byte.abs_diff(other) as i32);
            let product = own.wrapping_sub(word as i32 * byte as i32).wrapping_add(word as i32 * 8);
            let scaled = own.wrapping_mul(byte as i32).wrapping_add((byte as i32 + word as i32) >> 2);
            (sum, product, scaled.wrapping_sub(other as i16 as i32)) }
        #[kernel] pub fn reduced([y, x]: At<2>, src: View<f32>, #[uniform(0..=99)] end: i32) -> (f32, f32, u32) {
            let [_, width] = src.extents();
            let (mut least, mut most, mut negative) = (0.5, f32::NEG_INFINITY, 7u32);
            for i in 0..width {
                let element = src.get([y, i]).unwrap_or(0.0);
                least = element.min(least);
                most = most.max(element * i as f32);
                if element < 0.0 { negative += 1; }
            }
            for i in end - 40..end { most = most.max(src.get([y + 1, i - end]).unwrap_or(i as f32 - 30.0)); }
            (least + src.get([y, x]).unwrap_or(1.5), most, negative) }
        #[kernel] pub fn bits_of_rows([y, x]: At<2>, a: View<u8>, b: View<i16>, #[uniform(0..=9)] skip: u32) -> (u8, u8, i16, i32) {
            let ([_, width], [rows, columns]) = (a.extents(), b.extents());
            let (mut all, mut some, mut odd, mut sum) = (0xffu8, 0u8, 0i16, 0i32);
            for i in skip..width as u32 { all &= a.get([y, i as i32]).unwrap_or(0x5a) | 1; }
            for i in 0..width - skip as i32 { some |= a.get([y, i + skip as i32]).unwrap_or(0) & (i % 256) as u8; }
            for row in y..rows {
                for column in 0..columns {
                    let word = b.get([row, column]).unwrap_or(7);
                    odd ^= word;
                    sum = sum.wrapping_add((word as i32).wrapping_mul(column));
                }
            }
            (all, some | a.get([y, x]).unwrap_or(1), odd, sum) }
        #[kernel] pub fn reduced_bytes([y, x]: At<2>, a: View<u8>) -> (u8, i32) {
            let [_, width] = a.extents();
            let (mut most, mut sum) = (0u8, 0i32);
            for i in 0..width {
                let element = a.get([y, i]).unwrap_or(9);
                most = most.max(element);
                sum = sum.wrapping_add((element as i32).wrapping_mul(element as i32 - i));
            }
            (most - a.get([y, x]).unwrap_or(0).min(most), sum) }
        #[kernel] pub fn counted_bytes([y, x]: At<2>, a: View<u8>) -> (i32, i32) {
            let [_, width] = a.extents();
            let own = a.get([y, x]).unwrap_or(9);
            (sum(0..width, |i| (a.get([y, i]).unwrap_or(7) == 7) as i32), own as i32) }
        #[kernel] pub fn softmax([y, x]: At<2>, src: View<f32>) -> f32 {
            let [height, width] = src.extents();
            let row = y.min(height - 1);
            let most = greatest(0..width, |i| src[[row, i]]);
            let power = |i: i32| (src[[row, i.min(width - 1)]] - most).exp();
            power(x) / sum(0..width, power) }
        #[kernel] pub fn sums_of_products([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
            let ([height, inner], [depth, width]) = (a.extents(), b.extents());
            sum(0..inner.min(depth), |i| a[[y.min(height - 1), i]] * b[[i, x.min(width - 1)]]) }
        #[kernel] pub fn sums_of_sums([y, x]: At<2>, src: View<f32>, #[uniform(0..=9)] r: i32) -> (f32, i32, u8) {
            let [_, width] = src.extents();
            let all = sum(y - r..=y + r, |row| sum(0..width + 40, |i| src.get([row, i]).unwrap_or(0.125)));
            let signs = sum(r..width, |i| (src.get([y, i]).unwrap_or(1.0) < 0.0) as i32);
            let nearest = least(0..5, |i| (src.get([y + i, x]).unwrap_or(9.0).abs() as i32).min(200));
            (all, signs, nearest.saturating_cast()) }
        #[kernel] pub fn bytes_of_sums([y, x]: At<2>, src: View<u8>) -> u8 {
            let [_, width] = src.extents();
            let mean = sum(0..width, |i| src.get([y, i]).unwrap_or(0) as f32 + 0.1) / width as f32;
            (mean + src.get([y, x]).unwrap_or(7) as f32).saturating_cast() }
        #[kernel] pub fn scaled([y, x]: At<2>, src: View<f32>, #[uniform(0..=3)] size: i32) -> f32 {
            let (left, mut greatest) = (x.min(0xffff) * 2 - 1, f32::NEG_INFINITY);
            for row in y - 1..y - 1 + size {
                for column in left..left + size {
                    greatest = src.get([row, column]).map_or(greatest, |element| element.max(greatest));
                }
            }
            greatest }";

fn of_source(source: &str) -> Vec<Subject> {
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
    let subject = |kernel: Kernel| {
        let uniforms = kernel.uniforms.iter().map(|_| Constant::Int(2)).collect();
        Subject { name: kernel.name.clone(), kernel, uniforms, pairs: false, block: None }
    };
    compiled.kernels.into_iter().map(|kernel| subject(kernel.kernel)).collect()
}
