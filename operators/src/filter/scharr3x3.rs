//! Scharr gradients (ACL `NEScharr3x3`): weights 3, 10, 3.
use windrow::prelude::*;

/// The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.
#[kernel(step(16, 4), output(dx?, dy?))]
pub fn scharr3x3(src: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| src.at(x, y) as i16;
    let column = |x| 3 * p(x, -1) + 10 * p(x, 0) + 3 * p(x, 1);
    let row = |y| 3 * p(-1, y) + 10 * p(0, y) + 3 * p(1, y);
    (column(1) - column(-1), row(1) - row(-1))
}
