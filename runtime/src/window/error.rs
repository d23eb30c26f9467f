//! Why a window can't be made, cut, changed, walked or run.

/// Why a window can't be made, cut, changed, walked or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidWindow {
    /// A step of 0, an end before the start, or an extent that isn't a multiple of the step.
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
    /// Dimensions that can't become one.
    #[error(
        "dimensions {first} to {last} can't become one: dimension {dimension} goes from {start} to {end} of \
         0 to {whole_end}, in steps of {step}"
    )]
    Collapse {
        /// The first dimension to be collapsed.
        first: usize,
        /// The last dimension to be collapsed.
        last: usize,
        /// The window that it collides with.
        dimension: usize,
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
        /// Its step.
        step: usize,
        /// The whole window's end.
        whole_end: usize,
    },
    /// A dimension moved to coordinates that no window has.
    #[error("dimension {dimension}, from {start} to {end}, can't be moved by {by}")]
    Shift {
        /// Which dimension.
        dimension: usize,
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
        /// How far.
        by: isize,
    },
    /// A tensor that is walked with as many steps as neither the window nor 1.
    #[error("tensor {tensor} takes {found} steps in dimension {dimension}, the window {expected}")]
    Steps {
        /// Which of the tensors.
        tensor: usize,
        /// Which dimension.
        dimension: usize,
        /// Its steps.
        found: usize,
        /// The window's.
        expected: usize,
    },
    /// A step that lies outside a tensor.
    #[error("a step at {coordinate} in dimension {dimension} leaves tensor {tensor}, whose extent is {extent}")]
    LeavesTensor {
        /// Which of the tensors.
        tensor: usize,
        /// Which dimension.
        dimension: usize,
        /// The step's coordinate.
        coordinate: usize,
        /// The tensor's extent.
        extent: usize,
    },
    /// Rows whose elements lie apart, or backwards, where they are walked as slices.
    #[error("elements of a row of tensor {tensor} must be {expected} bytes apart to be a slice, found {found}")]
    RowStride {
        /// Which of the tensors.
        tensor: usize,
        /// The bytes from one to the next.
        found: isize,
        /// The size of an element.
        expected: usize,
    },
}
