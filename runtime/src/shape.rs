//! The extents of tensors and runs.

use crate::info::error::InvalidTensor;

pub use crate::limits::{MAX_DIMENSIONS, MAX_EXTENT};

/// Extents in the order width, height, and on; the dimensions that a tensor lacks have extent 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    extents: [u32; MAX_DIMENSIONS],
}

impl Shape {
    /// No element.
    pub(crate) const EMPTY: Shape = Shape { extents: [0; MAX_DIMENSIONS] };

    /// The shape with these extents.
    pub fn new(extents: &[usize]) -> Result<Shape, InvalidTensor> {
        if extents.len() > MAX_DIMENSIONS {
            return Err(InvalidTensor::TooManyDimensions { found: extents.len() });
        }
        let mut shape = Shape { extents: [1; MAX_DIMENSIONS] };
        for (dimension, &extent) in extents.iter().enumerate() {
            if extent > MAX_EXTENT {
                return Err(InvalidTensor::ExtentTooLarge { dimension, found: extent });
            }
            shape.extents[dimension] = extent as u32;
        }
        Ok(shape)
    }

    /// Elements along `dimension`; 1 beyond the last.
    pub fn extent(&self, dimension: usize) -> usize {
        self.extents.get(dimension).map_or(1, |&extent| extent as usize)
    }

    /// All extents.
    pub fn extents(&self) -> [usize; MAX_DIMENSIONS] {
        self.extents.map(|extent| extent as usize)
    }

    /// All extents, as they are kept.
    pub(crate) fn narrow(&self) -> [u32; MAX_DIMENSIONS] {
        self.extents
    }

    /// Elements along a row.
    pub fn width(&self) -> usize {
        self.extents[0] as usize
    }

    /// Rows of a plane.
    pub fn height(&self) -> usize {
        self.extents[1] as usize
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.extents.contains(&0)
    }

    /// The number of dimensions up to the last whose extent is not 1, and at least two.
    pub fn rank(&self) -> usize {
        self.extents.iter().rposition(|&extent| extent != 1).map_or(2, |last| (last + 1).max(2))
    }

    /// This shape with another extent, which the caller has checked, in one dimension.
    pub(crate) fn with_extent(mut self, dimension: usize, extent: usize) -> Shape {
        self.extents[dimension] = extent as u32;
        self
    }
}

impl core::fmt::Display for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.extents[0])?;
        self.extents[1..self.rank()].iter().try_for_each(|extent| write!(f, "×{extent}"))
    }
}

impl core::fmt::Debug for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
