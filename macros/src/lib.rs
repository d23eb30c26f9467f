//! The attributes `#[kernel]` and `#[kernels]`: a shim around `windrow-backends`.
//!
//! Each writes another in its own place, which is told the architecture (`windrow_backends::host::Build`).

mod here;

use proc_macro::TokenStream;
use windrow_backends::host;
use windrow_backends::host::Build;

/// Whether kernels have OpenCL programs.
const HAS_OPENCL: bool = cfg!(feature = "opencl");

/// Makes a kernel of a function over one element: SIMD bodies, OpenCL C, validation, and tests against the function.
///
/// The language is described in `docs/language.md`.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    host::per_architecture("expand_kernel", attribute.into(), item.into()).into()
}

/// Makes kernels of the functions of a module that carry `#[kernel]`; they share its constants, enums and functions.
#[proc_macro_attribute]
pub fn kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    host::per_architecture("expand_kernels", attribute.into(), item.into()).into()
}

/// What `#[kernel]` writes for one architecture.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn expand_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (build, attribute) = Build::of(attribute.into(), HAS_OPENCL);
    host::expand_kernel_for(build, attribute, item.into()).into()
}

/// What `#[kernels]` writes for one architecture.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn expand_kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (build, attribute) = Build::of(attribute.into(), HAS_OPENCL);
    host::expand_module_for(build, attribute, item.into()).into()
}

/// A test on a target: ignored where the target is not there.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn test_on(target: TokenStream, test: TokenStream) -> TokenStream {
    let mut attributes: TokenStream = here::attributes(&target.to_string()).parse().unwrap_or_default();
    attributes.extend(test);
    attributes
}

/// The names of the targets' tests that this machine lacks, as an array.
#[doc(hidden)]
#[proc_macro]
pub fn targets_not_here(_: TokenStream) -> TokenStream {
    let names: Vec<String> = here::missing().map(|target| format!("{target:?}")).collect();
    format!("[{}] as [&str; {}]", names.join(", "), names.len()).parse().unwrap_or_default()
}
