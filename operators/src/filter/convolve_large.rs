//! Convolution with many coefficients known at run time (OpenVX `vxConvolve`): flipped, divided toward zero, saturated. A size that
//! is not here is a larger one with zeros around it.
use windrow::prelude::*;

/// 7×7 coefficients, rows from the top; the result saturates to the output's type.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn convolve7x7(src: Neighbourhood<u8>, #[uniform] k: [[i16; 7]; 7], #[uniform(1..=32768)] scale: i32) -> T {
    let mut sum = 0;
    for (dy, row) in (-3..=3).zip(k) {
        for (dx, c) in (-3..=3).zip(row) {
            sum += c as i32 * src.at(-dx, -dy) as i32;
        }
    }
    (sum / scale).saturating_cast()
}

/// 9×9 coefficients, rows from the top; the result saturates to the output's type.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn convolve9x9(src: Neighbourhood<u8>, #[uniform] k: [[i16; 9]; 9], #[uniform(1..=32768)] scale: i32) -> T {
    let mut sum = 0;
    for (dy, row) in (-4..=4).zip(k) {
        for (dx, c) in (-4..=4).zip(row) {
            sum += c as i32 * src.at(-dx, -dy) as i32;
        }
    }
    (sum / scale).saturating_cast()
}
