//! Thresholds (OpenVX `vxThreshold`).
use windrow::prelude::*;

/// `above` where the element is greater than `level`, `below` elsewhere.
#[kernel(step(32, 1))]
pub fn threshold(x: u8, #[uniform] level: u8, #[uniform] above: u8, #[uniform] below: u8) -> u8 {
    if x > level { above } else { below }
}

/// `outside` where the element is greater than `upper` or less than `lower`, `inside` elsewhere.
#[kernel(step(32, 1))]
pub fn threshold_range(
    x: u8,
    #[uniform] lower: u8,
    #[uniform] upper: u8,
    #[uniform] inside: u8,
    #[uniform] outside: u8,
) -> u8 {
    if x > upper || x < lower { outside } else { inside }
}

/// As `threshold`, of a signed 16-bit image.
#[kernel(step(16, 1))]
pub fn threshold_i16(x: i16, #[uniform] level: i16, #[uniform] above: u8, #[uniform] below: u8) -> u8 {
    if x > level { above } else { below }
}

/// As `threshold_range`, of a signed 16-bit image.
#[kernel(step(16, 1))]
pub fn threshold_range_i16(
    x: i16,
    #[uniform] lower: i16,
    #[uniform] upper: i16,
    #[uniform] inside: u8,
    #[uniform] outside: u8,
) -> u8 {
    if x > upper || x < lower { outside } else { inside }
}
