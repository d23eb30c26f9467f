//! Sobel gradients (OpenVX `vxSobel3x3`).
use windrow::prelude::*;

/// The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.
#[kernel(step(16, 4), output(dx?, dy?))]
pub fn sobel3x3(src: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| src.at(x, y) as i16;
    let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1);
    let row = |y| p(-1, y) + 2 * p(0, y) + p(1, y);
    (column(1) - column(-1), row(1) - row(-1))
}
