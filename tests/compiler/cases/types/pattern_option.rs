#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    if let Some(value) = a { value } else { b }
}

fn main() {}
