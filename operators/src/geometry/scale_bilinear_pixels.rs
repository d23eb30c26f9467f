//! Images of another size, of interleaved pixels in between.
use windrow::prelude::*;

#[kernels]
pub mod bilinear_pixel_scales {
    //! As `scale_bilinear`, channel by channel.
    use windrow::prelude::*;

    /// The pixel before i · scale + offset, and how far behind it this lies.
    fn before(i: i32, [scale, offset]: [f32; 2]) -> (i32, f32) {
        let place = (i as f32 * scale + offset).max(-1e9).min(1e9);
        (place.floor() as i32, place - place.floor())
    }

    fn inside(i: i32, extent: i32) -> i32 {
        i.max(0).min(extent - 1)
    }

    /// The sum of upper left, upper right, lower left and lower right, each times its weights, to the nearest even.
    fn mix(taps: [u8; 4], right: f32, below: f32) -> u8 {
        let (left, above) = (1.0 - right, 1.0 - below);
        let [a, b, c, d] = taps.map(|tap| tap as f32);
        (a * left * above + b * right * above + c * left * below + d * right * below).round_ties_even() as u8
    }

    /// As `scale_bilinear` to the nearest even, of interleaved pixels with three channels.
    #[kernel(step(8, 1))]
    pub fn scale_bilinear3(
        [y, x]: At<2>,
        src: View<[u8; 3]>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
    ) -> [u8; 3] {
        let [height, width] = src.extents();
        let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
        let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
        let taps = [tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)];
        [0, 1, 2].map(|channel: usize| mix(taps.map(|tap| tap[channel]), right, below))
    }

    /// As `scale_bilinear` to the nearest even, of interleaved pixels with four channels.
    #[kernel(step(8, 1))]
    pub fn scale_bilinear4(
        [y, x]: At<2>,
        src: View<[u8; 4]>,
        #[uniform] rows: [f32; 2],
        #[uniform] columns: [f32; 2],
    ) -> [u8; 4] {
        let [height, width] = src.extents();
        let ((top, below), (left, right)) = (before(y, rows), before(x, columns));
        let tap = |dy: i32, dx: i32| src[[inside(top + dy, height), inside(left + dx, width)]];
        let taps = [tap(0, 0), tap(0, 1), tap(1, 0), tap(1, 1)];
        [0, 1, 2, 3].map(|channel: usize| mix(taps.map(|tap| tap[channel]), right, below))
    }
}
