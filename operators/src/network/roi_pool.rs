//! Parts of images, each brought to the same size (ACL `ROIPoolingLayer`, `ROIAlignLayer`, ONNX `MaxRoiPool`, `RoiAlign`).
//!
//! A box is left, top, right and bottom, which `scale` brings to elements; `images` says of which image each is a part. It is cut into
//! `bins`, rows of them and then columns.
use windrow::prelude::*;

#[kernels]
pub mod roi_pools {
    //! A number of a box, an element between others, and the kernels.
    use windrow::prelude::*;

    /// A number of a box, where it is within a billion elements.
    fn side(boxes: View<f32, 2>, r: i32, number: i32, scale: f32) -> f32 {
        (boxes.get([r, number]).unwrap_or(0.0) * scale).max(-1e9).min(1e9)
    }

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
        let left = (side(boxes, r, 0, scale) + 0.5).floor();
        let top = (side(boxes, r, 1, scale) + 0.5).floor();
        let columns = ((side(boxes, r, 2, scale) + 0.5).floor() - left + 1.0).max(1.0) / bins[1] as f32;
        let rows = ((side(boxes, r, 3, scale) + 0.5).floor() - top + 1.0).max(1.0) / bins[0] as f32;
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
        let least = if offset == 0.0 { 1.0 } else { 0.0 };
        let (left, top) = (side(boxes, r, 0, scale) - offset, side(boxes, r, 1, scale) - offset);
        let columns = (side(boxes, r, 2, scale) - offset - left).max(least) / bins[1] as f32;
        let rows = (side(boxes, r, 3, scale) - offset - top).max(least) / bins[0] as f32;
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
}
