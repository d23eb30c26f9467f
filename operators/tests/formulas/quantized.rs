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

/// One rounding of the product of 64 bits, halves up.
fn multiply_with_one_rounding(x: i32, multiplier: i32, shift: i32) -> i32 {
    let bits = 31 - shift;
    ((i64::from(x) * i64::from(multiplier) + (1i64 << (bits - 1))) >> bits) as i32
}

/// Channels of all shifts, each with its multiplier, with what TFLite asks of them: that a shift to the left loses nothing.
#[test]
fn channels_have_multipliers_and_shifts_of_their_own() {
    let mut random = Random::new(11);
    let channels = 124;
    for case in 0..40 {
        let shift: Vec<i32> = (0..channels).map(|channel| channel % 62 - 31).collect();
        let multiplier: Vec<i32> = (0..channels)
            .map(|channel| match channel % 7 {
                0 => i32::MAX,
                1 => 1 << 30,
                2 => random.of(0, 3) as i32,
                _ => random.of(1 << 30, i64::from(i32::MAX)) as i32,
            })
            .collect();
        let values = Tensor::from_fn([9, channels as usize], |[row, channel]| {
            let x = if row % 2 == 0 { random.any_i32() } else { (random.of(-300, 300) as i32) << random.of(0, 22) };
            x >> shift[channel].max(0)
        })
        .unwrap();
        let zero = random.of(-128, 127) as i32;
        let (lower, upper) = if case % 2 == 0 { (-128, 127) } else { (-100, 90) };
        let of_all = |values: &[i32]| Tensor::from_vec(values.to_vec(), [values.len()]).unwrap();
        let numbers = [of_all(&multiplier), of_all(&shift)];
        let expect =
            |scaled: i32| (i64::from(scaled) + i64::from(zero)).clamp(i64::from(lower), i64::from(upper)) as i8;
        let found = requantize_channels::<i8>::apply(&values, &numbers[0], &numbers[1], zero, lower, upper).unwrap();
        let element = |x: i64, y: i64| values.view().get([y as usize, x as usize]).unwrap();
        crate::hold("requantize_channels", &found, |x, y| {
            expect(multiply_by_quantized_multiplier(element(x, y), multiplier[x as usize], shift[x as usize]))
        });
        let found =
            requantize_channels_once::<i8>::apply(&values, &numbers[0], &numbers[1], zero, lower, upper).unwrap();
        crate::hold("requantize_channels_once", &found, |x, y| {
            expect(multiply_with_one_rounding(element(x, y), multiplier[x as usize], shift[x as usize]))
        });
        let scale: Vec<f32> =
            (0..channels).map(|channel| random.of(1, 1 << 24) as f32 * 2f32.powi(-20 - channel % 30)).collect();
        let scales = Tensor::from_vec(scale.clone(), [scale.len()]).unwrap();
        let found = requantize_float_channels::<i8>::apply(&values, &scales, zero, lower, upper).unwrap();
        crate::hold("requantize_float_channels", &found, |x, y| {
            expect((element(x, y) as f32 * scale[x as usize]).round_ties_even() as i32)
        });
    }
}

/// Beyond what TFLite makes of scales: shifts of any value, of which 31 to the right and 30 to the left are the most.
#[test]
fn any_shift_of_a_channel_is_defined() {
    let values = Tensor::from_fn([1, 6], |[_, x]| [i32::MIN, -1, 1, i32::MAX, 77, -77][x]).unwrap();
    let multiplier = Tensor::from_fn([1, 6], |[_, x]| [i32::MIN, i32::MAX, -5, 1 << 30, 0, i32::MIN][x]).unwrap();
    for (beyond, most) in [(i32::MIN, -31), (-32, -31), (31, 30), (i32::MAX, 30)] {
        let shifts = [beyond, most].map(|shift| Tensor::from_vec(vec![shift], [1]).unwrap());
        let [beyond, most] = shifts
            .each_ref()
            .map(|shift| requantize_channels::<i8>::apply(&values, &multiplier, shift, 0, -128, 127).unwrap());
        assert_eq!(beyond.to_vec(), most.to_vec());
        let [beyond, most] = shifts
            .each_ref()
            .map(|shift| requantize_channels_once::<i8>::apply(&values, &multiplier, shift, 0, -128, 127).unwrap());
        assert_eq!(beyond.to_vec(), most.to_vec());
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

/// XNNPACK's sum: the scales' ratios to that of the sum as integers over one power of two, of which the larger has 21 bits.
#[test]
fn sums_rounded_once_are_xnnpacks_to_the_bit() {
    let mut random = Random::new(14);
    let pairs: Vec<[u8; 2]> = (0..1 << 16).map(|pair: u32| [pair as u8, (pair >> 8) as u8]).collect();
    for case in 0..24 {
        // From 2^-10 to 2^8, which is what XNNPACK takes, and powers of two, of which sums lie on halves.
        let ratio: [f32; 2] = std::array::from_fn(|_| {
            let mantissa = if case % 3 == 0 { 1 << 23 } else { random.of(1 << 23, (1 << 24) - 1) };
            mantissa as f32 * 2f32.powi(random.of(-33, -16) as i32)
        });
        let larger = ratio[0].max(ratio[1]);
        let shift = (13..=30).find(|shift| larger * 2f32.powi(*shift) >= (1 << 20) as f32).unwrap();
        let multiplier = ratio.map(|ratio| (ratio * 2f32.powi(shift)).round_ties_even() as i32);
        assert!((1 << 20..=1 << 21).contains(multiplier.iter().max().unwrap()));
        // The quotient of the exact sum and 2^shift to nearest, halves up.
        let nearest = |a: i64, b: i64| {
            let twice = 2 * (a * i64::from(multiplier[0]) + b * i64::from(multiplier[1]));
            (twice + (1 << shift)).div_euclid(2 << shift)
        };
        let bias_of = |zero: [i32; 2]| (1 << (shift - 1)) - multiplier[0] * zero[0] - multiplier[1] * zero[1];

        let zero: [i32; 3] = std::array::from_fn(|_| random.of(-128, 127) as i32);
        let (lower, upper) = if case % 2 == 0 { (-128, 127) } else { (-90, 33) };
        let [a, b] = [0, 1].map(|of| pairs.iter().map(|pair| pair[of] as i8).collect::<Vec<_>>());
        let bias = bias_of([zero[0], zero[1]]);
        let found: Tensor<i8> =
            add_quantized_once::<i8>::apply(row(&a), row(&b), multiplier, bias, shift as u32, zero[2], lower, upper)
                .unwrap();
        for ((a, b), found) in a.iter().zip(&b).zip(found.to_vec()) {
            let sum = nearest(i64::from(*a) - i64::from(zero[0]), i64::from(*b) - i64::from(zero[1]));
            let expected = (sum + i64::from(zero[2])).clamp(lower.into(), upper.into());
            assert_eq!(i64::from(found), expected, "{a} + {b} by {multiplier:?} and 2^-{shift}, zeros {zero:?}");
        }

        let zero = zero.map(|zero| zero + 128);
        let (lower, upper) = if case % 2 == 0 { (0, 255) } else { (38, 161) };
        let [a, b] = [0, 1].map(|of| pairs.iter().map(|pair| pair[of]).collect::<Vec<_>>());
        let bias = bias_of([zero[0], zero[1]]);
        let found: Tensor<u8> =
            add_quantized_once::<u8>::apply(row(&a), row(&b), multiplier, bias, shift as u32, zero[2], lower, upper)
                .unwrap();
        for ((a, b), found) in a.iter().zip(&b).zip(found.to_vec()) {
            let sum = nearest(i64::from(*a) - i64::from(zero[0]), i64::from(*b) - i64::from(zero[1]));
            let expected = (sum + i64::from(zero[2])).clamp(lower.into(), upper.into());
            assert_eq!(i64::from(found), expected, "{a} + {b} by {multiplier:?} and 2^-{shift}, zeros {zero:?}");
        }
    }
}

/// Beyond what XNNPACK makes of scales: any bias, and multipliers and shifts at the ends of their ranges.
#[test]
fn sums_rounded_once_wrap() {
    let mut random = Random::new(15);
    let (a, b): (Vec<i8>, Vec<i8>) =
        (0..1000).map(|_| (random.of(-128, 127) as i8, random.of(-128, 127) as i8)).unzip();
    for case in 0..200 {
        let multiplier = [0, 1].map(|of| if case >> of & 1 == 0 { 1 << 21 } else { random.of(0, 1 << 21) as i32 });
        let (bias, zero) = (random.any_i32(), random.of(-128, 255) as i32);
        let shift = if case < 32 { case } else { random.of(0, 31) as u32 };
        let found: Tensor<i8> =
            add_quantized_once::<i8>::apply(row(&a), row(&b), multiplier, bias, shift, zero, -128, 127).unwrap();
        for ((a, b), found) in a.iter().zip(&b).zip(found.to_vec()) {
            let terms = [(*a, multiplier[0]), (*b, multiplier[1])].map(|(x, by)| i64::from(x) * i64::from(by));
            let wrapped = (i64::from(bias) + terms[0] + terms[1]) as i32;
            let expected = i64::from(wrapped).div_euclid(1 << shift) + i64::from(zero);
            assert_eq!(i64::from(found), expected.clamp(-128, 127), "{a} + {b} by {multiplier:?} and 2^-{shift}");
        }
    }
}

/// The mean of XNNPACK: the sum by the quotient of the scales and the number of elements, and what the zeros add.
#[test]
fn means_are_xnnpacks_to_the_bit() {
    // An f64 holds the product of two f32, and a sum of two f32 that is rounded to f64 first rounds to the same f32.
    let affine = |x: i32, scale: f32, offset: f32| {
        let product = (f64::from(x as f32) * f64::from(scale)) as f32;
        f64::from((f64::from(product) + f64::from(offset)) as f32).round_ties_even()
    };
    let mut random = Random::new(16);
    let mut differs_if_fused = 0;
    for case in 0..400 {
        let count = [1, 7, 49, 64, 600, 9216][case % 6];
        let [read, written] = [0, 1].map(|_| random.of(1 << 20, 1 << 24) as f32 * 2f32.powi(-27));
        let scale = read / written * (1.0 / count as f32);
        let mut values: Vec<i32> = (0..100).map(|_| random.of(-128 * count, 127 * count) as i32).collect();
        values.extend((0..20).map(|_| random.any_i32()));
        let offset = match case % 4 {
            // With the first value's rounded product it adds up to a whole number and a half.
            0 => random.of(-100, 100) as f32 + 0.5 - values[0] as f32 * scale,
            _ => {
                let zero = [0, 1].map(|_| random.of(-128, 127) as f32);
                zero[0] - count as f32 * zero[1] * scale
            }
        };
        differs_if_fused += values
            .iter()
            .filter(|x| f64::from((**x as f32).mul_add(scale, offset)).round_ties_even() != affine(**x, scale, offset))
            .count();
        let (lower, upper) = if case % 2 == 0 { (-128, 127) } else { (-100, 90) };
        let found: Tensor<i8> = requantize_affine::<i8>::apply(row(&values), scale, offset, lower, upper).unwrap();
        for (x, found) in values.iter().zip(found.to_vec()) {
            let expected = affine(*x, scale, offset).clamp(lower.into(), upper.into());
            assert_eq!(f64::from(found), expected, "{x} · {scale} + {offset}");
        }
        let found: Tensor<u8> = requantize_affine::<u8>::apply(row(&values), scale, offset + 128.0, 3, 250).unwrap();
        for (x, found) in values.iter().zip(found.to_vec()) {
            let expected = affine(*x, scale, offset + 128.0).clamp(3.0, 250.0);
            assert_eq!(f64::from(found), expected, "{x} · {scale} + {offset} + 128");
        }
    }
    assert!(differs_if_fused > 0, "no value tells two roundings from one");
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

/// Windows of TFLite's `AVERAGE_POOL_2D` and `MAX_POOL_2D`: what lies outside is left out.
#[test]
fn bytes_are_pooled_as_tflite_pools_them() {
    let mut random = Random::new(12);
    let [height, width, channels] = [9, 11, 19];
    for (window, stride, pad) in [
        ([9, 11], [1, 1], [0; 4]),
        ([2, 3], [1, 2], [1, 0, 1, 2]),
        ([3, 3], [2, 2], [0, 0, 1, 1]),
        ([2, 2], [1, 1], [3; 4]),
    ] {
        let src = Tensor::from_fn([2, height, width, channels], |_| random.next() as i8).unwrap();
        let [lower, upper] = [random.of(-128, -20) as i8, random.of(20, 127) as i8];
        let means = average_pool2d_bytes::<i8>::apply(&src, window, stride, pad, lower, upper).unwrap();
        let greatest = max_pool2d_bytes::<i8>::apply(&src, window, stride, pad, lower, upper).unwrap();
        let unsigned =
            Tensor::from_vec(src.to_vec().into_iter().map(|x| x as u8).collect(), [2, height, width, channels])
                .unwrap();
        let of_unsigned = average_pool2d_bytes::<u8>::apply(&unsigned, window, stride, pad, 3, 250).unwrap();
        let greatest_of_unsigned = max_pool2d_bytes::<u8>::apply(&unsigned, window, stride, pad, 3, 250).unwrap();
        let four: View<'_, i8, 4> = src.view().into_rank().unwrap();
        let [_, rows, columns, _] = means.shape().extents()[..] else { panic!("four dimensions") };
        assert_eq!(rows as i32, (height as i32 + pad[0] + pad[2] - window[0]) / stride[0] + 1);
        for place in 0..2 * rows * columns * channels {
            let (c, x, y) = (place % channels, place / channels % columns, place / channels / columns % rows);
            let n = place / channels / columns / rows;
            let begin = [y as i32 * stride[0] - pad[0], x as i32 * stride[1] - pad[1]];
            let found: Vec<i8> = (0..window[0] * window[1])
                .filter_map(|at| four.get([n as i32, begin[0] + at / window[1], begin[1] + at % window[1], c as i32]))
                .collect();
            let at = [n, y, x, c];
            let mean = |sum: f64, lower: f64, upper: f64| (sum / found.len().max(1) as f64).round().clamp(lower, upper);
            let expected = mean(found.iter().map(|x| f64::from(*x)).sum(), lower.into(), upper.into());
            assert_eq!(f64::from(means.view().get(at).unwrap()), expected, "{at:?} of {window:?}");
            let expected = mean(found.iter().map(|x| f64::from(*x as u8)).sum(), 3.0, 250.0);
            assert_eq!(f64::from(of_unsigned.view().get(at).unwrap()), expected, "{at:?} of {window:?}");
            let expected = found.iter().copied().max().unwrap_or(i8::MIN).clamp(lower, upper);
            assert_eq!(greatest.view().get(at), Some(expected), "{at:?} of {window:?}");
            let expected = found.iter().map(|x| *x as u8).max().unwrap_or(0).clamp(3, 250);
            assert_eq!(greatest_of_unsigned.view().get(at), Some(expected), "{at:?} of {window:?}");
        }
    }
}

/// gemmlowp's exponential of a number at most 0 with 26 bits behind the point, and 31 bits of the result.
fn exp_on_negative_values(a: i32) -> i32 {
    if a == 0 {
        return i32::MAX;
    }
    let times = saturating_rounding_doubling_high_mul;
    let quarter = 1 << 24;
    let part = (a & (quarter - 1)) - quarter;
    // Around −1/8, of which the point is in front of 31 bits.
    let x = (part << 5) + (1 << 28);
    let squared = times(x, x);
    let (cubed, fourth) = (times(squared, x), times(squared, squared));
    let small = times(rounding_divide_by_power_of_two(fourth, 2) + cubed, 715_827_883) + squared;
    let mut result = 1_895_147_668 + times(1_895_147_668, x + rounding_divide_by_power_of_two(small, 1));
    let powers = [1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242];
    for (bit, power) in powers.into_iter().enumerate() {
        if (part - a) & (1 << (24 + bit)) != 0 {
            result = times(result, power);
        }
    }
    result
}

/// The powers of a multiplier and a shift to the left, as TFLite's kernel prepares them; 0 beyond what it computes.
fn powers_of(multiplier: i32, left: i32) -> Vec<i32> {
    let most = f64::from((1i32 << 5) - 1) * f64::from(1i32 << 26) / f64::from(1u32 << left);
    let power = |difference: i32| {
        let scaled = || saturating_rounding_doubling_high_mul(-difference * (1 << left), multiplier);
        if f64::from(difference) <= most.floor() { exp_on_negative_values(scaled()) } else { 0 }
    };
    (0..256).map(power).collect()
}

/// The row of TFLite's `reference_ops::Softmax`.
fn softmax_of(row: &[i8], powers: &[i32]) -> Vec<i8> {
    let times = saturating_rounding_doubling_high_mul;
    let most = i32::from(*row.iter().max().unwrap());
    let power = |x: &i8| powers[(most - i32::from(*x)) as usize];
    let sum = row.iter().fold(0, |sum, x| sum + rounding_divide_by_power_of_two(power(x), 12));
    let headroom = (sum as u32).leading_zeros() as i32;
    let fraction = (((sum as u32) << headroom) - (1 << 31)) as i32;
    let half = ((i64::from(fraction) + i64::from(i32::MAX) + 1) / 2) as i32;
    let by_power_of_two =
        |x: i32, exponent: i32| (i64::from(x) << exponent).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let mut x = 1_515_870_810 + times(half, -1_010_580_540);
    for _ in 0..3 {
        x += by_power_of_two(times(x, (1 << 29) - times(half, x)), 2);
    }
    let scale = by_power_of_two(x, 1);
    let share = |x: &i8| {
        let bits = 12 - headroom + 31 - 8;
        // Where C says nothing, what the quotient is.
        let quotient = if bits > 31 { 0 } else { rounding_divide_by_power_of_two(times(scale, power(x)), bits) };
        (quotient - 128).clamp(-128, 127) as i8
    };
    row.iter().map(share).collect()
}

#[test]
fn softmax_of_bytes_is_tflites_to_the_bit() {
    let mut random = Random::new(13);
    // The scale of what is read, 1/8, 1/16 and 0.0741, by 2^26: a multiplier of 31 bits, and a shift.
    for (multiplier, left) in [(1 << 30, 24), (1 << 30, 23), (1_272_893_325, 23), (i32::MAX, 26)] {
        let powers = powers_of(multiplier, left);
        assert_eq!(powers[0], i32::MAX);
        let table = Tensor::from_vec(powers.clone(), [256]).unwrap();
        for columns in [1, 2, 3, 10, 77, 256, 600, 1001] {
            for spread in [0, 1, 5, 40, 127] {
                let src = Tensor::from_fn([3, columns], |_| random.of(-1 - spread, spread) as i8).unwrap();
                let found = softmax_bytes::apply(&src, &table).unwrap().to_vec();
                for (row, found) in src.to_vec().chunks(columns).zip(found.chunks(columns)) {
                    assert_eq!(found, softmax_of(row, &powers), "{columns} columns, spread {spread}");
                }
            }
        }
    }
    // What LiteRT's reference kernels give for scales of 0.0741, 0.35 and 0.02.
    let src = [-128i8, 127, 100, 90, 126, 60, -20, 110, 119, 120, 121, 5];
    for (multiplier, left, expected) in [
        (1_273_028_352, 23, [-128i8, -67, -120, -124, -72, -128, -128, -111, -94, -92, -89, -128]),
        (1_503_238_528, 25, [-128, 1, -128, -128, -37, -128, -128, -128, -120, -117, -112, -128]),
        (1_374_389_504, 21, [-128, -90, -106, -110, -91, -118, -126, -101, -96, -95, -94, -125]),
    ] {
        let table = Tensor::from_vec(powers_of(multiplier, left), [256]).unwrap();
        let found: Tensor<i8> = softmax_bytes::apply(row(&src), &table).unwrap();
        assert_eq!(found.to_vec(), expected);
    }
}
