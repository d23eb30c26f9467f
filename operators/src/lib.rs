//! The operator library: each operator written once, in the language that every author has.
//!
//! Every kernel stands at the crate's root: `windrow_operators::gaussian3x3::configure(…)`. Formulas, rounding and
//! borders: `docs/semantics.md`.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod bitwise;
pub mod colour;
#[cfg(feature = "std")]
pub mod families;
pub mod filter;
#[cfg(feature = "std")]
pub mod functions;
pub mod gradient;
pub mod pixelwise;
pub mod tensor;

#[cfg(test)]
mod tests;

/// Written by the build script, from the same files.
mod list {
    include!(concat!(env!("OUT_DIR"), "/all.rs"));
}

#[doc(no_inline)]
pub use self::{
    arithmetic::{abs_diff::*, add::*, multiply::*, subtract::*},
    bitwise::{and::*, not::*, or::*, xor::*},
    colour::{channel::*, rgb_to_gray::*},
    filter::{
        box3x3::*, convolve::*, dilate3x3::*, erode3x3::*, gaussian3x3::*, gaussian5x5::*, half_scale_gaussian::*,
        median3x3::*, non_linear_box3::*, non_linear_box5::*, non_linear_cross3::*, non_linear_cross5::*, scharr3x3::*,
        sobel3x3::*,
    },
    gradient::magnitude::*,
    pixelwise::{accumulate::*, convert_depth::*, sharpen::*, table_lookup::*, threshold::*, weighted_average::*},
    tensor::{pack_channels::*, relu::*},
};

/// What the macro emitted for each kernel of the library, file by file.
pub fn all() -> &'static [&'static windrow::KernelCode] {
    list::ALL
}
