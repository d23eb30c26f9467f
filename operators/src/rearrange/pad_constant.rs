//! Tensors with more before and behind them (ACL `PadLayer`, ONNX `Pad`).
use windrow::prelude::*;

/// A tensor with elements of one value before and behind it along the middle one of three dimensions; those outside and inside it are
/// views of others.
#[kernel(types(T = u8, f32), window(o, before + m + behind, i))]
pub fn pad_constant(
    [o, a, i]: At<3>,
    #[shape(o, m, i)] src: View<T, 3>,
    #[uniform(0..=4095)] before: i32,
    #[uniform(0..=4095)]
    #[allow(unused_variables)]
    behind: i32,
    #[uniform] value: T,
) -> T {
    src.get([o, a - before, i]).unwrap_or(value)
}
