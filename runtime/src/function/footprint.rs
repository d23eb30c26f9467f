//! Which rows of its images an operator reads: what lets it run in bands.

use core::any::TypeId;

use super::operator::Operator;
use crate::border::BorderMode;

/// The rows of an image that rows of an output need, as one type of operator says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    rows: Option<RowFootprint>,
    /// The type of the operator whose author vouches for them.
    of: TypeId,
}

/// Rows `stride · y + top ..= stride · y + bottom` for row `y`, and what stands for those outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowFootprint {
    pub top: i32,
    pub bottom: i32,
    pub stride: u32,
    pub mode: BorderMode,
}

impl Footprint {
    /// All rows: the operator does not run in bands.
    pub const ALL: Footprint = Footprint { rows: None, of: TypeId::of::<()>() };

    /// Returns a footprint of the operators `O` where row `y` of the outputs needs the rows
    /// `stride · y + top ..= stride · y + bottom`; `mode` says which rows stand for those outside the image, where
    /// [`BorderMode::Undefined`] means that none are read.
    ///
    /// # Safety
    /// Bands hold no other rows. Of each `O` that says so, what [`Operator::lower`] gives runs over any rows (a window of step 1),
    /// reads no row of this input but these, and writes no other rows than those of the window.
    pub const unsafe fn rows<O: Operator>(top: i32, bottom: i32, stride: u32, mode: BorderMode) -> Footprint {
        Footprint { rows: Some(RowFootprint { top, bottom, stride, mode }), of: TypeId::of::<O>() }
    }

    /// Returns the rows, where an operator of the type `operator` vouches for them.
    pub(super) fn rows_of(self, operator: TypeId) -> Option<RowFootprint> {
        self.rows.filter(|_| self.of == operator)
    }
}
