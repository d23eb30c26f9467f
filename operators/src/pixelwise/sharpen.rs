//! Sharpening by what a blur took away: the last step of an unsharp mask.
use windrow::prelude::*;

/// src + amount · (src − blurred) / 256, rounded down and saturated.
#[kernel(step(16, 1))]
pub fn sharpen(src: u8, blurred: u8, #[uniform(0..=1024)] amount: i32) -> u8 {
    (src as i32 + ((src as i32 - blurred as i32) * amount >> 8)).saturating_cast()
}
