//! Sobel gradients of 7×7 (ACL `NESobel7x7`): [−1 −4 −5 0 5 4 1], smoothed by [1 6 15 20 15 6 1].
use windrow::prelude::*;

/// The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.
#[kernel(step(8, 2), schedule(neon(8, 1), x86(8, 1)), output(dx, dy))]
pub fn sobel7x7(src: Neighbourhood<u8>) -> (i32, i32) {
    const SLOPE: [i16; 7] = [-1, -4, -5, 0, 5, 4, 1];
    const SMOOTH: [i16; 7] = [1, 6, 15, 20, 15, 6, 1];
    let (mut dx, mut dy) = (0, 0);
    for (y, (slope_y, smooth_y)) in (-3..=3).zip(SLOPE.into_iter().zip(SMOOTH)) {
        let (mut slope, mut smooth) = (0, 0);
        for (x, (slope_x, smooth_x)) in (-3..=3).zip(SLOPE.into_iter().zip(SMOOTH)) {
            slope += slope_x * src.at(x, y) as i16;
            smooth += smooth_x * src.at(x, y) as i16;
        }
        (dx, dy) = (dx + smooth_y as i32 * slope as i32, dy + slope_y as i32 * smooth as i32);
    }
    (dx, dy)
}
