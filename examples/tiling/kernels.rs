//! Algorithms whose result depends on where in a block an element lies, as kernels with the block as their step.

use windrow::prelude::*;

/// Ordered dithering: black or white by a threshold that repeats every 4 × 4 elements.
#[kernel(step(4, 4))]
pub fn ordered_dither(src: u8) -> u8 {
    const ORDER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    let threshold = 16 * ORDER[(y() & 3) as usize][(x() & 3) as usize] + 8;
    if src >= threshold { 255 } else { 0 }
}

/// Full colour from a mosaic whose 2 × 2 blocks are red, green; green, blue: what an element lacks is the mean of its
/// neighbours that have it.
#[kernel(step(2, 2), neighbourhood(x = -1..=1, y = -1..=1))]
pub fn debayer(src: Neighbourhood<u8>) -> [u8; 3] {
    let at = |dx, dy| src.at(dx, dy) as u16;
    let here = src.at(0, 0);
    let row = ((at(-1, 0) + at(1, 0) + 1) / 2) as u8;
    let column = ((at(0, -1) + at(0, 1) + 1) / 2) as u8;
    let cross = ((at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) + 2) / 4) as u8;
    let corners = ((at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1) + 2) / 4) as u8;
    match (x() & 1, y() & 1) {
        (0, 0) => [here, cross, corners],
        (1, 0) => [row, here, column],
        (0, 1) => [column, here, row],
        _ => [corners, cross, here],
    }
}

/// Chroma of half width and height brought to full size: each UV pair becomes a block of 2 × 2, whose elements take 9, 3, 3 and
/// 1 sixteenths of the nearest four. A row of a block is one pixel of two pairs.
#[kernel(step(16, 1), neighbourhood(x = -1..=1, y = -1..=1), output(upper, lower))]
pub fn upsample_uv(src: Neighbourhood<[u8; 2]>) -> ([u8; 4], [u8; 4]) {
    let mix = |dx, dy, c: usize| {
        let at = |dx, dy| src.at(dx, dy)[c] as u16;
        ((9 * at(0, 0) + 3 * at(dx, 0) + 3 * at(0, dy) + at(dx, dy) + 8) >> 4) as u8
    };
    let upper = [mix(-1, -1, 0), mix(-1, -1, 1), mix(1, -1, 0), mix(1, -1, 1)];
    let lower = [mix(-1, 1, 0), mix(-1, 1, 1), mix(1, 1, 0), mix(1, 1, 1)];
    (upper, lower)
}
