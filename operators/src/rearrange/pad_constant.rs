//! Tensors with more around them (ACL `PadLayer`, ONNX `Pad`).
use windrow::prelude::*;

/// A tensor with elements of one value before and behind it along each dimension.
#[kernel(
    types(T = u8, f32),
    window(
        n + before[0] + behind[0],
        h + before[1] + behind[1],
        w + before[2] + behind[2],
        c + before[3] + behind[3]
    )
)]
pub fn pad_constant(
    [n, y, x, c]: At<4>,
    #[shape(n, h, w, c)] src: View<T, 4>,
    #[uniform(0..=65535)] before: [i32; 4],
    #[uniform(0..=65535)]
    #[allow(unused_variables)]
    behind: [i32; 4],
    #[uniform] value: T,
) -> T {
    src.get([n - before[0], y - before[1], x - before[2], c - before[3]]).unwrap_or(value)
}
