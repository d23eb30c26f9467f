//! Images through a map of the plane, of nearest elements (OpenVX `vxWarpAffine` and `vxWarpPerspective`, ACL `Warp`, OpenCV
//! `warpPerspective`).
use windrow::prelude::*;

#[kernels]
pub mod nearest_warps {
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

    /// The element nearest to where the matrix takes (x, y, 1); of two the one behind. Where there is none, the constant.
    #[kernel(step(8, 1))]
    pub fn warp_nearest(at: At<2>, src: View<u8>, #[uniform] matrix: [[f32; 3]; 3], #[uniform] constant: u8) -> u8 {
        let [u, v] = place(at, matrix);
        src.get([(v + 0.5).floor() as i32, (u + 0.5).floor() as i32]).unwrap_or(constant)
    }

    /// As `warp_nearest`; where there is no such element, the nearest inside.
    #[kernel(step(8, 1))]
    pub fn warp_nearest_replicate(at: At<2>, src: View<u8>, #[uniform] matrix: [[f32; 3]; 3]) -> u8 {
        let [u, v] = place(at, matrix);
        inside(src, (v + 0.5).floor() as i32, (u + 0.5).floor() as i32)
    }
}
