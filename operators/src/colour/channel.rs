//! Channels of interleaved pixels (OpenVX `vxChannelExtract`, `vxChannelCombine`).
use windrow::prelude::*;

/// One channel of two-channel pixels (the bytes of 4:2:2 images, luma and chroma in turn).
#[kernel(step(16, 1))]
pub fn channel_extract2(p: [u8; 2], #[uniform(0..=1)] channel: usize) -> u8 {
    p[channel]
}

/// One channel of three-channel pixels.
#[kernel(step(16, 1))]
pub fn channel_extract(p: [u8; 3], #[uniform(0..=2)] channel: usize) -> u8 {
    p[channel]
}

/// One channel of four-channel pixels.
#[kernel(step(16, 1))]
pub fn channel_extract4(p: [u8; 4], #[uniform(0..=3)] channel: usize) -> u8 {
    p[channel]
}

/// Two planes as two-channel pixels.
#[kernel(step(16, 1))]
pub fn channel_combine2(a: u8, b: u8) -> [u8; 2] {
    [a, b]
}

/// Three planes as three-channel pixels.
#[kernel(step(16, 1))]
pub fn channel_combine(r: u8, g: u8, b: u8) -> [u8; 3] {
    [r, g, b]
}

/// Four planes as four-channel pixels.
#[kernel(step(16, 1))]
pub fn channel_combine4(r: u8, g: u8, b: u8, a: u8) -> [u8; 4] {
    [r, g, b, a]
}
