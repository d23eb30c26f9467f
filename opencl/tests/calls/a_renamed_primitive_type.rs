//! A type of the author's with the name of a primitive one: the kernel is written with it, and its bodies are not.
#![allow(non_camel_case_types)]

use windrow::prelude::*;

type u16 = u64;

#[kernel]
fn copy(src: u16) -> u16 {
    src
}

fn main() {}
