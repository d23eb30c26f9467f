//! Images through a map of the plane, of elements in between (OpenVX `vxWarpAffine` and `vxWarpPerspective`, ACL `Warp`, OpenCV
//! `warpPerspective`).
use windrow::prelude::*;

#[kernels]
pub mod bilinear_warps {
    //! Where an element comes from, what is taken outside, and the kernels.
    use windrow::prelude::*;

    /// (u / w, v / w), where u, v and w are the rows of the matrix times (x, y, 1).
    fn place([y, x]: [i32; 2], matrix: [[f32; 3]; 3]) -> [f32; 2] {
        let [u, v, w] = matrix.map(|[a, b, c]| x as f32 * a + y as f32 * b + c);
        [(u / w).max(-1e9).min(1e9), (v / w).max(-1e9).min(1e9)]
    }

    /// The element at a row and a column, or the nearest inside.
    fn inside(src: View<u8>, row: i32, column: i32) -> u8 {
        let [height, width] = src.extents();
        src[[row.max(0).min(height - 1), column.max(0).min(width - 1)]]
    }

    /// The elements in the columns and rows that a place lies between, by their weights.
    fn mix([a, b, c, d]: [u8; 4], [u, v]: [f32; 2]) -> f32 {
        let (r, below) = (u - u.floor(), v - v.floor());
        let (l, t) = (1.0 - r, 1.0 - below);
        a as f32 * l * t + b as f32 * r * t + c as f32 * l * below + d as f32 * r * below
    }

    /// The four elements around where the matrix takes (x, y, 1), by their weights in `f32`, in which the constant takes part. To the
    /// sum `bias` is added before its fraction is cut off: 0.5 rounds to the nearest, of two to the greater.
    #[kernel(step(8, 1))]
    pub fn warp_bilinear(
        at: At<2>,
        src: View<u8>,
        #[uniform] matrix: [[f32; 3]; 3],
        #[uniform] constant: u8,
        #[uniform(0.0..=0.5)] bias: f32,
    ) -> u8 {
        let [u, v] = place(at, matrix);
        let (row, column) = (v.floor() as i32, u.floor() as i32);
        let taps = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| src.get([row + j, column + i]).unwrap_or(constant));
        (mix(taps, [u, v]) + bias) as u8
    }

    /// As `warp_bilinear`; where one of the four elements is missing, the nearest inside stands for it.
    #[kernel(step(8, 1))]
    pub fn warp_bilinear_replicate(
        at: At<2>,
        src: View<u8>,
        #[uniform] matrix: [[f32; 3]; 3],
        #[uniform(0.0..=0.5)] bias: f32,
    ) -> u8 {
        let [u, v] = place(at, matrix);
        let (row, column) = (v.floor() as i32, u.floor() as i32);
        let taps = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[j, i]| inside(src, row + j, column + i));
        (mix(taps, [u, v]) + bias) as u8
    }
}
