//! Images through maps of places (OpenVX `vxRemap`, ACL `Remap`, OpenCV `remap`).
use super::places::mixed;
use windrow::prelude::*;

#[kernels(uses(mixed))]
pub mod remaps {
    //! Where an element comes from, the weights, and the kernels of each type. The maps may be the two channels of one image.
    use windrow::prelude::*;

    /// The whole numbers below a row and a column, and how far behind them these are.
    fn before(row: f32, column: f32) -> ([i32; 2], [f32; 2]) {
        let [y, x] = [row.max(-1e9).min(1e9), column.max(-1e9).min(1e9)];
        ([y.floor() as i32, x.floor() as i32], [y - y.floor(), x - x.floor()])
    }

    /// The sum of upper left, upper right, lower left and lower right, each times its weights.
    fn mix(taps: [u8; 4], [below, right]: [f32; 2], rounding: Rounding) -> u8 {
        let sum = mixed(taps.map(|tap| tap as f32), right, below);
        if rounding == Rounding::NearestEven { sum.round_ties_even() as u8 } else { sum as u8 }
    }

    /// The element nearest to (map_x, map_y); of two the one behind. Where there is none, the constant.
    #[kernel(step(8, 1), types(T = u8, f32))]
    pub fn remap_nearest(src: View<T>, map_x: f32, map_y: f32, #[uniform] constant: T) -> T {
        src.get(before(map_y + 0.5, map_x + 0.5).0).unwrap_or(constant)
    }

    /// As `remap_nearest`, of interleaved pixels with three channels.
    #[kernel(step(8, 1))]
    pub fn remap_nearest3(src: View<[u8; 3]>, map_x: f32, map_y: f32, #[uniform] constant: [u8; 3]) -> [u8; 3] {
        src.get(before(map_y + 0.5, map_x + 0.5).0).unwrap_or(constant)
    }

    /// The four elements around (map_x, map_y), by their weights in `f32`, in which the constant takes part.
    #[kernel(step(8, 1))]
    pub fn remap_bilinear(
        src: View<u8>,
        map_x: f32,
        map_y: f32,
        #[uniform] constant: u8,
        #[variant] rounding: Rounding,
    ) -> u8 {
        let ([row, column], part) = before(map_y, map_x);
        let taps = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| src.get([row + j, column + i]).unwrap_or(constant));
        mix(taps, part, rounding)
    }

    /// As `remap_bilinear` to the nearest even, of interleaved pixels with three channels.
    #[kernel(step(8, 1))]
    pub fn remap_bilinear3(src: View<[u8; 3]>, map_x: f32, map_y: f32, #[uniform] constant: [u8; 3]) -> [u8; 3] {
        let ([row, column], part) = before(map_y, map_x);
        let taps = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| src.get([row + j, column + i]).unwrap_or(constant));
        [0, 1, 2].map(|channel: usize| mix(taps.map(|tap| tap[channel]), part, Rounding::NearestEven))
    }
}
