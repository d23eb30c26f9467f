//! Images at other places: scaled, warped, remapped.
mod places;
pub mod remap;
pub mod resample;
pub mod scale_bilinear;
pub mod scale_bilinear_pixels;
pub mod scale_nearest;
pub mod warp_bilinear;
pub mod warp_nearest;
pub mod warp_onto;
