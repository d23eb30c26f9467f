#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([_, _, _, _, _, y, x]: At<7>, src: View<u8>) -> u8 {
    src.get([y, x]).unwrap_or(0)
}

fn main() {}
