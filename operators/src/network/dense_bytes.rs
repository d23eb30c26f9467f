//! Products of bytes, before they are scaled (ACL `FullyConnectedLayer` of QASYMM8, TVM `qnn.dense`).
use windrow::prelude::*;

/// bias + Σ (src[n, c] − zero) · weights[c, k], modulo 2³².
#[kernel(step(8, 1), types(T = u8, i8), window(n, k))]
pub fn dense_bytes(
    [n, k]: At<2>,
    #[shape(n, c)] src: View<T, 2>,
    #[shape(c, k)] weights: View<i8, 2>,
    #[shape(k)] bias: View<i32, 1>,
    #[uniform] zero: T,
) -> i32 {
    let [_, channels] = src.extents();
    let mut sum = bias[[k]];
    for channel in 0..channels {
        let element = src[[n, channel]] as i32 - zero as i32;
        sum = sum.wrapping_add(element * weights[[channel, k]] as i32);
    }
    sum
}
