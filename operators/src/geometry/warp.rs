//! Images through a map of the plane (OpenVX `vxWarpAffine` and `vxWarpPerspective`, ACL `Warp`, OpenCV `warpPerspective`).
use windrow::prelude::*;

#[kernels]
pub mod warps {
    //! What lies outside, where an element comes from, and the kernels.
    use windrow::prelude::*;

    /// What stands for the elements outside an image.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Outside {
        /// One value.
        Constant,
        /// The nearest element inside.
        Replicate,
    }

    /// (u / w, v / w), where u, v and w are the rows of the matrix times (x, y, 1).
    fn place([y, x]: [i32; 2], matrix: [[f32; 3]; 3]) -> [f32; 2] {
        let [u, v, w] = matrix.map(|[a, b, c]| x as f32 * a + y as f32 * b + c);
        [(u / w).max(-1e9).min(1e9), (v / w).max(-1e9).min(1e9)]
    }

    fn read(src: View<u8>, row: i32, column: i32, outside: Outside, constant: u8) -> u8 {
        let [height, width] = src.extents();
        let nearest = [row.max(0).min(height - 1), column.max(0).min(width - 1)];
        src.get(if outside == Outside::Replicate { nearest } else { [row, column] }).unwrap_or(constant)
    }

    /// The element nearest to where the matrix takes (x, y, 1); of two the one behind. Where there is none, the constant.
    #[kernel(step(8, 1))]
    pub fn warp_nearest(
        at: At<2>,
        src: View<u8>,
        #[uniform] matrix: [[f32; 3]; 3],
        #[uniform] constant: u8,
        #[variant] outside: Outside,
    ) -> u8 {
        let [u, v] = place(at, matrix);
        read(src, (v + 0.5).floor() as i32, (u + 0.5).floor() as i32, outside, constant)
    }

    /// The four elements around where the matrix takes (x, y, 1), by their weights in `f32`, in which the constant takes part.
    #[kernel(step(8, 1))]
    pub fn warp_bilinear(
        at: At<2>,
        src: View<u8>,
        #[uniform] matrix: [[f32; 3]; 3],
        #[uniform] constant: u8,
        #[variant] outside: Outside,
        #[variant] rounding: Rounding,
    ) -> u8 {
        let [u, v] = place(at, matrix);
        let tap = |dy: i32, dx: i32| read(src, v.floor() as i32 + dy, u.floor() as i32 + dx, outside, constant) as f32;
        let (r, b) = (u - u.floor(), v - v.floor());
        let (l, t) = (1.0 - r, 1.0 - b);
        let sum = tap(0, 0) * l * t + tap(0, 1) * r * t + tap(1, 0) * l * b + tap(1, 1) * r * b;
        if rounding == Rounding::NearestEven { sum.round_ties_even() as u8 } else { sum as u8 }
    }
}
