#![allow(unused)]
use windrow::prelude::*;

#[kernel(schedule(opencl(4, 1), opencl(8, 1), opencl(16, 1), opencl(32, 1), opencl(64, 1)))]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
