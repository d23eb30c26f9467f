//! Only what is greatest among its neighbours (ACL `NonMaximaSuppression3x3`).
use windrow::prelude::*;

/// The element where it is the greatest of 3×3, 0 elsewhere; of equal ones the last in row order is kept.
#[kernel(step(8, 1), types(T = u8, f32))]
pub fn suppress3x3(src: Neighbourhood<T>) -> T {
    let own = src.at(0, 0);
    let mut is_greatest = own >= src.at(-1, 0) && own > src.at(1, 0);
    for dx in -1..=1 {
        is_greatest = is_greatest && own >= src.at(dx, -1) && own > src.at(dx, 1);
    }
    if is_greatest { own } else { 0 as T }
}
