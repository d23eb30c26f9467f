//! Where the greatest and the least element is (ACL `ArgMinMaxLayer`, ONNX `ArgMax`, `ArgMin`).
use windrow::prelude::*;

/// The first a for which src[o, a, i] is greatest, along the middle one of three dimensions; what is no number is never greater.
#[kernel(step(8, 1), window(o, i))]
pub fn argmax([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> i32 {
    let [_, length, _] = src.extents();
    let (mut place, mut greatest) = (0, src[[o, 0, i]]);
    for a in 1..length {
        let element = src[[o, a, i]];
        (place, greatest) = if element > greatest { (a, element) } else { (place, greatest) };
    }
    place
}

/// The first a for which src[o, a, i] is least, along the middle one of three dimensions; what is no number is never less.
#[kernel(step(8, 1), window(o, i))]
pub fn argmin([o, i]: At<2>, #[shape(o, a, i)] src: View<f32, 3>) -> i32 {
    let [_, length, _] = src.extents();
    let (mut place, mut least) = (0, src[[o, 0, i]]);
    for a in 1..length {
        let element = src[[o, a, i]];
        (place, least) = if element < least { (a, element) } else { (place, least) };
    }
    place
}
