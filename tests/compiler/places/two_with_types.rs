//! Two kernels of one name over several types.

use windrow::prelude::*;

#[kernel(types(T = u8, u16))]
pub fn half(a: T) -> T {
    a / 2
}

#[kernel(types(T = u16, i16))]
pub fn half(a: T) -> T {
    a / 2
}

fn main() {}
