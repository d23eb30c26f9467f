//! How tensors of four dimensions lie in buffers and images: channels by fours, and the sizes that follow.
//!
//! ```text
//! NCHW      one plane a channel                     n c y x
//! NC4HW4    one plane of pixels for four channels   n c/4 y x c%4, the last plane filled up
//! images    the planes of NC4HW4 side by side, batches below each other: ceil(C/4)·W wide, N·H high
//! ```
//!
//! The sizes are those of MNN's OpenCL backend, in its 2.8 releases and later, so that memory planned for one serves the
//! other.

use crate::{ImageChannels, ImageShape};
use windrow_runtime::element::ElementType;

/// The extents of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tensor4 {
    /// Batches.
    pub n: usize,
    /// Channels.
    pub c: usize,
    /// Rows.
    pub h: usize,
    /// Columns.
    pub w: usize,
}

/// How much room a tensor in a buffer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Channels by eights, rows and columns with slack for reads by fours (MNN 2.8).
    ByEights,
    /// Channels by fours, with the same slack (MNN 3, of tensors in NC4HW4).
    ByFours,
    /// As it is, by fours of elements (MNN 3, of other tensors).
    Plain,
}

impl Packing {
    /// Returns the number of elements of a buffer for `tensor`; `None` where their number is no `usize`.
    ///
    /// ```
    /// use windrow::opencl::{Packing, Tensor4};
    ///
    /// let tensor = Tensor4 { n: 1, c: 3, h: 5, w: 7 };
    /// assert_eq!(Packing::ByEights.elements(tensor), Some(384));
    /// assert_eq!(Packing::ByFours.elements(tensor), Some(244));
    /// assert_eq!(Packing::Plain.elements(tensor), Some(108));
    /// ```
    pub fn elements(self, tensor: Tensor4) -> Option<usize> {
        let Tensor4 { n, c, h, w } = tensor;
        match self {
            Packing::ByEights => by_channels(tensor, 8),
            Packing::ByFours => by_channels(tensor, 4)?.checked_next_multiple_of(2),
            Packing::Plain => product([n, c, h, w])?.checked_next_multiple_of(4),
        }
    }

    /// Returns the number of elements of a buffer for `count` values of fewer than two dimensions, however others are
    /// packed.
    pub const fn vector_elements(count: usize) -> Option<usize> {
        count.checked_next_multiple_of(4)
    }

    /// Returns the number of bytes of a buffer for `tensor` of `element`s.
    pub fn bytes(self, tensor: Tensor4, element: ElementType) -> Option<usize> {
        self.elements(tensor)?.checked_mul(element.size())
    }
}

impl Tensor4 {
    /// Groups of four channels, the last filled up.
    pub const fn groups(&self) -> usize {
        self.c.div_ceil(4)
    }

    /// Returns the place of an element in NC4HW4; `None` outside the tensor.
    ///
    /// ```
    /// use windrow::opencl::Tensor4;
    ///
    /// let tensor = Tensor4 { n: 1, c: 6, h: 2, w: 3 };
    /// assert_eq!(tensor.offset(0, 0, 0, 1), Some(4));
    /// assert_eq!(tensor.offset(0, 5, 1, 0), Some((1 * 6 + 3) * 4 + 1));
    /// assert_eq!(tensor.offset(0, 6, 0, 0), None);
    /// ```
    pub const fn offset(&self, n: usize, c: usize, y: usize, x: usize) -> Option<usize> {
        if n >= self.n || c >= self.c || y >= self.h || x >= self.w {
            return None;
        }
        Some((((n * self.groups() + c / 4) * self.h + y) * self.w + x) * 4 + c % 4)
    }

    /// Returns the image that holds it; `None` where its sides are no `usize`.
    ///
    /// ```
    /// use windrow::ElementType;
    /// use windrow::opencl::{ImageChannels, ImageShape, Tensor4};
    ///
    /// let image = Tensor4 { n: 1, c: 3, h: 5, w: 7 }.image(ElementType::F32);
    /// let channels = ImageChannels::Four;
    /// assert_eq!(image, Some(ImageShape { width: 7, height: 5, element: ElementType::F32, channels }));
    /// ```
    pub fn image(&self, element: ElementType) -> Option<ImageShape> {
        let (width, height) = (self.groups().checked_mul(self.w)?, self.n.checked_mul(self.h)?);
        Some(ImageShape { width, height, element, channels: ImageChannels::Four })
    }

    /// Returns where the plane of a group of four channels starts in the image, (x, y).
    pub const fn place(&self, n: usize, group: usize) -> [usize; 2] {
        [group * self.w, n * self.h]
    }
}

/// Channels by `each`; behind them, what kernels read that take rows and columns by fours, and up to three further ones.
fn by_channels(Tensor4 { n, c, h, w }: Tensor4, each: usize) -> Option<usize> {
    // Rows (or columns) beyond the last that are read with it.
    let slack = |extent: usize| Some(extent.checked_add(3)?.checked_next_multiple_of(4)? - extent);
    let own = product([n, c.checked_next_multiple_of(each)?, h, w])?;
    own.checked_add(product([slack(h)?, w, 4, 1])?)?.checked_add(slack(w)? * 4)
}

fn product(factors: [usize; 4]) -> Option<usize> {
    factors.into_iter().try_fold(1usize, usize::checked_mul)
}
