//! Inputs that no run changes, whose strips are packed once, when a kernel is configured.

use std::{sync::Arc, vec::Vec};

use super::{
    super::whole::whole_view,
    is_packed,
    packed::{Packed, packed_bytes},
};
use crate::{configure::KernelPlan, info::MAX_DIMENSIONS, kernel::ScratchLine, view::AnyView};

/// All columns of an image that the elements of an output read, packed.
#[derive(Clone)]
pub(crate) struct Constant {
    /// The place of the image among all that are read.
    image: usize,
    lines: Arc<Vec<ScratchLine>>,
    /// Bytes of a column, and of an element.
    column: usize,
    pixel: usize,
}

impl Constant {
    /// Packs an image of a plan, one that fits it; `None` where its body does not read it strip by strip, where there is a copy for
    /// each plane, and where there is no memory for one.
    pub fn new(plan: &KernelPlan, image: usize, view: &AnyView<'_>) -> Option<Constant> {
        let (columns, step) = (plan.shape.width(), plan.packing.strip);
        let is_one = plan.is_tensor(image) || view.info().shape().planes() == 1;
        if !is_packed(plan, image) || !is_one || columns < step || columns > view.info().width() {
            return None;
        }
        let whole = whole_view(plan, (image, view), &[0; MAX_DIMENSIONS]);
        let form = (view.info().pixel_size(), step);
        // Places in a strip are counted in `i32`.
        i32::try_from(packed_bytes(&whole, step, form)).ok()?;
        let bytes = packed_bytes(&whole, columns, form);
        let count = bytes.div_ceil(size_of::<ScratchLine>());
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).ok()?;
        lines.resize(count, ScratchLine::ZERO);
        // SAFETY: the columns lie in the image; where the copy lies is asked for again.
        let packed = unsafe { Packed::new(&whole, &(0..columns), form, &mut ScratchLine::bytes(&mut lines)[..bytes]) };
        Some(Constant { image, lines: Arc::new(lines), column: packed.column, pixel: packed.pixel })
    }

    /// The place of the image among all that are read.
    pub fn image(&self) -> usize {
        self.image
    }

    /// Bytes of the copy.
    pub fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }

    /// The copy, from the first column on.
    pub(super) fn packed(&self) -> Packed {
        Packed { first: self.lines.as_ptr().cast(), column: self.column, pixel: self.pixel }
    }
}
