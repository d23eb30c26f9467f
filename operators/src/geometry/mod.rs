//! Images at other places: scaled, warped, remapped.
pub mod remap;
pub mod scale_bilinear;
pub mod scale_bilinear_pixels;
pub mod scale_nearest;
pub mod warp;
pub mod warp_onto;
