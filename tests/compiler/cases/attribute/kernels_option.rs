#![allow(unused)]
use windrow::prelude::*;

#[kernels(step(16, 1))]
mod examples {
    use windrow::prelude::*;

    #[kernel]
    pub fn example(a: u8) -> u8 {
        a
    }
}

fn main() {}
