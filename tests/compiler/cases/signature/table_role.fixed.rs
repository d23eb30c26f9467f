#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, bins: Table<u32, 256>) -> u32 {
    bins[a]
}

fn main() {}
