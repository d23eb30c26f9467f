//! Kernels that an author writes by hand, by the rules of OpenVX's user kernel tiling extension, beside generated ones.
//!
//! A [`TilingKernel`] has a *fast* function for whole blocks whose neighbourhood lies in the image, a *flexible* one for any
//! rectangle, or both; [`divide`](crate::divide) says which computes what. A configured one is a
//! [`DynKernel`](crate::DynKernel): the same schedulers run it. A function sees its [`Tile`] and nothing else: it
//! reads the tile and the neighbourhood, writes the tile, and has memory of its own for as long as it runs.
//!
//! ```
//! use windrow::tiling::{Tile, TileError, TileImage, TilingKernel, TilingRequest};
//! use windrow::{Tensor, schedule::schedule, Serial};
//!
//! /// Copies the top four bits of each pixel into the lower four.
//! static POSTERISE: TilingKernel =
//!     TilingKernel::new("posterise", &[TileImage::of::<u8>("src")], &[TileImage::of::<u8>("out")]).flexible(posterise);
//!
//! fn posterise(tile: &mut Tile<'_>) -> Result<(), TileError> {
//!     let (src, mut out) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?);
//!     for y in 0..tile.height() {
//!         out.row_mut(y)?.iter_mut().zip(src.row(y, 0)?).for_each(|(out, src)| *out = src & 0xf0 | src >> 4);
//!     }
//!     Ok(())
//! }
//!
//! let (src, mut out) = (Tensor::from_fn([6, 14], |[y, x]| (16 * x + y) as u8)?, Tensor::<u8>::new([6, 14])?);
//! let mut configured = POSTERISE.configure(&TilingRequest::new(&[src.info()], &[out.info()]), &mut [])?;
//! schedule(&Serial, &mut configured.bind(&[src.view().any()], &mut [out.view_mut().any()])?)?;
//! assert_eq!(out.view().get([5, 13]), Some(0xdd));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately absent: several planes in one image, and writing an input.

mod access;
mod border;
mod configure;
mod error;
mod kernel;
#[cfg(feature = "std")]
mod operator;
mod run;
mod tile;
pub(crate) mod tile_error;

pub use access::{ImageAttributes, SCALE_UNITY, TileInput, TileOutput};
pub use border::TileBorder;
pub use configure::ConfiguredTiling;
pub use error::InvalidTiling;
pub use kernel::{KeptFunction, TileFunction, TileImage, TilingKernel, TilingRequest};
#[cfg(feature = "std")]
pub use operator::TilingOperator;
pub use run::BoundTiling;
pub use tile::Tile;
pub use tile_error::TileError;
