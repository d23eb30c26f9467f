//! The images of one tile: inputs with their neighbourhood, outputs as far as the tile goes.
//!
//! Coordinates are the tile's: (0, 0) is its first element. Every access is checked; rows are slices, so that a function's
//! inner loop has nothing to check.

use core::marker::PhantomData;

use super::tile_error::TileError;
use crate::{
    element::Element,
    format::{ColourRange, ColourSpace, Format},
    info::TensorInfo,
    region::Rect,
    spec::NeighbourhoodSpec,
    view::View,
};

/// The scale of a plane that is not sub-sampled.
pub const SCALE_UNITY: u32 = 1024;

/// What a tile says of an image as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageAttributes {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The format, where the element type and channels have one.
    pub format: Option<Format>,
    /// Planes: always one.
    pub planes: usize,
    /// The range of its values.
    pub range: ColourRange,
    /// Its colour space.
    pub space: ColourSpace,
}

/// An input of a tile.
#[derive(Clone, Copy, Debug)]
pub struct TileInput<'a, T: Element> {
    pub(super) image: View<'a, T>,
    pub(super) rect: Rect,
    pub(super) around: NeighbourhoodSpec,
    pub(super) attributes: ImageAttributes,
}

impl<'a, T: Element> TileInput<'a, T> {
    /// Returns the element of the tile's (x, y), offset by (dx, dy) within the neighbourhood; `None` outside it or the
    /// image.
    pub fn at(&self, x: usize, y: usize, dx: i32, dy: i32) -> Option<T> {
        let around = &self.around;
        let offsets = around.left <= dx && dx <= around.right && around.top <= dy && dy <= around.bottom;
        if !(offsets && x < self.rect.width() && y < self.rect.height()) {
            return None;
        }
        let column = (self.rect.x0 + x).checked_add_signed(dx as isize)?;
        self.image.get([(self.rect.y0 + y).checked_add_signed(dy as isize)?, column])
    }

    /// Returns row `y` of the tile, `dy` rows below, with the neighbourhood's columns: element `i` lies at column
    /// `i + left`.
    ///
    /// An error where some of it leaves the image, which it never does in a fast tile.
    pub fn row(&self, y: usize, dy: i32) -> Result<&'a [T], TileError> {
        let refused = TileError::Row { y, offset: dy };
        let (rect, around) = (&self.rect, &self.around);
        let row = (rect.y0 + y).checked_add_signed(dy as isize).ok_or(refused)?;
        let first = rect.x0.checked_add_signed(around.left as isize).ok_or(refused)?;
        let behind = rect.x1.checked_add_signed(around.right as isize).ok_or(refused)?;
        if y >= rect.height() || dy < around.top || dy > around.bottom {
            return Err(refused);
        }
        self.image.row(row).and_then(|row| row.get(first..behind)).ok_or(refused)
    }

    /// Returns the image as a whole.
    pub fn attributes(&self) -> ImageAttributes {
        self.attributes
    }

    /// Returns the element at the tile's (0, 0).
    pub fn base(&self) -> *const T {
        let offset = self.image.info().offset(&[self.rect.y0, self.rect.x0]).unwrap_or(0);
        self.image.any().as_ptr().wrapping_offset(offset).cast()
    }

    /// Returns the columns and rows of the tile.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.rect.width(), self.rect.height())
    }

    /// Returns the number of bytes from element to element, and from row to row.
    pub fn strides(&self) -> (isize, isize) {
        strides(self.image.info())
    }

    /// Returns the sub-sampling in 1024ths: none.
    pub fn scale(&self) -> (u32, u32) {
        (SCALE_UNITY, SCALE_UNITY)
    }
}

/// An output of a tile.
#[derive(Debug)]
pub struct TileOutput<'a, T: Element> {
    pub(super) base: *mut u8,
    pub(super) info: TensorInfo,
    pub(super) rect: Rect,
    pub(super) attributes: ImageAttributes,
    pub(super) elements: PhantomData<&'a mut T>,
}

impl<T: Element> TileOutput<'_, T> {
    /// Writes the tile's element (x, y); `false` outside the tile.
    #[must_use]
    pub fn set(&mut self, x: usize, y: usize, value: T) -> bool {
        match self.row_mut(y).ok().and_then(|row| row.get_mut(x)) {
            Some(element) => {
                *element = value;
                true
            }
            None => false,
        }
    }

    /// Returns row `y` of the tile.
    pub fn row_mut(&mut self, y: usize) -> Result<&mut [T], TileError> {
        let refused = TileError::Row { y, offset: 0 };
        if y >= self.rect.height() {
            return Err(refused);
        }
        let offset = self.info.offset(&[self.rect.y0 + y, self.rect.x0]).ok_or(refused)?;
        // SAFETY: the tile lies in the image, elements of a row side by side, and its elements are this output's alone: tiles are disjoint, a tile hands out each
        // output once, and `self` is borrowed exclusively.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.base.offset(offset).cast(), self.rect.width()) })
    }

    /// Returns the image as a whole.
    pub fn attributes(&self) -> ImageAttributes {
        self.attributes
    }

    /// Returns the tile's first element; only the tile's own elements may be written through it.
    pub fn base(&mut self) -> *mut T {
        // A tile has rows.
        self.row_mut(0).map_or(core::ptr::null_mut(), <[T]>::as_mut_ptr)
    }

    /// Returns the columns and rows of the tile.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.rect.width(), self.rect.height())
    }

    /// Returns the number of bytes from element to element, and from row to row.
    pub fn strides(&self) -> (isize, isize) {
        strides(&self.info)
    }

    /// Returns the sub-sampling in 1024ths: none.
    pub fn scale(&self) -> (u32, u32) {
        (SCALE_UNITY, SCALE_UNITY)
    }
}

fn strides(info: &TensorInfo) -> (isize, isize) {
    (info.inner_stride(0), info.row_stride())
}
