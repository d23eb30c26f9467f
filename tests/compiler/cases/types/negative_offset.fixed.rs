#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>) -> u8 {
    let mut most = 0;
    for i in 0..3 {
        most = src.at(-i, 0).max(most);
    }
    most
}

fn main() {}
