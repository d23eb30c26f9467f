#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod examples {
    use windrow::prelude::*;

    #[kernel]
    pub fn first(a: u8, b: u8) -> u8 {
        a + b
    }

    #[kernel]
    pub fn second(a: u8, b: u8) -> u8 {
        a - b
    }
}

fn main() {}
