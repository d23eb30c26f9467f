#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, curve: Table<u8, 256>, gamma: Table<u8, 256>) -> u8 {
    curve[a].max(gamma[a])
}

fn main() {}
