//! What nodes compute, with every attribute that ONNX leaves out filled in: one meaning, whatever the version of the file.

mod functions;
mod later;
mod meaning;
mod places;
mod resizing;
mod windows;

pub use functions::{Axes, Comparison, Extremum, Function, Logic, Number, Pair, Reduction, Type};
pub use later::Later;
pub use meaning::Operator;
pub use places::{Places, Update};
pub use resizing::{Aspect, Extents, Interpolation, Mapping, Region, Resizing, Rounding};
pub use windows::{Cut, Padding, Pads, PartOf, Window};
