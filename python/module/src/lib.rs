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
mod signature;
mod stub;
mod value;

pub use operator::Operator;

/// What the macro's code names; not for authors.
#[doc(hidden)]
pub mod __rt {
    pub use crate::operator::register;
    pub use pyo3;
    pub use windrow::family::{Registry, code_of};
}

/// Writes a Python module of kernels.
///
/// `module` is the name of the library and of the function that Python looks for in it. `kernels` lists kernels by their paths,
/// and `families` lists statics of [`windrow::family::Family`]; `registry` takes the place of both. `package` is the name that
/// Python knows the operators by, where it is not the module's: they are pickled by it.
#[macro_export]
macro_rules! python {
    (module: $module:ident, kernels: [$($kernel:ty),* $(,)?] $(, families: [$($family:expr),* $(,)?])? $(, package: $package:expr)? $(,)?) => {
        $crate::python! {
            module: $module,
            package: $crate::python!(@package $module $($package)?),
            registry: $crate::__rt::Registry::new(
                const { &[$($crate::__rt::code_of::<$kernel>()),*] },
                const { &[$($(&$family),*)?] },
            ),
        }
    };
    (module: $module:ident, package: $package:expr, registry: $registry:expr $(,)?) => {
        #[$crate::__rt::pyo3::pymodule]
        #[pyo3(crate = "::windrow_pymodule::__rt::pyo3")]
        fn $module(
            module: &$crate::__rt::pyo3::Bound<'_, $crate::__rt::pyo3::types::PyModule>,
        ) -> $crate::__rt::pyo3::PyResult<()> {
            $crate::__rt::register(module, $package, &$registry)
        }
    };
    (@package $module:ident) => { stringify!($module) };
    (@package $module:ident $package:expr) => { $package };
}
