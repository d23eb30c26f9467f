//! Windows made of windows: collapsed, moved, scaled, broadcast, sliced.
//!
//! Each gives a new window, and an error where the result would be none. Nothing here knows tensors; that the memory of
//! collapsed dimensions has no gaps is [`crate::TensorInfo::collapse`]'s to say.

use super::{Dimension, InvalidWindow, Window};
use crate::{
    planes::Coordinates,
    shape::{MAX_DIMENSIONS, MAX_EXTENT, Shape},
};

impl Window {
    /// Returns this window with another dimension; beyond the sixth there is none to change.
    pub fn with_dimension(mut self, dimension: usize, to: Dimension) -> Result<Window, InvalidWindow> {
        let place = self.dimensions.get_mut(dimension);
        *place.ok_or(InvalidWindow::TooManyDimensions { found: dimension.saturating_add(1) })? = to;
        Ok(self)
    }

    /// Returns the least window in steps of `step` along `dimension` that holds this one.
    pub fn with_step(self, dimension: usize, step: usize) -> Result<Window, InvalidWindow> {
        let old = self.dimension(dimension);
        let extent = (old.end - old.start).checked_next_multiple_of(step);
        let end = extent.and_then(|extent| old.start.checked_add(extent));
        let end = end.ok_or(InvalidWindow::Dimension { start: old.start, end: old.end, step })?;
        self.with_dimension(dimension, Dimension::new(old.start, end, step)?)
    }

    /// Dimensions `first ..= last` as one: `first` goes through all of their coordinates, the others hold 0 alone.
    ///
    /// `self` is `whole` or a part of it. Coordinates of the collapsed dimension mean the same in every part only if the
    /// parts hold all of each dimension, the first too: a part that was split along one of them is refused. (A window that is
    /// split along `first` and collapsed nevertheless would have the elements of other parts.)
    ///
    /// ```
    /// use windrow::Window;
    ///
    /// let whole = Window::covering([0; 6], [640, 480, 4, 1, 1, 1], (16, 1));
    /// assert_eq!(whole.collapse(&whole, 1, 2)?.iterations(1), 1920);
    /// // Rows were split: the parts can't be collapsed, the whole can be split afterwards.
    /// assert!(whole.split(1, 0, 2)?.collapse(&whole, 1, 2).is_err());
    /// # Ok::<(), windrow::window::InvalidWindow>(())
    /// ```
    pub fn collapse(&self, whole: &Window, first: usize, last: usize) -> Result<Window, InvalidWindow> {
        if last >= MAX_DIMENSIONS || first > last {
            return Err(InvalidWindow::TooManyDimensions { found: last.max(first).saturating_add(1) });
        }
        if (first + 1..=last)
            .all(|d| self.dimensions[d] == Dimension::single(0) && whole.dimensions[d] == self.dimensions[d])
        {
            return Ok(*self);
        }
        let refused = |dimension: usize| {
            let Dimension { start, end, step } = self.dimensions[dimension];
            let whole_end = whole.dimensions[dimension].end;
            InvalidWindow::Collapse { first, last, dimension, start, end, step, whole_end }
        };
        let mut extent = 1usize;
        for dimension in first..=last {
            let (part, all) = (self.dimensions[dimension], whole.dimensions[dimension]);
            if part.start != 0 || all.start != 0 || part.end != all.end || part.step != 1 {
                return Err(refused(dimension));
            }
            extent = extent.checked_mul(part.end).filter(|end| *end <= MAX_EXTENT).ok_or(refused(dimension))?;
        }
        let mut collapsed = *self;
        collapsed.dimensions[first..=last].fill(Dimension::single(0));
        collapsed.dimensions[first] = Dimension::new(0, extent, 1)?;
        Ok(collapsed)
    }

    /// Returns the window `by` coordinates further along `dimension`.
    pub fn shift(&self, dimension: usize, by: isize) -> Result<Window, InvalidWindow> {
        let Dimension { start, end, step } = self.dimension(dimension);
        let moved = start.checked_add_signed(by).zip(end.checked_add_signed(by));
        let (first, behind) = moved.ok_or(InvalidWindow::Shift { dimension, start, end, by })?;
        let to = Dimension::new(first, behind, step).map_err(|_| InvalidWindow::Shift { dimension, start, end, by })?;
        self.with_dimension(dimension, to)
    }

    /// Returns the window without its first `count` dimensions; the others move down.
    pub fn without_dimensions(&self, count: usize) -> Window {
        let dimension = |d: usize| self.dimension(d.saturating_add(count));
        Window { dimensions: core::array::from_fn(dimension) }
    }

    /// Returns the window of an image `numerator / denominator` times as large along `dimension`: the start rounded
    /// down, the end up, and on to a whole step.
    ///
    /// ```
    /// use windrow::Window;
    ///
    /// let luma = Window::covering([0; 6], [35, 7, 1, 1, 1, 1], (16, 2));
    /// let chroma = luma.scale(1, 1, 2)?;
    /// assert_eq!((chroma.dimension(1).end(), chroma.iterations(1)), (4, 2));
    /// # Ok::<(), windrow::window::InvalidWindow>(())
    /// ```
    pub fn scale(&self, dimension: usize, numerator: u32, denominator: u32) -> Result<Window, InvalidWindow> {
        let Dimension { start, end, step } = self.dimension(dimension);
        let refused = InvalidWindow::Dimension { start, end, step: denominator as usize };
        if denominator == 0 {
            return Err(refused);
        }
        // Coordinates are below 2^33: the products fit.
        let scaled = |at: usize| at as u128 * u128::from(numerator);
        let first = scaled(start) / u128::from(denominator);
        let extent = scaled(end).div_ceil(u128::from(denominator)) - first;
        let behind = first + extent.next_multiple_of(step as u128);
        let (Ok(first), Ok(behind)) = (usize::try_from(first), usize::try_from(behind)) else { return Err(refused) };
        self.with_dimension(dimension, Dimension::new(first, behind, step)?)
    }

    /// Returns the window over a tensor of `shape` that is broadcast to this one: where the tensor has extent 1, it
    /// stays at 0.
    ///
    /// [`walk`](crate::walk) takes it beside the whole window.
    #[must_use]
    pub fn broadcast(&self, shape: Shape) -> Window {
        let along = |d: usize| if shape.inner_extent(d) == 1 { Dimension::single(0) } else { self.dimensions[d] };
        Window { dimensions: core::array::from_fn(along) }
    }

    /// Returns the sub-windows of one step in each dimension from `dimensions` on, the innermost of those first.
    ///
    /// They are parts of the window: they keep the five laws, and tile it exactly once.
    ///
    /// ```
    /// use windrow::Window;
    ///
    /// let window = Window::covering([0; 6], [640, 480, 3, 2, 1, 1], (16, 1));
    /// let planes: Vec<_> = window.slices(2).map(|plane| (plane.dimension(2).start(), plane.dimension(3).start())).collect();
    /// assert_eq!(planes, [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
    /// ```
    pub fn slices(&self, dimensions: usize) -> Slices {
        let from = dimensions.min(MAX_DIMENSIONS);
        let count = self.dimensions[from..].iter().map(Dimension::iterations).fold(1, usize::saturating_mul);
        let (left, end) = match self.is_empty() {
            true => (0, [0; MAX_DIMENSIONS]),
            false => (count, core::array::from_fn(|d| self.iterations(d))),
        };
        Slices { window: *self, from, steps: Coordinates::new([0; MAX_DIMENSIONS], end, from), left }
    }
}

/// The slices of a window, see [`Window::slices`].
#[derive(Clone, Debug)]
pub struct Slices {
    window: Window,
    from: usize,
    /// The number of each slice's step, in each dimension.
    steps: Coordinates,
    left: usize,
}

impl Iterator for Slices {
    type Item = Window;

    fn next(&mut self) -> Option<Window> {
        self.left = self.left.checked_sub(1)?;
        let (number, mut slice) = (self.steps.next()?, self.window);
        for (dimension, number) in slice.dimensions.iter_mut().zip(number).skip(self.from) {
            let Dimension { start, step, .. } = *dimension;
            let first = start + number * step;
            *dimension = Dimension { start: first, end: first + step, step };
        }
        Some(slice)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Slices {}
