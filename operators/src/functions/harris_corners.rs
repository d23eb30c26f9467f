//! Harris' corners in a list, the strongest first (OpenVX `vxHarrisCorners`, ACL `NEHarrisCorners`).

use std::sync::Arc;

use windrow::{
    Border, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError, Value},
};

use super::{composite_function, lists::list_nonzero, refused, spaced::ChooseSpaced};
use crate::{harris_score, sobel3x3, sobel5x5, sobel7x7, suppress3x3};

/// What is a corner, and how near corners may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HarrisSettings {
    /// The size of the Sobel gradients: 3, 5 or 7.
    pub gradient: usize,
    /// The size of the block over which their products are summed: 3, 5 or 7.
    pub block: usize,
    /// By how much the square of the trace lessens the measure: OpenVX has 0.04 to 0.15.
    pub sensitivity: f32,
    /// What a measure must be above, 0 or more.
    pub threshold: f32,
    /// What is nearer than this to a stronger corner is none, in elements from centre to centre; what is just as far is one. 0 to 65536;
    /// OpenVX has 0 to 30.
    pub min_distance: f32,
}

/// The corners of an image by Harris' measure: the greatest of 3×3, the strongest first, none too near to a stronger one.
///
/// This is OpenVX 1.1's definition. Sobel gradients are divided by 2^(size − 1) · 255 · block, and their products are summed over the block
/// without weights. A measure that is not above the threshold counts as 0. The greatest of 3×3 is no less than the four before it, row by row,
/// and greater than the four behind it. Of these, the strongest first, each is kept that has none of those kept before it nearer than the
/// distance.
///
/// It writes the places [row, column] as `[i32; 2]`, the measures as `f32`, and how many corners the image has as one `i32`. Of two equally
/// strong corners that of the lesser row, or column, comes first. Behind the last corner, a list that is longer has places of [−1, −1] and
/// measures of 0. The order of equals, which OpenVX leaves open, is this function's, and so is the edge: corners whose gradients or block
/// leave the image are not found.
#[derive(Debug)]
pub struct HarrisCorners(Composite);

composite_function!(HarrisCorners);

impl HarrisCorners {
    /// For 8-bit images `[h, w]` like `image`, and lists of `capacity` corners.
    ///
    /// The choice by distance runs on one thread of the processor.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank, a setting out of its range, and a capacity of 0.
    pub fn configure(
        image: &TensorInfo,
        settings: HarrisSettings,
        capacity: usize,
        executor: &dyn Executor,
    ) -> Result<HarrisCorners, FunctionError> {
        settings.check()?;
        let image = TensorInfo::of::<u8>(&image.shape().extents())?;
        let mut chain = ChainBuilder::new();
        let src = chain.input(image);
        let reach = settings.gradient / 2 + settings.block / 2;
        let (score, origin) = if image.height().min(image.width()) > 2 * reach {
            (settings.score(&mut chain, src)?, reach as i32)
        } else {
            // One element, replicated, has no gradient: there is no corner.
            let element = chain.crop(src, &[0, 0], &[1, 1])?;
            let none = HarrisSettings { gradient: 3, block: 1, ..settings };
            (none.score_within(&mut chain, element, Border::Replicate)?, 0)
        };
        let info = chain.info(score)?;
        // Nothing outside is a corner.
        let suppress = suppress3x3::<f32>::configure(&info, &info, Border::constant(0f32))?;
        let [greatest] = chain.add(&suppress, &[score])?;
        // The greatest of 3×3 is alone in any 2×2.
        let candidates = info.height().div_ceil(2) * info.width().div_ceil(2);
        let found = list_nonzero(&mut chain, greatest, candidates, [origin; 2])?;
        let extents = [image.height(), image.width()];
        let choose = ChooseSpaced { extents, distance: settings.min_distance, capacity };
        let read = [found.places, found.elements, found.count];
        let [places, strengths, count, _, _, _] = chain.add_operator(Arc::new(choose), &read)?;
        for output in [places, strengths, count] {
            chain.output(output)?;
        }
        Ok(HarrisCorners(chain.compose(executor)?))
    }
}

impl HarrisSettings {
    fn check(&self) -> Result<(), FunctionError> {
        let refused = |argument, found: &dyn core::fmt::Display, rule| refused("HarrisCorners", argument, found, rule);
        for (argument, size) in [("gradient", self.gradient), ("block", self.block)] {
            if ![3, 5, 7].contains(&size) {
                return Err(refused(argument, &size, "must be 3, 5 or 7"));
            }
        }
        if !self.sensitivity.is_finite() {
            return Err(refused("sensitivity", &self.sensitivity, "must be finite"));
        }
        if !(0.0..f32::INFINITY).contains(&self.threshold) {
            return Err(refused("threshold", &self.threshold, "must be 0 or more, and finite"));
        }
        if !(0.0..=65536.0).contains(&self.min_distance) {
            return Err(refused("min_distance", &self.min_distance, "must be 0 to 65536"));
        }
        Ok(())
    }

    /// The measures of all elements whose gradients and block lie in the image.
    fn score(&self, chain: &mut ChainBuilder, src: Value) -> Result<Value, FunctionError> {
        self.score_within(chain, src, Border::Undefined)
    }

    /// The same with a border of the gradients; without one, only those that lie in the image are read.
    fn score_within(&self, chain: &mut ChainBuilder, src: Value, border: Border) -> Result<Value, FunctionError> {
        let image = chain.info(src)?;
        let extents = image.shape().extents();
        let around = if border == Border::Undefined { self.gradient / 2 } else { 0 };
        let inner = [image.height() - 2 * around, image.width() - 2 * around];
        let measured = TensorInfo::of::<f32>(&inner.map(|extent| extent + 1 - self.block))?;
        let (block, scale) = (self.block as i32, self.scale());
        let (sensitivity, threshold) = (self.sensitivity, self.threshold);
        let [short, long] = [TensorInfo::of::<i16>(&extents)?, TensorInfo::of::<i32>(&extents)?];
        let [dx, dy] = match self.gradient {
            3 => chain.add(&sobel3x3::configure(&image, Some(&short), Some(&short), border)?, &[src])?,
            5 => chain.add(&sobel5x5::configure(&image, Some(&short), Some(&short), border)?, &[src])?,
            _ => chain.add(&sobel7x7::configure(&image, &long, &long, border)?, &[src])?,
        };
        let crop = |value| chain.crop(value, &[around; 2], &inner);
        let [dx, dy] = [dx, dy].map(crop);
        let (dx, dy) = (dx?, dy?);
        let info = chain.info(dx)?;
        let [score] = if self.gradient == 7 {
            let score = harris_score::<i32>::configure(&info, &info, block, scale, sensitivity, threshold, &measured)?;
            chain.add(&score, &[dx, dy])?
        } else {
            let score = harris_score::<i16>::configure(&info, &info, block, scale, sensitivity, threshold, &measured)?;
            chain.add(&score, &[dx, dy])?
        };
        Ok(score)
    }

    /// What normalises the gradients.
    fn scale(&self) -> f32 {
        1.0 / ((1 << (self.gradient - 1)) as f32 * 255.0 * self.block as f32)
    }
}
