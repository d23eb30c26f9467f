//! A kernel DSL: an operator is written once, as a function over one element, and becomes NEON, plain Rust, OpenCL C,
//! validation and tests, all equal to the bit.
//!
//! This crate is the facade: it re-exports the attributes and the runtime, and holds no logic.
#![cfg_attr(not(feature = "std"), no_std)]

pub use windrow_macros::{kernel, kernels};
/// Running kernels on OpenCL devices.
#[cfg(feature = "opencl")]
pub use windrow_opencl as opencl;
pub use windrow_runtime::*;

/// The property-test harness that the generated tests call, with the targets that are there.
#[cfg(feature = "testing")]
pub mod testing {
    #[cfg(feature = "opencl")]
    pub use windrow_opencl::testing::{check, run};
    pub use windrow_runtime::testing::*;
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
}

/// What an author of kernels imports: `use windrow::prelude::*;`.
pub mod prelude {
    pub use windrow_macros::{kernel, kernels};
    pub use windrow_runtime::reference::{policy::*, traits::*};
    pub use windrow_runtime::{Neighbourhood, Table, x, y};
}

/// The names that generated code uses; not for authors.
#[doc(hidden)]
pub mod __rt {
    pub use windrow_macros::{expand_kernel, expand_kernels};
    pub use windrow_runtime::code::{
        Body, HandWritten, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram, Reads, Rows, hand_written,
    };
    pub use windrow_runtime::divisor;
    pub use windrow_runtime::reference::scalar;
    pub use windrow_runtime::spec::{
        ArgumentKind, ArgumentSpec, InputSpec, Neighbourhood as Extent, OutputSpec, Relation, RequireSpec, RequireTerm,
        UniformSpec, WordCount,
    };
    pub use windrow_runtime::validate::Request;
    pub use windrow_runtime::{
        Border, BorderMode, Borders, Configured, ElementType, Inferred, InvalidConfiguration, Kernel, KernelCode,
        KernelSpec, Neighbourhood, Point, Scalar, Table, TensorInfo, Tier, Uniform, View, ViewMut, configure, infer,
        validate,
    };
}

/// Generated tests: one module a kernel, one test a target. Empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_tests {
    ($module:ident $kernel:ty) => {
        #[cfg(test)]
        #[allow(non_snake_case)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn scalar() {
                ::windrow::testing::check::<$kernel>(::windrow::testing::Target::Scalar);
            }

            #[test]
            fn neon() {
                ::windrow::testing::check::<$kernel>(::windrow::testing::Target::Neon);
            }

            #[test]
            fn sse41() {
                ::windrow::testing::check::<$kernel>(::windrow::testing::Target::Sse41);
            }

            #[test]
            fn avx2() {
                ::windrow::testing::check::<$kernel>(::windrow::testing::Target::Avx2);
            }

            #[test]
            fn opencl() {
                ::windrow::testing::check::<$kernel>(::windrow::testing::Target::OpenCl);
            }

            #[test]
            fn digest() {
                ::windrow::testing::check_digest::<$kernel>(::core::env!("CARGO_MANIFEST_DIR"));
            }
        }
    };
}

/// Generated tests: none without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_tests {
    ($module:ident $kernel:ty) => {};
}
