//! Sums of bytes along the middle one of three dimensions (ACL `GEMMLowpReduction`). The dimensions outside and inside it are views
//! of others.
use windrow::prelude::*;

/// Σ src[o, a, i], modulo 2³²: the sums of a matrix' rows or columns, which the zeros of quantised products ask for.
#[kernel(step(8, 1), types(T = u8, i8), window(o, i))]
pub fn reduce_sum_bytes([o, i]: At<2>, #[shape(o, a, i)] src: View<T, 3>) -> i32 {
    let [_, length, _] = src.extents();
    let mut sum: i32 = 0;
    for a in 0..length {
        sum = sum.wrapping_add(src[[o, a, i]] as i32);
    }
    sum
}
