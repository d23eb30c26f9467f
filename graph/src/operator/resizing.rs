//! Tensors of other extents, of elements between those that there are.

/// How a tensor is brought to other extents.
#[derive(Clone, Debug, PartialEq)]
pub struct Resizing {
    /// The dimensions that other numbers are about, from the end where they are negative; of `None` all.
    pub axes: Option<Vec<i64>>,
    /// What the extents become.
    pub extents: Extents,
    /// Where an element of the result lies in the input.
    pub mapping: Mapping,
    /// What is made of the elements around that place.
    pub interpolation: Interpolation,
    /// Whether an image that becomes smaller is smoothed.
    pub antialiases: bool,
    /// Whether elements outside count nothing, instead of what the nearest inside is.
    pub excludes_outside: bool,
    /// The part of the tensor that is taken, whose ends are the centres of the first and of the last elements, whatever `mapping` says;
    /// of `None` all of it.
    pub region: Option<Region>,
}

/// A part of a tensor, which may reach beyond it: `tf_crop_and_resize`.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Where it begins and ends along each dimension, whose first element lies at 0 and whose last at 1.
    pub ends: Vec<[f32; 2]>,
    /// What lies outside the tensor.
    pub outside: f32,
}

/// What extents become.
#[derive(Clone, Debug, PartialEq)]
pub enum Extents {
    /// As many times as many.
    Scaled(Vec<f32>),
    /// These.
    These {
        /// One for each dimension.
        extents: Vec<usize>,
        /// What is kept of their ratio.
        aspect: Aspect,
    },
}

/// What is kept of the ratio of extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Nothing.
    Stretch,
    /// All of it, with no extent above those said.
    NotLarger,
    /// All of it, with no extent below those said.
    NotSmaller,
}

/// Where an element lies in the input, along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// (x + 1/2) / scale − 1/2: the outer edges lie on each other.
    HalfPixel,
    /// As `HalfPixel`, around the middle where the extent was rounded.
    HalfPixelSymmetric,
    /// As `HalfPixel`, and 0 where there is one element.
    PytorchHalfPixel,
    /// The centres of the first and of the last elements lie on each other.
    AlignCorners,
    /// x / scale.
    Asymmetric,
}

/// What is made of the elements around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interpolation {
    /// One of them.
    Nearest(Rounding),
    /// The two around it, by their distance.
    Linear,
    /// The four around it, by a cubic function of their distance.
    Cubic {
        /// The function's slope at a distance of 1.
        slope: f32,
    },
}

/// The element that is nearest to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The nearest, of two the one before.
    PreferFloor,
    /// The nearest, of two the one behind.
    PreferCeil,
    /// The one before.
    Floor,
    /// The one behind.
    Ceil,
    /// The one before where a dimension grows, the one behind where it shrinks: `Resize` of version 10.
    Outwards,
}
