//! Windows and boxes of images, by loops over all elements that ask which lie inside.

use windrow::{Tensor, View};
use windrow_operators::*;

use crate::Random;

fn image([rows, columns, channels]: [usize; 3]) -> Tensor<f32> {
    let mut random = Random::new(5);
    Tensor::from_fn([1, rows, columns, channels], |_| random.of(-64, 64) as f32 / 8.0).unwrap()
}

#[test]
fn windows_of_channels() {
    let (src, window, stride, pad) = (image([6, 7, 3]), [3, 2], [2, 3], [2, 1, 1, 0]);
    let means = [0, 1].map(|count_pad| average_pool2d::apply(&src, window, stride, pad, count_pad).unwrap());
    let norms = l2_pool2d::apply(&src, window, stride, pad).unwrap();
    let extents = [1, 4, 3, 3];
    assert_eq!(means[0].info().shape().extents(), extents);
    for (index, ((mean, padded), norm)) in
        means[0].to_vec().into_iter().zip(means[1].to_vec()).zip(norms.to_vec()).enumerate()
    {
        let (y, x, c) = (index as i32 / 9, index as i32 / 3 % 3, index % 3);
        let rows = (2 * y - 2).max(0)..(2 * y + 1).min(6);
        let elements: Vec<f32> = rows
            .flat_map(|row| ((3 * x - 1).max(0)..(3 * x + 1).min(7)).map(move |column| (row, column)))
            .map(|(row, column)| src.view().get([0, row as usize, column as usize, c]).unwrap())
            .collect();
        // Eighths of small integers: their sums are exact in any order.
        let (sum, count) = (elements.iter().sum::<f32>(), elements.len() as f32);
        let squares: f32 = elements.iter().map(|element| element * element).sum();
        assert_eq!((padded, norm.to_bits()), (sum / 6.0, (squares / count).sqrt().to_bits()));
        assert!(mean == sum / count || mean.is_nan() && count == 0.0, "{mean} instead of {sum} / {count}");
    }
}

#[test]
fn greatest_elements_of_boxes() {
    let src = image([1, 9, 11]).to_vec();
    let src = View::from_slice(&src, [1, 1, 9, 11]).unwrap();
    let boxes = [[2.0f32, 4.0, 14.0, 11.0], [-6.0, -2.0, 3.0, 30.0], [40.0, 2.0, 44.0, 5.0], [8.0, 8.0, 8.0, 8.0]];
    let flat = boxes.concat();
    let view = View::from_slice(&flat, [4, 4]).unwrap();
    let images = [0, 0, 0, 1];
    let images = View::from_slice(&images, [4]).unwrap();
    let found = roi_max_pool::apply(src, view, images, [2, 3], 0.5).unwrap().to_vec();
    for (index, found) in found.into_iter().enumerate() {
        let (r, y, x) = (index / 6, (index / 3 % 2) as f64, (index % 3) as f64);
        let [left, top, right, bottom] = boxes[r].map(|side| (f64::from(side) / 2.0).round());
        // From the first edge to the last one: bins touch, and share elements that an edge goes through.
        let edges = |at: f64, first: f64, last: f64, bins: f64| {
            let size = (last - first + 1.0).max(1.0) / bins;
            [(first + at * size).floor(), (first + (at + 1.0) * size).ceil()]
        };
        let ([from_row, to_row], [from, to]) = (edges(y, top, bottom, 2.0), edges(x, left, right, 3.0));
        let mut greatest = f32::NEG_INFINITY;
        for (row, column) in (0..9).flat_map(|row| (0..11).map(move |column| (row, column))) {
            let is_inside = from_row <= f64::from(row)
                && f64::from(row) < to_row
                && from <= f64::from(column)
                && f64::from(column) < to;
            if is_inside && r < 3 {
                greatest = greatest.max(src.get([0, 0, row, column]).unwrap());
            }
        }
        let expected = if greatest == f32::NEG_INFINITY { 0.0 } else { greatest };
        assert_eq!(found, expected, "box {r}, row {y}, column {x}");
    }
}
