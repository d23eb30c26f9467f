//! The iteration domain of a run: up to six dimensions of start, end and step.
//!
//! Dimensions are numbered from the innermost: 0 is x, 1 is y, whatever the rank of the images. Everywhere else, in shapes, strides
//! and coordinates, the outermost is the first; [`Shape::inner_extent`](crate::Shape::inner_extent) leads from one to the other.
//!
//! Windows are cut for threads by [`Window::split`]. Every part keeps five laws, in each dimension:
//! 1. it starts inside the whole window;
//! 2. it holds at least one step and ends inside the whole window;
//! 3. it has the whole window's step;
//! 4. it starts a multiple of the step behind the whole window's start;
//! 5. its extent is a multiple of the step.
//!
//! The parts of a split tile the window exactly once. Since a whole window too is a multiple of its step, its end may
//! lie behind the image's; a run cuts what it computes to the image. A width of 35 in steps of 16:
//!
//! ```text
//! window  0               16              32              48      three steps, so that the laws hold
//! image   0                                  35                   what a body computes of the last one
//! ```

mod error;
mod reshape;

use crate::{
    info::{MAX_DIMENSIONS, MAX_EXTENT},
    region::ValidRegion,
};

use core::fmt::{Display, Formatter, Result as Written};

pub use error::InvalidWindow;
pub use reshape::Slices;

/// The greatest coordinate that a window covers: with a step more it is at most four times the greatest extent.
const FARTHEST: usize = 3 * MAX_EXTENT;

/// One dimension of a window: `start`, `start + step`, … below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    start: usize,
    end: usize,
    step: usize,
}

impl Dimension {
    /// Returns the coordinates from `start` to before `end`, in steps of `step`.
    pub fn new(start: usize, end: usize, step: usize) -> Result<Dimension, InvalidWindow> {
        if step == 0 || end < start || !(end - start).is_multiple_of(step) || end.saturating_sub(1) / MAX_EXTENT >= 4 {
            return Err(InvalidWindow::Dimension { start, end, step });
        }
        Ok(Dimension { start, end, step })
    }

    /// The least dimension in steps of `step` that starts at `start` and holds everything before `end`.
    fn covering(start: usize, end: usize, step: usize) -> Dimension {
        let (start, end, step) = (start.min(FARTHEST), end.min(FARTHEST), step.clamp(1, MAX_EXTENT));
        Dimension { start, end: start + end.saturating_sub(start).next_multiple_of(step), step }
    }

    /// Returns the first coordinate.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the coordinate behind the last one.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The coordinate `at` alone.
    pub(crate) const fn single(at: usize) -> Dimension {
        Dimension { start: at, end: at + 1, step: 1 }
    }

    /// Returns the distance of iterations.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the number of iterations.
    pub fn iterations(&self) -> usize {
        (self.end - self.start) / self.step
    }
}

/// The iteration domain of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    dimensions: [Dimension; MAX_DIMENSIONS],
}

impl Window {
    /// Returns the window of these dimensions; the others hold the coordinate 0 alone.
    pub fn new(dimensions: &[Dimension]) -> Result<Window, InvalidWindow> {
        if dimensions.len() > MAX_DIMENSIONS {
            return Err(InvalidWindow::TooManyDimensions { found: dimensions.len() });
        }
        let mut all = [Dimension::single(0); MAX_DIMENSIONS];
        all[..dimensions.len()].copy_from_slice(dimensions);
        Ok(Window { dimensions: all })
    }

    /// Returns the least window in steps of `steps` that holds every coordinate in `start..end`.
    ///
    /// Steps are from 1 to 2³⁰, and coordinates beyond 3 · 2³⁰, which no tensor has, count as that.
    pub fn covering(start: [usize; MAX_DIMENSIONS], end: [usize; MAX_DIMENSIONS], steps: (u32, u32)) -> Window {
        let step = |dimension| match dimension {
            0 => steps.0 as usize,
            1 => steps.1 as usize,
            _ => 1,
        };
        Window { dimensions: core::array::from_fn(|d| Dimension::covering(start[d], end[d], step(d))) }
    }

    /// Returns the maximal window of a run that computes `region`: the least one in steps of `steps`.
    ///
    /// ```
    /// use windrow::{Rect, Shape, ValidRegion, Window};
    ///
    /// let window = Window::maximal(&ValidRegion::new(Rect::new(1, 0, 34, 8), Shape::new(&[8, 35])?), (16, 2));
    /// assert_eq!((window.dimension(0).end(), window.iterations(0), window.iterations(1)), (49, 3, 4));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn maximal(region: &ValidRegion, steps: (u32, u32)) -> Window {
        Window::covering(region.start, region.end, steps)
    }

    /// Returns a dimension; beyond the sixth, the coordinate 0 alone.
    pub fn dimension(&self, dimension: usize) -> Dimension {
        self.dimensions.get(dimension).copied().unwrap_or(Dimension::single(0))
    }

    /// Returns the number of iterations along `dimension`.
    pub fn iterations(&self, dimension: usize) -> usize {
        self.dimension(dimension).iterations()
    }

    /// Returns whether some dimension has no iteration.
    pub fn is_empty(&self) -> bool {
        self.dimensions.iter().any(|dimension| dimension.start == dimension.end)
    }

    /// Returns part `index` of `parts` along `dimension`: the parts differ by one iteration at most, and none is empty.
    ///
    /// ```
    /// use windrow::Window;
    ///
    /// let window = Window::covering([0; 6], [640, 5, 1, 1, 1, 1], (16, 2));
    /// let ends = [0, 1].map(|part| window.split(1, part, 2).map(|part| part.dimension(1).end()));
    /// assert_eq!(ends, [Ok(4), Ok(6)]);
    /// assert!(window.split(1, 0, 4).is_err());
    /// ```
    pub fn split(&self, dimension: usize, index: usize, parts: usize) -> Result<Window, InvalidWindow> {
        let whole = self.dimension(dimension);
        let iterations = whole.iterations();
        if dimension >= MAX_DIMENSIONS || index >= parts || parts > iterations {
            return Err(InvalidWindow::Part { dimension, index, parts, iterations });
        }
        // The first `iterations % parts` parts take one iteration more.
        let (each, longer) = (iterations / parts, iterations % parts);
        let before = |part: usize| each * part + part.min(longer);
        let mut part = *self;
        part.dimensions[dimension] = Dimension {
            start: whole.start + before(index) * whole.step,
            end: whole.start + before(index + 1) * whole.step,
            step: whole.step,
        };
        Ok(part)
    }

    /// Returns the parts along `dimension`, `wanted` of them or as many as there are iterations.
    pub fn parts(&self, dimension: usize, wanted: usize) -> impl ExactSizeIterator<Item = Window> + use<> {
        let window = *self;
        let parts = wanted.max(1).min(window.iterations(dimension));
        (0..parts).map(move |index| window.split(dimension, index, parts).unwrap_or(window))
    }

    /// Returns part `index` of `parts.0` × `parts.1` along two dimensions, the first fastest.
    pub fn split_2d(
        &self,
        dimensions: (usize, usize),
        index: usize,
        parts: (usize, usize),
    ) -> Result<Window, InvalidWindow> {
        let (column, row) = (index % parts.0.max(1), index / parts.0.max(1));
        if dimensions.0 == dimensions.1 {
            let (dimension, iterations) = (dimensions.0, self.iterations(dimensions.0));
            return Err(InvalidWindow::Part { dimension, index, parts: parts.0, iterations });
        }
        self.split(dimensions.0, column, parts.0)?.split(dimensions.1, row, parts.1)
    }

    /// Returns the parts along two different dimensions, as many as wanted along each, or as there are iterations.
    pub fn parts_2d(
        &self,
        dimensions: (usize, usize),
        wanted: (usize, usize),
    ) -> impl ExactSizeIterator<Item = Window> + use<> {
        let window = *self;
        let along = |dimension: usize, wanted: usize| wanted.max(1).min(window.iterations(dimension));
        let second = if dimensions.0 == dimensions.1 { 1 } else { along(dimensions.1, wanted.1) };
        let parts = (along(dimensions.0, wanted.0), second);
        (0..parts.0.saturating_mul(parts.1)).map(move |index| {
            let column = window.split(dimensions.0, index % parts.0, parts.0);
            column.and_then(|part| part.split(dimensions.1, index / parts.0, parts.1)).unwrap_or(window)
        })
    }

    /// Checks the five laws of `part` as a sub-window of this one.
    pub fn check_part(&self, part: &Window) -> Result<(), InvalidWindow> {
        for (dimension, (whole, part)) in self.dimensions.iter().zip(&part.dimensions).enumerate() {
            let (start, end) = (part.start, part.end);
            // A part that holds a step and ends inside starts inside.
            if start < whole.start || end <= start || end > whole.end {
                let (whole_start, whole_end) = (whole.start, whole.end);
                return Err(InvalidWindow::Outside { dimension, start, end, whole_start, whole_end });
            }
            if part.step != whole.step {
                return Err(InvalidWindow::Step { dimension, found: part.step, expected: whole.step });
            }
            // The extent is a multiple of the step in every `Dimension`.
            if !(start - whole.start).is_multiple_of(whole.step) {
                return Err(InvalidWindow::OffGrid { dimension, start, step: whole.step, whole_start: whole.start });
            }
        }
        Ok(())
    }
}

/// `0..48/16`: start and end, and the step where it is not 1.
impl Display for Dimension {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}..{}", self.start, self.end)?;
        if self.step == 1 { Ok(()) } else { write!(f, "/{}", self.step) }
    }
}

/// The dimensions, `0..48/16×0..8`.
impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let last = self.dimensions.iter().rposition(|dimension| *dimension != Dimension::single(0));
        write!(f, "{}", self.dimensions[0])?;
        self.dimensions[1..=last.unwrap_or(1).max(1)].iter().try_for_each(|dimension| write!(f, "×{dimension}"))
    }
}
