//! Python modules of windrow's kernels: every kernel and family becomes a function over NumPy's arrays.
//!
//! [`python!`] writes the module of a crate's kernels. The crate is a `cdylib`, which maturin makes a wheel of:
//!
//! ```ignore
//! use windrow::language::*;
//!
//! /// The greater of two bytes.
//! #[kernel]
//! pub fn larger(a: u8, b: u8) -> u8 {
//!     a.max(b)
//! }
//!
//! windrow_pymodule::python! { module: my_operators, kernels: [larger] }
//! ```
//!
//! What an array is, who may change it meanwhile, and which error is which exception: `docs/python.md`.

mod array;
mod border;
mod call;
mod describe;
mod device;
mod dlpack;
mod error;
mod image;
mod numpy;
mod operator;
mod options;
mod output;
mod pipeline;
mod signature;
mod stub;
mod value;

pub use operator::Operator;

/// What the macro's code names, and what windrow's own package puts into its module besides; not for authors.
#[doc(hidden)]
pub mod __rt {
    pub use crate::array::Lent;
    pub use crate::device::Device;
    pub use crate::numpy::{asarray, name as dtype_name, new};
    pub use crate::operator::register;
    pub use crate::options::scheduled;
    pub use crate::pipeline::{Argument, Described, Description, Given};
    pub use crate::{error::exception, pipeline::missing};
    pub use pyo3;
    pub use windrow::family::{Registry, code_of};
}

/// Writes a Python module of kernels.
///
/// `module` is the name of the library and of the function that Python looks for in it. `kernels` lists kernels by their paths,
/// and `families` lists statics of [`windrow::family::Family`]; `registry` takes the place of both. `pipelines` lists pipelines with
/// the types of their parameters and with what Python's help says of them, since a pipeline doesn't hold its documentation:
///
/// ```ignore
/// windrow_pymodule::python! {
///     module: my_operators,
///     kernels: [larger],
///     pipelines: [
///         /// Sharpens an image by what a blur takes away from it.
///         unsharp(src: &Tensor<u8>, amount: i32),
///     ],
/// }
/// ```
///
/// A parameter of a pipeline is an image (`&Tensor<u8>`), a number, an array of numbers, or a [`Border`](windrow::Border).
///
/// `package` is the name that Python knows the operators by, where it is not the module's: they are pickled by it. `then` is a function that
/// puts more into the module of a registry.
#[macro_export]
macro_rules! python {
    (
        module: $module:ident,
        kernels: [$($kernel:ty),* $(,)?]
        $(, families: [$($family:expr),* $(,)?])?
        $(, pipelines: [$($(#[doc = $doc:literal])* $($pipeline:ident)::+ ($($parameter:ident: $kind:ty),* $(,)?)),* $(,)?])?
        $(, package: $package:expr)? $(,)?
    ) => {
        $crate::python! {
            @module $module,
            $crate::python!(@package $module $($package)?),
            $crate::__rt::Registry::new(
                const { &[$($crate::__rt::code_of::<$kernel>()),*] },
                const { &[$($(&$family),*)?] },
            ),
            &[$($($crate::__rt::Description {
                path: stringify!($($pipeline)::+),
                docs: &[$($doc),*],
                parameters: const { &[$($crate::__rt::Described {
                    name: stringify!($parameter),
                    image: <$kind as $crate::__rt::Argument>::IMAGE,
                    takes: <$kind as $crate::__rt::Argument>::TAKES,
                }),*] },
                chain: |given| {
                    // The types are those of the author's function.
                    let _ = |$($parameter: $kind),*| { let _ = $($pipeline)::+($($parameter),*); };
                    let mut given = given.iter();
                    $(let $parameter = <$kind as $crate::__rt::Argument>::taken(
                        stringify!($parameter),
                        given.next().ok_or_else($crate::__rt::missing)?,
                    )?;)*
                    $($pipeline::)+chain($($parameter),*).map_err($crate::__rt::exception)
                },
            }),*)?],
        }
    };
    (module: $module:ident, package: $package:expr, registry: $registry:expr $(, then: $then:expr)? $(,)?) => {
        $crate::python! { @module $module, $package, $registry, &[], $($then)? }
    };
    (@module $module:ident, $package:expr, $registry:expr, $pipelines:expr, $($then:expr)?) => {
        #[$crate::__rt::pyo3::pymodule]
        #[pyo3(crate = "::windrow_pymodule::__rt::pyo3")]
        fn $module(
            module: &$crate::__rt::pyo3::Bound<'_, $crate::__rt::pyo3::types::PyModule>,
        ) -> $crate::__rt::pyo3::PyResult<()> {
            $crate::__rt::register(module, $package, &$registry, $pipelines)?;
            $($then(module)?;)?
            Ok(())
        }
    };
    (@package $module:ident) => { stringify!($module) };
    (@package $module:ident $package:expr) => { $package };
}
