//! Elements along one dimension by their numbers (ACL `GatherLayer`, ONNX `Gather`).
use windrow::prelude::*;

/// The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
/// from −m on counts from the end, and zeros are what there is none of.
#[kernel(step(8, 1), types(T = u8, i8, i32, f32), window(o, n, i))]
pub fn gather([o, a, i]: At<3>, #[shape(o, m, i)] src: View<T, 3>, #[shape(n)] places: View<i32, 1>) -> T {
    let [_, length, _] = src.extents();
    let place = places[[a]];
    src.get([o, if place < 0 { place + length } else { place }, i]).unwrap_or(0 as T)
}
