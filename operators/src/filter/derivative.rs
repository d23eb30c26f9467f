//! First derivatives (ACL `NEDerivative`).
use windrow::prelude::*;

/// The difference of the right and the left neighbour, and of the lower and the upper one; not scaled.
#[kernel(step(16, 4), output(dx?, dy?))]
pub fn derivative(src: Neighbourhood<u8>) -> (i16, i16) {
    let p = |x, y| src.at(x, y) as i16;
    (p(1, 0) - p(-1, 0), p(0, 1) - p(0, -1))
}
