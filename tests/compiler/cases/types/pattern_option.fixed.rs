#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example([y, x]: At<2>, src: View<u8>, b: u8) -> u8 {
    if let Some(value) = src.get([y, x]) { value } else { b }
}

fn main() {}
