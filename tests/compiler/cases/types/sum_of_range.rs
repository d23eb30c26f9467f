#![allow(unused)]
use windrow::prelude::*;

#[kernel(window(r))]
pub fn example([y]: At<1>, #[shape(r, c)] src: View<f32>) -> f32 {
    let [_, c] = src.extents();
    (0..c).map(|x| src[[y, x]]).sum::<f32>()
}

fn main() {}
