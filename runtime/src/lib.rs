//! What windrow's generated code is built on: tensors, windows, borders, specifications and their execution.
//!
//! A kernel arrives as data ([`KernelCode`]); [`configure()`] checks its arguments and fixes everything that is the same for
//! a run; a [`Configured`] runs. Without the feature `std` nothing here allocates or starts a thread.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod apply;
pub mod arguments;
#[cfg(feature = "std")]
pub mod band;
pub mod border;
mod bounds;
pub mod code;
pub mod configure;
#[cfg(feature = "std")]
mod constant;
pub mod coordinate;
mod copy;
pub mod data_layout;
pub mod divide;
pub mod divisor;
pub mod dtype;
pub mod element;
pub mod error;
mod execute;
#[cfg(feature = "std")]
pub mod family;
mod float_environment;
pub mod format;
#[cfg(feature = "std")]
pub mod function;
#[cfg(feature = "image")]
pub mod image;
pub mod infer;
pub mod info;
mod job;
pub mod kernel;
pub mod layout;
pub mod limits;
mod list;
#[cfg(feature = "std")]
pub mod memory;
#[cfg(feature = "ndarray")]
pub mod ndarray;
pub mod neighbourhood;
pub mod overlap;
mod packing;
pub mod padding;
pub mod planar;
pub mod planes;
pub mod point;
pub mod quantization;
pub mod region;
mod run;
pub mod scaled;
pub mod schedule;
mod shape;
pub mod spec;
mod stage;
mod sync;
#[cfg(feature = "std")]
pub mod tensor;
pub mod text;
pub mod tier;
pub mod tiling;
#[cfg(feature = "std")]
pub mod trace;
pub mod uniform;
pub mod validate;
pub mod view;
pub mod walk;
pub mod window;

pub use windrow_reference as reference;

pub use apply::{Allocate, Destination, Host, Source, Space};
pub use arguments::{Inputs, IntoArguments, Outputs};
pub use border::{Border, BorderMode, BorderModes, Borders};
pub use code::{HandWritten, Kernel, KernelCode};
pub use configure::{Configured, configure};
pub use coordinate::{At, Coordinate, x, y};
pub use element::{Element, ElementType, KernelElement, Primitive, Scalar};
pub use error::{InvalidConfiguration, RunError, any::Error};
pub use format::Format;
pub use infer::{Inferred, infer};
pub use info::{InvalidTensor, Shape, TensorInfo};
pub use kernel::{DynKernel, Parts, Splits, ThreadInfo};
pub use neighbourhood::{Neighbourhood, Table};
pub use padding::Padding;
pub use planar::{InvalidPlanar, Planar, PlanarMut};
pub use point::Point;
pub use region::{Rect, ValidRegion};
pub use run::Bound;
#[doc(hidden)]
pub use run::evaluate;
#[cfg(feature = "std")]
pub use schedule::{Rayon, schedule};
pub use schedule::{ScheduleError, Scheduler, Serial, Split};
pub use spec::KernelSpec;
#[cfg(feature = "std")]
pub use tensor::Tensor;
pub use text::InvalidText;
pub use tier::{InvalidTier, Tier};
pub use uniform::Uniform;
pub use validate::validate;
pub use view::{AnyView, AnyViewMut, View, ViewMut};
pub use window::{Dimension, InvalidWindow, Window};
