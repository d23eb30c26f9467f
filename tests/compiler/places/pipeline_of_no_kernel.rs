//! A pipeline that calls what is not there: rustc says it of the call's path.

use windrow::{Error, Tensor, prelude::*};

mod kernels {}

/// The half.
#[kernel]
pub fn half(a: u8) -> u8 {
    a / 2
}

#[pipeline]
pub fn missing(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let a = kernels::twice::apply(src)?;
    let b = half::apply(&a)?;
    blurred::apply(&b)
}

fn main() {}
