//! Sums up to an element (ONNX `CumSum`).
use windrow::prelude::*;

/// src[o, 0, i] + … + src[o, a, i] along the middle one of three dimensions, one element after the other; without the last of them where
/// `own` is 0.
///
/// From the other end it is the sum of views whose elements are in reverse order.
#[kernel(step(8, 1), window(o, a, i))]
pub fn cumulative_sum([o, a, i]: At<3>, #[shape(o, a, i)] src: View<f32, 3>, #[uniform(0..=1)] own: i32) -> f32 {
    let mut total = 0.0;
    for k in 0..a + own {
        total += src[[o, k, i]];
    }
    total
}

/// The same sum of integers, modulo 2³².
#[kernel(step(8, 1), window(o, a, i))]
pub fn cumulative_sum_i32([o, a, i]: At<3>, #[shape(o, a, i)] src: View<i32, 3>, #[uniform(0..=1)] own: i32) -> i32 {
    let mut total = 0i32;
    for k in 0..a + own {
        total = total.wrapping_add(src[[o, k, i]]);
    }
    total
}
