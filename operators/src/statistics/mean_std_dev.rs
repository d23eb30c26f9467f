//! Mean and deviation of all elements (OpenVX `vxMeanStdDev`, ACL `NEMeanStdDev`).
use windrow::prelude::*;

/// Σ x / n and √(Σ (x − mean)² / n) of the n elements of an image: sums of rows, and of these sums, in lanes.
#[kernel(window(1), output(mean, deviation))]
pub fn mean_std_dev([_]: At<1>, #[shape(h, w)] src: View<u8, 2>) -> (f32, f32) {
    let [h, w] = src.extents();
    let count = h as f32 * w as f32;
    let mean = sum(0..h, |y| sum(0..w, |x| src[[y, x]] as u32) as f32) / count;
    let squares = sum(0..h, |y| sum(0..w, |x| (src[[y, x]] as f32 - mean) * (src[[y, x]] as f32 - mean)));
    (mean, (squares / count).sqrt())
}
