//! Tensors one behind the other (ACL `ConcatenateLayer`, ONNX `Concat`).
use windrow::prelude::*;

/// Two tensors one behind the other along the middle one of three dimensions; those outside and inside it are views of others.
#[kernel(types(T = u8, f32), window(o, m + n, i))]
pub fn concatenate([o, a, i]: At<3>, #[shape(o, m, i)] first: View<T, 3>, #[shape(o, n, i)] second: View<T, 3>) -> T {
    let [_, length, _] = first.extents();
    if a < length { first[[o, a, i]] } else { second[[o, a - length, i]] }
}
