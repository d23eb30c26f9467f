//! Laplacian pyramids (OpenVX `vxLaplacianPyramid` and `vxLaplacianReconstruct`, ACL `CLLaplacianPyramid` and `CLLaplacianReconstruct`).

use windrow::{
    Border, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError, Value},
    language::Overflow,
};

use super::{composite_function, refused};
use crate::{add_mixed, convert_down, half_scale_gaussian5x5, subtract_widening, upsample_gaussian5x5};

/// The extents of each level, the finest first, and of the image that is left.
fn extents(image: &TensorInfo, levels: usize) -> Result<Vec<[usize; 2]>, FunctionError> {
    if image.shape().rank() != 2 {
        return Err(refused("LaplacianPyramid", "image", &image.shape(), "must be [h, w]"));
    }
    if !(1..=30).contains(&levels) {
        return Err(refused("LaplacianPyramid", "levels", &levels, "must be 1 to 30"));
    }
    let finest = [image.height(), image.width()];
    Ok((0..=levels).map(|level| finest.map(|extent| extent.div_ceil(1 << level))).collect())
}

/// The coarser image, blurred to twice its extents.
fn upsample(chain: &mut ChainBuilder, coarse: Value, fine: &TensorInfo) -> Result<Value, FunctionError> {
    let blur = upsample_gaussian5x5::configure(&chain.info(coarse)?, fine)?;
    let [blurred] = chain.add(&blur, &[coarse])?;
    Ok(blurred)
}

/// What each level of a Gaussian pyramid has beside the next coarser one.
///
/// It writes the levels as `i16`, the finest first: the image of that size less the next one, doubled by the 5×5 Gaussian. The last output is
/// the coarsest image, as `u8`. Each image is half as large as the one before, rounded up; edges are replicated.
#[derive(Debug)]
pub struct LaplacianPyramid(Composite);

composite_function!(LaplacianPyramid);

impl LaplacianPyramid {
    /// For 8-bit images `[h, w]` like `image`, and 1 to 30 levels.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank or number of levels.
    pub fn configure(
        image: &TensorInfo,
        levels: usize,
        executor: &dyn Executor,
    ) -> Result<LaplacianPyramid, FunctionError> {
        let mut chain = ChainBuilder::new();
        let extents = extents(image, levels)?;
        let mut fine = chain.input(TensorInfo::of::<u8>(&image.shape().extents())?);
        for (level, half) in extents.iter().enumerate().skip(1) {
            let (info, to) = (chain.info(fine)?, TensorInfo::of::<u8>(half)?);
            let [coarse] = chain.add(&half_scale_gaussian5x5::configure(&info, &to, Border::Replicate)?, &[fine])?;
            let blurred = upsample(&mut chain, coarse, &info)?;
            let difference = TensorInfo::of::<i16>(&info.shape().extents())?;
            let subtract = subtract_widening::configure(&info, &info, &difference)?;
            let [difference] = chain.add(&subtract, &[fine, blurred])?;
            chain.output(difference)?;
            if level == levels {
                chain.output(coarse)?;
            }
            fine = coarse;
        }
        Ok(LaplacianPyramid(chain.compose(executor)?))
    }

    /// What is known of output `index`: the levels, the finest first, then the coarsest image.
    pub fn level(&self, index: usize) -> Option<&TensorInfo> {
        self.0.chain().output(index)
    }
}

/// The image that a Laplacian pyramid was made of.
///
/// It reads the levels as `i16`, the finest first, and then the coarsest image, as `u8`; it writes the image, as `u8`: each level plus the
/// next coarser image, doubled by the 5×5 Gaussian, saturated.
#[derive(Debug)]
pub struct LaplacianReconstruct(Composite);

composite_function!(LaplacianReconstruct);

impl LaplacianReconstruct {
    /// For 8-bit images `[h, w]` like `image`, and 1 to 30 levels.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank or number of levels.
    pub fn configure(
        image: &TensorInfo,
        levels: usize,
        executor: &dyn Executor,
    ) -> Result<LaplacianReconstruct, FunctionError> {
        let mut chain = ChainBuilder::new();
        let extents = extents(image, levels)?;
        let mut differences = Vec::new();
        for extents in extents.iter().take(levels) {
            differences.push(chain.input(TensorInfo::of::<i16>(extents)?));
        }
        let mut coarse = chain.input(TensorInfo::of::<u8>(&extents[levels])?);
        for difference in differences.into_iter().rev() {
            let wide = chain.info(difference)?;
            let fine = TensorInfo::of::<u8>(&wide.shape().extents())?;
            let blurred = upsample(&mut chain, coarse, &fine)?;
            let add = add_mixed::configure(&fine, &wide, Overflow::Saturate, &wide)?;
            let [sum] = chain.add(&add, &[blurred, difference])?;
            [coarse] = chain.add(&convert_down::configure(&wide, 0, Overflow::Saturate, &fine)?, &[sum])?;
        }
        chain.output(coarse)?;
        Ok(LaplacianReconstruct(chain.compose(executor)?))
    }
}
