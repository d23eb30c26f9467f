//! Sobel gradients of 5×5 (ACL `NESobel5x5`): [−1 −2 0 2 1], smoothed by [1 4 6 4 1].
use windrow::prelude::*;

/// The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.
#[kernel(step(16, 2), schedule(neon(16, 1), x86(16, 1)), output(dx?, dy?))]
pub fn sobel5x5(src: Neighbourhood<u8>) -> (i16, i16) {
    const SLOPE: [i16; 5] = [-1, -2, 0, 2, 1];
    const SMOOTH: [i16; 5] = [1, 4, 6, 4, 1];
    let (mut dx, mut dy) = (0, 0);
    for (y, (slope_y, smooth_y)) in (-2..=2).zip(SLOPE.into_iter().zip(SMOOTH)) {
        let (mut slope, mut smooth) = (0, 0);
        for (x, (slope_x, smooth_x)) in (-2..=2).zip(SLOPE.into_iter().zip(SMOOTH)) {
            slope += slope_x * src.at(x, y) as i16;
            smooth += smooth_x * src.at(x, y) as i16;
        }
        (dx, dy) = (dx + smooth_y * slope, dy + slope_y * smooth);
    }
    (dx, dy)
}
