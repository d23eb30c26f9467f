#![allow(unused)]
use windrow::{Border, Error, Tensor, prelude::*};

#[kernel]
pub fn invert(a: u8) -> u8 {
    255 - a
}

#[pipeline]
fn example(height: usize) -> Result<Tensor<u8>, Error> {
    Ok(Tensor::new([height, 8])?)
}

fn main() {}
