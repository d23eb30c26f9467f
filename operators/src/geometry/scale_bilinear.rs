//! Images of another size, of elements in between (OpenVX `vxScaleImage`, ACL `Scale`, ONNX `Resize`).
use windrow::prelude::*;

#[kernels]
pub mod bilinear_scales {
    //! Where an element comes from, the weights, and the kernels of each type.
    use windrow::prelude::*;

    /// The element before i · scale + offset, and how far behind it this lies.
    fn before(i: i32, [scale, offset]: [f32; 2]) -> (i32, f32) {
        let place = (i as f32 * scale + offset).max(-1e9).min(1e9);
        (place.floor() as i32, place - place.floor())
    }

    fn inside(i: i32, extent: i32) -> i32 {
        i.max(0).min(extent - 1)
    }

    /// The sum of upper left, upper right, lower left and lower right, each times its weights.
    fn mix([a, b, c, d]: [f32; 4], right: f32, below: f32) -> f32 {
        let (left, above) = (1.0 - right, 1.0 - below);
        a * left * above + b * right * above + c * left * below + d * right * below
    }

    /// The four elements around (x · scale + offset, y · scale + offset), by their weights; outside, each is the nearest inside. The
    /// place is counted from the centre of the first; `rows` and `columns` are [scale, offset].
    #[kernel(step(8, 1), types(T = u8, i16))]
    pub fn scale_bilinear(
        [y, x]: At<2>,
        src: View<T>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
        #[variant] rounding: Rounding,
    ) -> T {
        let [height, width] = src.extents();
        let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
        let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]] as f32;
        let sum = mix([tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)], right, below);
        match rounding {
            Rounding::TowardZero => sum.saturating_cast(),
            Rounding::NearestEven => sum.round_ties_even().saturating_cast(),
        }
    }

    /// As `scale_bilinear`, of floats.
    #[kernel(step(8, 1))]
    pub fn scale_bilinear_f32(
        [y, x]: At<2>,
        src: View<f32>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
    ) -> f32 {
        let [height, width] = src.extents();
        let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
        let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
        mix([tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)], right, below)
    }
}
