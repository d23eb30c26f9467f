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

use crate::memory::shape::{ImageChannels, ImageShape};
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
    /// Elements of a buffer for `tensor`; `None` where their number is no `usize`.
    ///
    /// ```
    /// use windrow::opencl::{Packing, Tensor4};
    ///
    /// let tensor = Tensor4 { n: 1, c: 3, h: 5, w: 7 };
    /// assert_eq!(Packing::ByEights.elements(tensor), Some(384));
    /// assert_eq!(Packing::ByFours.elements(tensor), Some(244));
    /// assert_eq!(Packing::Plain.elements(tensor), Some(108));
    /// ```
    pub const fn elements(self, tensor: Tensor4) -> Option<usize> {
        match self {
            Packing::ByEights => by_channels(tensor, 8),
            Packing::ByFours => match by_channels(tensor, 4) {
                Some(elements) => elements.checked_next_multiple_of(2),
                None => None,
            },
            Packing::Plain => {
                let Tensor4 { n, c, h, w } = tensor;
                match product([n, c, h, w]) {
                    Some(elements) => elements.checked_next_multiple_of(4),
                    None => None,
                }
            }
        }
    }

    /// Elements of a buffer for `count` values of fewer than two dimensions, however others are packed.
    pub const fn vector_elements(count: usize) -> Option<usize> {
        count.checked_next_multiple_of(4)
    }

    /// Bytes of a buffer for `tensor` of `element`s.
    pub const fn bytes(self, tensor: Tensor4, element: ElementType) -> Option<usize> {
        match self.elements(tensor) {
            Some(elements) => elements.checked_mul(element.size()),
            None => None,
        }
    }
}

impl Tensor4 {
    /// Groups of four channels, the last filled up.
    pub const fn groups(&self) -> usize {
        self.c.div_ceil(4)
    }

    /// The place of an element in NC4HW4; `None` outside the tensor.
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

    /// The image that holds it; `None` where its sides are no `usize`.
    ///
    /// ```
    /// use windrow::ElementType;
    /// use windrow::opencl::{ImageChannels, ImageShape, Tensor4};
    ///
    /// let image = Tensor4 { n: 1, c: 3, h: 5, w: 7 }.image(ElementType::F32);
    /// let channels = ImageChannels::Four;
    /// assert_eq!(image, Some(ImageShape { width: 7, height: 5, element: ElementType::F32, channels }));
    /// ```
    pub const fn image(&self, element: ElementType) -> Option<ImageShape> {
        match (self.groups().checked_mul(self.w), self.n.checked_mul(self.h)) {
            (Some(width), Some(height)) => Some(ImageShape { width, height, element, channels: ImageChannels::Four }),
            (_, _) => None,
        }
    }

    /// Where the plane of a group of four channels starts in the image, (x, y).
    pub const fn place(&self, n: usize, group: usize) -> [usize; 2] {
        [group * self.w, n * self.h]
    }
}

/// Channels by `each`; behind them, what kernels read that take rows and columns by fours, and up to three further ones.
const fn by_channels(tensor: Tensor4, each: usize) -> Option<usize> {
    let Tensor4 { n, c, h, w } = tensor;
    let (Some(c), Some(rows), Some(columns)) = (c.checked_next_multiple_of(each), slack(h), slack(w)) else {
        return None;
    };
    let (Some(own), Some(rows)) = (product([n, c, h, w]), product([rows, w, 4, 1])) else { return None };
    match own.checked_add(rows) {
        Some(sum) => sum.checked_add(columns * 4),
        None => None,
    }
}

/// Rows (or columns) beyond `extent` that are read with the last ones.
const fn slack(extent: usize) -> Option<usize> {
    match extent.checked_add(3) {
        Some(end) => match end.checked_next_multiple_of(4) {
            Some(end) => Some(end - extent),
            None => None,
        },
        None => None,
    }
}

const fn product(factors: [usize; 4]) -> Option<usize> {
    let (mut product, mut index) = (1usize, 0);
    while index < factors.len() {
        product = match product.checked_mul(factors[index]) {
            Some(product) => product,
            None => return None,
        };
        index += 1;
    }
    Some(product)
}
