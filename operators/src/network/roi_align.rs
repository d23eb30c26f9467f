//! Parts of images, each brought to the same size by elements in between (ACL `ROIAlignLayer`, ONNX `RoiAlign`).
//!
//! A box is left, top, right and bottom, which `scale` brings to elements; `images` says of which image each is a part. It is cut into
//! `bins`, rows of them and then columns.
use windrow::prelude::*;

/// The mean of `samples` times `samples` places of a bin, each taken from the four elements around it by their weights. Places beyond one
/// element outside count as 0; nearer ones take the elements at the edge. `offset` is taken from each side of the box: 0.5 where elements are
/// at the middles of squares.
#[kernel(window(r, c, bins[0], bins[1]))]
pub fn roi_align(
    [r, c, y, x]: At<4>,
    #[shape(n, c, h, w)] src: View<f32, 4>,
    #[shape(r, four)] boxes: View<f32, 2>,
    #[shape(r)] images: View<i32, 1>,
    #[uniform(1..=64)] bins: [i32; 2],
    #[uniform(1..=16)] samples: i32,
    #[uniform(0.0..=1.0)] scale: f32,
    #[uniform(0.0..=0.5)] offset: f32,
) -> f32 {
    let [_, _, height, width] = src.extents();
    let side = |number: i32| (boxes.get([r, number]).unwrap_or(0.0) * scale).max(-1e9).min(1e9);
    let least = if offset == 0.0 { 1.0 } else { 0.0 };
    let (left, top) = (side(0) - offset, side(1) - offset);
    let columns = (side(2) - offset - left).max(least) / bins[1] as f32;
    let rows = (side(3) - offset - top).max(least) / bins[0] as f32;
    let mut sum = 0.0;
    for j in 0..samples {
        for i in 0..samples {
            let v = top + y as f32 * rows + (j as f32 + 0.5) * rows / samples as f32;
            let u = left + x as f32 * columns + (i as f32 + 0.5) * columns / samples as f32;
            let is_outside = v < -1.0 || v > height as f32 || u < -1.0 || u > width as f32;
            let (v, u) = (v.max(0.0).min((height - 1) as f32), u.max(0.0).min((width - 1) as f32));
            let (row, column) = (v.floor() as i32, u.floor() as i32);
            let (below, right) = (v - v.floor(), u - u.floor());
            let [p, q, s, t] = [[0, 0], [0, 1], [1, 0], [1, 1]]
                .map(|[j, i]| src.get([images[[r]], c, row + j, column + i]).unwrap_or(0.0));
            let (above, before) = (1.0 - below, 1.0 - right);
            let element = p * before * above + q * right * above + s * before * below + t * right * below;
            sum += if is_outside { 0.0 } else { element };
        }
    }
    sum / (samples * samples) as f32
}
