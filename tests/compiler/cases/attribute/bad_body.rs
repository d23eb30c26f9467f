#![allow(unused)]
use windrow::prelude::*;

const BODY: windrow::HandWritten = windrow::HandWritten { lanes: 1, rows: 1, run: body };

fn body(_: &windrow::code::Rows<'_>) {}

#[kernel(neon = 16)]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
