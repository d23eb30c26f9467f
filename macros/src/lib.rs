//! The attributes `#[kernel]`, `#[kernels]`, `#[helper]` and `#[pipeline]`: a shim around `windrow-backends`.
//!
//! Each writes another in its own place, which is told the architecture (`windrow_backends::host::Build`).

mod here;
mod place;

use proc_macro::TokenStream;
use windrow_backends::host;
use windrow_backends::host::{Build, Kind};

/// Whether kernels have OpenCL programs.
const HAS_OPENCL: bool = cfg!(feature = "opencl");

/// The features whose targets have bodies.
const FEATURES: &[&str] = if cfg!(feature = "avx512") { &["avx512"] } else { &[] };

/// Makes a kernel of a function that computes one element of the output.
///
/// The attribute keeps the function, and adds an enum of its name with the functions `apply`, `apply_into`, `configure`,
/// `validate` and `infer`. It writes bodies for NEON, AVX2, SSE4.1 and plain Rust, and OpenCL C with the feature `opencl`.
/// With the feature `testing` it also writes tests that compare each of them with the function, to the bit.
///
/// A parameter `a: u8` is the element of an image, `src: Neighbourhood<u8>` the elements around it. `#[uniform]` marks a value
/// that all elements share, and `lut: Table<u8, 256>` is a lookup table.
///
/// ```
/// use windrow::{Border, Tensor, prelude::*};
///
/// /// The distance of an element from the mean of its left and right neighbours, times `gain`.
/// #[kernel]
/// pub fn ridge(src: Neighbourhood<u8>, #[uniform(0..=16)] gain: u16) -> u16 {
///     let mean = (src.at(-1, 0) as u16 + src.at(1, 0) as u16) / 2;
///     gain * (src.at(0, 0) as u16).abs_diff(mean)
/// }
///
/// let line = Tensor::from_fn([1, 5], |[_, x]| if x == 2 { 200u8 } else { 100 })?;
/// let ridges = ridge::apply(&line, 3, Border::Replicate)?;
/// assert_eq!(ridges.to_vec(), [0, 150, 300, 150, 0]);
/// # Ok::<(), windrow::Error>(())
/// ```
///
/// An operation that could overflow, lose bits or index out of bounds is proved safe, or is an error at compile time:
///
/// ```compile_fail
/// use windrow::prelude::*;
///
/// #[kernel]
/// pub fn sum(a: u8, b: u8) -> u8 {
///     a + b // `a + b` can overflow u8: a = 255, b = 1 gives 256
/// }
/// ```
///
/// # Options
///
/// | Option | Meaning |
/// |---|---|
/// | `output(dx?, dy?)` | the names of the outputs; the caller may leave out those with `?` |
/// | `border(constant, replicate)` | the border modes that are offered; all by default |
/// | `types(T = u8, i16, f32)` | a copy of the kernel for each type |
/// | `require(lower <= upper)` | a relation between uniforms, which callers must keep and the proof may use |
/// | `fast` | allows the targets to contract and approximate floats; the tests then compare within a bound |
/// | `deny(scalar)` | refuses operations that a target computes one element at a time |
/// | `uses(colour::luma)` | constants and functions of other modules and crates that carry `#[helper]` |
/// | `neighbourhood(..)`, `step(..)`, `schedule(..)`, `neon = ..` | what is otherwise found from the body, or chosen by cost |
///
/// The chapter *The language* of windrow's book, `docs/language.md`, has every option, parameter form, operator and method.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = item.into();
    // Of `self` there is a message of its own.
    let is_free = host::is_free_function(&item);
    let out = host::attribute(Kind::Kernel, attribute.into(), item).into();
    if is_free { place::in_a_module(out) } else { out }
}

/// Makes kernels of the functions of a module that carry `#[kernel]`.
///
/// The kernels share the module's constants, types, enums and functions, which a kernel by itself does not see.
///
/// ```
/// use windrow::{Tensor, prelude::*};
///
/// #[kernels]
/// mod levels {
///     use windrow::prelude::*;
///
///     const BLACK: u8 = 16;
///
///     /// The distance from black.
///     #[kernel]
///     pub fn above_black(v: u8) -> u8 {
///         v.saturating_sub(BLACK)
///     }
/// }
///
/// let grey = Tensor::from_fn([2, 2], |_| 20u8)?;
/// assert_eq!(levels::above_black::apply(&grey)?.to_vec(), [4; 4]);
/// # Ok::<(), windrow::Error>(())
/// ```
#[proc_macro_attribute]
pub fn kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    host::attribute(Kind::Kernels, attribute.into(), item.into()).into()
}

/// Marks a function or a constant that kernels use, of this crate or of another.
///
/// A kernel names it in `uses(..)` by its path, and calls it by its name. It is checked where it is defined; what it must not do with
/// the values that a kernel gives it, such as overflow, is proved in each kernel. It stays a function or a constant of Rust.
///
/// ```
/// use windrow::{Tensor, prelude::*};
///
/// mod colour {
///     use windrow::prelude::*;
///
///     /// The weights of red, green and blue in a grey value, in 1/256 (ITU-R BT.601).
///     #[helper]
///     pub const WEIGHTS: [u16; 3] = [77, 150, 29];
///
///     /// The grey value of a pixel.
///     #[helper(uses(WEIGHTS))]
///     pub fn luma([r, g, b]: [u8; 3]) -> u8 {
///         ((r as u16 * WEIGHTS[0] + g as u16 * WEIGHTS[1] + b as u16 * WEIGHTS[2]) >> 8) as u8
///     }
/// }
///
/// /// Whether a pixel is bright.
/// #[kernel(uses(colour::luma))]
/// pub fn bright(pixel: [u8; 3]) -> u8 {
///     if luma(pixel) > 127 { 255 } else { 0 }
/// }
///
/// let photo = Tensor::from_fn([1, 2], |[_, x]| [200u8, 200, 100 * x as u8])?;
/// assert_eq!(bright::apply(&photo)?.to_vec(), [255, 255]);
/// assert_eq!(colour::luma([255, 255, 255]), 255);
/// # Ok::<(), windrow::Error>(())
/// ```
#[proc_macro_attribute]
pub fn helper(attribute: TokenStream, item: TokenStream) -> TokenStream {
    host::attribute(Kind::Helper, attribute.into(), item.into()).into()
}

/// Makes one operator of a function that calls kernels.
///
/// The attribute keeps the function, which runs each kernel over its whole image, and adds a type of its name whose functions
/// compute the same bits in less time: `apply`, `apply_into`, `configure`, `validate`, `infer`, and `chain` for any
/// [executor](https://docs.rs/windrow/latest/windrow/chain/trait.Executor.html). A kernel that reads what another computes at the
/// element's own place alone is fused with it, whatever crate each is from; the rest runs in bands of rows that stay in the cache.
///
/// ```
/// use windrow::{Border, Error, Tensor, prelude::*};
///
/// /// The mean of three elements beside each other.
/// #[kernel]
/// pub fn blur(src: Neighbourhood<u8>) -> u8 {
///     ((src.at(-1, 0) as u16 + src.at(0, 0) as u16 + src.at(1, 0) as u16) / 3) as u8
/// }
///
/// /// What is brighter than its surroundings.
/// #[kernel]
/// pub fn brighter(a: u8, b: u8, #[uniform(0..=255)] by: u8) -> u8 {
///     if a.saturating_sub(b) > by { 255 } else { 0 }
/// }
///
/// #[pipeline]
/// pub fn spots(src: &Tensor<u8>, #[uniform(0..=255)] by: u8) -> Result<Tensor<u8>, Error> {
///     let blurred = blur::apply(src, Border::Replicate)?;
///     brighter::apply(src, &blurred, by)
/// }
///
/// let photo = Tensor::from_vec(vec![10u8, 10, 90, 10, 10], [1, 5])?;
/// assert_eq!(spots::apply(&photo, 20)?.to_vec(), [0, 0, 255, 0, 0]);
/// assert_eq!(spots(&photo, 20)?.to_vec(), [0, 0, 255, 0, 0]);
/// # Ok::<(), Error>(())
/// ```
///
/// An image is `&Tensor<T>`, anything else is handed on as it is; `#[uniform(0..=9)]` says which values it may have. Loops and
/// branches over shapes are plain Rust. What is called by a name alone (`k::apply`) is a kernel or a pipeline; any other type with such a function is called by a path (`m::k::apply`).
#[proc_macro_attribute]
pub fn pipeline(attribute: TokenStream, item: TokenStream) -> TokenStream {
    host::expand_pipeline(attribute.into(), item.into()).into()
}

/// What the macro beside a kernel calls with the kernel's tokens.
#[doc(hidden)]
#[proc_macro]
pub fn collect_pipeline(input: TokenStream) -> TokenStream {
    host::collect_pipeline(input.into()).into()
}

/// What the macro beside a helper calls with the helper's tokens.
#[doc(hidden)]
#[proc_macro]
pub fn collect_helpers(input: TokenStream) -> TokenStream {
    host::collect_helpers(input.into()).into()
}

/// What `#[kernel]` writes for one architecture.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn expand_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (build, attribute) = Build::of(attribute.into(), HAS_OPENCL, FEATURES);
    host::expand_kernel_for(build, attribute, item.into()).into()
}

/// What `#[kernels]` writes for one architecture.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn expand_kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (build, attribute) = Build::of(attribute.into(), HAS_OPENCL, FEATURES);
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
