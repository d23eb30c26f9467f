//! The attributes `#[kernel]` and `#[kernels]`: a shim around `windrow-backends`.

use proc_macro::TokenStream;

/// Makes a kernel of a function over one element: SIMD bodies, OpenCL C, validation, and tests against the function.
///
/// The language is described in `docs/language.md`.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    windrow_backends::host::expand_kernel(attribute.into(), item.into()).into()
}

/// Makes kernels of the functions of a module that carry `#[kernel]`; they share its constants, enums and functions.
#[proc_macro_attribute]
pub fn kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    windrow_backends::host::expand_module(attribute.into(), item.into()).into()
}
