#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example<const N: usize>(a: u8) -> u8 {
    [a; N][0]
}

fn main() {}
