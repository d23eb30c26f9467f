#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod kernels {
    use windrow::prelude::*;

    pub enum Mode {
        Keep,
        Invert,
    }

    #[kernel]
    pub fn example(a: u8, #[variant] mode: Mode) -> u8 {
        match mode {
            Mode::Keep => a,
            Mode::Invert => 255 - a,
        }
    }
}

fn main() {}
