use windrow::{Border, Error, Tensor, prelude::*};

/// The mean of three elements beside each other.
#[kernel]
pub fn blur(src: Neighbourhood<u8>) -> u8 {
    ((src.at(-1, 0) as u16 + src.at(0, 0) as u16 + src.at(1, 0) as u16) / 3) as u8
}

/// How far an element is from another.
#[kernel]
pub fn distance(a: u8, b: u8) -> u8 {
    a.abs_diff(b)
}

/// What differs from its surroundings.
#[pipeline]
pub fn edges(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    let blurred = blur::apply(src, Border::Replicate)?;
    distance::apply(src, &blurred)
}
