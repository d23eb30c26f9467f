#![allow(unused)]
use windrow::prelude::*;

#[helper]
struct Half {
    of: u8,
}

fn main() {}
