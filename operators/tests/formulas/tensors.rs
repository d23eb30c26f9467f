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
    for (index, [o, i]) in places([2, 3]).enumerate() {
        let greatest = column(o, i).fold(f32::NEG_INFINITY, f32::max);
        let first = column(o, i).position(|element| element == greatest).unwrap() as i32;
        let sum: f32 = column(o, i).sum();
        assert_eq!((sums[index], means[index], most[index], at[index]), (sum, sum / 5.0, greatest, first));
    }
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
}
