#![allow(unused)]
use windrow::prelude::*;

const BODY: windrow::HandWritten = windrow::HandWritten { lanes: 1, rows: 1, run: body };

fn body(_: &windrow::code::Rows<'_>) {}

#[kernel(neon = BODY, types(T = u8, i16))]
pub fn example(a: T, b: T) -> T {
    a.max(b)
}

fn main() {}
