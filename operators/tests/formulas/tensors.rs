//! Convolutions, rearrangements and reductions of tensors, by loops over their definitions.

use windrow::{Element, Tensor, View};
use windrow_operators::*;

fn filled<T: Element, const R: usize>(extents: [usize; R], of: impl Fn(usize) -> T) -> Tensor<T> {
    Tensor::from_vec((0..extents.iter().product()).map(of).collect(), extents).unwrap()
}

/// The places of a tensor, row after row.
fn places<const R: usize>(extents: [usize; R]) -> impl Iterator<Item = [i32; R]> {
    (0..extents.iter().product()).map(move |mut index: usize| {
        let mut place = [0; R];
        for (at, extent) in place.iter_mut().zip(extents).rev() {
            (*at, index) = ((index % extent) as i32, index / extent);
        }
        place
    })
}

fn four<T: Element>(tensor: &Tensor<T>) -> View<'_, T, 4> {
    tensor.view().into_rank().unwrap()
}

const STRIDE: [i32; 2] = [2, 1];
const DILATION: [i32; 2] = [1, 2];
const PAD: [i32; 4] = [1, 2, 0, 1];
/// Rows and columns of the outputs: (7 + 1 − 2 − 1) / 2 + 1 of seven rows and weights of 3, 6 + 3 − 2 − 1 + 1 of six columns and 2.
const OUTPUTS: [usize; 2] = [3, 7];

/// Where the window of an output reads.
fn read([y, x]: [i32; 2], [row, column]: [i32; 2]) -> [i32; 2] {
    [y * STRIDE[0] - PAD[0] + row * DILATION[0], x * STRIDE[1] - PAD[1] + column * DILATION[1]]
}

#[test]
fn convolutions_of_bytes() {
    let src = filled([2, 7, 6, 3], |at| (at * 37 % 256) as u8);
    let weights = filled([3, 2, 3, 5], |at| (at * 29 % 256) as u8 as i8);
    let bias = filled([5], |at| at as i32 * 1000 - 2000);
    let found = conv2d_bytes::<u8>::apply(&src, &weights, &bias, STRIDE, DILATION, PAD, 128).unwrap();
    assert_eq!(found.info().shape().extents(), [2, OUTPUTS[0], OUTPUTS[1], 5]);
    for ([n, y, x, k], found) in places([2, OUTPUTS[0], OUTPUTS[1], 5]).zip(found.to_vec()) {
        let mut sum = bias.view().get([k]).unwrap();
        for [row, column, channel] in places([3, 2, 3]) {
            let [from_row, from_column] = read([y, x], [row, column]);
            let element = four(&src).get([n, from_row, from_column, channel]).unwrap_or(128);
            sum += (element as i32 - 128) * four(&weights)[[row, column, channel, k]] as i32;
        }
        assert_eq!(found, sum, "{:?}", [n, y, x, k]);
    }
}

#[test]
fn convolutions_channel_by_channel() {
    let src = filled([1, 7, 6, 5], |at| (at % 19) as f32 - 9.0);
    let (weights, bias) = (filled([3, 2, 5], |at| (at % 7) as f32 / 4.0), filled([5], |at| at as f32));
    let found = depthwise_conv2d::apply(&src, &weights, &bias, STRIDE, DILATION, PAD).unwrap();
    for ([n, y, x, c], found) in places([1, OUTPUTS[0], OUTPUTS[1], 5]).zip(found.to_vec()) {
        let mut sum = c as f32;
        for [row, column] in places([3, 2]) {
            let [from_row, from_column] = read([y, x], [row, column]);
            let element = four(&src).get([n, from_row, from_column, c]).unwrap_or(0.0);
            sum += element * weights.view().get([row, column, c]).unwrap();
        }
        // All of them are quarters of small integers.
        assert_eq!(found, sum, "{:?}", [n, y, x, c]);
    }
}

#[test]
fn layers_of_bytes() {
    let src = filled([2, 7, 6, 3], |at| (at * 37 % 256) as u8 as i8);
    let (weights, bias) = (filled([3, 2, 3], |at| (at * 29 % 256) as u8 as i8), filled([3], |at| at as i32 - 1));
    let found = depthwise_conv2d_bytes::<i8>::apply(&src, &weights, &bias, STRIDE, DILATION, PAD, -9).unwrap();
    for ([n, y, x, c], found) in places([2, OUTPUTS[0], OUTPUTS[1], 3]).zip(found.to_vec()) {
        let mut sum = c - 1;
        for [row, column] in places([3, 2]) {
            let [from_row, from_column] = read([y, x], [row, column]);
            let element = four(&src).get([n, from_row, from_column, c]).unwrap_or(-9);
            sum += (i32::from(element) + 9) * i32::from(weights.view().get([row, column, c]).unwrap());
        }
        assert_eq!(found, sum, "{:?}", [n, y, x, c]);
    }
    let (src, weights) =
        (filled([4, 19], |at| (at * 41 % 256) as u8), filled([19, 3], |at| (at * 29 % 256) as u8 as i8));
    let found = dense_bytes::<u8>::apply(&src, &weights, &bias, 200).unwrap();
    for ([n, k], found) in places([4, 3]).zip(found.to_vec()) {
        let term = |c: i32| (src.view().get([n, c]).unwrap() as i32 - 200) * weights.view().get([c, k]).unwrap() as i32;
        assert_eq!(found, k - 1 + (0..19).map(term).sum::<i32>());
    }
}

/// Windows of three by three have a kernel of their own, which multiplies elements without a sign.
#[test]
fn windows_of_three_by_three_are_as_all_others() {
    // Rows that fill vectors of every tier and a rest, and fewer elements than any vector has.
    for channels in [5, 32, 200] {
        let src = filled([2, 7, 9, channels], |at| (at * 37 % 256) as u8 as i8);
        let weights = filled([3, 3, channels], |at| (at * 29 % 256) as u8 as i8);
        let bias = filled([channels], |at| at as i32 * 1001 - 7);
        for (stride, pad, zero) in [([1, 1], [1, 1, 1, 1], -9), ([2, 1], [0, 2, 1, 4], -128), ([3, 2], [0; 4], 127)] {
            let found = depthwise3x3_bytes::apply(&src, &weights, &bias, stride, pad, zero).unwrap();
            let expected =
                depthwise_conv2d_bytes::<i8>::apply(&src, &weights, &bias, stride, [1, 1], pad, zero).unwrap();
            assert_eq!(found.info().shape(), expected.info().shape());
            assert_eq!(found.to_vec(), expected.to_vec(), "{channels} channels, {stride:?}, {pad:?}, {zero}");
        }
    }
}

#[test]
fn blocks_go_there_and_back() {
    let src = filled([2, 6, 4, 3], |at| at as u8);
    let deep = space_to_depth::<u8>::apply(&src, 2).unwrap();
    assert_eq!(deep.info().shape().extents(), [2, 3, 2, 12]);
    assert_eq!(four(&deep)[[1, 2, 1, 2 * 3 + 1]], four(&src)[[1, 5, 2, 1]]);
    assert_eq!(depth_to_space::<u8>::apply(&deep, 2).unwrap().to_vec(), src.to_vec());
    let shuffled = pixel_shuffle::<u8>::apply(&deep, 2).unwrap();
    assert_eq!(four(&shuffled)[[0, 3, 1, 2]], four(&deep)[[0, 1, 0, 2 * 4 + 2 + 1]]);
}

#[test]
fn tensors_in_other_places() {
    let (first, second) = (filled([2, 3, 4], |at| at as u8), filled([2, 2, 4], |at| 100 + at as u8));
    let both = concatenate::<u8>::apply(&first, &second).unwrap();
    for ([o, a, i], found) in places([2, 5, 4]).zip(both.to_vec()) {
        assert_eq!(found, if a < 3 { (o * 12 + a * 4 + i) as u8 } else { (100 + o * 8 + (a - 3) * 4 + i) as u8 });
    }
    let rows = filled([4], |at| [2, -1, 0, 7][at]);
    let chosen = gather_rows::<u8>::apply(&filled([3, 2], |at| at as u8 + 1), &rows).unwrap();
    assert_eq!(chosen.to_vec(), [5, 6, 5, 6, 1, 2, 0, 0]);
    let columns = gather::<u8>::apply(&first, &filled([2], |at| [-1, 5][at])).unwrap();
    assert_eq!(columns.to_vec(), [8, 9, 10, 11, 0, 0, 0, 0, 20, 21, 22, 23, 0, 0, 0, 0]);
    let (taps, weights) = (filled([2, 2], |at| [0, 2, 1, 9][at]), filled([2, 2], |at| [0.25, 0.75, 2.0, 5.0][at]));
    let mixed = resample::apply(&filled([1, 3, 2], |at| at as f32), &taps, &weights).unwrap();
    assert_eq!(mixed.to_vec(), [3.0, 4.0, 4.0, 6.0]);
    let padded = pad_constant::<u8>::apply(&filled([1, 2, 2], |at| at as u8), 1, 2, 9).unwrap();
    assert_eq!(padded.info().shape().extents(), [1, 5, 2]);
    assert_eq!(padded.to_vec(), [9, 9, 0, 1, 2, 3, 9, 9, 9, 9]);
}

#[test]
fn reductions_along_the_middle() {
    let src = filled([2, 5, 3], |at| (at * 7 % 11) as f32);
    let column = |o: i32, i: i32| (0..5).map(move |a| ((o * 15 + a * 3 + i) * 7 % 11) as f32);
    let (sums, means) = (reduce_sum::apply(&src).unwrap().to_vec(), reduce_mean::apply(&src).unwrap().to_vec());
    let (most, at) = (reduce_max::<f32>::apply(&src).unwrap().to_vec(), argmax::apply(&src).unwrap().to_vec());
    let (least, low) = (reduce_min::<f32>::apply(&src).unwrap().to_vec(), argmin::apply(&src).unwrap().to_vec());
    let products = reduce_product::apply(&src).unwrap().to_vec();
    let squares = reduce_sum_of_squares::apply(&src).unwrap().to_vec();
    let bytes = filled([2, 5, 3], |at| (at * 7 % 11) as i8 - 100);
    let of_bytes = reduce_sum_bytes::<i8>::apply(&bytes).unwrap().to_vec();
    for (index, [o, i]) in places([2, 3]).enumerate() {
        let greatest = column(o, i).fold(f32::NEG_INFINITY, f32::max);
        let first = column(o, i).position(|element| element == greatest).unwrap() as i32;
        let sum: f32 = column(o, i).sum();
        assert_eq!((sums[index], means[index], most[index], at[index]), (sum, sum / 5.0, greatest, first));
        let smallest = column(o, i).fold(f32::INFINITY, f32::min);
        let first = column(o, i).position(|element| element == smallest).unwrap() as i32;
        let product: f32 = column(o, i).product();
        assert_eq!((least[index], low[index], products[index]), (smallest, first, product));
        assert_eq!(squares[index], column(o, i).map(|element| element * element).sum::<f32>());
        assert_eq!(of_bytes[index], sum as i32 - 500);
    }
}

/// A formula of a row, of the number of the row and of a column of it.
type OfRow<'a> = &'a dyn Fn(&[f64], usize, usize) -> f64;

#[test]
fn rows_by_their_sums() {
    // Of a length that leaves a rest of every number of lanes.
    let (count, length) = (3, 107);
    let src = filled([count, length], |at| (at * 7 % 23) as f32 / 4.0 - 2.0);
    let rows: Vec<Vec<f64>> = src.to_vec().chunks(length).map(|row| row.iter().map(|&x| x.into()).collect()).collect();
    let [scale, bias] = [1.0, 90.0].map(|by| filled([length], |at| 1.0 - at as f32 / by));
    let [of_row, onto_row] = [0.5, -3.0].map(|by| filled([count], |at| by * at as f32 + 1.0));
    let hold = |what: &str, found: &Tensor<f32>, expected: OfRow<'_>| {
        let columns = found.info().width();
        for (at, found) in found.to_vec().into_iter().enumerate() {
            let (row, column) = (at / columns, at % columns);
            let expected = expected(&rows[row], row, column);
            let is_near = (f64::from(found) - expected).abs() <= 4e-6 * expected.abs().max(1.0);
            assert!(is_near, "{what} at {row}, {column}: {found} instead of {expected}");
        }
        assert_eq!(found.info().height(), count, "{what}");
    };
    let sum = |row: &[f64], term: fn(f64) -> f64| row.iter().map(|&x| term(x)).sum::<f64>();
    let most = |row: &[f64]| row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = |row: &[f64]| sum(row, |x| x) / row.len() as f64;
    let standard = |row: &[f64], c: usize| {
        let variance = row.iter().map(|x| (x - mean(row)).powi(2)).sum::<f64>() / row.len() as f64;
        (row[c] - mean(row)) / (variance + 0.25).sqrt()
    };
    hold("row_sum", &row_sum::apply(&src).unwrap(), &|row, _, _| sum(row, |x| x));
    hold("row_mean", &row_mean::apply(&src).unwrap(), &|row, _, _| mean(row));
    hold("row_l1", &row_l1::apply(&src).unwrap(), &|row, _, _| sum(row, f64::abs));
    hold("row_l2", &row_l2::apply(&src).unwrap(), &|row, _, _| sum(row, |x| x * x).sqrt());
    hold("row_sum_of_squares", &row_sum_of_squares::apply(&src).unwrap(), &|row, _, _| sum(row, |x| x * x));
    hold("row_log_sum_exp", &row_log_sum_exp::apply(&src).unwrap(), &|row, _, _| sum(row, f64::exp).ln());
    hold("row_greatest", &row_greatest::<f32>::apply(&src).unwrap(), &|row, _, _| most(row));
    hold("row_least", &row_least::<f32>::apply(&src).unwrap(), &|row, _, _| row.iter().copied().fold(9.0, f64::min));
    hold("softmax", &softmax::apply(&src).unwrap(), &|row, _, c| row[c].exp() / sum(row, f64::exp));
    hold("log_softmax", &log_softmax::apply(&src).unwrap(), &|row, _, c| row[c] - sum(row, f64::exp).ln());
    hold("rms_norm", &rms_norm::apply(&src, &scale, 0.25).unwrap(), &|row, _, c| {
        row[c] / (sum(row, |x| x * x) / row.len() as f64 + 0.25).sqrt() * (1.0 - c as f64)
    });
    hold("row_l2_normalize", &row_l2_normalize::apply(&src).unwrap(), &|row, _, c| row[c] / sum(row, |x| x * x).sqrt());
    hold("layer_norm", &layer_norm::apply(&src, &scale, &bias, 0.25).unwrap(), &|row, _, c| {
        standard(row, c) * (1.0 - c as f64) + 1.0 - c as f64 / 90.0
    });
    hold("instance_norm", &instance_norm::apply(&src, &of_row, &onto_row, 0.25).unwrap(), &|row, r, c| {
        standard(row, c) * (0.5 * r as f64 + 1.0) - 3.0 * r as f64 + 1.0
    });
    let zeros: Tensor<f32> = row_l2_normalize::apply(&filled([2, 5], |_| 0.0)).unwrap();
    assert_eq!(zeros.to_vec(), [0.0; 10]);
    let bytes = filled([2, 300], |at| (at * 31 % 251) as u8);
    assert_eq!(row_greatest::<u8>::apply(&bytes).unwrap().to_vec(), [250, 250]);
}

#[test]
fn transposed_convolutions_are_sums_of_what_is_added() {
    let src = filled([1, 3, 4, 2], |at| at as f32);
    let (weights, bias) = (filled([2, 3, 2, 3], |at| (at % 5) as f32), filled([3], |at| at as f32));
    let (stride, dilation, pad) = ([2, 3], [2, 1], [1, 0, 0, 1]);
    let found = transposed_conv2d::apply(&src, &weights, &bias, stride, dilation, pad, [1, 0]).unwrap();
    let extents = [1, 7, 11, 3];
    assert_eq!(found.info().shape().extents(), extents);
    let mut expected: Vec<f32> = places(extents).map(|[.., k]| k as f32).collect();
    for [_, y, x, c] in places([1, 3, 4, 2]) {
        for [row, column, k] in places([2, 3, 3]) {
            let (to_row, to_column) = (y * 2 + row * 2 - 1, x * 3 + column);
            if (0..7).contains(&to_row) && (0..11).contains(&to_column) {
                let weight = four(&weights)[[row, column, c, k]];
                expected[((to_row * 11 + to_column) * 3 + k) as usize] += four(&src)[[0, y, x, c]] * weight;
            }
        }
    }
    assert_eq!(found.to_vec(), expected);
    // Of each channel by itself: all channels with weights for the own one alone.
    let each = filled([2, 3, 2], |at| (at % 5) as f32 - 1.0);
    let alone = Tensor::from_fn(
        [2, 3, 2, 2],
        |[row, column, c, k]| {
            if c == k { each.view().get([row, column, c]).unwrap() } else { 0.0 }
        },
    );
    let bias = filled([2], |at| at as f32);
    let found = transposed_depthwise_conv2d::apply(&src, &each, &bias, stride, dilation, pad, [1, 0]).unwrap();
    let expected = transposed_conv2d::apply(&src, &alone.unwrap(), &bias, stride, dilation, pad, [1, 0]).unwrap();
    assert_eq!(found.to_vec(), expected.to_vec());
}

#[test]
fn rearrangements_are_views() {
    let src = filled([2, 3, 4, 6], |at| at as u8);
    // Channels in two groups, shuffled: [group, channel] becomes [channel, group].
    let elements = src.to_vec();
    let groups = View::from_slice(&elements, [2, 3, 4, 2, 3]).unwrap();
    let shuffled = groups.permute([0, 1, 2, 4, 3]).unwrap().to_vec();
    for ([n, y, x, c], found) in places([2, 3, 4, 6]).zip(shuffled) {
        assert_eq!(found, four(&src)[[n, y, x, c % 2 * 3 + c / 2]]);
    }
    // Blocks of 1×2 as images, and back.
    let blocks = View::from_slice(&elements, [2, 3, 2, 2, 6]).unwrap();
    let batches = blocks.permute([3, 0, 1, 2, 4]).unwrap().to_vec();
    for ([n, y, x, c], found) in places([4, 3, 2, 6]).zip(&batches) {
        assert_eq!(*found, four(&src)[[n % 2, y, 2 * x + n / 2, c]]);
    }
    let batches = View::from_slice(&batches, [2, 2, 3, 2, 6]).unwrap();
    assert_eq!(batches.permute([1, 2, 3, 0, 4]).unwrap().to_vec(), elements);
    // Tiles, and elements in reverse.
    let row = View::from_slice(&[1u8, 2, 3], [1, 3]).unwrap();
    assert_eq!(row.broadcast_to([2, 3]).unwrap().to_vec(), [1, 2, 3, 1, 2, 3]);
    assert_eq!(row.flip(1).unwrap().to_vec(), [3, 2, 1]);
}

#[test]
fn sums_up_to_an_element() {
    let src = filled([3, 7, 5], |at| (at * 29 % 23) as i32 * 90_000_000 - 700_000_000);
    let floats = filled([3, 7, 5], |at| (at * 29 % 23) as f32 / 8.0 - 1.0);
    let [with, without] = [1, 0].map(|own| cumulative_sum_i32::apply(&src, own).unwrap());
    let exact = cumulative_sum::apply(&floats, 1).unwrap();
    let three = |tensor: &Tensor<i32>, [o, a, i]: [i32; 3]| tensor.view().into_rank::<3>().unwrap()[[o, a, i]];
    for ([o, a, i], found) in places([3, 7, 5]).zip(with.to_vec()) {
        let before = (0..a).fold(0i32, |sum, k| sum.wrapping_add(three(&src, [o, k, i])));
        assert_eq!(three(&without, [o, a, i]), before);
        assert_eq!(found, before.wrapping_add(three(&src, [o, a, i])));
        let element = |k: i32| floats.view().into_rank::<3>().unwrap()[[o, k, i]];
        assert_eq!(exact.view().into_rank::<3>().unwrap()[[o, a, i]], (0..=a).map(element).sum::<f32>());
    }
}

#[test]
fn counts_and_extremes_of_images() {
    let src = filled([13, 21], |at| (at * at % 251) as u8 / 3 + 40);
    let bytes = src.to_vec();
    for (bins, offset, range) in [(256, 0, 256), (7, 45, 60), (1, 200, 56), (16, 0, 100)] {
        let mut expected = vec![0u32; bins as usize];
        for value in bytes.iter().map(|&byte| i32::from(byte) - offset).filter(|value| (0..range).contains(value)) {
            expected[(value * bins / range) as usize] += 1;
        }
        assert_eq!(histogram::apply(&src, bins, offset, range).unwrap().to_vec(), expected);
    }
    let (min, max, least, most, first_least, first_most) = min_max::<u8>::apply(&src).unwrap();
    let count = |value: u8| bytes.iter().filter(|&&byte| byte == value).count() as u32;
    let first = |value: u8| bytes.iter().position(|&byte| byte == value).unwrap() as i32;
    let [low, high] = [bytes.iter().min(), bytes.iter().max()].map(|value| *value.unwrap());
    assert_eq!([min.to_vec(), max.to_vec()], [[low], [high]]);
    assert_eq!([least.to_vec(), most.to_vec()], [[count(low)], [count(high)]]);
    assert_eq!([first_least.to_vec(), first_most.to_vec()], [[first(low)], [first(high)]]);
}

#[test]
fn integrals_are_sums_of_all_above_and_to_the_left() {
    let src = filled([9, 70], |at| (at * 37 % 256) as u8);
    let (sums, squares) = (integral_image::apply(&src).unwrap(), integral_squares::apply(&src).unwrap());
    for (([y, x], sum), square) in places([9, 70]).zip(sums.to_vec()).zip(squares.to_vec()) {
        let area = places([9, 70]).filter(|[j, i]| *j <= y && *i <= x);
        let elements: Vec<i64> = area.map(|at| i64::from(src.view().into_rank::<2>().unwrap()[at])).collect();
        assert_eq!(i64::from(sum), elements.iter().sum::<i64>());
        assert_eq!(square, elements.iter().map(|element| element * element).sum::<i64>());
    }
}

#[test]
fn tables_that_make_histograms_flat() {
    let table = |counts: Vec<u32>| {
        let length = counts.len();
        equalization::apply(&Tensor::from_vec(counts, [length]).unwrap()).unwrap().to_vec()
    };
    assert_eq!(table(vec![0, 5, 0, 5, 10]), [0, 0, 0, 85, 255]);
    // Halves are rounded up: 255 · 1 / 2.
    assert_eq!(table(vec![7, 1, 1]), [0, 128, 255]);
    assert_eq!(table(vec![0, 0, 9, 0]), [0, 1, 2, 3]);
    assert_eq!(table(vec![u32::MAX; 3]), [0, 128, 255]);
}

#[test]
fn the_first_greatest_element_of_a_row() {
    let bytes = filled([4, 70], |at| (at * 31 % 19) as u8);
    let floats = filled([4, 70], |at| if at % 7 == 0 { f32::NAN } else { (at * 31 % 19) as f32 - 30.0 });
    let [of_bytes, of_floats] =
        [row_argmax::<u8>::apply(&bytes), row_argmax::<f32>::apply(&floats)].map(Result::unwrap);
    let first = |row: &[f32]| {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        row.iter().position(|&element| element == most).unwrap() as i32
    };
    let widened: Vec<f32> = bytes.to_vec().into_iter().map(f32::from).collect();
    assert_eq!(of_bytes.to_vec(), widened.chunks(70).map(first).collect::<Vec<_>>());
    assert_eq!(of_floats.to_vec(), floats.to_vec().chunks(70).map(first).collect::<Vec<_>>());
}
