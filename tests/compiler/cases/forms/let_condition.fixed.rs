#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    if let 0 = a {
        if b > 9 { b } else { a }
    } else {
        a
    }
}

fn main() {}
