//! Phase of a gradient (OpenVX `vxPhase`, ACL `NEMagnitudePhase`).
use windrow::prelude::*;

/// The direction of (x, y), from the axis of x towards that of y, in 256 parts of a turn, modulo 256. It is the nearest part, but
/// for three pairs in a million, which lie within 1.4e-5 parts of the middle between two: these come out as the other.
#[kernel(step(8, 1))]
pub fn phase(x: i16, y: i16) -> u8 {
    let parts = (y as f32).atan2(x as f32) * (128.0 / core::f32::consts::PI);
    (parts.round_ties_even() as i32 & 255) as u8
}
