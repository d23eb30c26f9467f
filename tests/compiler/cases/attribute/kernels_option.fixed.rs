#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod examples {
    use windrow::prelude::*;

    #[kernel(step(16, 1))]
    pub fn example(a: u8) -> u8 {
        a
    }
}

fn main() {}
