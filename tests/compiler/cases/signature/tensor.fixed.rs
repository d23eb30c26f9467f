#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<i16>) -> i16 {
    src.at(0, 0) / 2
}

fn main() {}
