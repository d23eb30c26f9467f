#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(x: i16, y: i16) -> u32 {
    let (x, y) = (x.unsigned_abs() as u32, y.unsigned_abs() as u32);
    x * x + y * y
}

fn main() {}
