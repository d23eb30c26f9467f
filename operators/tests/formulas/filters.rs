//! Filters: convolutions of every size, rank filters of any mask, gradients.

use windrow::{
    Border,
    prelude::{Overflow, Rounding},
};
use windrow_operators::*;

use crate::{Random, bytes, hold, replicated, words};

/// OpenVX' Convolve: flipped, divided toward zero, saturated.
#[test]
fn convolutions_of_every_size() {
    let src = bytes(1);
    macro_rules! sizes {
        ($($kernel:ident $width:literal $height:literal;)*) => {$({
            let mut random = Random::new($width * 16 + $height);
            let k: [[i16; $width]; $height] = std::array::from_fn(|_| std::array::from_fn(|_| random.of(-9, 12) as i16));
            let scale = random.of(1, 40) as i32;
            let sum = |x: i64, y: i64| {
                let mut sum = 0i64;
                for (j, row) in k.iter().enumerate() {
                    for (i, &c) in row.iter().enumerate() {
                        let (dx, dy) = ($width / 2 - i as i64, $height / 2 - j as i64);
                        sum += i64::from(c) * i64::from(replicated(&src, x + dx, y + dy));
                    }
                }
                sum / i64::from(scale)
            };
            let found = $kernel::<u8>::apply(&src, k, scale, Border::Replicate).unwrap();
            hold(concat!(stringify!($kernel), " u8"), &found, |x, y| sum(x, y).clamp(0, 255) as u8);
            let found = $kernel::<i16>::apply(&src, k, scale, Border::Replicate).unwrap();
            hold(concat!(stringify!($kernel), " i16"), &found, |x, y| sum(x, y).clamp(-32768, 32767) as i16);
        })*};
    }
    sizes! { convolve3x3 3 3; convolve5x5 5 5; convolve7x3 7 3; convolve7x7 7 7; convolve9x9 9 9; }
}

/// The elements under a mask in order: of an even number, the median is the upper one in the middle, as in OpenVX' C model.
#[test]
fn rank_filters_of_any_mask() {
    fn sorted<const N: usize>(src: &windrow::Tensor<u8>, mask: &[[u8; N]; N], x: i64, y: i64) -> Vec<u8> {
        let offset = |at: usize| at as i64 - N as i64 / 2;
        let places = (0..N * N).filter(|i| mask[i / N][i % N] != 0);
        let mut inside: Vec<u8> = places.map(|i| replicated(src, x + offset(i % N), y + offset(i / N))).collect();
        inside.sort_unstable();
        inside
    }
    fn mask<const N: usize>(random: &mut Random, of_seven: i64) -> [[u8; N]; N] {
        let mut mask = [[0; N]; N];
        mask.iter_mut().flatten().for_each(|flag| *flag = if random.of(0, 6) < of_seven { 255 } else { 0 });
        mask[of_seven as usize % N][0] = 255;
        mask
    }
    let (src, mut random) = (bytes(2), Random::new(2));
    for of_seven in 0..7 {
        let small: [[u8; 5]; 5] = mask(&mut random, of_seven);
        let large: [[u8; 9]; 9] = mask(&mut random, of_seven);
        let median = median_mask5::apply(&src, small, Border::Replicate).unwrap();
        hold("median_mask5", &median, |x, y| {
            let inside = sorted(&src, &small, x, y);
            inside[inside.len() / 2]
        });
        let least = minimum_mask9::apply(&src, large, Border::Replicate).unwrap();
        hold("minimum_mask9", &least, |x, y| sorted(&src, &large, x, y)[0]);
        let greatest = maximum_mask9::apply(&src, large, Border::Replicate).unwrap();
        hold("maximum_mask9", &greatest, |x, y| *sorted(&src, &large, x, y).last().unwrap());
    }
    let none = |found: windrow::Tensor<u8>| found.to_vec()[0];
    assert_eq!(none(median_mask5::apply(&src, [[0; 5]; 5], Border::Replicate).unwrap()), 255);
    assert_eq!(none(minimum_mask9::apply(&src, [[0; 9]; 9], Border::Replicate).unwrap()), 255);
    assert_eq!(none(maximum_mask9::apply(&src, [[0; 9]; 9], Border::Replicate).unwrap()), 0);
}

/// A size that the library lacks is a larger one with zeros around it.
#[test]
fn smaller_sizes_are_larger_ones_with_zeros() {
    let src = bytes(3);
    let mut random = Random::new(7);
    let small: [[i16; 5]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.of(-9, 12) as i16));
    let mut large = [[0i16; 7]; 7];
    for (j, row) in small.iter().enumerate() {
        large[j + 2][1..6].copy_from_slice(row);
    }
    let found = convolve7x7::<i16>::apply(&src, large, 3, Border::Replicate).unwrap();
    hold("convolve 5x3", &found, |x, y| {
        let at = |i: usize, j: usize| i64::from(replicated(&src, x + 2 - i as i64, y + 1 - j as i64));
        let sum: i64 = (0..15).map(|n| i64::from(small[n / 5][n % 5]) * at(n % 5, n / 5)).sum();
        (sum / 3) as i16
    });
}

/// Σ weight · element over a matrix whose centre is the element.
fn weighted(src: &windrow::Tensor<u8>, x: i64, y: i64, matrix: &[Vec<i64>]) -> i64 {
    let mut sum = 0;
    for (j, row) in matrix.iter().enumerate() {
        for (i, weight) in row.iter().enumerate() {
            let (dx, dy) = (i as i64 - row.len() as i64 / 2, j as i64 - matrix.len() as i64 / 2);
            sum += weight * i64::from(replicated(src, x + dx, y + dy));
        }
    }
    sum
}

fn transposed(matrix: &[Vec<i64>]) -> Vec<Vec<i64>> {
    (0..matrix[0].len()).map(|i| matrix.iter().map(|row| row[i]).collect()).collect()
}

/// The matrices of OpenVX' specification of Harris' corners.
#[test]
fn wide_sobel_gradients() {
    let src = bytes(4);
    let five = [[-1, -2, 0, 2, 1], [-4, -8, 0, 8, 4], [-6, -12, 0, 12, 6], [-4, -8, 0, 8, 4], [-1, -2, 0, 2, 1]];
    let seven = [
        [-1, -4, -5, 0, 5, 4, 1],
        [-6, -24, -30, 0, 30, 24, 6],
        [-15, -60, -75, 0, 75, 60, 15],
        [-20, -80, -100, 0, 100, 80, 20],
        [-15, -60, -75, 0, 75, 60, 15],
        [-6, -24, -30, 0, 30, 24, 6],
        [-1, -4, -5, 0, 5, 4, 1],
    ];
    let five: Vec<Vec<i64>> = five.map(|row| row.to_vec()).to_vec();
    let seven: Vec<Vec<i64>> = seven.map(|row| row.to_vec()).to_vec();
    let (dx, dy) = sobel5x5::apply(&src, Border::Replicate).unwrap();
    hold("sobel5x5 dx", &dx, |x, y| weighted(&src, x, y, &five) as i16);
    hold("sobel5x5 dy", &dy, |x, y| weighted(&src, x, y, &transposed(&five)) as i16);
    let (dx, dy) = sobel7x7::apply(&src, Border::Replicate).unwrap();
    hold("sobel7x7 dx", &dx, |x, y| weighted(&src, x, y, &seven) as i32);
    hold("sobel7x7 dy", &dy, |x, y| weighted(&src, x, y, &transposed(&seven)) as i32);
    let (dx, dy) = derivative::apply(&src, Border::Replicate).unwrap();
    hold("derivative dx", &dx, |x, y| weighted(&src, x, y, &[vec![-1, 0, 1]]) as i16);
    hold("derivative dy", &dy, |x, y| weighted(&src, x, y, &[vec![-1], vec![0], vec![1]]) as i16);
}

/// The nearest whole number to a quotient without halves.
fn nearest(numerator: i64, denominator: i64) -> i64 {
    (numerator as f64 / denominator as f64).round_ties_even() as i64
}

#[test]
fn products_over_255() {
    let (a, b, c, d) = (bytes(5), bytes(6), words(7), words(8));
    let at = |image: &windrow::Tensor<u8>, x, y| i64::from(replicated(image, x, y));
    let at16 = |image: &windrow::Tensor<i16>, x, y| i64::from(replicated(image, x, y));
    hold("multiply_255", &multiply_255::apply(&a, &b).unwrap(), |x, y| nearest(at(&a, x, y) * at(&b, x, y), 255) as u8);
    let found = multiply_255_widening::apply(&a, &b).unwrap();
    hold("multiply_255_widening", &found, |x, y| nearest(at(&a, x, y) * at(&b, x, y), 255) as i16);
    let found = multiply_255_mixed::apply(&a, &c).unwrap();
    hold("multiply_255_mixed", &found, |x, y| nearest(at(&a, x, y) * at16(&c, x, y), 255) as i16);
    let product = |x, y| nearest(at16(&c, x, y) * at16(&d, x, y), 255);
    let found = multiply_255_i16::apply(&c, &d, Overflow::Saturate).unwrap();
    hold("multiply_255_i16, saturated", &found, |x, y| product(x, y).clamp(-32768, 32767) as i16);
    let found = multiply_255_i16::apply(&c, &d, Overflow::Wrap).unwrap();
    hold("multiply_255_i16, wrapped", &found, |x, y| product(x, y) as i16);
}

#[test]
fn products_of_any_scale() {
    let (a, b, c) = (bytes(9), bytes(10), words(11));
    for scale in [1.0f32, 0.25, 1.0 / 255.0, 0.7, 3.0] {
        // Products of 16 bits times a scale of 24 are exact in `f64`, and so is their rounding to `f32`.
        let product =
            |x, y| (f64::from(replicated(&a, x, y)) * f64::from(replicated(&b, x, y)) * f64::from(scale)) as f32;
        let found = multiply_scaled::<u8>::apply(&a, &b, scale, Rounding::TowardZero).unwrap();
        hold("multiply_scaled, toward zero", &found, |x, y| product(x, y).trunc() as u8);
        let found = multiply_scaled::<u8>::apply(&a, &b, scale, Rounding::NearestEven).unwrap();
        hold("multiply_scaled, to nearest", &found, |x, y| product(x, y).round_ties_even() as u8);
        let found = multiply_scaled::<i16>::apply(&c, &c, scale, Rounding::NearestEven).unwrap();
        let square = |x, y| (i32::from(replicated(&c, x, y)).pow(2) as f32 * scale).round_ties_even();
        hold("multiply_scaled<i16>", &found, |x, y| square(x, y).min(32767.0) as i16);
    }
}

#[test]
fn magnitudes_and_differences_of_two_kinds() {
    let (a, x16, y16) = (bytes(12), words(13), words(14));
    let of = |image: &windrow::Tensor<i16>, x, y| i64::from(replicated(image, x, y));
    let found = magnitude_l1::apply(&x16, &y16).unwrap();
    hold("magnitude_l1", &found, |x, y| (of(&x16, x, y).abs() + of(&y16, x, y).abs()).min(32767) as i16);
    let found = abs_diff_mixed::apply(&a, &x16).unwrap();
    let difference = |x, y| (i64::from(replicated(&a, x, y)) - of(&x16, x, y)).abs();
    hold("abs_diff_mixed", &found, |x, y| difference(x, y).min(32767) as i16);
    let found = squared_difference_i16::apply(&x16, &y16).unwrap();
    hold("squared_difference_i16", &found, |x, y| (of(&x16, x, y) - of(&y16, x, y)).pow(2).min(32767) as i16);
}

#[test]
fn means_over_boxes_of_any_radius() {
    let src = bytes(15);
    for [down, right] in [[0, 0], [1, 1], [3, 0], [2, 9]] {
        let mut found = windrow::Tensor::<u8>::with_info(*src.info()).unwrap();
        box_mean::apply_into(&src, [down, right], &mut found).unwrap();
        let (height, width) = (src.info().height() as i64, src.info().width() as i64);
        hold("box_mean", &found, |x, y| {
            let rows = (y - i64::from(down)).max(0)..=(y + i64::from(down)).min(height - 1);
            let columns = (x - i64::from(right)).max(0)..=(x + i64::from(right)).min(width - 1);
            let inside: Vec<u64> = rows
                .flat_map(|y| columns.clone().map(move |x| (x, y)))
                .map(|(x, y)| replicated(&src, x, y).into())
                .collect();
            let count = inside.len() as u64;
            ((inside.iter().sum::<u64>() + count / 2) / count) as u8
        });
    }
}
