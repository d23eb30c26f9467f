//! One error for a program that does not tell one failure from another.

use crate::{
    error::{InvalidConfiguration, RunError},
    info::InvalidTensor,
    planar::InvalidPlanar,
    schedule::ScheduleError,
    text::InvalidText,
    tier::InvalidTier,
    tiling::{InvalidTiling, TileError},
    window::InvalidWindow,
};

#[cfg(feature = "std")]
use crate::{family::FamilyError, function::FunctionError, memory::MemoryError};

/// What went wrong, in any part of windrow. Every error of windrow converts into it, so that `?` serves for all of them.
///
/// ```
/// use windrow::{Error, Tensor, View};
///
/// fn first(pixels: &[u8]) -> Result<Option<u8>, Error> {
///     Ok(View::from_slice(pixels, [2, 1])?.get([0, 0]))
/// }
///
/// assert_eq!(first(&[7, 8]).ok(), Some(Some(7)));
/// assert_eq!(first(&[7]).map_err(|error| error.to_string()), Err("the shape holds 2 elements, the data 1".into()));
/// assert!(matches!(first(&[7]), Err(Error::Tensor(_))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tensor, a view or their metadata can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// A kernel can't be configured with these arguments.
    #[error(transparent)]
    Configuration(#[from] InvalidConfiguration),
    /// A run was refused or stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A window does not keep the laws of windows.
    #[error(transparent)]
    Window(#[from] InvalidWindow),
    /// An instruction set can't be used.
    #[error(transparent)]
    Tier(#[from] InvalidTier),
    /// A scheduler could not run everything.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A planar image can't be made.
    #[error(transparent)]
    Planar(#[from] InvalidPlanar),
    /// A tiling kernel can't be configured.
    #[error(transparent)]
    Tiling(#[from] InvalidTiling),
    /// A tile was not computed.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// A text does not read as a value.
    #[error(transparent)]
    Text(#[from] InvalidText),
    /// A chain of kernels can't be built or run.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// A family of kernels can't be called with these arguments.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// Memory for a chain can't be planned or had.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An image of another crate can't hold the result.
    #[error("{container} can't hold an image of {shape}: {rule}")]
    Container {
        /// The kind of image.
        container: &'static str,
        /// The shape that it was to have.
        shape: crate::info::Shape,
        /// What it can hold.
        rule: &'static str,
    },
    /// A device, or another library over windrow, failed.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

#[cfg(feature = "std")]
impl Error {
    /// Returns the error of a library over windrow.
    pub fn other(error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::Other(Box::new(error))
    }
}
