//! The tiling extension's own example, written by hand: four pixels at a time in a word, and one at a time at the edges.

use windrow::tiling::{Tile, TileError, TileImage, TilingKernel};

/// Copies the upper four bits of each pixel into the lower four.
pub static POSTERISE: TilingKernel =
    TilingKernel::new("posterise", &[TileImage::of::<u8>("src")], &[TileImage::of::<u8>("out")])
        .block(4, 1)
        .fast(posterise_words)
        .flexible(posterise_pixels);

/// Rows of a fast tile are whole words, wherever they lie in memory.
fn posterise_words(tile: &mut Tile<'_>) -> Result<(), TileError> {
    let (src, mut out) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?);
    for y in 0..tile.height() {
        let ((from, _), (to, _)) = (src.row(y, 0)?.as_chunks::<4>(), out.row_mut(y)?.as_chunks_mut::<4>());
        for (from, to) in from.iter().zip(to) {
            let upper = u32::from_ne_bytes(*from) & 0xf0f0_f0f0;
            *to = (upper | upper >> 4).to_ne_bytes();
        }
    }
    Ok(())
}

fn posterise_pixels(tile: &mut Tile<'_>) -> Result<(), TileError> {
    let (src, mut out) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?);
    for y in 0..tile.height() {
        let row = out.row_mut(y)?;
        for (x, element) in row.iter_mut().enumerate() {
            let value = src.at(x, y, 0, 0).ok_or(TileError::Row { y, offset: 0 })?;
            *element = value & 0xf0 | value >> 4;
        }
    }
    Ok(())
}
