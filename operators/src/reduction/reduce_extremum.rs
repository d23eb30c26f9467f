//! Greatest and least elements along the middle one of three dimensions (ACL `MinMaxLayer`, ONNX `ReduceMax`, `ReduceMin`,
//! `GlobalMaxPool`). The dimensions outside and inside it are views of others.
use windrow::prelude::*;

/// The greatest src[o, a, i]; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.
#[kernel(step(8, 1), types(T = u8, f32), window(o, i))]
pub fn reduce_max([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> T {
    let [_, length, _] = src.extents();
    let mut greatest = src[[o, 0, i]];
    for a in 1..length {
        greatest = greatest.max(src[[o, a, i]]);
    }
    greatest
}

/// The least src[o, a, i]; what is no number counts for nothing, and where there is nothing else +∞ is the least.
#[kernel(step(8, 1), types(T = u8, f32), window(o, i))]
pub fn reduce_min([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> T {
    let [_, length, _] = src.extents();
    let mut least = src[[o, 0, i]];
    for a in 1..length {
        least = least.min(src[[o, a, i]]);
    }
    least
}
