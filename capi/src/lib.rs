//! windrow's operators for C and C++: found by name, configured, and run over strided memory.
//!
//! `include/windrow.h` is written from this crate. A library of all of windrow's operators is `windrow-capi-library` of the
//! repository; [`export!`] makes one of the kernels that you choose, your own among them.
//!
//! Nothing unwinds into the caller: every failure is a [`WindrowStatus`] with a text, which [`windrow_last_error`] returns. A panic
//! would be a fault of windrow's, and is caught as [`WindrowStatus::Panic`].
//!
//! # Safety
//!
//! What is the same for every function: a pointer that is not null points to what its type says, for as many elements as the
//! count beside it, and nothing writes there during the call. A text ends with a NUL. A handle comes from a function of this
//! library and, if it is a plan, was not freed. What else a caller promises stands at each function.

mod call;
mod catalogue;
mod describe;
mod dlpack;
mod plan;
mod status;
mod tensor;
mod types;

pub use call::{WindrowBorder, WindrowCall, WindrowValue};
pub use catalogue::{WindrowKernel, WindrowOperator};
pub use describe::*;
pub use dlpack::*;
pub use plan::*;
pub use status::{WindrowStatus, windrow_last_error, windrow_status_name};
pub use tensor::{WindrowTensor, windrow_tensor_dense};
pub use types::{
    WINDROW_ABI_VERSION, WINDROW_MAX_RANK, WindrowBorderMode, WindrowType, windrow_abi_version, windrow_type_size,
};

/// The names that [`export!`] uses.
#[doc(hidden)]
pub mod __rt {
    pub use windrow::family::{Registry, code_of};
}

/// Makes this crate the C library of some kernels: `windrow_operator_find` finds these, and nothing else is linked.
///
/// It stands once in a program, in a crate whose type is `cdylib` or `staticlib`. A kernel is named by its path; `registry = …`
/// takes a whole [`Registry`](windrow::family::Registry), such as that of all of windrow's operators.
///
/// ```
/// use windrow::language::*;
///
/// /// The square of a byte, as far as 16 bits reach.
/// #[kernel]
/// pub fn square(a: u8) -> u16 {
///     a as u16 * a as u16
/// }
///
/// windrow_capi::export!(square, windrow_operators::gaussian3x3);
///
/// assert_eq!(windrow_capi::windrow_operator_count(), 2);
/// ```
#[macro_export]
macro_rules! export {
    (registry = $registry:expr) => {
        #[unsafe(no_mangle)]
        fn __windrow_capi_registry() -> $crate::__rt::Registry {
            $registry
        }
    };
    ($($kernel:ty),+ $(,)?) => {
        $crate::export!(registry = {
            static REGISTRY: $crate::__rt::Registry =
                $crate::__rt::Registry::new(&[$($crate::__rt::code_of::<$kernel>()),+], &[]);
            REGISTRY
        });
    };
}

unsafe extern "Rust" {
    /// The operators of this library, which `export!` names.
    safe fn __windrow_capi_registry() -> windrow::family::Registry;
}

/// The code of the page and of the README, compiled as documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/c.md")]
    struct Page;
    #[doc = include_str!("../README.md")]
    struct Readme;
}

#[cfg(test)]
mod tests;
