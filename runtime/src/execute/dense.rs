//! Images whose rows follow each other in memory, run as one row: the call for a row costs as much as a hundred elements.

use super::{Driver, Image};
use crate::{region::Rect, stage::element_only};

impl Driver<'_> {
    /// Makes one long row of rows that follow each other in memory, where neither neighbours nor coordinates tell them
    /// apart. So narrow images cost no more than wide ones.
    pub(super) fn lay_in_one_row(&mut self) {
        let (spec, width) = (self.plan.spec(), self.plan.shape.width());
        let lone = |image: &Image| element_only(&image.reads) && image.stride == (1, 1) && image.rows == 1;
        let dense = |stride: usize, pixel: usize| stride == width * pixel;
        let whole = (self.region.x0, self.region.x1) == (0, width) && !spec.coordinates && self.plan.body.rows == 1;
        let joined = whole
            && self.images.iter().all(|i| lone(i) && i.source.width == width && dense(i.source.stride, i.source.pixel))
            && self.images.iter().all(|i| i.source.height == self.plan.shape.height())
            && self.targets.iter().all(|target| target.base.is_null() || dense(target.stride, target.pixel));
        if !joined || self.region.height() == 1 {
            return;
        }
        let length = width * self.region.height();
        for image in self.images.iter_mut() {
            let source = &mut image.source;
            source.base = source.base.wrapping_add(self.region.y0 * source.stride);
            (source.width, source.height) = (length, 1);
        }
        for target in self.targets.iter_mut() {
            target.base = target.at(0, self.region.y0);
        }
        self.region = Rect::new(0, 0, length, 1);
        (self.inside, self.inner) = ((0, length), (0, 1));
    }
}
