//! Paths that lead to no helper: to a function without `#[helper]`, and nowhere.

use windrow::{Error, Tensor, prelude::*};

mod colour {
    /// What is no helper.
    pub fn half(a: u8) -> u8 {
        a / 2
    }
}

/// It names a function that is no helper.
#[kernel(uses(colour::half))]
pub fn darker(a: u8) -> u8 {
    half(a)
}

/// It names nothing.
#[kernel(uses(colour::third))]
pub fn darkest(a: u8) -> u8 {
    third(a)
}

pub fn apply(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    darkest::apply(&darker::apply(src)?)
}

fn main() {}
