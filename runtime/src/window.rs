//! The iteration domain of a run: up to six dimensions of start, end and step.
//!
//! Windows are cut for threads by [`Window::split`]. Every part keeps five laws, in each dimension:
//! 1. it starts inside the whole window;
//! 2. it holds at least one step and ends inside the whole window;
//! 3. it has the whole window's step;
//! 4. it starts a multiple of the step behind the whole window's start;
//! 5. its extent is a multiple of the step.
//!
//! The parts of a split tile the window exactly once. Since a whole window too is a multiple of its step, its end may
//! lie behind the image's; a run cuts what it computes to the image.

use crate::info::{MAX_DIMENSIONS, MAX_EXTENT};

/// One dimension of a window: `start`, `start + step`, … below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    start: usize,
    end: usize,
    step: usize,
}

impl Dimension {
    /// The coordinates from `start` to before `end`, in steps of `step`.
    pub fn new(start: usize, end: usize, step: usize) -> Result<Dimension, InvalidWindow> {
        if step == 0 || end < start || !(end - start).is_multiple_of(step) || end > 4 * MAX_EXTENT {
            return Err(InvalidWindow::Dimension { start, end, step });
        }
        Ok(Dimension { start, end, step })
    }

    /// The least dimension in steps of `step` that starts at `start` and holds everything before `end`.
    fn covering(start: usize, end: usize, step: usize) -> Dimension {
        let step = step.clamp(1, MAX_EXTENT);
        Dimension { start, end: start + end.saturating_sub(start).next_multiple_of(step), step }
    }

    /// The first coordinate.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Behind the last coordinate.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The distance of iterations.
    pub fn step(&self) -> usize {
        self.step
    }

    /// The number of iterations.
    pub fn iterations(&self) -> usize {
        (self.end - self.start) / self.step
    }
}

/// The iteration domain of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    dimensions: [Dimension; MAX_DIMENSIONS],
}

/// Why a window can't be made, cut or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidWindow {
    /// A step of 0, an end before the start, or an extent that is no multiple of the step.
    #[error("a window from {start} to {end} can't be walked in steps of {step}")]
    Dimension {
        /// Its first coordinate.
        start: usize,
        /// Behind its last.
        end: usize,
        /// Its step.
        step: usize,
    },
    /// More dimensions than a window has.
    #[error("a window has at most 6 dimensions, found {found}")]
    TooManyDimensions {
        /// Their number.
        found: usize,
    },
    /// A part that does not exist.
    #[error("part {index} of {parts} in dimension {dimension}, which has {iterations} iterations")]
    Part {
        /// Which dimension was to be split.
        dimension: usize,
        /// Which part was asked for.
        index: usize,
        /// The number of parts asked for.
        parts: usize,
        /// The iterations of the dimension.
        iterations: usize,
    },
    /// A sub-window that starts outside, or ends outside or before its first step.
    #[error("dimension {dimension} of the sub-window goes from {start} to {end}, outside {whole_start} to {whole_end}")]
    Outside {
        /// Which dimension.
        dimension: usize,
        /// The sub-window's start.
        start: usize,
        /// The sub-window's end.
        end: usize,
        /// The whole window's start.
        whole_start: usize,
        /// The whole window's end.
        whole_end: usize,
    },
    /// A sub-window with another step.
    #[error("dimension {dimension} of the sub-window has step {found}, the window has {expected}")]
    Step {
        /// Which dimension.
        dimension: usize,
        /// The sub-window's step.
        found: usize,
        /// The whole window's step.
        expected: usize,
    },
    /// A sub-window that starts between two steps.
    #[error(
        "dimension {dimension} of the sub-window starts at {start}, between two steps of {step} from {whole_start}"
    )]
    OffGrid {
        /// Which dimension.
        dimension: usize,
        /// The sub-window's start.
        start: usize,
        /// The step.
        step: usize,
        /// The whole window's start.
        whole_start: usize,
    },
}

impl Window {
    /// The window of these dimensions; the others hold the coordinate 0 alone.
    pub fn new(dimensions: &[Dimension]) -> Result<Window, InvalidWindow> {
        if dimensions.len() > MAX_DIMENSIONS {
            return Err(InvalidWindow::TooManyDimensions { found: dimensions.len() });
        }
        let mut all = [Dimension { start: 0, end: 1, step: 1 }; MAX_DIMENSIONS];
        all[..dimensions.len()].copy_from_slice(dimensions);
        Ok(Window { dimensions: all })
    }

    /// The least window in steps of `steps` that holds every coordinate in `start..end`.
    pub fn covering(start: [usize; MAX_DIMENSIONS], end: [usize; MAX_DIMENSIONS], steps: (u32, u32)) -> Window {
        let step = |dimension| match dimension {
            0 => steps.0 as usize,
            1 => steps.1 as usize,
            _ => 1,
        };
        Window { dimensions: core::array::from_fn(|d| Dimension::covering(start[d], end[d], step(d))) }
    }

    /// A dimension; beyond the sixth, the coordinate 0 alone.
    pub fn dimension(&self, dimension: usize) -> Dimension {
        self.dimensions.get(dimension).copied().unwrap_or(Dimension { start: 0, end: 1, step: 1 })
    }

    /// The number of iterations along `dimension`.
    pub fn iterations(&self, dimension: usize) -> usize {
        self.dimension(dimension).iterations()
    }

    /// Whether some dimension has no iteration.
    pub fn is_empty(&self) -> bool {
        self.dimensions.iter().any(|dimension| dimension.iterations() == 0)
    }

    /// Part `index` of `parts` along `dimension`: the parts differ by one iteration at most, and none is empty.
    ///
    /// ```
    /// use windrow_runtime::Window;
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

    /// The parts along `dimension`, `wanted` of them or as many as there are iterations.
    pub fn parts(&self, dimension: usize, wanted: usize) -> impl ExactSizeIterator<Item = Window> + use<> {
        let window = *self;
        let parts = wanted.max(1).min(window.iterations(dimension));
        (0..parts).map(move |index| window.split(dimension, index, parts).unwrap_or(window))
    }

    /// Checks the five laws of `part` as a sub-window of this one.
    pub fn check_part(&self, part: &Window) -> Result<(), InvalidWindow> {
        for (dimension, (whole, part)) in self.dimensions.iter().zip(&part.dimensions).enumerate() {
            let (start, end) = (part.start, part.end);
            if start < whole.start || start >= whole.end || end <= start || end > whole.end {
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
