//! The elements that are not 0, in a list (ONNX `NonZero`, NumPy `argwhere`; the list of OpenVX `vxFastCorners` and `vxMinMaxLoc`).
//!
//! A list is a gather: pieces of rows are counted, the counts are summed up (`cumulative_sum_i32`), and each element of the list finds
//! its piece by a binary search in the sums.
use windrow::prelude::*;

/// How many elements of a row are not 0, in each piece of 64 columns.
#[kernel(types(T = u8, f32), window(h, (w + 63) / 64))]
pub fn count_nonzero([y, piece]: At<2>, #[shape(h, w)] src: View<T, 2>) -> i32 {
    let [_, w] = src.extents();
    sum(64 * piece..(64 * piece + 64).min(w), |x| (src[[y, x]] != 0 as T) as i32)
}

/// The place [row, column] of element k of those that are not 0, row by row, plus `origin`, and the element; [−1, −1] and 0 where there
/// are no more than k.
///
/// `sums` are those of the counts of all pieces, row by row, each with the pieces before it.
#[kernel(types(T = u8, f32), output(place, value?))]
pub fn nonzero_places(
    [k]: At<1>,
    src: View<T, 2>,
    #[shape(n)] sums: View<i32, 1>,
    #[uniform] origin: [i32; 2],
) -> ([i32; 2], T) {
    let ([_, w], [n]) = (src.extents(), sums.extents());
    let pieces = (w - 1) / 64 + 1;
    let is_there = k < sums[[n - 1]];
    // The first piece whose sum is above k.
    let (mut piece, mut rest) = (0i32, n);
    for _ in 0..if is_there { 32 - (n as u32).leading_zeros() } else { 0 } {
        let half = (rest + 1) / 2;
        let next = piece.wrapping_add(half);
        let is_before = rest > 0 && sums.get([next.wrapping_sub(1)]).unwrap_or(0) <= k;
        (piece, rest) = if is_before { (next, rest - half) } else { (piece, half - 1) };
    }
    let mut left = k.wrapping_sub(sums.get([piece.wrapping_sub(1)]).unwrap_or(0));
    let (row, first) = (piece / pieces, 64 * (piece % pieces));
    let (mut column, mut value) = (-1i32, 0 as T);
    for x in 0..if is_there { 64 } else { 0 } {
        let element = src.get([row, first + x]).unwrap_or(0 as T);
        if element != 0 as T {
            (column, value) = if left == 0 { (first + x, element) } else { (column, value) };
            left = left.wrapping_sub(1);
        }
    }
    if is_there { ([row.wrapping_add(origin[0]), column.wrapping_add(origin[1])], value) } else { ([-1, -1], 0 as T) }
}
