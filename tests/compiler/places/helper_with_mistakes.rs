//! A helper with a mistake: it is told there, and nothing is said of what uses it, in any module.

use windrow::{Error, Tensor, prelude::*};

mod colour {
    use windrow::prelude::*;

    #[helper]
    pub fn half(a: u8) -> u8 {
        a as u16 / 2
    }

    #[helper(uses(half))]
    pub fn quarter(a: u8) -> u8 {
        half(half(a))
    }
}

/// It uses the helper.
#[kernel(uses(colour::half))]
pub fn darker(a: u8) -> u8 {
    half(a)
}

/// It uses the helper's user.
#[kernel(types(T = u8, i16), uses(colour::quarter))]
pub fn darkest(a: T) -> T {
    quarter(a as u8) as T
}

#[kernels(uses(colour::half))]
mod several {
    #[kernel]
    pub fn dark(a: u8) -> u8 {
        half(a)
    }
}

pub fn apply(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> {
    darkest::<u8>::apply(&darker::apply(&several::dark::apply(src)?)?)
}

pub fn once(a: u8) -> u8 {
    colour::quarter(a)
}

fn main() {}
