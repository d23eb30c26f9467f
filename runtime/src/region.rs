//! Rectangles of elements, and the region of an output that a kernel computes.

use core::ops::Range;

use crate::{
    border::BorderMode,
    info::{InvalidTensor, MAX_DIMENSIONS, MAX_EXTENT, Shape},
};

/// Columns `x0..x1` of rows `y0..y1`; empty where an end is not behind its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// The first column.
    pub x0: usize,
    /// The first row.
    pub y0: usize,
    /// Behind the last column.
    pub x1: usize,
    /// Behind the last row.
    pub y1: usize,
}

impl Rect {
    /// Returns the rectangle of these columns and rows.
    pub const fn new(x0: usize, y0: usize, x1: usize, y1: usize) -> Rect {
        Rect { x0, y0, x1, y1 }
    }

    /// Returns whether the region holds no element.
    pub const fn is_empty(&self) -> bool {
        self.x1 <= self.x0 || self.y1 <= self.y0
    }

    /// Returns the number of columns.
    pub const fn width(&self) -> usize {
        self.x1.saturating_sub(self.x0)
    }

    /// Returns the number of rows.
    pub const fn height(&self) -> usize {
        self.y1.saturating_sub(self.y0)
    }

    /// Returns the number of elements, at most `usize::MAX`.
    pub const fn area(&self) -> usize {
        self.width().saturating_mul(self.height())
    }

    /// Returns whether the region holds the element at (x, y).
    pub const fn contains(&self, x: usize, y: usize) -> bool {
        self.x0 <= x && x < self.x1 && self.y0 <= y && y < self.y1
    }

    /// Returns the elements that both hold; an empty intersection is `Rect::default()`.
    pub fn intersect(&self, other: &Rect) -> Rect {
        let both =
            Rect::new(self.x0.max(other.x0), self.y0.max(other.y0), self.x1.min(other.x1), self.y1.min(other.y1));
        if both.is_empty() { Rect::default() } else { both }
    }
}

/// The part of an output that a run writes; what lies outside is left untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidRegion {
    /// The first valid coordinate of each dimension, innermost first.
    pub(crate) start: [usize; MAX_DIMENSIONS],
    /// Behind the last valid coordinate of each dimension, innermost first.
    pub(crate) end: [usize; MAX_DIMENSIONS],
    /// The number of dimensions of the tensor.
    pub(crate) rank: usize,
}

impl ValidRegion {
    /// Returns the region `plane` of every plane of `shape`.
    pub fn new(plane: Rect, shape: Shape) -> ValidRegion {
        let mut region = ValidRegion::whole(shape);
        (region.start[0], region.end[0]) = (plane.x0, plane.x1);
        // A row has one coordinate y, which no text tells.
        if shape.rank() > 1 || !plane.is_empty() {
            (region.start[1], region.end[1]) = (plane.y0, plane.y1);
        }
        region
    }

    /// Returns the region that is all of `shape`.
    pub fn whole(shape: Shape) -> ValidRegion {
        ValidRegion { start: [0; MAX_DIMENSIONS], end: shape.inner_extents(), rank: shape.rank() }
    }

    /// Returns the region that holds one range of coordinates for each dimension of a tensor, outermost first.
    ///
    /// ```
    /// use windrow::{Rect, ValidRegion};
    ///
    /// let region = ValidRegion::from_ranges(&[0..2, 1..4, 1..5])?;
    /// assert_eq!(region.plane(), Rect::new(1, 1, 5, 4));
    /// assert_eq!(region.ranges().collect::<Vec<_>>(), [0..2, 1..4, 1..5]);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn from_ranges(ranges: &[Range<usize>]) -> Result<ValidRegion, InvalidTensor> {
        if ranges.len() > MAX_DIMENSIONS {
            return Err(InvalidTensor::TooManyDimensions { found: ranges.len() });
        }
        let mut region = ValidRegion { start: [0; MAX_DIMENSIONS], end: [1; MAX_DIMENSIONS], rank: ranges.len() };
        for (inner, range) in ranges.iter().rev().enumerate() {
            if range.end > MAX_EXTENT {
                let dimension = ranges.len() - 1 - inner;
                return Err(InvalidTensor::ExtentTooLarge { dimension, found: range.end });
            }
            (region.start[inner], region.end[inner]) = (range.start.min(range.end), range.end);
        }
        Ok(region)
    }

    /// Returns the valid coordinates of each dimension, outermost first.
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + use<> {
        let ValidRegion { start, end, rank } = *self;
        (0..rank).rev().map(move |d| start[d]..end[d])
    }

    /// Returns the elements that both hold: from the greater start to the lesser end, in each dimension; its end is its
    /// start where they share none.
    ///
    /// ```
    /// use windrow::{Rect, Shape, ValidRegion};
    ///
    /// let shape = Shape::new(&[4, 10])?;
    /// let left = ValidRegion::new(Rect::new(0, 0, 6, 4), shape);
    /// let right = ValidRegion::new(Rect::new(4, 1, 10, 4), shape);
    /// assert_eq!(left.intersect(&right).plane(), Rect::new(4, 1, 6, 4));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    #[must_use]
    pub fn intersect(&self, other: &ValidRegion) -> ValidRegion {
        let start: [usize; MAX_DIMENSIONS] = core::array::from_fn(|d| self.start[d].max(other.start[d]));
        let end = core::array::from_fn(|d| self.end[d].min(other.end[d]).max(start[d]));
        ValidRegion { start, end, rank: self.rank.max(other.rank) }
    }

    /// The part of it that lies in the region of `shape` at `start`, innermost first, in that region's own coordinates.
    pub(crate) fn within(&self, start: &[usize; MAX_DIMENSIONS], shape: Shape) -> ValidRegion {
        let inside = |d: usize, at: usize| at.saturating_sub(start[d]).min(shape.inner_extent(d));
        ValidRegion {
            start: core::array::from_fn(|d| inside(d, self.start[d])),
            end: core::array::from_fn(|d| inside(d, self.end[d])),
            rank: shape.rank(),
        }
    }

    /// Returns the columns and rows, the same in every plane.
    pub fn plane(&self) -> Rect {
        Rect::new(self.start[0], self.start[1], self.end[0], self.end[1])
    }

    /// Returns whether the region holds no element.
    pub fn is_empty(&self) -> bool {
        self.start.iter().zip(&self.end).any(|(start, end)| end <= start)
    }

    /// Returns the valid coordinates of the dimension that is `dimension` places from the innermost one; `0..1` where
    /// there is none.
    pub fn inner_range(&self, dimension: usize) -> Range<usize> {
        if dimension < MAX_DIMENSIONS { self.start[dimension]..self.end[dimension] } else { 0..1 }
    }

    /// Returns whether the region holds the element at these coordinates, innermost first.
    pub fn inner_contains(&self, at: &[usize; MAX_DIMENSIONS]) -> bool {
        (0..MAX_DIMENSIONS).all(|d| self.start[d] <= at[d] && at[d] < self.end[d])
    }

    /// Returns whether the region holds the element at `coordinates`, outermost first; missing ones in front are 0.
    pub fn contains(&self, coordinates: &[usize]) -> bool {
        coordinates.len() <= MAX_DIMENSIONS
            && (0..MAX_DIMENSIONS).all(|inner| {
                let at = coordinates.iter().rev().nth(inner).copied().unwrap_or(0);
                self.start[inner] <= at && at < self.end[inner]
            })
    }
}

/// Rows and columns, `3..4×2..5`.
impl core::fmt::Display for Rect {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}..{}×{}..{}", self.y0, self.y1, self.x0, self.x1)
    }
}

/// The range of each dimension, outermost first, `0..2×1..4×1..5`; `()` of a scalar.
impl core::fmt::Display for ValidRegion {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.rank == 0 {
            return f.write_str("()");
        }
        self.ranges().enumerate().try_for_each(|(d, range)| {
            let separator = if d == 0 { "" } else { "×" };
            write!(f, "{separator}{}..{}", range.start, range.end)
        })
    }
}

/// The coordinates of an output of `length` elements that read nothing outside an input of `input` elements, when
/// element `x` reads the input's elements `stride·x + least ..= stride·x + greatest`: a half-open range, (0, 0) when empty.
///
/// ```text
/// stride 2, −1..=1, input 6:   0 1 2 3 4 5
/// output 0 reads −1 0 1: out   output 1 reads 1 2 3, output 2 reads 3 4 5: (1, 3)
/// ```
pub(crate) fn in_bounds(length: usize, input: usize, stride: u32, least: i32, greatest: i32) -> (usize, usize) {
    let stride = stride.max(1) as usize;
    let start = (least.min(0).unsigned_abs() as usize).div_ceil(stride);
    // The last output whose greatest read is the input's last element.
    let reach = input.checked_sub(1 + greatest.max(0) as usize);
    let end = reach.map_or(0, |reach| (reach / stride + 1).min(length));
    if start < end { (start, end) } else { (0, 0) }
}

/// One dimension of an image that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Elements along it.
    pub extent: usize,
    /// Those that are valid, a half-open range.
    pub valid: (usize, usize),
    /// Input elements for one output element.
    pub stride: u32,
    /// The least and the greatest offset read.
    pub offsets: (i32, i32),
    /// What lies outside.
    pub border: BorderMode,
}

/// The coordinates of an output of `length` elements of which everything read is valid: a half-open range, (0, 0) when empty.
///
/// What is read inside the image must be valid. What is read outside is, where the border finds something valid there and the
/// valid elements go on to the image's end; a shorter valid region than the image's is never extended beyond its own ends.
///
/// ```text
/// −1..=1, image 8, valid 0..6   undefined: (1, 5)   replicate: (0, 5)   wrap: (1, 5), since element 7 is left of 0
/// ```
pub(crate) fn valid_span(length: usize, line: &Line) -> (usize, usize) {
    let (extent, stride) = (line.extent as i64, i64::from(line.stride.max(1)));
    let (first, behind) = (line.valid.0 as i64, line.valid.1 as i64);
    let (least, greatest) = (i64::from(line.offsets.0), i64::from(line.offsets.1));
    if first >= behind {
        return (0, 0);
    }
    // How far the outermost outputs reach beyond the image.
    let before = (-least).max(0);
    let beyond = (stride * (length as i64 - 1) + greatest - (extent - 1)).max(0);
    let whole = first == 0 && behind == extent;
    let near = |reach: i64| match line.border {
        BorderMode::Undefined => false,
        BorderMode::Constant | BorderMode::Replicate => true,
        BorderMode::Reflect => whole || reach <= behind - first,
        BorderMode::Reflect101 => whole || reach < behind - first,
        BorderMode::Wrap => whole,
    };
    let start = if first == 0 && near(before) { 0 } else { (first - least + stride - 1).div_euclid(stride) };
    let last = (behind - 1 - greatest).div_euclid(stride);
    let end = if behind == extent && near(beyond) { length as i64 } else { (last + 1).min(length as i64) };
    let start = start.max(0);
    if start < end { (start as usize, end as usize) } else { (0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_holds_its_columns_and_rows() {
        let rect = Rect::new(2, 3, 5, 4);
        let held: Vec<_> =
            (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).filter(|&(x, y)| rect.contains(x, y)).collect();
        assert_eq!(held, [(2, 3), (3, 3), (4, 3)]);
        assert_eq!((rect.width(), rect.height(), rect.area(), rect.is_empty()), (3, 1, 3, false));
        for empty in [Rect::new(5, 3, 5, 4), Rect::new(2, 4, 5, 4), Rect::new(5, 3, 2, 4), Rect::new(2, 4, 5, 3)] {
            assert!(empty.is_empty() && empty.area() == 0, "{empty:?}");
        }
    }

    #[test]
    fn an_intersection_holds_what_both_hold() {
        let corners: Vec<_> = (0..4).flat_map(|y| (0..4).map(move |x| (x, y))).collect();
        let rects =
            || corners.iter().flat_map(|&(x0, y0)| corners.iter().map(move |&(x1, y1)| Rect::new(x0, y0, x1, y1)));
        for (a, b) in rects().flat_map(|a| rects().map(move |b| (a, b))) {
            let both = a.intersect(&b);
            for &(x, y) in &corners {
                assert_eq!(both.contains(x, y), a.contains(x, y) && b.contains(x, y), "{a:?} {b:?} ({x}, {y})");
            }
            assert!(!both.is_empty() || both == Rect::default());
        }
    }

    #[test]
    fn a_valid_region_counts_missing_coordinates_as_zero() {
        let Ok(shape) = Shape::new(&[2, 5, 6]) else { unreachable!("the shape is small") };
        let region = ValidRegion::new(Rect::new(1, 1, 5, 4), shape);
        assert!(region.contains(&[1, 1]) && region.contains(&[1, 3, 4]) && !region.is_empty());
        for outside in [&[1, 0][..], &[1, 5], &[4, 1], &[2, 1, 1], &[1, 0, 1, 1], &[1], &[0, 0, 0, 0, 0, 1, 1]] {
            assert!(!region.contains(outside), "{outside:?}");
        }
        assert!(ValidRegion::new(Rect::default(), shape).is_empty());
    }

    #[test]
    fn in_bounds_is_every_output_that_reads_inside() {
        for (input, stride) in (1..=12usize).flat_map(|input| (1..=3u32).map(move |stride| (input, stride))) {
            let length = input.div_ceil(stride as usize);
            for (least, greatest) in (-5..=3).flat_map(|least| (least..=6).map(move |greatest| (least, greatest))) {
                let inside = |x: &usize| {
                    let at = (*x as i64) * i64::from(stride);
                    at + i64::from(least) >= 0 && at + i64::from(greatest) < input as i64
                };
                let expect: Vec<usize> = (0..length).filter(inside).collect();
                let (start, end) = in_bounds(length, input, stride, least, greatest);
                assert_eq!((start..end).collect::<Vec<_>>(), expect, "{input} {stride} {least}..={greatest}");
                assert!(start < end || (start, end) == (0, 0), "{input} {stride} {least}..={greatest}");
            }
        }
    }

    /// Whether everything that output `x` reads is valid, found one by one.
    fn reads_valid(line: &Line, x: usize) -> bool {
        (line.offsets.0..=line.offsets.1).all(|offset| {
            let at = x as isize * line.stride as isize + offset as isize;
            match line.border.map(at, line.extent) {
                Some(index) => line.valid.0 <= index && index < line.valid.1,
                // Outside, a constant is as good as any element.
                None => line.border == BorderMode::Constant,
            }
        })
    }

    #[test]
    fn valid_spans_hold_only_what_reads_valid_elements() {
        let (mut spans, mut exact) = (0, 0);
        for (extent, stride) in (1..=7usize).flat_map(|extent| (1..=3u32).map(move |stride| (extent, stride))) {
            let length = extent.div_ceil(stride as usize);
            for valid in (0..=extent).flat_map(|start| (start..=extent).map(move |end| (start, end))) {
                for offsets in (-4..=2).flat_map(|least| (least..=3).map(move |greatest| (least, greatest))) {
                    for border in BorderMode::ALL {
                        let line = Line { extent, valid, stride, offsets, border };
                        let (start, end) = valid_span(length, &line);
                        assert!(
                            (start..end).all(|x| end <= length && reads_valid(&line, x)),
                            "{line:?} {start}..{end}"
                        );
                        assert!(start < end || (start, end) == (0, 0), "{line:?} {start}..{end}");
                        let all = (0..length).filter(|x| reads_valid(&line, *x)).count();
                        spans += 1;
                        exact += usize::from(all == end - start);
                        // Valid throughout, the closed form leaves nothing out; undefined, never.
                        let whole = valid == (0, extent);
                        let around = offsets.0 <= 0 && offsets.1 >= 0;
                        if around && (border == BorderMode::Undefined || whole) {
                            assert_eq!(all, end - start, "{line:?} {start}..{end}");
                        }
                    }
                }
            }
        }
        // Elsewhere it may: elements that a mirror finds, in pieces. Never more than today.
        assert_eq!((exact, spans), (68_143, 74_970));
    }
}
