//! Whoever calls a kernel with a mistake hears nothing of it.
use windrow::{Border, Error, Neighbourhood, Tensor, View, kernel, kernels};

#[kernel(deny(scalar))]
pub fn example(src: Neighbourhood<u8>, #[uniform] by: u8) -> u8 {
    src.at(1, 0) + by
}

#[kernel(types(T = u8, u16))]
pub fn copied(a: T, b: T) -> T {
    a * b
}

#[kernel]
pub fn anywhere(src: View<u8>) -> u8 {
    let wide: u16 = 3u8;
    -wide
}

#[kernels]
pub mod levels {
    const BLACK: u8 = WHITE;

    pub fn above(v: u8) -> u8 {
        v - BLACK
    }

    #[kernel]
    pub fn example(a: u8) -> u8 {
        above(a)
    }
}

mod calls {
    use super::*;

    pub fn all(image: &Tensor<u8>) -> Result<Vec<u8>, Error> {
        let example = example::apply(image, 3, Border::Replicate)?;
        let copied = copied::<u8>::apply(&example, image)?;
        for value in levels::example::apply(&copied)?.to_vec() {
            assert_eq!(value, levels::above(super::example(value, 2)));
        }
        let mut run = anywhere::configure(&[image.info()])?;
        run.run(&mut 3);
        Ok(copied.to_vec())
    }
}

fn main() {
    let _ = calls::all;
}
