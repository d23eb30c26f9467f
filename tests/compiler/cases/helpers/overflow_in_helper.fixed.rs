#![allow(unused)]
use windrow::prelude::*;

mod arithmetic {
    use windrow::prelude::*;

    #[helper]
    pub fn sum(a: u8, b: u8) -> u8 {
        a + b
    }
}

#[kernel(uses(arithmetic::sum))]
pub fn of_halves(a: u8, b: u8) -> u8 {
    sum(a / 2, b / 2)
}

#[kernel(uses(arithmetic::sum))]
pub fn example(a: u8, b: u8) -> u8 {
    sum(a / 3, b / 3)
}

fn main() {}
