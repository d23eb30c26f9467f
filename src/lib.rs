//! windrow is a kernel language inside Rust: an operator is a function over one element, and every target computes its bits.
//!
//! Calling an operator takes one line. It checks the arguments, makes the output, and runs on all cores:
//!
//! ```
//! use windrow::{Border, Tensor};
//! use windrow_operators::gaussian3x3;
//!
//! let photo = Tensor::from_fn([480, 640], |[y, x]| (x ^ y) as u8)?;
//! let blurred = gaussian3x3::apply(&photo, Border::Replicate)?;
//! # assert_eq!(blurred.shape(), photo.shape());
//! # Ok::<(), windrow::Error>(())
//! ```
//!
//! Writing one takes a function, which [`kernel`] compiles to SIMD intrinsics, OpenCL C and plain Rust:
//!
//! ```
//! use windrow::{Border, Tensor, prelude::*};
//!
//! /// The difference between the right and the left neighbour.
//! #[kernel]
//! pub fn slope(src: Neighbourhood<u8>) -> i16 {
//!     src.at(1, 0) as i16 - src.at(-1, 0) as i16
//! }
//!
//! let ramp = Tensor::from_fn([4, 50], |[_, x]| 5 * x as u8)?;
//! assert_eq!(slope::apply(&ramp, Border::Replicate)?.view().get([2, 20]), Some(10));
//! # Ok::<(), windrow::Error>(())
//! ```
//!
//! # Where to look
//!
//! | You want to | Look at |
//! |---|---|
//! | hold images and tensors of up to six dimensions | [`Tensor`], [`View`] and [`ViewMut`] for memory of your own, [`interop`] for the crates `image` and `ndarray` |
//! | call a kernel once | `apply` and `apply_into` of each kernel; [`apply`](mod@apply) says what they take |
//! | call it often | [`Configured`], which `configure` of each kernel returns, and [`schedule`] |
//! | choose what is read outside an image | [`Border`] |
//! | write a kernel | [`kernel`], [`kernels`], [`language`] |
//! | make one operator of several | [`pipeline`] |
//! | choose how several run as one | [`chain`] |
//! | run on a GPU | `opencl`, with the feature of that name |
//! | test kernels with cases of your own | `testing`, with the feature of that name |
//! | look at what was generated | [`spec`], [`code`] |
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `std` (default) | owned tensors, the scheduler on rayon's threads, the choice of AVX2 or SSE4.1 at run time |
//! | `opencl` | OpenCL programs for each kernel, and the devices that run them; the library is loaded at run time |
//! | `image`, `ndarray` | images and arrays of these crates as inputs and outputs, without copies |
//! | `avx512` | bodies for AVX-512 too, where they cost less than AVX2's |
//! | `pinning` | a thread pool whose threads stay on their cores |
//! | `testing` | the generated tests of each kernel, for `[dev-dependencies]` |
//!
//! Without `std`, windrow needs neither an operating system nor an allocator.
//!
//! This crate is the facade: it re-exports the attributes and the runtime, and holds no logic.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]

mod no_kernel;
mod tests_of_kernels;

pub use windrow_macros::{helper, kernel, kernels};
pub use windrow_runtime::{
    AnyView, AnyViewMut, At, Border, BorderMode, Borders, Configured, Coordinate, Element, ElementType, Error,
    HandWritten, Inferred, InvalidConfiguration, InvalidTensor, Kernel, KernelCode, KernelSpec, Neighbourhood, Padding,
    Primitive, Rect, RunError, Scalar, Scheduler, Serial, Shape, Split, Table, TensorInfo, Tier, ValidRegion, View,
    ViewMut, Window,
};
#[cfg(feature = "std")]
pub use {
    windrow_macros::pipeline,
    windrow_runtime::{Rayon, Tensor},
};

/// Running kernels on OpenCL devices.
#[cfg(feature = "opencl")]
pub use windrow_opencl as opencl;
pub use windrow_runtime::{apply, reference};
#[cfg(feature = "std")]
pub use windrow_runtime::{family, memory};

/// The metadata of images: memory layouts, colour formats, planes, and ways to walk over their elements.
pub mod tensor {
    #[cfg(feature = "std")]
    pub use windrow_runtime::tensor::{ANY_RANK, Dimensions, Rank};
    pub use windrow_runtime::{
        arguments::MAX_ARGUMENTS, data_layout::*, dtype::*, element::KernelElement, format::*, info::*, layout::*,
        planar::*, quantization::*, region::*, text::InvalidText, walk::*,
    };
}

/// Windows: the part of an output that a run computes, and how it is cut.
pub mod window {
    pub use windrow_runtime::{divide::*, scaled::*, window::*};
}

/// Schedulers, which run the parts of a run on threads; a host with threads of its own writes one.
pub mod schedule {
    pub use windrow_runtime::{Bound, kernel::*, schedule::*};
}

/// Chains, which run several kernels as one function, in bands of rows that stay in a cache if so wanted.
#[cfg(feature = "std")]
pub mod chain {
    pub use windrow_runtime::{band::*, function::*};
}

/// Tracing, which makes a chain of a function that calls kernels.
#[cfg(feature = "std")]
pub mod trace {
    pub use windrow_runtime::trace::*;
}

/// Kernels over tiles of images, as OpenVX's user kernels are.
pub mod tiling {
    pub use windrow_runtime::tiling::*;
}

/// A kernel's signature and limits as data, for tools.
pub mod spec {
    pub use windrow_runtime::{
        arguments::*,
        configure::{KernelPlan, configure},
        infer::{infer, infer_with_uniforms},
        spec::*,
        validate::*,
    };
}

/// The generated code of a kernel as data, for tools and for bodies written by hand.
pub mod code {
    pub use windrow_runtime::{
        code::{
            Body, HandWritten, Kernel, KernelCode, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram, Rows, Strips,
            WholeView,
        },
        point::Point,
        tier::*,
        uniform::*,
    };
}

/// Views of the images and arrays of other crates, and the way back.
pub mod interop {
    #[cfg(feature = "image")]
    pub use windrow_runtime::image;
    #[cfg(feature = "ndarray")]
    pub use windrow_runtime::ndarray;
}

/// The harness that the generated tests call, for cases of your own.
#[cfg(feature = "testing")]
pub mod testing {
    pub use windrow_testing::*;
}

/// The code of the README and of the book's pages, compiled and run as documentation tests. `tests/book` runs the recipes.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/introduction.md")]
    struct Introduction;
    #[doc = include_str!("../docs/getting-started.md")]
    struct GettingStarted;
    #[doc = include_str!("../docs/add-an-operator.md")]
    struct AddAnOperator;
    #[doc = include_str!("../docs/coming-from-opencv.md")]
    struct ComingFromOpenCv;
    #[doc = include_str!("../docs/coming-from-halide.md")]
    struct ComingFromHalide;
    #[doc = include_str!("../docs/coming-from-openvx.md")]
    struct ComingFromOpenVx;
    #[doc = include_str!("../docs/coming-from-cubecl.md")]
    struct ComingFromCubeCl;
    #[doc = include_str!("../docs/functions.md")]
    struct Functions;
    #[doc = include_str!("../docs/pipelines.md")]
    struct Pipelines;
    #[doc = include_str!("../docs/python.md")]
    struct Python;
    #[doc = include_str!("../docs/language.md")]
    struct Language;
    #[doc = include_str!("../docs/tensors.md")]
    struct Tensors;
    #[doc = include_str!("../docs/opencl.md")]
    struct OpenClDevices;
    #[doc = include_str!("../docs/how-it-works.md")]
    struct HowItWorks;
}

/// The names of the kernel language, for those who write kernels: `use windrow::language::*;`.
pub mod language {
    #[cfg(feature = "std")]
    pub use windrow_macros::pipeline;
    pub use windrow_macros::{helper, kernel, kernels};
    pub use windrow_runtime::reference::reduce::{Reduce, argmax, greatest, least, sum};
    pub use windrow_runtime::reference::{bf16, f16, policy::*, traits::*};
    pub use windrow_runtime::{At, Neighbourhood, Table, View, x, y};
}

/// The names that a program needs to call kernels and to write its own: `use windrow::prelude::*;`.
pub mod prelude {
    pub use crate::language::*;
    pub use windrow_runtime::{Border, Borders, Scheduler, Serial, TensorInfo, ViewMut};
    #[cfg(feature = "std")]
    pub use windrow_runtime::{Rayon, Tensor};
}

/// The names that generated code uses; not for authors.
#[doc(hidden)]
pub mod __rt {
    pub use windrow_macros::{
        collect_helpers, collect_pipeline, expand_kernel, expand_kernels, targets_not_here, test_on,
    };
    pub use windrow_runtime::apply::{
        AllocateLike, Call, Destination, Readable, ReadableIn, Source, Space, WritableIn, allocate, readable, writable,
    };
    pub use windrow_runtime::arguments::AnyTable;
    pub use windrow_runtime::code::{
        Body, ByteCounts, HandWritten, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram, RowMemory, Rows,
        WholeView, hand_written, running_sums,
    };
    #[cfg(feature = "std")]
    pub use windrow_runtime::{
        apply::{allocate_output, check_bounds, run_chain},
        function::{ChainBuilder, Composite, Executor, OnProcessor},
        trace::{TracedTensor, Tracer},
    };
    /// Macros of kernels that hand out nothing, for what a pipeline calls and is no kernel.
    pub mod no_kernels {
        pub use crate::{
            __no_kernel as __windrow_kernel_0, __no_kernel as __windrow_kernel_1, __no_kernel as __windrow_kernel_2,
            __no_kernel as __windrow_kernel_3, __no_kernel as __windrow_kernel_4, __no_kernel as __windrow_kernel_5,
            __no_kernel as __windrow_kernel_6, __no_kernel as __windrow_kernel_7, __no_kernel as __windrow_kernel_8,
            __no_kernel as __windrow_kernel_9, __no_kernel as __windrow_kernel_10, __no_kernel as __windrow_kernel_11,
            __no_kernel as __windrow_kernel_12, __no_kernel as __windrow_kernel_13, __no_kernel as __windrow_kernel_14,
            __no_kernel as __windrow_kernel_15,
        };
    }
    pub use windrow_runtime::divisor;
    pub use windrow_runtime::infer::infer_with_uniforms;
    pub use windrow_runtime::reference::{bf16, f16, scalar};
    pub use windrow_runtime::spec::{
        AccessSpec, ArgumentKind, ArgumentSpec, Extent, InputSpec, NamedExtent, NeighbourhoodSpec, OutputSpec,
        Relation, RequireSpec, RequireTerm, UniformSpec, WordCount,
    };
    pub use windrow_runtime::validate::Request;
    pub use windrow_runtime::{
        At, Border, BorderMode, Borders, Configured, Element, ElementType, Error, Inferred, InvalidConfiguration,
        Kernel, KernelCode, KernelSpec, Neighbourhood, Point, Scalar, Table, TensorInfo, Tier, Uniform, View, ViewMut,
        configure, infer, validate,
    };
}
