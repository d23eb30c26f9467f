//! The greatest elements of parts of images, each brought to the same size (ACL `ROIPoolingLayer`, ONNX `MaxRoiPool`).
//!
//! A box is left, top, right and bottom, which `scale` brings to elements; `images` says of which image each is a part. It is cut into
//! `bins`, rows of them and then columns.
use windrow::prelude::*;

/// The greatest element of a bin, whose edges are rounded outwards from those of the box, rounded to elements; 0 where none is inside.
#[kernel(window(r, c, bins[0], bins[1]))]
pub fn roi_max_pool(
    [r, c, y, x]: At<4>,
    #[shape(n, c, h, w)] src: View<f32, 4>,
    #[shape(r, four)] boxes: View<f32, 2>,
    #[shape(r)] images: View<i32, 1>,
    #[uniform(1..=64)] bins: [i32; 2],
    #[uniform(0.0..=1.0)] scale: f32,
) -> f32 {
    let [_, _, height, width] = src.extents();
    let side = |number: i32| (boxes.get([r, number]).unwrap_or(0.0) * scale).max(-1e9).min(1e9);
    let left = (side(0) + 0.5).floor();
    let top = (side(1) + 0.5).floor();
    let columns = ((side(2) + 0.5).floor() - left + 1.0).max(1.0) / bins[1] as f32;
    let rows = ((side(3) + 0.5).floor() - top + 1.0).max(1.0) / bins[0] as f32;
    let first_row = ((y as f32 * rows).floor() + top) as i32;
    let end_row = (((y as f32 + 1.0) * rows).ceil() + top) as i32;
    let first_column = ((x as f32 * columns).floor() + left) as i32;
    let end_column = (((x as f32 + 1.0) * columns).ceil() + left) as i32;
    let mut greatest = f32::NEG_INFINITY;
    for row in first_row.max(0)..end_row.min(height) {
        for column in first_column.max(0)..end_column.min(width) {
            greatest = src.get([images[[r]], c, row, column]).map_or(greatest, |element| element.max(greatest));
        }
    }
    if greatest == f32::NEG_INFINITY { 0.0 } else { greatest }
}
