#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(src: View<u8>, [y, x]: At<2>) -> u8 {
    src.get([x, y]).unwrap_or(0)
}

fn main() {}
