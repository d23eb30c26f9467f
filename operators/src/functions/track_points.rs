//! Points followed on one level of a pyramid: how many steps a point takes is known only when it has taken them, and so no kernel.

use windrow::{
    Element, RunError, TensorInfo, View,
    chain::{Arguments, OperatorError, PlainOperator},
};

use super::optical_flow::OpticalFlowSettings;

/// By what Scharr's weights are more than a gradient per element: their sum, over a distance of two elements.
const SCHARR: f32 = 32.0;

/// Follows points from one image to another on a level of their pyramids.
///
/// It reads the first image with its Scharr gradients, the second image, the points in the first one, and the estimates of their places in
/// the second one. It writes places and whether each point was followed; a third output is its memory, the first image and its gradients in
/// the window. Points and places are [row, column] in the finest level, which has `extents`.
///
/// Where a point cannot be followed, its estimate is written; on the finest level, [−1, −1].
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackPoints {
    pub extents: [usize; 2],
    pub level: usize,
    pub settings: OpticalFlowSettings,
}

/// The images of a level.
struct Images<'a> {
    old: View<'a, u8>,
    dx: View<'a, i16>,
    dy: View<'a, i16>,
    new: View<'a, u8>,
}

/// The sums of the gradients' products over a window.
#[derive(Default)]
struct Gradients {
    xx: f32,
    xy: f32,
    yy: f32,
}

impl PlainOperator for TrackPoints {
    fn name(&self) -> &str {
        "track_points"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
        let [_, _, _, _, points, _] = inputs else {
            return Err(OperatorError::InputCount { found: inputs.len(), expected: 6 });
        };
        let list = points.shape().extents();
        let patch = TensorInfo::of::<[f32; 3]>(&[self.settings.window * self.settings.window])?;
        Ok(vec![TensorInfo::of::<[f32; 2]>(&list)?, TensorInfo::of::<u8>(&list)?, patch])
    }

    fn run(&self, mut given: Arguments<'_>) -> Result<(), RunError> {
        let missing = RunError::Kernel { reason: "a list has a gap" };
        let images =
            Images { old: given.input_of(0)?, dx: given.input_of(1)?, dy: given.input_of(2)?, new: given.input_of(3)? };
        let (points, estimates) = (given.input_of::<[f32; 2]>(4)?, given.input_of::<[f32; 2]>(5)?);
        let mut places = given.output_of::<[f32; 2]>(0)?;
        let (mut followed, mut patch) = (given.output_of::<u8>(1)?, given.output_of::<[f32; 3]>(2)?);
        let patch = patch.row_mut(0).ok_or(missing)?;
        for index in 0..points.info().width() {
            let (point, estimate) = (points.get([index]).ok_or(missing)?, estimates.get([index]).ok_or(missing)?);
            let found = self.follow(&images, point, estimate, patch);
            let kept = if self.level == 0 { [-1.0; 2] } else { estimate };
            let is_told = places.set([index], found.unwrap_or(kept)) && followed.set([index], found.is_some().into());
            is_told.then_some(()).ok_or(missing)?;
        }
        Ok(())
    }
}

impl TrackPoints {
    /// Whether a place of the finest level lies between the middles of its outermost elements.
    fn is_inside(&self, place: [f32; 2]) -> bool {
        place.iter().zip(self.extents).all(|(at, extent)| (0.0..=extent as f32 - 1.0).contains(at))
    }

    /// The place of a point in the second image, if it can be followed on this level.
    fn follow(
        &self,
        images: &Images<'_>,
        point: [f32; 2],
        estimate: [f32; 2],
        patch: &mut [[f32; 3]],
    ) -> Option<[f32; 2]> {
        let scale = (1u32 << self.level) as f32;
        if !self.is_inside(point) || !self.is_inside(estimate) {
            return None;
        }
        let sums = self.fill(images, point.map(|at| at / scale), patch);
        let determinant = self.determinant(&sums)?;
        let mut place = estimate;
        for _ in 0..self.settings.iterations {
            let [x, y] = self.mismatch(&images.new, place.map(|at| at / scale), patch);
            let step = [(sums.xx * y - sums.xy * x) / determinant, (sums.yy * x - sums.xy * y) / determinant];
            place = [0, 1].map(|i| place[i] + step[i] * scale);
            if !self.is_inside(place) {
                return None;
            }
            if (step[0] * step[0] + step[1] * step[1]).sqrt() < self.settings.epsilon {
                break;
            }
        }
        Some(place)
    }

    /// Fills a patch with the first image around a point and its gradients, and sums their products.
    fn fill(&self, images: &Images<'_>, point: [f32; 2], patch: &mut [[f32; 3]]) -> Gradients {
        let window = Window::around(point, self.settings.window);
        window.for_each(&images.old, |index, sample| set(patch, index, 0, sample));
        window.for_each(&images.dx, |index, sample| set(patch, index, 1, sample / SCHARR));
        window.for_each(&images.dy, |index, sample| set(patch, index, 2, sample / SCHARR));
        let mut sums = Gradients::default();
        for [_, dx, dy] in patch {
            sums.xx += *dx * *dx;
            sums.xy += *dx * *dy;
            sums.yy += *dy * *dy;
        }
        sums
    }

    /// The determinant of the gradient matrix, if the window has the texture to follow.
    fn determinant(&self, Gradients { xx, xy, yy }: &Gradients) -> Option<f32> {
        let area = (self.settings.window * self.settings.window) as f32;
        let difference = xx - yy;
        let least = (xx + yy - (difference * difference + 4.0 * xy * xy).sqrt()) / (2.0 * area);
        let determinant = xx * yy - xy * xy;
        (least >= self.settings.min_eigenvalue && determinant > 0.0).then_some(determinant)
    }

    /// The gradients times the difference between the images, summed over the window.
    fn mismatch(&self, new: &View<'_, u8>, place: [f32; 2], patch: &[[f32; 3]]) -> [f32; 2] {
        let (mut x, mut y) = (0.0, 0.0);
        Window::around(place, self.settings.window).for_each(new, |index, sample| {
            let [old, dx, dy] = patch.get(index).copied().unwrap_or_default();
            let difference = old - sample;
            (x, y) = (x + dx * difference, y + dy * difference);
        });
        [x, y]
    }
}

/// A value of one element of a patch.
fn set(patch: &mut [[f32; 3]], index: usize, value: usize, sample: f32) {
    patch.get_mut(index).and_then(|own| own.get_mut(value)).into_iter().for_each(|own| *own = sample);
}

/// A square of samples, one element apart: all of them have the same weights.
struct Window {
    /// The element at or before the first sample.
    first: [isize; 2],
    /// The weights of four elements, row by row.
    weights: [f32; 4],
    side: usize,
}

impl Window {
    /// The window whose middle is `place`.
    fn around(place: [f32; 2], side: usize) -> Window {
        let first = place.map(|at| at - (side - 1) as f32 / 2.0);
        let [y, x] = first.map(|at| at - at.floor());
        let weights = [(1.0 - y) * (1.0 - x), (1.0 - y) * x, y * (1.0 - x), y * x];
        Window { first: first.map(|at| at.floor() as isize), weights, side }
    }

    /// Calls `then` with each sample of an image and its index, row by row.
    fn for_each<T: Element + Into<f32>>(&self, image: &View<'_, T>, mut then: impl FnMut(usize, f32)) {
        let [height, width] = [image.info().height(), image.info().width()];
        let inside = |at: isize, extent: usize| usize::try_from(at).unwrap_or(0).min(extent.saturating_sub(1));
        let [top, left] = self.first;
        for row in 0..self.side {
            let rows = [0, 1].map(|below| inside(top + row as isize + below, height));
            let slices = rows.map(|row| image.row(row));
            let read = |below: usize, column: usize| {
                let element = match slices[below] {
                    Some(slice) => slice.get(column).copied(),
                    None => image.get([rows[below], column]),
                };
                element.map_or(0.0, Into::into)
            };
            for column in 0..self.side {
                let columns = [0, 1].map(|right| inside(left + column as isize + right, width));
                let [a, b, c, d] = self.weights;
                let upper = a * read(0, columns[0]) + b * read(0, columns[1]);
                then(row * self.side + column, upper + c * read(1, columns[0]) + d * read(1, columns[1]));
            }
        }
    }
}
