//! A pipeline that looks at elements.

use windrow::{Error, Tensor, prelude::*};

/// The greater element.
#[kernel]
pub fn greater(a: u8, b: u8) -> u8 {
    a.max(b)
}

#[pipeline]
pub fn brightest(a: &Tensor<u8>, b: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let most = greater::apply(a, b)?;
    if most.view().get([0, 0]) == Some(0) { greater::apply(a, &most) } else { Ok(most) }
}

fn main() {}
