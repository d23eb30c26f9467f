//! Two kernels of one name and of different types.

use windrow::prelude::*;

#[kernel]
pub fn half(a: u8) -> u8 {
    a / 2
}

#[kernel]
pub fn half(a: u16) -> u16 {
    a / 2
}

fn main() {}
