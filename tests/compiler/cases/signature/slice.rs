#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: u8, curve: &[u8], gamma: Vec<u8>) -> u8 {
    a
}

fn main() {}
