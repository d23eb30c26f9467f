//! One call for a whole run: `k::apply` infers the outputs, allocates them, configures the kernel and runs it.
//!
//! ```
//! use windrow::{Border, Tensor, language::*};
//!
//! /// The least of three elements beside each other.
//! #[kernel]
//! fn least(src: Neighbourhood<u8>) -> u8 {
//!     src.at(-1, 0).min(src.at(0, 0)).min(src.at(1, 0))
//! }
//!
//! let photo = Tensor::from_vec(vec![5u8, 9, 7, 8], [1, 4])?;
//! let dark = least::apply(&photo, Border::Replicate)?;
//! assert_eq!(dark.to_vec(), [5, 5, 7, 7]);
//! # Ok::<(), windrow::Error>(())
//! ```
//!
//! What is read is a [`Source`], what is written a [`Destination`]: tensors and views, and with the features `image` and
//! `ndarray` the images and arrays of those crates. The first image that is read says of what kind the outputs are
//! ([`Allocate`]); all images of a call lie in one [`Space`].

mod call;
mod host;
mod images;
#[cfg(feature = "std")]
mod pipeline;
mod space;

#[cfg(feature = "ndarray")]
mod arrays;
#[cfg(feature = "image")]
mod buffers;

#[cfg(feature = "image")]
pub use buffers::AsPixel;
pub use call::Call;
#[doc(hidden)]
pub use call::allocate;
pub use host::Host;
#[cfg(feature = "std")]
pub(crate) use images::written_by_reference;
pub use images::{Allocate, AllocateLike, Destination, Readable, ReadableIn, Source, Writable, WritableIn};
#[cfg(feature = "std")]
#[doc(hidden)]
pub use pipeline::{allocate_output, check_bounds, run_chain};
pub use space::{Arguments, SameSpace, Space};
#[doc(hidden)]
pub use space::{readable, writable};
