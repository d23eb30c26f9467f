//! Two kernels of one name that nothing else tells apart.

use windrow::prelude::*;

#[kernel]
pub fn half(a: u8) -> u8 {
    a / 2
}

#[kernel]
fn half(a: u8) -> u8 {
    a >> 1
}

fn main() {}
