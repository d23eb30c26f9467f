#![allow(unused)]
use windrow::prelude::*;

#[helper]
const HALF: u8 = 2;

fn main() {}
