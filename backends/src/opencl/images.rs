//! Which kernels have an image form: the same bodies, whose inputs are images that are read through samplers.
//!
//! The samplers are the border: what a work-item reads past an edge is what the sampler finds there. Outputs stay
//! buffers: an image is read or written, and a stage that follows may want either.

use std::fmt;
use windrow_dsl::ir::{BorderMode, Input, Kernel};

/// Why a kernel has no image form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoImageForm {
    /// An input is read anywhere.
    Anywhere(
        /// The input.
        String,
    ),
    /// Nothing is read around an element.
    NoNeighbourhood,
    /// An output that is an input too.
    InPlace(
        /// The input.
        String,
    ),
    /// Elements of several channels.
    Channels {
        /// The input.
        input: String,
        /// The type of a channel.
        element: &'static str,
        /// How many there are.
        channels: u32,
    },
    /// Borders that no sampler finds.
    Borders,
}

impl fmt::Display for NoImageForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anywhere(input) => write!(f, "`{input}` is read anywhere, which takes an address and no sampler"),
            Self::NoNeighbourhood => f.write_str("no input is read around an element, so that no sampler is of use"),
            Self::InPlace(input) => write!(f, "`{input}` is written where it is read, an image is one or the other"),
            Self::Channels { input, element, channels } => {
                write!(f, "`{input}` is of [{element}; {channels}], images of this form have one channel")
            }
            Self::Borders => f.write_str("none of its borders is one that a sampler finds"),
        }
    }
}

/// Whether a kernel has an image form, or why it has none.
///
/// # Errors
/// The first reason.
pub fn check_images(kernel: &Kernel) -> Result<(), NoImageForm> {
    if let Some(input) = kernel.inputs.iter().find(|input| input.is_whole) {
        return Err(NoImageForm::Anywhere(input.name.clone()));
    }
    if !kernel.inputs.iter().any(Input::reads_around) {
        return Err(NoImageForm::NoNeighbourhood);
    }
    if let Some(input) = kernel.inputs.iter().find(|input| input.inout.is_some()) {
        return Err(NoImageForm::InPlace(input.name.clone()));
    }
    if let Some(input) = kernel.inputs.iter().find(|input| input.channels != 1) {
        let (element, channels) = (input.ty.name(), input.channels);
        return Err(NoImageForm::Channels { input: input.name.clone(), element, channels });
    }
    let is_found = |mode: &BorderMode| match mode {
        BorderMode::Undefined | BorderMode::Constant | BorderMode::Replicate => true,
        BorderMode::Reflect | BorderMode::Reflect101 | BorderMode::Wrap => false,
    };
    if kernel.borders.iter().any(is_found) { Ok(()) } else { Err(NoImageForm::Borders) }
}
