//! Pipelines whose images and values have other types than what they are given to: each is told once, of the types that are written.

use windrow::{Border, Error, Tensor, prelude::*};

/// The mean of three elements beside each other.
#[kernel]
pub fn blur(src: Neighbourhood<u8>) -> u8 {
    ((src.at(-1, 0) as u16 + src.at(0, 0) as u16 + src.at(1, 0) as u16) / 3) as u8
}

/// The half.
#[kernel]
pub fn half(a: u8) -> u8 {
    a / 2
}

/// The difference.
#[kernel]
pub fn difference(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

/// The half of two bytes.
#[kernel]
pub fn wide(a: u16) -> u16 {
    a / 2
}

#[pipeline]
pub fn without_question_mark(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let blurred = blur::apply(src, Border::Replicate);
    difference::apply(src, &blurred)
}

#[pipeline]
pub fn of_another_element(src: &Tensor<u8>) -> Result<Tensor<u16>, Error> {
    let blurred = blur::apply(src, Border::Replicate)?;
    wide::apply(&blurred)
}

#[pipeline]
pub fn of_another_result(src: &Tensor<u8, 2>) -> Result<Tensor<u16>, Error> {
    let a = half::apply(src)?;
    let b = half::apply(&a)?;
    difference::apply(&a, &b)
}

#[pipeline]
pub fn of_a_value_moved(src: &Tensor<u8>) -> Result<(Tensor<u8>, Tensor<u8>), Error> {
    let a = half::apply(src)?;
    let kept = a;
    Ok((half::apply(&a)?, kept))
}

#[pipeline]
pub fn of_another_bound(src: &Tensor<u8>, #[uniform(0.0..=1.0)] _by: u8) -> Result<Tensor<u8>, Error> {
    half::apply(src)
}

fn main() {}
