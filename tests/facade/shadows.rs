//! Types of an author's with the names of primitive ones: they reach none of the generated code, whose bodies read and write
//! memory by these names. (What rustc says where the kernel itself is written with one: `opencl/tests/calls`.)

use windrow::{Border, Tensor};

mod shadowed {
    #![allow(non_camel_case_types, dead_code)]
    use windrow::prelude::*;

    type isize = i8;
    type usize = u8;
    type u32 = [u64; 2];
    pub struct f32;
    pub struct i32;

    /// The least of a neighbourhood, above a bound.
    #[kernel]
    pub fn floor(src: Neighbourhood<u8>, #[uniform] least: u16) -> u16 {
        let darkest = src.at(-1, 0).min(src.at(1, 0));
        (darkest as u16).max(least)
    }
}

#[test]
fn types_named_like_primitive_ones_reach_no_generated_code() {
    let image = Tensor::from_fn([3, 1000], |[y, x]| (x / 7 + y) as u8).unwrap();
    let floor = shadowed::floor::apply(&image, 40, Border::Replicate).unwrap();
    let view = image.view();
    let at = |y: usize, x: usize| u16::from(view.get([y, x]).unwrap());
    for (place, found) in floor.to_vec().into_iter().enumerate() {
        let (y, x) = (place / 1000, place % 1000);
        assert_eq!(found, at(y, x.saturating_sub(1)).min(at(y, (x + 1).min(999))).max(40), "{y}, {x}");
    }
}
