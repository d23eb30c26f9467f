#![allow(unused)]
use windrow::prelude::*;

#[helper]
fn straight(a: u8) -> u8 {
    a / 2
}

fn main() {}
