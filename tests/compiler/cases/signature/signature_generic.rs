#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example<T>(a: T, b: T) -> T {
    a.max(b)
}

fn main() {}
