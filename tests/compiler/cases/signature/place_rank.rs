#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(at: At<7>, src: View<u8>) -> u8 {
    src.get([y, x]).unwrap_or(0)
}

fn main() {}
