//! Bytes of four rows at once, in the order in which instructions multiply them: [`Quads`](crate::code::Quads).

use core::ops::Range;

use super::packed::strips;
use crate::{code::WholeView, info::MAX_DIMENSIONS, planes::Coordinates};

/// Rows that are multiplied at once.
const TOGETHER: usize = 4;

/// Rows behind those of a plane that hold the sums of its columns, each of four bytes.
pub(super) const SUM_ROWS: usize = size_of::<i32>();

/// Bytes of a block of a vector.
const BLOCK: usize = 16;

/// Writes the quads of some columns of an image of bytes, strip after strip of `step` columns, for vectors of `vector` bytes. Rows lie
/// where those of the strips' plain copies do; those that are left over have none. Behind the rows of each plane are the sums of the
/// columns, each where the quad of four more rows would be: of the quads' bytes with their signs.
///
/// # Safety
/// Elements of the view are bytes; the columns lie in it, `step` is a multiple of `vector`, and `to` holds their strips with
/// [`SUM_ROWS`] behind each plane.
pub(super) unsafe fn pack(view: &WholeView, columns: &Range<usize>, (vector, step): (usize, usize), to: &mut [u8]) {
    let mut end = [0; MAX_DIMENSIONS];
    end[2..].iter_mut().zip(view.outer_extents).for_each(|(end, extent)| *end = extent as usize);
    let [down, right] = view.strides.map(|stride| stride as isize);
    let strip = to.len() / columns.len().div_ceil(step);
    let rows = view.extents[0] as usize;
    for (number, start) in strips(columns, step).enumerate() {
        let own = &mut to[number * strip..][..strip];
        let planes = Coordinates::new([0; MAX_DIMENSIONS], end, 2).zip(own.chunks_exact_mut((rows + SUM_ROWS) * step));
        for (at, plane) in planes {
            let steps = at[2..].iter().zip(view.outer_strides).map(|(&at, stride)| at as isize * stride as isize);
            let first = view.at(0, 0).wrapping_offset(steps.sum());
            let (quads, sums) = plane.split_at_mut(rows * step);
            for (number, group) in quads.chunks_exact_mut(TOGETHER * step).enumerate() {
                for (column, below) in (0..step).flat_map(|column| (0..TOGETHER).map(move |below| (column, below))) {
                    let (x, y) = ((start + column) as isize, (number * TOGETHER + below) as isize);
                    // SAFETY: the caller's: the byte lies in the image.
                    group[place(column, vector) + below] = unsafe { *first.wrapping_offset(y * down + x * right) };
                }
            }
            for place in (0..step).map(|column| place(column, vector)) {
                let of_column = quads.chunks_exact(TOGETHER * step).flat_map(|group| &group[place..][..TOGETHER]);
                let sum: i32 = of_column.map(|&byte| i32::from(byte as i8)).fold(0, i32::wrapping_add);
                sums[place..][..SUM_ROWS].copy_from_slice(&sum.to_ne_bytes());
            }
        }
    }
}

/// Where the quad of a column of a strip begins among those of four rows.
fn place(column: usize, vector: usize) -> usize {
    let (whole, inside) = (column / vector, column % vector);
    let (block, number) = (inside / BLOCK, inside % BLOCK / TOGETHER);
    TOGETHER * vector * whole + vector * number + BLOCK * block + TOGETHER * (inside % TOGETHER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Quads;
    use std::{vec, vec::Vec};

    #[test]
    fn each_quad_has_its_own_place() {
        for vector in [16, 32, 64] {
            let mut places: Vec<usize> = (0..3 * vector).map(|column| place(column, vector)).collect();
            if vector == 32 {
                // Two blocks: the first vector has columns 0 to 3 and 16 to 19.
                assert_eq!([0, 1, 4, 16, 19, 32].map(|column| places[column]), [0, 4, 32, 16, 28, 128]);
            }
            places.sort_unstable();
            assert!(places.iter().enumerate().all(|(number, place)| *place == 4 * number), "{vector}");
        }
    }

    #[test]
    fn rows_of_each_plane_are_taken_by_fours_in_each_strip() {
        // Two planes of 6 rows of 40 columns, in strips of 16, of which the last overlaps: columns 0, 16, 24.
        let bytes: Vec<u8> = (0..480u32).map(|index| (index * 37 % 251) as u8).collect();
        let view = WholeView {
            first: bytes.as_ptr(),
            strides: [40, 1],
            extents: [6, 40],
            outer_strides: [240, 0, 0, 0],
            outer_extents: [2, 1, 1, 1],
            quads: Quads::NONE,
        };
        let mut to = vec![0; 3 * (12 + 2 * SUM_ROWS) * 16];
        // SAFETY: the columns are all that there are, and three strips of 12 rows have their places, and their sums.
        unsafe { pack(&view, &(0..40), (16, 16), &mut to) };
        for (number, start) in [0, 16, 24].into_iter().enumerate() {
            for (plane, column, below) in [(0, 0, 0), (0, 5, 3), (1, 15, 1), (1, 8, 2)] {
                let (at, x) = (number * 320 + plane * 160 + place(column, 16), plane * 240 + start + column);
                assert_eq!(to[at + below], bytes[x + below * 40], "{number} {plane} {column} {below}");
                // Of the four rows that are taken together; two are left.
                let sum: i32 = (0..4).map(|row| i32::from(bytes[x + row * 40] as i8)).sum();
                assert_eq!(to[at + 96..][..4], sum.to_ne_bytes(), "{number} {plane} {column}");
            }
        }
    }
}
