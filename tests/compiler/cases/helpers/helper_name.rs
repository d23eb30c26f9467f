#![allow(unused)]
use windrow::prelude::*;

#[helper]
fn line(a: u8) -> u8 {
    a / 2
}

fn main() {}
