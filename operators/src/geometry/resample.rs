//! Tensors of another extent, of weighted elements (ONNX `Resize`: linear, cubic, and with antialiasing).
use windrow::prelude::*;

/// Σ src[o, places[a, t], i] · weights[a, t] along the middle one of three dimensions, t from 0 on, each product and its sum rounded once;
/// what lies outside is 0.
///
/// The dimensions outside and inside it are views of others. An image is resampled along its rows and then along its columns.
#[kernel(step(8, 1), window(o, n, i))]
pub fn resample(
    [o, a, i]: At<3>,
    #[shape(o, m, i)] src: View<f32, 3>,
    #[shape(n, k)] places: View<i32, 2>,
    #[shape(n, k)] weights: View<f32, 2>,
) -> f32 {
    let [_, taps] = places.extents();
    let mut sum = 0.0;
    for tap in 0..taps {
        let element = src.get([o, places[[a, tap]], i]).unwrap_or(0.0);
        sum = element.mul_add(weights[[a, tap]], sum);
    }
    sum
}
