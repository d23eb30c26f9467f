//! Windows over images, and parts of tensors.

/// Elements along a dimension, from one on to before another; places below 0 are counted from the end, and what lies outside is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The dimension; from the end where it is negative.
    pub axis: i64,
    /// The first element.
    pub start: i64,
    /// Behind the last one.
    pub end: i64,
    /// Elements from one to the next.
    pub step: usize,
}

/// Elements along a dimension that is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOf {
    /// This many from one on, of this many together.
    These {
        /// The first.
        start: usize,
        /// How many.
        extent: usize,
        /// How many all parts have.
        all: usize,
    },
    /// One of this many parts, of which the last may be smaller.
    Equal {
        /// Which one.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

/// Windows of rows and columns over an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Rows and columns; `None` where the weights say it.
    pub size: Option<[usize; 2]>,
    /// Elements from one window to the next.
    pub stride: [usize; 2],
    /// Elements from one of a window to its next.
    pub dilation: [usize; 2],
    /// What is around the image.
    pub pads: Pads,
    /// Whether a last window counts that begins inside the image and its first pads, and ends outside.
    pub is_ceiled: bool,
}

/// What is around an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pads {
    /// As many rows above, columns on the left, rows below, and columns on the right.
    Explicit([usize; 4]),
    /// As many that there are as many windows as steps fit: `SAME_UPPER`, and with `before` `SAME_LOWER`.
    Same {
        /// Whether one that can't be halved goes before the image.
        before: bool,
    },
}

/// What `Pad` puts around a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Padding {
    /// A number.
    Number(f32),
    /// The element that is nearest.
    Edge,
    /// The elements from the edge inwards, without the one at the edge: the tensor in a mirror.
    Reflect,
    /// The elements of the other end: the tensor again.
    Wrap,
}
