#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example<'a>(src: Neighbourhood<'a, u8>) -> u8 {
    src.at(1, 0)
}

fn main() {}
