//! Every function: what computes it, what it is compared with, and what is stated of it.

use windrow::reference::functions;
use windrow::{View, ViewMut, prelude::*};

use crate::kernels;

/// A function of one or two floats, and all that is said of it.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The greatest error, in units of the last place.
    pub bound: f64,
    /// Whether it never falls where its argument rises.
    pub rises: bool,
    /// What computes it.
    pub of: Of,
}

/// What computes a function: rustc's of its definition, the exact value, the kernel.
#[derive(Clone, Copy)]
pub enum Of {
    /// Of one argument.
    One(fn(f32) -> f32, fn(f64) -> f64, fn(&[f32], &mut [f32])),
    /// Of two.
    Two(fn(f32, f32) -> f32, fn(f64, f64) -> f64, fn(&[f32], &[f32], &mut [f32])),
}

macro_rules! one {
    ($name:ident, $exact:expr) => {
        Of::One(functions::$name, $exact, |x, out| {
            let extents = [1, x.len()];
            let (x, out) = (View::from_slice(x, extents).unwrap(), ViewMut::from_slice(out, extents).unwrap());
            let kernel = kernels::$name::configure(x.info(), out.info()).unwrap();
            kernel.run(&Serial, x, out).unwrap();
        })
    };
}

macro_rules! two {
    ($name:ident, $exact:expr) => {
        Of::Two(functions::$name, $exact, |a, b, out| {
            let extents = [1, a.len()];
            let (a, b) = (View::from_slice(a, extents).unwrap(), View::from_slice(b, extents).unwrap());
            let out = ViewMut::from_slice(out, extents).unwrap();
            let kernel = kernels::$name::configure(a.info(), b.info(), out.info()).unwrap();
            kernel.run(&Serial, (a, b), out).unwrap();
        })
    };
}

/// All of them, in the order of `docs/functions.md`, with the errors that it states.
#[rustfmt::skip]
pub const FUNCTIONS: [Function; 13] = [
    Function { name: "exp",     bound: 1.1, rises: true,  of: one!(exp, f64::exp) },
    Function { name: "exp2",    bound: 1.0, rises: true,  of: one!(exp2, f64::exp2) },
    Function { name: "ln",      bound: 1.1, rises: true,  of: one!(ln, f64::ln) },
    Function { name: "log2",    bound: 1.1, rises: true,  of: one!(log2, f64::log2) },
    Function { name: "powf",    bound: 1.1, rises: false, of: two!(powf, f64::powf) },
    Function { name: "rsqrt",   bound: 1.6, rises: false, of: one!(rsqrt, |x| 1.0 / x.sqrt()) },
    Function { name: "tanh",    bound: 2.6, rises: false, of: one!(tanh, f64::tanh) },
    Function { name: "sigmoid", bound: 2.5, rises: false, of: one!(sigmoid, |x| 1.0 / (1.0 + (-x).exp())) },
    Function { name: "erf",     bound: 1.8, rises: false, of: one!(erf, libm::erf) },
    Function { name: "sin",     bound: 1.5, rises: false, of: one!(sin, f64::sin) },
    Function { name: "cos",     bound: 1.5, rises: false, of: one!(cos, f64::cos) },
    Function { name: "atan",    bound: 1.3, rises: true,  of: one!(atan, f64::atan) },
    Function { name: "atan2",   bound: 1.6, rises: false, of: two!(atan2, f64::atan2) },
];
