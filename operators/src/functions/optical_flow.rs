//! Sparse optical flow by Lucas' and Kanade's method in pyramids (OpenVX `vxOpticalFlowPyrLK`, ACL `NEOpticalFlow`).

use std::sync::Arc;

use windrow::{
    Border, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError},
};

use super::{composite_function, refused, track_points::TrackPoints};
use crate::scharr3x3;

/// How points are followed from one image to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpticalFlowSettings {
    /// How many levels each pyramid has, the image itself among them: 1 to 16.
    pub levels: usize,
    /// The side of the square window around a point, in elements of each level: 3 to 255.
    pub window: usize,
    /// The most steps on each level: 1 to 65536.
    pub iterations: usize,
    /// A step shorter than this, in elements of its level, is the last one there: 0 or more. With 0, all steps are made.
    pub epsilon: f32,
    /// What the least eigenvalue of a window's gradient matrix must at least be: above 0, in squares of grey levels per element.
    ///
    /// The matrix has the means, over the window, of the products of the gradients: it tells corners from edges and from flat areas.
    pub min_eigenvalue: f32,
    /// Whether the caller gives an estimate of each new place.
    pub use_initial_estimate: bool,
}

/// Where the points of one image are in the next one, by Lucas' and Kanade's method in pyramids of scale ½.
///
/// It reads the levels of the first image's pyramid, the finest first, and then those of the second one's: an image, and what
/// [`GaussianPyramid`](super::GaussianPyramid) makes of it. It reads the points [row, column] in the first image as `[f32; 2]`, and with
/// [`use_initial_estimate`](OpticalFlowSettings::use_initial_estimate) as many estimates of their places in the second one; without,
/// the points themselves are the estimates. It writes the places in the second image as `[f32; 2]`, and as `u8` a 1 for each point that was
/// followed and a 0 for each that was lost. The place of a lost point is [−1, −1].
///
/// On each level, the coarsest first, steps lead from the estimate to the place: G⁻¹ · Σ ∇I · (I − J), where I is the first image in the window
/// around the point, J the second image in the window around the place so far, and G = Σ ∇I · ∇Iᵀ. Gradients are Scharr's, divided by 32, so
/// that they are grey levels per element. Images and gradients are interpolated bilinearly between elements; outside, the nearest element
/// stands for them. All of it is computed in `f32`, and sums are added row by row.
///
/// A point cannot be followed on a level where the least eigenvalue of G / window² is below
/// [`min_eigenvalue`](OpticalFlowSettings::min_eigenvalue), or G has no inverse, or where the point, its estimate or a step's end lies outside
/// the image: beyond the middle of an outermost element. On the finest level it is lost then; a coarser level leaves its estimate as it was.
///
/// The algorithm is that of J.-Y. Bouguet, "Pyramidal Implementation of the Lucas Kanade Feature Tracker", to which OpenVX 1.1 refers. OpenVX
/// has 1e-4 for the least eigenvalue and no unit, so that it is a setting here; OpenCV's default of 1e-4 is 0.1024 in this unit.
///
/// ```
/// use windrow::{Serial, Tensor, chain::{Function, OnProcessor}};
/// use windrow_operators::functions::{OpticalFlowPyrLK, OpticalFlowSettings};
///
/// let waves = |y: f32, x: f32| (128.0 + 60.0 * (y / 4.0).sin() + 60.0 * (x / 5.0).cos()) as u8;
/// let old = Tensor::from_fn([40, 50], |[y, x]| waves(y as f32, x as f32))?;
/// let new = Tensor::from_fn([40, 50], |[y, x]| waves(y as f32 - 1.0, x as f32 + 2.0))?;
/// let settings = OpticalFlowSettings {
///     levels: 1,
///     window: 11,
///     iterations: 10,
///     epsilon: 0.01,
///     min_eigenvalue: 0.1,
///     use_initial_estimate: false,
/// };
/// let flow = OpticalFlowPyrLK::configure(old.info(), 1, settings, &OnProcessor)?;
/// let points = Tensor::from_fn([1], |_| [20f32, 24.0])?;
/// let (mut places, mut followed) = (Tensor::<[f32; 2]>::new([1])?, Tensor::<u8>::new([1])?);
/// let inputs = [old.view().any(), new.view().any(), points.view().any()];
/// flow.run(&Serial, &inputs, &mut [places.view_mut().any(), followed.view_mut().any()])?;
/// let [y, x] = places.to_vec()[0];
/// assert!(followed.to_vec() == [1] && (y - 21.0).abs() < 0.1 && (x - 22.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OpticalFlowPyrLK(Composite);

composite_function!(OpticalFlowPyrLK);

impl OpticalFlowPyrLK {
    /// For 8-bit images `[h, w]` like `image`, and lists of `points` points.
    ///
    /// Gradients run on all threads; the points are followed on one thread of the processor.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank, a setting out of its range, and no points.
    pub fn configure(
        image: &TensorInfo,
        points: usize,
        settings: OpticalFlowSettings,
        executor: &dyn Executor,
    ) -> Result<OpticalFlowPyrLK, FunctionError> {
        settings.check(image, points)?;
        let finest = [image.height(), image.width()];
        let mut infos = Vec::new();
        for level in 0..settings.levels {
            infos.push(TensorInfo::of::<u8>(&finest.map(|extent| extent.div_ceil(1 << level)))?);
        }
        let mut chain = ChainBuilder::new();
        let [first, second] = [(); 2].map(|()| infos.iter().map(|info| chain.input(*info)).collect::<Vec<_>>());
        let list = TensorInfo::of::<[f32; 2]>(&[points])?;
        let points = chain.input(list);
        let mut places = if settings.use_initial_estimate { chain.input(list) } else { points };
        for (level, (old, new)) in first.into_iter().zip(second).enumerate().rev() {
            let info = chain.info(old)?;
            let slope = TensorInfo::of::<i16>(&info.shape().extents())?;
            let scharr = scharr3x3::configure(&info, Some(&slope), Some(&slope), Border::Replicate)?;
            let [dx, dy] = chain.add(&scharr, &[old])?;
            let track = TrackPoints { extents: finest, level, settings };
            let read = [old, dx, dy, new, points, places];
            let [found, followed, _] = chain.add_operator(Arc::new(track), &read)?;
            places = found;
            if level == 0 {
                chain.output(found)?;
                chain.output(followed)?;
            }
        }
        Ok(OpticalFlowPyrLK(chain.compose(executor)?))
    }
}

impl OpticalFlowSettings {
    fn check(&self, image: &TensorInfo, points: usize) -> Result<(), FunctionError> {
        let refused =
            |argument, found: &dyn core::fmt::Display, rule| Err(refused("OpticalFlowPyrLK", argument, found, rule));
        if image.shape().rank() != 2 {
            return refused("image", &image.shape(), "must be [h, w]");
        }
        if points == 0 {
            return refused("points", &points, "must be 1 or more");
        }
        if !(1..=16).contains(&self.levels) {
            return refused("levels", &self.levels, "must be 1 to 16");
        }
        if !(3..=255).contains(&self.window) {
            return refused("window", &self.window, "must be 3 to 255");
        }
        if !(1..=65536).contains(&self.iterations) {
            return refused("iterations", &self.iterations, "must be 1 to 65536");
        }
        if !(0.0..f32::INFINITY).contains(&self.epsilon) {
            return refused("epsilon", &self.epsilon, "must be 0 or more, and finite");
        }
        if !(f32::MIN_POSITIVE..f32::INFINITY).contains(&self.min_eigenvalue) {
            return refused("min_eigenvalue", &self.min_eigenvalue, "must be above 0, and finite");
        }
        Ok(())
    }
}
