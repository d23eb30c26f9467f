//! Pipelines of the library's kernels, for their generated tests: fused, in bands, and one kernel after another on every target.

use windrow::{Border, Error, Tensor, pipeline};
use windrow_operators::{
    channel_extract, gaussian3x3, gaussian5x5, magnitude, median3x3, sharpen, sobel3x3, threshold,
};

/// Where the slopes of a blurred image are steep.
#[pipeline]
pub fn edges(src: &Tensor<u8>, border: Border) -> Result<Tensor<i16>, Error> {
    let blurred = gaussian3x3::apply(src, border)?;
    let (dx, dy) = sobel3x3::apply(&blurred, border)?;
    magnitude::apply(&dx, &dy)
}

/// Sharpens an image by what two blurs, one after another, take away from it.
#[pipeline]
pub fn unsharp(src: &Tensor<u8>, #[uniform(0..=1024)] amount: i32) -> Result<(Tensor<u8>, Tensor<u8>), Error> {
    let soft = gaussian5x5::apply(src, Border::Replicate)?;
    let softer = median3x3::apply(&soft, Border::Wrap)?;
    Ok((sharpen::apply(src, &softer, amount)?, soft))
}

/// Where a channel of a colour image is bright.
#[pipeline]
pub fn bright(rgb: &Tensor<[u8; 3]>, #[uniform(0..=2)] channel: usize, level: u8) -> Result<Tensor<u8>, Error> {
    let plane = channel_extract::apply(rgb, channel)?;
    threshold::apply(&plane, level, 255, 0)
}
