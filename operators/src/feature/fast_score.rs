//! The strength of FAST's corners (OpenVX `vxFastCorners`).
use windrow::prelude::*;

/// The greatest t for which 9 neighbours of the 16 on a circle of radius 3 are all brighter, or all darker, by more than t: 0 where
/// that is less than `threshold`.
#[kernel(step(16, 1))]
pub fn fast_score(src: Neighbourhood<u8>, #[uniform(1..=254)] threshold: i16) -> u8 {
    const X: [i32; 16] = [0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1];
    let own = src.at(0, 0) as i16;
    let mut least = [own; 16];
    let mut greatest = [own; 16];
    for i in 0..16 {
        let difference = src.at(X[i], X[(i + 12) % 16]) as i16 - own;
        (least[i], greatest[i]) = (difference, difference);
    }
    // Of 2, of 4, of 8 in a row, then of 9.
    for reach in [1, 2, 4, 1] {
        let (low, high) = (least, greatest);
        for i in 0..16 {
            least[i] = low[i].min(low[(i + reach) % 16]);
            greatest[i] = high[i].max(high[(i + reach) % 16]);
        }
    }
    let mut most = 0;
    for i in 0..16 {
        most = most.max(least[i]).max(-greatest[i]);
    }
    if most > threshold { (most - 1) as u8 } else { 0 }
}
