#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    let mut sum = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += src.at(dx, dy) as u16;
        }
    }
    (sum / 9) as u8
}

fn main() {}
