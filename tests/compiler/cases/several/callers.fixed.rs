//! The same without mistakes.
use windrow::prelude::*;

#[kernel]
pub fn example(src: Neighbourhood<u8>, #[uniform] by: u8) -> u8 {
    src.at(1, 0).saturating_add(by)
}

#[kernel(types(T = u8, u16))]
pub fn copied(a: T, b: T) -> T {
    a.wrapping_mul(b)
}

#[kernel]
pub fn anywhere([y, x]: At<2>, src: View<u8>) -> u8 {
    src.get([x, y]).unwrap_or(0)
}

#[kernels]
pub mod levels {
    const BLACK: u8 = 16;

    pub fn above(v: u8) -> u8 {
        v.saturating_sub(BLACK)
    }

    #[kernel]
    pub fn example(a: u8) -> u8 {
        above(a)
    }
}

fn main() {}
