//! A kernel DSL: an operator is written once, as a function over one element, and becomes NEON, plain Rust, OpenCL C,
//! validation and tests, all equal to the bit.
//!
//! | You want to | Look at |
//! |---|---|
//! | call a kernel on images | [`prelude`], [`apply`](mod@apply), [`interop`] for the crates `image` and `ndarray` |
//! | write a kernel | [`kernel`], [`language`] |
//! | run it many times without allocating | [`Configured`], [`memory`], [`schedule`] |
//! | run several, one after another | [`chain`] |
//! | run it on a GPU | `opencl`, a feature |
//! | test it | `testing`, a feature |
//! | look at what was generated | [`spec`], [`code`] |
//!
//! This crate is the facade: it re-exports the attributes and the runtime, and holds no logic.
#![cfg_attr(not(feature = "std"), no_std)]

mod tests_of_kernels;

pub use windrow_macros::{kernel, kernels};
pub use windrow_runtime::{
    AnyView, AnyViewMut, Border, BorderMode, Borders, Configured, Element, ElementType, Error, HandWritten, Inferred,
    InvalidConfiguration, InvalidTensor, Kernel, KernelCode, KernelSpec, Neighbourhood, Padding, Primitive, Rect,
    RunError, Scalar, Scheduler, Serial, Shape, Split, Table, TensorInfo, Tier, ValidRegion, View, ViewMut, Window,
};
#[cfg(feature = "std")]
pub use windrow_runtime::{Rayon, Tensor};

/// Running kernels on OpenCL devices.
#[cfg(feature = "opencl")]
pub use windrow_opencl as opencl;
pub use windrow_runtime::{apply, reference};
#[cfg(feature = "std")]
pub use windrow_runtime::{family, memory};

/// What an image is beside its elements: memory layouts, colour formats, planes, and ways to walk over them.
pub mod tensor {
    #[cfg(feature = "std")]
    pub use windrow_runtime::tensor::{ANY_RANK, Dimensions, Rank};
    pub use windrow_runtime::{
        arguments::MAX_ARGUMENTS, data_layout::*, dtype::*, element::KernelElement, format::*, info::*, layout::*,
        planar::*, quantization::*, region::*, text::InvalidText, walk::*,
    };
}

/// The part of an output that a run computes, and how it is cut.
pub mod window {
    pub use windrow_runtime::{divide::*, scaled::*, window::*};
}

/// Who runs the parts of a run, for a host with threads of its own.
pub mod schedule {
    pub use windrow_runtime::{Bound, kernel::*, schedule::*};
}

/// Kernels one after another: chains, the memory between them, and bands of rows that stay in a cache.
#[cfg(feature = "std")]
pub mod chain {
    pub use windrow_runtime::{band::*, function::*};
}

/// Kernels over tiles of images, as OpenVX's user kernels are.
pub mod tiling {
    pub use windrow_runtime::tiling::*;
}

/// A kernel's signature and limits as data, for tools.
pub mod spec {
    pub use windrow_runtime::{arguments::*, configure::configure, infer::infer, spec::*, validate::*};
}

/// What was generated for a kernel as data: for tools, and for bodies written by hand.
pub mod code {
    pub use windrow_runtime::{code::*, point::Point, tier::*, uniform::*};
}

/// Images and arrays of other crates as views, and the way back.
pub mod interop {
    #[cfg(feature = "image")]
    pub use windrow_runtime::image;
    #[cfg(feature = "ndarray")]
    pub use windrow_runtime::ndarray;
}

/// The property-test harness that the generated tests call, with the targets that are there.
#[cfg(feature = "testing")]
pub mod testing {
    pub use windrow_testing::*;
}

/// The code in the README and in the pages for authors, compiled and run as documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/add-an-operator.md")]
    struct AddAnOperator;
    #[doc = include_str!("../docs/language.md")]
    struct Language;
    #[doc = include_str!("../docs/getting-started.md")]
    struct GettingStarted;
    #[doc = include_str!("../docs/recipes.md")]
    struct Recipes;
    #[doc = include_str!("../docs/coming-from-opencv.md")]
    struct ComingFromOpenCv;
    #[doc = include_str!("../docs/coming-from-halide.md")]
    struct ComingFromHalide;
    #[doc = include_str!("../docs/coming-from-cubecl.md")]
    struct ComingFromCubeCl;
}

/// The names of the kernel language, which an author of kernels imports: `use windrow::language::*;`.
pub mod language {
    pub use windrow_macros::{kernel, kernels};
    pub use windrow_runtime::reference::{policy::*, traits::*};
    pub use windrow_runtime::{Neighbourhood, Table, x, y};
}

/// What a program imports that calls kernels, and may write some of its own: `use windrow::prelude::*;`.
pub mod prelude {
    pub use crate::language::*;
    pub use windrow_runtime::{Border, Borders, Scheduler, Serial, TensorInfo, View, ViewMut};
    #[cfg(feature = "std")]
    pub use windrow_runtime::{Rayon, Tensor};
}

/// The names that generated code uses; not for authors.
#[doc(hidden)]
pub mod __rt {
    pub use windrow_macros::{expand_kernel, expand_kernels, targets_not_here, test_on};
    pub use windrow_runtime::apply::{
        Allocate, Call, Destination, SameSpace, Source, Space, allocate, readable, writable,
    };
    pub use windrow_runtime::arguments::AnyTable;
    pub use windrow_runtime::code::{
        Body, HandWritten, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram, Rows, hand_written,
    };
    pub use windrow_runtime::divisor;
    pub use windrow_runtime::reference::scalar;
    pub use windrow_runtime::spec::{
        AccessSpec, ArgumentKind, ArgumentSpec, InputSpec, NeighbourhoodSpec, OutputSpec, Relation, RequireSpec,
        RequireTerm, UniformSpec, WordCount,
    };
    pub use windrow_runtime::validate::Request;
    pub use windrow_runtime::{
        Border, BorderMode, Borders, Configured, ElementType, Error, Inferred, InvalidConfiguration, Kernel,
        KernelCode, KernelSpec, Neighbourhood, Point, Scalar, Table, TensorInfo, Tier, Uniform, View, ViewMut,
        configure, infer, validate,
    };
}
