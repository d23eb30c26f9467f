//! RGB with a fourth channel that holds nothing (OpenVX `vxColorConvert`).
use windrow::prelude::*;

/// RGB with 255 as the fourth channel.
#[kernel(step(16, 1))]
pub fn rgb_to_rgbx([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}
