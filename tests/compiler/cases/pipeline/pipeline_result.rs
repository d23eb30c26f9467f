#![allow(unused)]
use windrow::{Border, Error, Tensor, prelude::*};

#[kernel]
pub fn invert(a: u8) -> u8 {
    255 - a
}

#[pipeline]
fn example(src: &Tensor<u8>) -> Tensor<u8> {
    invert::apply(src).unwrap()
}

fn main() {}
