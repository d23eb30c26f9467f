#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(x: i16, y: i16) -> i32 {
    let (x, y) = (x as i32, y as i32);
    x * x + y * y
}

fn main() {}
