//! Images through a map of the plane, onto others (OpenVX' warps with an undefined border, OpenCV's with a transparent one).
use windrow::prelude::*;

#[kernels]
pub mod warps_onto {
    //! Places and weights are those of `warp_nearest` and `warp_bilinear`.
    use windrow::prelude::*;

    /// (u / w, v / w), where u, v and w are the rows of the matrix times (x, y, 1).
    fn place([y, x]: [i32; 2], matrix: [[f32; 3]; 3]) -> [f32; 2] {
        let [u, v, w] = matrix.map(|[a, b, c]| x as f32 * a + y as f32 * b + c);
        [(u / w).max(-1e9).min(1e9), (v / w).max(-1e9).min(1e9)]
    }

    /// As `warp_nearest`; where there is no such element, the output keeps what it held.
    #[kernel(step(8, 1))]
    pub fn warp_nearest_onto(at: At<2>, src: View<u8>, #[inout] out: u8, #[uniform] matrix: [[f32; 3]; 3]) -> u8 {
        let [u, v] = place(at, matrix);
        src.get([(v + 0.5).floor() as i32, (u + 0.5).floor() as i32]).unwrap_or(out)
    }

    /// As `warp_bilinear`; where one of the four elements is missing, the output keeps what it held.
    #[kernel(step(8, 1))]
    pub fn warp_bilinear_onto(
        at: At<2>,
        src: View<u8>,
        #[inout] out: u8,
        #[uniform] matrix: [[f32; 3]; 3],
        #[uniform(0.0..=0.5)] bias: f32,
    ) -> u8 {
        let [u, v] = place(at, matrix);
        let tap = |dy: i32, dx: i32| src.get([v.floor() as i32 + dy, u.floor() as i32 + dx]);
        let value = |dy: i32, dx: i32| tap(dy, dx).unwrap_or(0) as f32;
        let (r, b) = (u - u.floor(), v - v.floor());
        let (l, t) = (1.0 - r, 1.0 - b);
        let sum = value(0, 0) * l * t + value(0, 1) * r * t + value(1, 0) * l * b + value(1, 1) * r * b;
        if tap(0, 0).is_some() && tap(1, 1).is_some() { (sum + bias) as u8 } else { out }
    }
}
