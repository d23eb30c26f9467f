//! Gaussian pyramid of half scale (OpenVX `vxGaussianPyramid`, ACL `NEGaussianPyramidHalf`).

use windrow::{
    AnyView, AnyViewMut, Border, Scheduler, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, Function, FunctionError},
};

use crate::half_scale_gaussian5x5;

/// Images, each of half the width and height of the one before: blurred by the 5×5 Gaussian, then every second element.
#[derive(Debug)]
pub struct GaussianPyramid(Composite);

/// Which levels of a pyramid a caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// All below the image itself, the finest first.
    All(usize),
    /// The coarsest of so many; those between are intermediates.
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
            let half = [from.width().div_ceil(2), from.height().div_ceil(2)];
            let mut extents = from.shape().extents();
            extents[..2].copy_from_slice(&half);
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

impl Function for GaussianPyramid {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.0.run(scheduler, inputs, outputs)
    }
}
