//! Convolution with coefficients known at run time (OpenVX `vxConvolve`): flipped, divided toward zero, saturated.
use windrow::prelude::*;

/// 3×3 coefficients, rows from the top; the result saturates to the output's type.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn convolve3x3(src: Neighbourhood<u8>, #[uniform] k: [[i16; 3]; 3], #[uniform(1..=32768)] scale: i32) -> T {
    let mut sum = 0;
    for (dy, row) in (-1..=1).zip(k) {
        for (dx, c) in (-1..=1).zip(row) {
            sum += c as i32 * src.at(-dx, -dy) as i32;
        }
    }
    (sum / scale).saturating_cast()
}

/// 5×5 coefficients, rows from the top; the result saturates to the output's type.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn convolve5x5(src: Neighbourhood<u8>, #[uniform] k: [[i16; 5]; 5], #[uniform(1..=32768)] scale: i32) -> T {
    let mut sum = 0;
    for (dy, row) in (-2..=2).zip(k) {
        for (dx, c) in (-2..=2).zip(row) {
            sum += c as i32 * src.at(-dx, -dy) as i32;
        }
    }
    (sum / scale).saturating_cast()
}

/// 7×3 coefficients, rows from the top; the result saturates to the output's type.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn convolve7x3(src: Neighbourhood<u8>, #[uniform] k: [[i16; 7]; 3], #[uniform(1..=32768)] scale: i32) -> T {
    let mut sum = 0;
    for (dy, row) in (-1..=1).zip(k) {
        for (dx, c) in (-3..=3).zip(row) {
            sum += c as i32 * src.at(-dx, -dy) as i32;
        }
    }
    (sum / scale).saturating_cast()
}
