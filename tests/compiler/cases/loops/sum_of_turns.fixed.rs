#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, _x]: At<2>, src: View<u8>) -> u32 {
    let [height, width] = src.extents();
    let mut sum = 0;
    for column in 0..width.min(4096) {
        sum += src[[y.min(height - 1), column]] as u32;
    }
    sum
}

fn main() {}
