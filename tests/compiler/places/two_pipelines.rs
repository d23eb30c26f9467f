//! Two pipelines of one name.

use windrow::{Error, Tensor, prelude::*};

/// The greater element.
#[kernel]
pub fn greater(a: u8, b: u8) -> u8 {
    a.max(b)
}

#[pipeline]
pub fn brightest(a: &Tensor<u8>, b: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    greater::apply(a, b)
}

#[pipeline]
pub fn brightest(a: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    greater::apply(a, a)
}

fn main() {}
