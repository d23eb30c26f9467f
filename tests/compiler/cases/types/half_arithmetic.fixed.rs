#![allow(unused)]
use windrow::prelude::*;

#[kernel]
pub fn example(a: f16, b: f16) -> f16 {
    let (x, y) = (a.cast::<f32>(), b.cast::<f32>());
    (if x < y { x + y } else { x.sqrt() }).cast()
}

fn main() {}
