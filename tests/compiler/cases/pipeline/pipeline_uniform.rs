#![allow(unused)]
use windrow::{Border, Error, Tensor, prelude::*};

#[kernel]
pub fn invert(a: u8) -> u8 {
    255 - a
}

#[pipeline]
fn example(src: &Tensor<u8>, #[uniform(3)] times: u8) -> Result<Tensor<u8>, Error> {
    invert::apply(src)
}

fn main() {}
