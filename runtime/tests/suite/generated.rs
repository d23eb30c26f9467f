//! Bodies that the macro writes, held to their functions where each access is watched: under Miri in plain Rust, under the sanitizers
//! on every tier of the processor. There is one kernel for each way in which a body reaches memory.

use windrow::prelude::*;

/// The elements themselves.
#[kernel]
pub fn difference(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

/// The elements around.
#[kernel]
pub fn smoothed(src: Neighbourhood<u8>) -> u8 {
    let row = |dy| src.at(-1, dy) as u16 + 2 * src.at(0, dy) as u16 + src.at(1, dy) as u16;
    ((row(-1) + 2 * row(0) + row(1) + 8) / 16) as u8
}

/// An image that is read and written.
#[kernel]
pub fn accumulated(src: u8, #[inout] total: i16) -> i16 {
    total.saturating_add(src as i16)
}

/// Two images, one of which a caller may leave out.
#[kernel(output(dx, dy?))]
pub fn gradient(src: Neighbourhood<u8>) -> (i16, i16) {
    let at = |dx, dy| src.at(dx, dy) as i16;
    (at(1, 0) - at(-1, 0), at(0, 1) - at(0, -1))
}

/// Entries of a table.
#[kernel]
pub fn looked_up(src: u8, table: Table<u8, 256>) -> u8 {
    table[src]
}

/// A whole row, by a loop.
#[kernel(window(rows, columns))]
pub fn product([y, x]: At<2>, #[shape(rows, inner)] a: View<i8, 2>, #[shape(inner, columns)] b: View<i8, 2>) -> i32 {
    let [_, inner] = a.extents();
    sum(0..inner.min(4096), |k| a[[y, k]] as i32 * b[[k, x]] as i32)
}
