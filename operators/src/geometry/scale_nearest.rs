//! Images of another size, of nearest elements (OpenVX `vxScaleImage`, ACL `Scale`, ONNX `Resize`).
use windrow::prelude::*;

#[kernels]
pub mod nearest_scales {
    //! Where an element comes from, and the kernels of each type.
    use windrow::prelude::*;

    /// The element nearest to i · scale + offset; of two the one behind, and of those outside the nearest inside.
    fn nearest(i: i32, [scale, offset]: [f32; 2], extent: i32) -> i32 {
        let place = (i as f32 * scale + (offset + 0.5)).max(-1e9).min(1e9);
        (place.floor() as i32).max(0).min(extent - 1)
    }

    /// The element nearest to (x · scale + offset, y · scale + offset), counted from the centre of the first; of two the one behind,
    /// and of those outside the nearest inside. `rows` and `columns` are [scale, offset].
    #[kernel(step(8, 1), types(T = u8, i16, f32))]
    pub fn scale_nearest([y, x]: At<2>, src: View<T>, #[uniform] rows: [f32; 2], #[uniform] columns: [f32; 2]) -> T {
        let [height, width] = src.extents();
        src[[nearest(y, rows, height), nearest(x, columns, width)]]
    }

    /// As `scale_nearest`, of interleaved pixels with three channels.
    #[kernel(step(8, 1))]
    pub fn scale_nearest3(
        [y, x]: At<2>,
        src: View<[u8; 3]>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
    ) -> [u8; 3] {
        let [height, width] = src.extents();
        src[[nearest(y, rows, height), nearest(x, columns, width)]]
    }

    /// As `scale_nearest`, of interleaved pixels with four channels.
    #[kernel(step(8, 1))]
    pub fn scale_nearest4(
        [y, x]: At<2>,
        src: View<[u8; 4]>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
    ) -> [u8; 4] {
        let [height, width] = src.extents();
        src[[nearest(y, rows, height), nearest(x, columns, width)]]
    }
}
