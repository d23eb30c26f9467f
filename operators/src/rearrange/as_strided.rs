//! Elements of a row of memory as a tensor of their own (NumPy `as_strided`, PyTorch `as_strided`, a region of MNN's `Raster`).
use windrow::prelude::*;

/// The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
/// a place is counted modulo 2³², and zeros are what lies outside the row.
#[kernel(types(T = u8, i8, i32, f32))]
pub fn as_strided(
    [a, b, c, d]: At<4>,
    #[shape(_)] src: View<T, 1>,
    #[uniform] start: i32,
    #[uniform] strides: [i32; 4],
) -> T {
    let outer = start.wrapping_add(a.wrapping_mul(strides[0])).wrapping_add(b.wrapping_mul(strides[1]));
    let inner = c.wrapping_mul(strides[2]).wrapping_add(d.wrapping_mul(strides[3]));
    src.get([outer.wrapping_add(inner)]).unwrap_or(0 as T)
}
