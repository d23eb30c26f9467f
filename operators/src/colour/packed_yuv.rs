//! 4:2:2 images with luma and chroma in turn (OpenVX `vxColorConvert`), and chroma of half the rows.
use windrow::prelude::*;

/// A group of two elements in UYVY as pairs of luma, and of chroma at full size: the outputs are planes regrouped into pairs.
#[kernel(step(16, 1), output(y, u?, v?))]
pub fn unpack_uyvy([u, y0, v, y1]: [u8; 4]) -> ([u8; 2], [u8; 2], [u8; 2]) {
    ([y0, y1], [u, u], [v, v])
}

/// A group of two elements in YUYV as pairs of luma, and of chroma at full size: the outputs are planes regrouped into pairs.
#[kernel(step(16, 1), output(y, u?, v?))]
pub fn unpack_yuyv([y0, u, y1, v]: [u8; 4]) -> ([u8; 2], [u8; 2], [u8; 2]) {
    ([y0, y1], [u, u], [v, v])
}

/// The mean of each two rows, rounded down: chroma of 4:2:2 as that of 4:2:0.
#[kernel(step(16, 1))]
pub fn mean_of_rows(#[stride(1, 2)] src: Neighbourhood<u8>) -> u8 {
    ((src.at(0, 0) as u16 + src.at(0, 1) as u16) / 2) as u8
}

/// The mean of 2×2 elements, rounded down: chroma of 4:4:4 as that of 4:2:0.
#[kernel(step(16, 1))]
pub fn mean_of_quads(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 {
    let row = |dy| src.at(0, dy) as u16 + src.at(1, dy) as u16;
    ((row(0) + row(1)) / 4) as u8
}
