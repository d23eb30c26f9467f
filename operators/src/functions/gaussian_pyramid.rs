//! Gaussian pyramid of half scale (OpenVX `vxGaussianPyramid`, ACL `NEGaussianPyramidHalf`).

use windrow::{
    Border, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError},
};

use super::composite_function;
use crate::half_scale_gaussian5x5;

/// Images, each of half the width and height of the one before: blurred by the 5×5 Gaussian, then every second element.
#[derive(Debug)]
pub struct GaussianPyramid(Composite);

composite_function!(GaussianPyramid);

/// Which levels of a pyramid a caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// All below the image itself, the finest first.
    All(usize),
    /// The coarsest of this many; those between are intermediates.
    Coarsest(usize),
}

impl GaussianPyramid {
    /// The pyramid of 8-bit images like `image`. An odd width or height is halved and rounded up.
    pub fn configure(
        image: &TensorInfo,
        levels: Levels,
        border: Border,
        executor: &dyn Executor,
    ) -> Result<GaussianPyramid, FunctionError> {
        let count = match levels {
            Levels::All(count) | Levels::Coarsest(count) => count,
        };
        let mut chain = ChainBuilder::new();
        let mut slot = chain.input(*image);
        for level in 1..=count {
            let from = chain.info(slot)?;
            let half = [from.height().div_ceil(2), from.width().div_ceil(2)];
            let mut extents = from.shape().extents().to_vec();
            extents.iter_mut().rev().zip(half.iter().rev()).for_each(|(extent, half)| *extent = *half);
            let to = TensorInfo::of::<u8>(&extents)?;
            let blur = half_scale_gaussian5x5::configure(&from, &to, border)?;
            [slot] = chain.add(&blur, &[slot])?;
            if matches!(levels, Levels::All(_)) || level == count {
                chain.output(slot)?;
            }
        }
        Ok(GaussianPyramid(chain.compose(executor)?))
    }

    /// What is known of output `index`: the finest level wanted is the first.
    pub fn level(&self, index: usize) -> Option<&TensorInfo> {
        self.0.chain().output(index)
    }
}
