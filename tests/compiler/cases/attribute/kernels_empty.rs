#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod examples {
    pub fn example(a: u8) -> u8 {
        a
    }
}

fn main() {}
