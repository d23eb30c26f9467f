#![allow(unused)]
use windrow::{Border, Error, Tensor, prelude::*};

#[kernel]
pub fn invert(a: u8) -> u8 {
    255 - a
}

#[pipeline]
struct Example(u8);

fn main() {}
