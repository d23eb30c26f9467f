//! Quantised tensors: TFLite's reference to the bit, in its own steps, over corners and random values.

use windrow::{Tensor, View};
use windrow_operators::*;

use crate::Random;

/// The upper half of twice the product, rounded to nearest: the sum with half a unit is divided toward zero.
fn saturating_rounding_doubling_high_mul(a: i32, b: i32) -> i32 {
    if a == i32::MIN && b == i32::MIN {
        return i32::MAX;
    }
    let product = i64::from(a) * i64::from(b);
    let nudge = if product >= 0 { 1 << 30 } else { 1 - (1 << 30) };
    ((product + nudge) / (1 << 31)) as i32
}

/// The quotient by a power of two rounded to nearest, halves away from zero.
fn rounding_divide_by_power_of_two(x: i32, exponent: i32) -> i32 {
    let mask = ((1i64 << exponent) - 1) as i32;
    let threshold = (mask >> 1) + i32::from(x < 0);
    (x >> exponent) + i32::from(x & mask > threshold)
}

fn multiply_by_quantized_multiplier(x: i32, multiplier: i32, shift: i32) -> i32 {
    let (left, right) = (shift.max(0), (-shift).max(0));
    let product = saturating_rounding_doubling_high_mul(x.wrapping_mul(1 << left), multiplier);
    rounding_divide_by_power_of_two(product, right)
}

fn row<T: windrow::Element>(values: &[T]) -> View<'_, T> {
    View::from_slice(values, [1, values.len()]).unwrap()
}

#[test]
fn requantize_is_tflites_to_the_bit() {
    let mut random = Random::new(1);
    for case in 0..400 {
        let shift = if case < 62 { case - 31 } else { random.of(-31, 30) as i32 };
        let multiplier = match case % 5 {
            0 => i32::MAX,
            1 => 1 << 30,
            2 => random.of(0, 3) as i32,
            _ => random.of(1 << 30, i64::from(i32::MAX)) as i32,
        };
        let zero = random.of(-128, 127) as i32;
        let mut values: Vec<i32> = (0..100).map(|_| random.any_i32()).collect();
        // Where halves are: products that end in a one and zeros.
        values.extend((0..100).map(|_| (random.of(-300, 300) as i32) << random.of(0, 22)));
        let expected = |x: i32| i64::from(multiply_by_quantized_multiplier(x, multiplier, shift)) + i64::from(zero);
        let (lower, upper) = if case % 2 == 0 { (-128, 127) } else { (-100, 90) };
        let found: Tensor<i8> = requantize::<i8>::apply(row(&values), multiplier, shift, zero, lower, upper).unwrap();
        for (x, found) in values.iter().zip(found.to_vec()) {
            let expected = expected(*x).clamp(i64::from(lower), i64::from(upper));
            assert_eq!(i64::from(found), expected, "{x} by {multiplier} and 2^{shift}, zero {zero}");
        }
        let found: Tensor<i16> =
            requantize::<i16>::apply(row(&values), multiplier, shift, zero, -32768, 32767).unwrap();
        for (x, found) in values.iter().zip(found.to_vec()) {
            assert_eq!(i64::from(found), expected(*x).clamp(-32768, 32767), "{x} by {multiplier} and 2^{shift}");
        }
    }
}

/// The sum of TFLite's reference: both terms brought to 2^20 of the larger scale.
#[test]
fn sums_are_tflites_to_the_bit() {
    let mut random = Random::new(2);
    let pairs: Vec<(i8, i8)> = (0..1 << 16).map(|pair: u32| (pair as i8, (pair >> 8) as i8)).collect();
    let (a, b): (Vec<i8>, Vec<i8>) = pairs.iter().copied().unzip();
    for _ in 0..20 {
        let multiplier: [i32; 3] = std::array::from_fn(|_| random.of(1 << 30, i64::from(i32::MAX)) as i32);
        let shift = [random.of(-3, 0) as i32, random.of(-3, 0) as i32, random.of(-22, -17) as i32];
        let zero: [i32; 3] = std::array::from_fn(|_| random.of(-128, 127) as i32);
        let (lower, upper) = (random.of(-128, 0) as i8, random.of(1, 127) as i8);
        let found: Tensor<i8> =
            add_quantized::<i8>::apply(row(&a), row(&b), multiplier, shift, zero, lower, upper).unwrap();
        for ((a, b), found) in pairs.iter().zip(found.to_vec()) {
            let term = |v: i8, i: usize| {
                multiply_by_quantized_multiplier((i32::from(v) - zero[i]) * (1 << 20), multiplier[i], shift[i])
            };
            let sum = multiply_by_quantized_multiplier(term(*a, 0) + term(*b, 1), multiplier[2], shift[2]) + zero[2];
            assert_eq!(i32::from(found), sum.clamp(i32::from(lower), i32::from(upper)), "{a} + {b}");
        }
    }
}

#[test]
fn quantize_rounds_halves_as_asked() {
    let values: Vec<f32> =
        (-600..600).map(|n| n as f32 / 4.0).chain([0.49999997, f32::NAN, f32::INFINITY, -1e30]).collect();
    for (scale, zero) in [(1.0f32, 0), (0.5, 3), (0.1, -7), (3.0, 100)] {
        let expect = |value: f32, round: fn(f32) -> f32| {
            let rounded = round(value / scale);
            if rounded.is_nan() { i64::from(zero) } else { rounded as i64 }.saturating_add(if rounded.is_nan() {
                0
            } else {
                i64::from(zero)
            })
        };
        let found: Tensor<i8> = quantize::<i8>::apply(row(&values), scale, zero, Ties::Even).unwrap();
        for (value, found) in values.iter().zip(found.to_vec()) {
            assert_eq!(i64::from(found), expect(*value, f32::round_ties_even).clamp(-128, 127), "{value} by {scale}");
        }
        let found: Tensor<u8> = quantize::<u8>::apply(row(&values), scale, zero, Ties::Away).unwrap();
        for (value, found) in values.iter().zip(found.to_vec()) {
            assert_eq!(i64::from(found), expect(*value, f32::round).clamp(0, 255), "{value} by {scale}");
        }
    }
}

#[test]
fn other_outputs_of_integer_products() {
    let mut random = Random::new(3);
    let values: Vec<i32> = (0..500).map(|_| random.any_i32()).collect();
    let found: Tensor<i8> = requantize_float::<i8>::apply(row(&values), 1e-3, 5).unwrap();
    for (x, found) in values.iter().zip(found.to_vec()) {
        let rounded = (*x as f32 * 1e-3).round_ties_even() as i64 + 5;
        assert_eq!(i64::from(found), rounded.clamp(-128, 127), "{x}");
    }
    let found: Tensor<u8> = quantize_down::apply(row(&values), 17, 3, 9).unwrap();
    for (x, found) in values.iter().zip(found.to_vec()) {
        let product = (i64::from(*x) + 17) * 3;
        assert_eq!(i64::from(found), i64::from(product as i32 >> 9).clamp(0, 255), "{x}");
    }
    // (A − left)(B − right) by sums: 3 × 4 by 4 × 2.
    let (a, b, left, right) =
        ([[1i32, 200, 3, 4], [5, 6, 70, 8], [9, 0, 11, 255]], [[3i32, 9], [255, 1], [0, 7], [4, 4]], 12, 99);
    let product = |row: usize, column: usize, left: i32, right: i32| -> i32 {
        (0..4).map(|k| (a[row][k] - left) * (b[k][column] - right)).sum()
    };
    let raw = Tensor::from_fn([3, 2], |[row, column]| product(row, column, 0, 0)).unwrap();
    let columns = Tensor::from_fn([1, 2], |[_, column]| (0..4).map(|k| b[k][column]).sum::<i32>()).unwrap();
    let rows = Tensor::from_fn([3, 1], |[row, _]| a[row].iter().sum::<i32>()).unwrap();
    let found = offset_contribution::apply(&raw, &columns, &rows, -left, -right, 4 * left * right).unwrap();
    crate::hold("offset_contribution", &found, |x, y| product(y as usize, x as usize, left, right));
}
