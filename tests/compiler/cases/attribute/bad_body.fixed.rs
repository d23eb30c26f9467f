#![allow(unused)]
use windrow::prelude::*;

fn body(_: &windrow::code::Rows<'_>) {}

// SAFETY: it touches nothing.
#[allow(unsafe_code)]
const BODY: windrow::HandWritten<example> = unsafe { windrow::HandWritten::new(1, 1, body) };

#[kernel(neon = BODY)]
pub fn example(a: u8, b: u8) -> u8 {
    a.max(b)
}

fn main() {}
