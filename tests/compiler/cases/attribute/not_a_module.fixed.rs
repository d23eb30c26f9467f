#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod example {
    use windrow::prelude::*;

    #[kernel]
    pub fn example(a: u8) -> u8 {
        a
    }
}

fn main() {}
