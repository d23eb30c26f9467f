//! Operators as the peers define them, where their rounding is not that of the operator library.
use windrow::prelude::*;

/// 3×3 Gaussian blur, rounded to nearest: OpenCV's `GaussianBlur`, KleidiCV's `gaussian_blur_fixed`.
#[kernel]
pub fn gaussian3x3_rounded(src: Neighbourhood<u8>) -> u8 {
    let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;
    ((column(-1) + 2 * column(0) + column(1) + 8) >> 4) as u8
}

/// 5×5 Gaussian blur, rounded to nearest.
#[kernel]
pub fn gaussian5x5_rounded(src: Neighbourhood<u8>) -> u8 {
    const K: [u16; 5] = [1, 4, 6, 4, 1];
    let mut sum = 128;
    for (dy, wy) in (-2..=2).zip(K) {
        let mut row = 0;
        for (dx, wx) in (-2..=2).zip(K) {
            row += wx * src.at(dx, dy) as u16;
        }
        sum += wy * row;
    }
    (sum >> 8) as u8
}

/// The mean of 3×3 elements, rounded to nearest: OpenCV's `blur`.
#[kernel]
pub fn box3x3_rounded(src: Neighbourhood<u8>) -> u8 {
    let mut sum = 4;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += src.at(dx, dy) as u16;
        }
    }
    (sum / 9) as u8
}

/// The mean of 2×2 elements, rounded to nearest, at half the size: OpenCV's `INTER_AREA`, fast_image_resize's `Box`.
#[kernel]
pub fn half_box2x2(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 {
    let row = |dy| src.at(0, dy) as u16 + src.at(1, dy) as u16;
    ((row(0) + row(1) + 2) >> 2) as u8
}

/// The horizontal Sobel gradient alone.
#[kernel]
pub fn sobel_x(src: Neighbourhood<u8>) -> i16 {
    let column = |x| src.at(x, -1) as i16 + 2 * src.at(x, 0) as i16 + src.at(x, 1) as i16;
    column(1) - column(-1)
}

/// Luma with BT.601's weights in 15 bits, rounded to nearest: OpenCV's `COLOR_RGB2GRAY`.
#[kernel]
pub fn rgb_to_gray_15_bits([r, g, b]: [u8; 3]) -> u8 {
    ((9798 * r as u32 + 19235 * g as u32 + 3735 * b as u32 + 16384) >> 15) as u8
}

/// 5×5 convolution of floats with constant weights, each step fused, rows from the top.
#[kernel]
pub fn convolve5x5_f32(src: Neighbourhood<f32>) -> f32 {
    const K: [[f32; 5]; 5] = [
        [-0.055, 0.022, 0.099, 0.033, -0.033],
        [0.044, -0.022, 0.055, -0.011, 0.066],
        [0.088, 0.077, 0.011, -0.055, 0.022],
        [0.099, 0.033, -0.033, 0.044, -0.022],
        [0.055, -0.011, 0.066, -0.044, 0.077],
    ];
    let mut sum = 0.0;
    for (dy, row) in (-2..=2).zip(K) {
        for (dx, weight) in (-2..=2).zip(row) {
            sum = src.at(dx, dy).mul_add(weight, sum);
        }
    }
    sum
}
