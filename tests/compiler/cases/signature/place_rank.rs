#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([plane, y, x]: At<3>, src: View<u8>) -> u8 {
    src.get([y, x]).unwrap_or(0)
}

fn main() {}
