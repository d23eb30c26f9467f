#![allow(unused)]
use windrow::prelude::*;

#[kernel]
const LEVEL: u8 = 3;

fn main() {}
