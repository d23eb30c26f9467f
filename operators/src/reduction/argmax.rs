//! Where the greatest element is (ACL `ArgMinMaxLayer`, ONNX `ArgMax`).
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

/// The first column whose x is greatest in a row; what is no number counts for nothing.
#[kernel(types(T = u8, f32), window(r, 1))]
pub fn row_argmax([r, _]: At<2>, #[shape(r, c)] src: View<T, 2>) -> i32 {
    argmax(0..src.extents()[1], |i| src[[r, i]])
}
