//! The extents of tensors and runs.
//!
//! Dimensions are in C order, as in NumPy, ONNX and DLPack: the first is the outermost, and elements along the last lie closest
//! together. An image of 480 rows and 640 columns has the shape `480×640`. Where shapes of different ranks meet, their last
//! dimensions are aligned, and those that one of them lacks have extent 1.
//!
//! Windows, and the code that runs them, count from the innermost dimension, since x is every image's last one whatever its
//! rank: that is [`Shape::inner_extent`].

use crate::info::InvalidTensor;

pub use crate::limits::{MAX_DIMENSIONS, MAX_EXTENT};

/// The extents of a tensor, outermost first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Aligned at the end; those in front of the first dimension are 1. In few bytes: runs move what is known of their images.
    extents: [u32; MAX_DIMENSIONS],
    rank: u8,
}

/// The extents of a [`Shape`] as a slice, outermost first, one a dimension.
#[derive(Clone, Copy)]
pub struct Extents {
    extents: [usize; MAX_DIMENSIONS],
    rank: u8,
}

impl Shape {
    /// No element.
    pub(crate) const EMPTY: Shape = {
        let mut extents = [1; MAX_DIMENSIONS];
        extents[MAX_DIMENSIONS - 1] = 0;
        Shape { extents, rank: 1 }
    };

    /// Returns the shape with these extents, outermost first.
    ///
    /// ```
    /// use windrow::Shape;
    ///
    /// let image = Shape::new(&[480, 640])?;
    /// assert_eq!((image.height(), image.width(), image.rank()), (480, 640, 2));
    /// assert_eq!(image, [480, 640]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    #[inline]
    pub fn new(extents: &[usize]) -> Result<Shape, InvalidTensor> {
        let Some(lacking) = MAX_DIMENSIONS.checked_sub(extents.len()) else {
            return Err(InvalidTensor::TooManyDimensions { found: extents.len() });
        };
        let mut shape = Shape { extents: [1; MAX_DIMENSIONS], rank: extents.len() as u8 };
        for (dimension, &extent) in extents.iter().enumerate() {
            if extent > MAX_EXTENT {
                return Err(InvalidTensor::ExtentTooLarge { dimension, found: extent });
            }
            shape.extents[lacking + dimension] = extent as u32;
        }
        Ok(shape)
    }

    /// The shape of `rank` extents, which have been checked: they are at the end of `extents`, behind ones.
    #[inline(always)]
    pub(crate) fn of_parts(extents: [u32; MAX_DIMENSIONS], rank: usize) -> Shape {
        Shape { extents, rank: rank as u8 }
    }

    /// Returns the extents, outermost first, one a dimension.
    pub fn extents(&self) -> Extents {
        let mut extents = [1; MAX_DIMENSIONS];
        let given = &self.extents[MAX_DIMENSIONS - self.rank()..];
        extents.iter_mut().zip(given).for_each(|(to, &extent)| *to = extent as usize);
        Extents { extents, rank: self.rank }
    }

    /// The extents of all dimensions that there may be, outermost first and aligned at the end: the others are 1.
    #[inline]
    pub(crate) fn all(&self) -> &[u32; MAX_DIMENSIONS] {
        &self.extents
    }

    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank as usize
    }

    /// Returns the extent of the dimension that is `dimension` places from the innermost one: 0 is the innermost. Where
    /// there is none, it is 1.
    ///
    /// Windows number their dimensions so.
    #[inline]
    pub fn inner_extent(&self, dimension: usize) -> usize {
        if dimension < MAX_DIMENSIONS { self.extents[MAX_DIMENSIONS - 1 - dimension] as usize } else { 1 }
    }

    /// Returns all extents, innermost first; those of dimensions that there are not are 1.
    pub fn inner_extents(&self) -> [usize; MAX_DIMENSIONS] {
        let mut extents = self.extents;
        extents.reverse();
        extents.map(|extent| extent as usize)
    }

    /// Returns the number of elements along a row: the last extent.
    #[inline]
    pub fn width(&self) -> usize {
        self.extents[MAX_DIMENSIONS - 1] as usize
    }

    /// Returns the number of rows of a plane: the last extent but one.
    #[inline]
    pub fn height(&self) -> usize {
        self.extents[MAX_DIMENSIONS - 2] as usize
    }

    /// Returns the number of planes: the product of all extents in front of the last two.
    pub fn planes(&self) -> usize {
        self.extents[..MAX_DIMENSIONS - 2]
            .iter()
            .fold(1, |planes: usize, &extent| planes.saturating_mul(extent as usize))
    }

    /// Returns whether there is no element.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.extents.contains(&0)
    }

    /// Returns whether both have the same extents from the innermost dimension on; where one has fewer dimensions, the
    /// other's further extents are 1.
    #[inline]
    pub fn same_extents(&self, other: &Shape) -> bool {
        self.extents == other.extents
    }

    /// Returns the number, counted from the outermost dimension as everywhere else, of the dimension that is `inner`
    /// places from the innermost.
    pub fn outer_index(&self, inner: usize) -> usize {
        self.rank().saturating_sub(1 + inner)
    }

    /// This shape with another extent, which the caller has checked, of the dimension `dimension` places from the innermost.
    pub(crate) fn with_inner_extent(mut self, dimension: usize, extent: usize) -> Shape {
        self.extents[MAX_DIMENSIONS - 1 - dimension] = extent as u32;
        if extent != 1 {
            self.rank = self.rank.max(dimension as u8 + 1);
        }
        self
    }

    /// This shape with at least `rank` dimensions.
    pub(crate) fn with_rank(mut self, rank: usize) -> Shape {
        self.rank = self.rank.max(rank.min(MAX_DIMENSIONS) as u8);
        self
    }
}

impl core::ops::Deref for Extents {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.extents[..self.rank as usize]
    }
}

impl<'a> IntoIterator for &'a Extents {
    type Item = &'a usize;
    type IntoIter = core::slice::Iter<'a, usize>;

    fn into_iter(self) -> core::slice::Iter<'a, usize> {
        self.iter()
    }
}

impl PartialEq for Extents {
    fn eq(&self, other: &Extents) -> bool {
        **self == **other
    }
}

impl Eq for Extents {}

impl<const N: usize> PartialEq<[usize; N]> for Extents {
    fn eq(&self, other: &[usize; N]) -> bool {
        **self == *other
    }
}

impl PartialEq<[usize]> for Extents {
    fn eq(&self, other: &[usize]) -> bool {
        **self == *other
    }
}

impl core::fmt::Debug for Extents {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<const N: usize> PartialEq<[usize; N]> for Shape {
    fn eq(&self, other: &[usize; N]) -> bool {
        *self.extents() == *other
    }
}

impl PartialEq<[usize]> for Shape {
    fn eq(&self, other: &[usize]) -> bool {
        *self.extents() == *other
    }
}

/// The extents, outermost first: `480×640`; `()` of a scalar.
impl core::fmt::Display for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let extents = self.extents();
        let Some((first, rest)) = extents.split_first() else { return f.write_str("()") };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|extent| write!(f, "×{extent}"))
    }
}

impl core::fmt::Debug for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
