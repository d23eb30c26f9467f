//! Whoever calls a kernel with a mistake hears nothing of it.
use windrow::{Border, Error, Neighbourhood, View, ViewMut, kernel, kernels};

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

    pub fn all(image: &View<u8>, out: ViewMut<u8>) -> Result<u8, Error> {
        let example = example::configure(image.info(), 3, out.info(), Border::Replicate)?;
        example.run(image, out)?;
        let copied = copied::<u8>::infer(image.info(), image.info())?;
        for value in levels::example::specs(&copied).values() {
            assert_eq!(*value, levels::above(super::example(image, 2)));
        }
        anywhere::apply_into(image, &mut 3)?.first()
    }
}

fn main() {
    let _ = calls::all;
}
