#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, b: u8) -> u8 {
    let mut v = a;
    while v > 0 {
        v -= 1;
    }
    println!("{v}");
    let r = &v;
    return v;
}

fn main() {}
