#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, _x]: At<2>, src: View<u8>) -> u8 {
    let [height, width] = src.extents();
    let mut greatest = 0;
    for column in 0..width {
        greatest = src[[y.min(height - 1), column]].max(greatest);
    }
    greatest
}

fn main() {}
