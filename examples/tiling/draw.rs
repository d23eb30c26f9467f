//! Draws who computes which element of an image: the fast function, the flexible one, nobody; and bands of rows.

use image::{Rgb, RgbImage};
use windrow::{
    Rect,
    window::{DividedWindow, Division, FlexibleBodyMissing, divide},
};

/// Pixels of the picture along an element.
const CELL: u32 = 14;

/// What stands for a part: the fast one, then left, top, bottom, right.
const COLOURS: [Rgb<u8>; 5] =
    [Rgb([214, 73, 51]), Rgb([52, 101, 164]), Rgb([42, 161, 152]), Rgb([230, 180, 50]), Rgb([95, 160, 70])];

const NOBODY: Rgb<u8> = Rgb([250, 250, 250]);
const ELEMENT_LINE: Rgb<u8> = Rgb([205, 205, 205]);
const BLOCK_LINE: Rgb<u8> = Rgb([60, 60, 60]);

/// A division, element by element, with lines around blocks.
pub fn division(division: &Division) -> Result<RgbImage, FlexibleBodyMissing> {
    let DividedWindow { fast, flexible } = divide(division)?;
    let rects: Vec<Rect> = [fast].into_iter().chain(flexible).collect();
    Ok(cells(division.width, division.height, division.block, |x, y| {
        let part = rects.iter().position(|rect| rect.contains(x, y));
        part.and_then(|part| COLOURS.get(part).copied()).unwrap_or(NOBODY)
    }))
}

/// Rows that bands write, one colour after the other, and beside them the rows that each band reads; `scale` rows a cell.
pub fn bands(written: &[(usize, usize)], read: &[(usize, usize)], scale: usize) -> RgbImage {
    let cell = |row: usize| (row / scale.max(1)) as u32 * CELL;
    let end = written.iter().chain(read).map(|(_, end)| *end).max().unwrap_or(0);
    let mut picture = RgbImage::from_pixel(4 * CELL + read.len() as u32 * 2 * CELL, cell(end) + CELL, NOBODY);
    for (band, (rows, reads)) in written.iter().zip(read).enumerate() {
        let colour = COLOURS[band % COLOURS.len()];
        fill(&mut picture, (0, cell(rows.0)), (3 * CELL, cell(rows.1)), colour);
        let column = 4 * CELL + band as u32 * 2 * CELL;
        fill(&mut picture, (column, cell(reads.0)), (column + CELL, cell(reads.1).max(cell(reads.0) + 1)), colour);
    }
    picture
}

fn fill(picture: &mut RgbImage, from: (u32, u32), to: (u32, u32), colour: Rgb<u8>) {
    for y in from.1..to.1.min(picture.height()) {
        (from.0..to.0.min(picture.width())).for_each(|x| picture.put_pixel(x, y, colour));
    }
}

fn cells(width: usize, height: usize, block: (u32, u32), colour: impl Fn(usize, usize) -> Rgb<u8>) -> RgbImage {
    let line = |at: u32, block: u32| match at % CELL {
        0 if (at / CELL).is_multiple_of(block.max(1)) => Some(BLOCK_LINE),
        0 => Some(ELEMENT_LINE),
        _ => None,
    };
    RgbImage::from_fn(width as u32 * CELL + 1, height as u32 * CELL + 1, |px, py| {
        let lines = [line(px, block.0), line(py, block.1)];
        match lines {
            [Some(BLOCK_LINE), _] | [_, Some(BLOCK_LINE)] => BLOCK_LINE,
            [Some(other), _] | [_, Some(other)] => other,
            [None, None] => colour((px / CELL) as usize, (py / CELL) as usize),
        }
    })
}
