#![allow(unused)]
use windrow::prelude::*;

#[helper]
fn straight(a: u8) -> u8 {
    a / 2
}

#[kernel(uses(straight))]
pub fn example(a: u8) -> u8 {
    straight(a)
}

fn main() {}
