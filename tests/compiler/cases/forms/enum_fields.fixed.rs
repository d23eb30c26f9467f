#![allow(unused)]
use windrow::prelude::*;

#[kernels]
mod examples {
    use windrow::prelude::*;

    pub enum Level {
        Low,
        At,
    }

    #[kernel]
    pub fn example(a: u8, #[variant] level: Level) -> u8 {
        match level {
            Level::Low => a / 2,
            Level::At => a,
        }
    }
}

fn main() {}
