//! FAST's corners in a list (OpenVX `vxFastCorners`, ACL `NEFastCorners`).

use windrow::{
    Border, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError},
};

use super::{composite_function, lists::list_nonzero};
use crate::{fast_score, suppress3x3};

/// The radius of the circle that is looked at.
const RADIUS: usize = 3;

/// What is a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FastSettings {
    /// By more than how much 9 neighbours in a row on the circle must be brighter, or darker: 1 to 254.
    pub threshold: i16,
    /// Whether only what is strongest of 3×3 is a corner.
    pub suppress: bool,
}

/// The corners of an image by FAST-9, row by row: where 9 of the 16 elements on a circle of radius 3 are all brighter, or all darker.
///
/// This is OpenVX 1.1's definition. A corner's strength is the greatest threshold with which it still is one; it is written without suppression
/// too, where OpenVX leaves it open. The strongest of 3×3 is no less than the four before it, row by row, and greater than the four behind it.
///
/// It writes the places [row, column] as `[i32; 2]`, the strengths as `u8`, and how many corners the image has as one `i32`. Behind the
/// last corner, a list that is longer has places of [−1, −1] and strengths of 0. Corners whose circle leaves the image are not found.
#[derive(Debug)]
pub struct FastCorners(Composite);

composite_function!(FastCorners);

impl FastCorners {
    /// For 8-bit images `[h, w]` like `image`, and lists of `capacity` corners.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank, a threshold out of its range, and a capacity of 0.
    pub fn configure(
        image: &TensorInfo,
        settings: FastSettings,
        capacity: usize,
        executor: &dyn Executor,
    ) -> Result<FastCorners, FunctionError> {
        let image = TensorInfo::of::<u8>(&image.shape().extents())?;
        let mut chain = ChainBuilder::new();
        let mut src = chain.input(image);
        let inner = [image.height(), image.width()].map(|extent| extent.saturating_sub(2 * RADIUS));
        let has_circle = !inner.contains(&0);
        if !has_circle {
            // One element, replicated, has neighbours like itself: there is no corner.
            src = chain.crop(src, &[0, 0], &[1, 1])?;
        }
        let border = if has_circle { Border::Undefined } else { Border::Replicate };
        let info = chain.info(src)?;
        let score =
            fast_score::configure(&info, settings.threshold, &TensorInfo::of::<u8>(&info.shape().extents())?, border)?;
        let [mut strengths] = chain.add(&score, &[src])?;
        let mut origin = 0;
        if has_circle {
            (strengths, origin) = (chain.crop(strengths, &[RADIUS; 2], &inner)?, RADIUS as i32);
        }
        if settings.suppress {
            let info = chain.info(strengths)?;
            let out = TensorInfo::of::<u8>(&info.shape().extents())?;
            // Nothing outside is a corner.
            let suppress = suppress3x3::<u8>::configure(&info, &out, Border::constant(0u8))?;
            [strengths] = chain.add(&suppress, &[strengths])?;
        }
        let found = list_nonzero(&mut chain, strengths, capacity, [origin; 2])?;
        chain.output(found.places)?;
        chain.output(found.elements)?;
        chain.output(found.count)?;
        Ok(FastCorners(chain.compose(executor)?))
    }
}
