//! Images at places of a grid (ONNX `GridSample`, MNN `GridSample`).
//!
//! A place is a column and a row, both from −1 to 1. These are the outer edges of the outer elements; with `corners` 1, their middles.
use windrow::prelude::*;

#[kernels]
pub mod grid_samples {
    //! Where a place lies, and the kernels.
    use windrow::prelude::*;

    /// The place along an axis of `length` elements.
    fn along(place: f32, length: i32, corners: i32) -> f32 {
        let (whole, back) = ((length - corners) as f32, (1 - corners) as f32);
        (((place + 1.0) * whole - back) / 2.0).max(-1e9).min(1e9)
    }

    /// The element at the nearest row and column, of two the even one; 0 outside.
    #[kernel(window(n, c, oh, ow))]
    pub fn grid_sample_nearest(
        [n, c, y, x]: At<4>,
        #[shape(n, c, h, w)] src: View<f32, 4>,
        #[shape(n, oh, ow, t)] grid: View<f32, 4>,
        #[uniform(0..=1)] corners: i32,
    ) -> f32 {
        let [_, _, height, width] = src.extents();
        let row = along(grid.get([n, y, x, 1]).unwrap_or(0.0), height, corners).round_ties_even();
        let column = along(grid.get([n, y, x, 0]).unwrap_or(0.0), width, corners).round_ties_even();
        src.get([n, c, row as i32, column as i32]).unwrap_or(0.0)
    }

    /// The four elements around a place, by their weights; outside there is 0.
    #[kernel(window(n, c, oh, ow))]
    pub fn grid_sample_bilinear(
        [n, c, y, x]: At<4>,
        #[shape(n, c, h, w)] src: View<f32, 4>,
        #[shape(n, oh, ow, t)] grid: View<f32, 4>,
        #[uniform(0..=1)] corners: i32,
    ) -> f32 {
        let [_, _, height, width] = src.extents();
        let v = along(grid.get([n, y, x, 1]).unwrap_or(0.0), height, corners);
        let u = along(grid.get([n, y, x, 0]).unwrap_or(0.0), width, corners);
        let (row, column) = (v.floor() as i32, u.floor() as i32);
        let (below, right) = (v - v.floor(), u - u.floor());
        let [a, b, c, d] =
            [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| src.get([n, c, row + j, column + i]).unwrap_or(0.0));
        let (above, left) = (1.0 - below, 1.0 - right);
        a * left * above + b * right * above + c * left * below + d * right * below
    }
}
