//! Channels by fours: planes of a tensor in NCHW as one plane of NC4HW4, and back (MNN's layout of tensors on GPUs).
use windrow::prelude::*;

/// Four channels' planes as one plane of pixels.
#[kernel(step(4, 1))]
pub fn pack_channels(a: f32, b: f32, c: f32, d: f32) -> [f32; 4] {
    [a, b, c, d]
}

/// One plane of pixels as four channels' planes; the last plane of a tensor has fewer.
#[kernel(step(4, 1), output(a, b?, c?, d?))]
pub fn unpack_channels(pixel: [f32; 4]) -> (f32, f32, f32, f32) {
    (pixel[0], pixel[1], pixel[2], pixel[3])
}
