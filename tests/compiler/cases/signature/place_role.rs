#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(#[uniform] at: At<2>, src: View<u8>) -> u8 {
    src.get(at).unwrap_or(0)
}

fn main() {}
