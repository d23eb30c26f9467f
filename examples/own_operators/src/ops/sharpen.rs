//! Sharpening.

use windrow::prelude::*;

/// Unsharp mask: the element, and `amount` / 16 of its distance from the mean of its 3×3 neighbourhood's corners and
/// edges.
#[kernel(step(16, 4), border(replicate, reflect101))]
pub fn unsharp(src: Neighbourhood<u8>, #[uniform(0..=64)] amount: i32) -> u8 {
    let mut around = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            around += src.at(dx, dy) as i32;
        }
    }
    let centre = src.at(0, 0) as i32;
    let distance = 9 * centre - around;
    (centre + amount * distance / 128).saturating_cast()
}
