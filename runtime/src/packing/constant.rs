//! Inputs that no run changes, whose strips are packed once, when a kernel is configured.

use std::{sync::Arc, vec::Vec};

use super::{
    ALIGNMENT,
    packed::{Packed, StripLayout, packed_bytes},
    quads,
};
use crate::{code::WholeView, kernel::ScratchLine};

/// All columns of an image that the elements of an output read, packed.
#[derive(Clone)]
pub(crate) struct Constant {
    /// The place of the image among all that are read.
    image: usize,
    lines: Arc<Vec<ScratchLine>>,
    layout: StripLayout,
    /// Bytes from the copy to that of its quads; 0 where there is none.
    quads: usize,
}

impl Constant {
    /// Packs the first columns of an image, whose elements have this many bytes, in strips, and their quads for vectors of `vector` bytes,
    /// where that is not 0; `None` where it has fewer, or fewer than a strip's, and where there is no memory for a copy.
    pub fn new(
        image: usize,
        whole: &WholeView,
        columns: usize,
        (pixel, step): (usize, usize),
        vector: usize,
    ) -> Option<Constant> {
        if columns < step || columns > whole.extents[1] as usize {
            return None;
        }
        let has_quads = vector > 0 && pixel == 1 && step.is_multiple_of(vector);
        let layout = StripLayout { pixel, step, behind: if has_quads { quads::SUM_ROWS } else { 0 } };
        // Places in a strip are counted in `i32`.
        i32::try_from(packed_bytes(whole, step, layout)).ok()?;
        let bytes = packed_bytes(whole, columns, layout);
        let quads = if has_quads { bytes.next_multiple_of(ALIGNMENT) } else { 0 };
        let count = (quads + bytes).div_ceil(size_of::<ScratchLine>());
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).ok()?;
        lines.resize(count, ScratchLine::ZERO);
        // SAFETY: the columns lie in the image; where the copy lies is asked for again.
        unsafe { Packed::new(whole, &(0..columns), layout, &mut ScratchLine::bytes(&mut lines)[..bytes]) };
        if has_quads {
            let to = &mut ScratchLine::bytes(&mut lines)[quads..][..bytes];
            // SAFETY: as above; the elements are bytes.
            unsafe { quads::pack(whole, &(0..columns), (vector, step), to) };
        }
        Some(Constant { image, lines: Arc::new(lines), layout, quads })
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
    pub fn packed(&self) -> Packed {
        Packed { first: self.lines.as_ptr().cast(), layout: self.layout, quads: self.quads }
    }
}
