#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(r))]
pub fn example([y]: At<1>, #[shape(r, c)] src: View<f32>) -> f32 {
    let [_, c] = src.extents();
    sum(0..c, |x| src[[y, x]])
}

fn main() {}
