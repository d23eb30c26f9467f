//! The elementary functions: one definition each, in the kernel language.
//!
//! rustc compiles the definitions here, for the author's function, which is the reference. The compiler of kernels reads the
//! same text ([`DEFINITIONS`]) and puts its operations in place of a call, on every target. So all of them compute the same
//! bits, by the same sums and products in the same order, and no library has a say.
//!
//! A definition is a function of floats in the subset of Rust that kernels may use. It has no `min`, `max` and `clamp`, which
//! mean something else in Rust.

mod arc;
mod circular;
mod error;
mod exponential;
mod logarithm;
pub(crate) mod methods;
mod power;
mod root;

pub use arc::{atan, atan2};
pub use circular::{cos, sin};
pub use error::erf;
pub use exponential::{exp, exp2, sigmoid, tanh};
pub use logarithm::{ln, log2};
pub use power::powf;
pub use root::rsqrt;

/// The text that defines a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// The function's name.
    pub name: &'static str,
    /// The names of its parameters, all of them f32, as is its result.
    pub parameters: &'static [&'static str],
    /// A file of Rust with the function and all that it calls.
    pub source: &'static str,
    /// The least and the greatest number that it gives; it may give NaN too. That the definition keeps to them is tested
    /// for every argument.
    pub range: (f32, f32),
}

impl Definition {
    /// The definition of the function of this name.
    ///
    /// ```
    /// use windrow::reference::functions::Definition;
    ///
    /// assert_eq!(Definition::of("tanh").map(|tanh| tanh.range), Some((-1.0, 1.0)));
    /// assert_eq!(Definition::of("sinh"), None);
    /// ```
    pub fn of(name: &str) -> Option<Self> {
        DEFINITIONS.iter().copied().find(|definition| definition.name == name)
    }
}

const ONE: &[&str] = &["x"];
const ARC: &str = include_str!("functions/arc.rs");
const CIRCULAR: &str = include_str!("functions/circular.rs");
const EXPONENTIAL: &str = include_str!("functions/exponential.rs");
const LOGARITHM: &str = include_str!("functions/logarithm.rs");
const PI: f32 = core::f32::consts::PI;
const HALF_PI: f32 = core::f32::consts::FRAC_PI_2;
const INFINITY: f32 = f32::INFINITY;

/// Every function, in alphabetical order.
pub const DEFINITIONS: &[Definition] = &[
    Definition { name: "atan", parameters: ONE, source: ARC, range: (-HALF_PI, HALF_PI) },
    Definition { name: "atan2", parameters: &["y", "x"], source: ARC, range: (-PI, PI) },
    Definition { name: "cos", parameters: ONE, source: CIRCULAR, range: (-1.0, 1.0) },
    Definition { name: "erf", parameters: ONE, source: include_str!("functions/error.rs"), range: (-1.0, 1.0) },
    Definition { name: "exp", parameters: ONE, source: EXPONENTIAL, range: (0.0, INFINITY) },
    Definition { name: "exp2", parameters: ONE, source: EXPONENTIAL, range: (0.0, INFINITY) },
    Definition { name: "ln", parameters: ONE, source: LOGARITHM, range: (-INFINITY, INFINITY) },
    Definition { name: "log2", parameters: ONE, source: LOGARITHM, range: (-INFINITY, INFINITY) },
    Definition {
        name: "powf",
        parameters: &["x", "y"],
        source: include_str!("functions/power.rs"),
        range: (-INFINITY, INFINITY),
    },
    Definition {
        name: "rsqrt",
        parameters: ONE,
        source: include_str!("functions/root.rs"),
        range: (-INFINITY, INFINITY),
    },
    Definition { name: "sigmoid", parameters: ONE, source: EXPONENTIAL, range: (0.0, 1.0) },
    Definition { name: "sin", parameters: ONE, source: CIRCULAR, range: (-1.0, 1.0) },
    Definition { name: "tanh", parameters: ONE, source: EXPONENTIAL, range: (-1.0, 1.0) },
];

/// The methods of floats that Rust has with its standard library alone.
#[cfg(not(feature = "std"))]
trait Core {
    fn mul_add(self, b: f32, c: f32) -> f32;
    fn sqrt(self) -> f32;
    fn trunc(self) -> f32;
}

#[cfg(not(feature = "std"))]
impl Core for f32 {
    fn mul_add(self, b: f32, c: f32) -> f32 {
        crate::scalar::mul_add(self, b, c)
    }

    fn sqrt(self) -> f32 {
        crate::scalar::sqrt(self)
    }

    fn trunc(self) -> f32 {
        crate::scalar::trunc(self)
    }
}
