//! Constants and functions that kernels of several modules use: `#[helper]` and `uses(..)`.

use windrow::{Border, Tensor, prelude::*};

/// What the kernels of this file share, in a module of its own.
mod colour {
    use windrow::prelude::*;

    /// The weights of red, green and blue, in 1/256.
    #[helper]
    pub const WEIGHTS: [u16; 3] = [77, 150, 29];

    /// The inverse of the sum of two of them.
    #[helper(uses(WEIGHTS))]
    pub const PAIR: f32 = 1.0 / (WEIGHTS[0] + WEIGHTS[1]) as f32;

    /// A weighted mean: its own constant, and one of the module.
    #[helper(uses(WEIGHTS))]
    pub fn luma([r, g, b]: [u8; 3]) -> u8 {
        const HALF: u16 = 128;
        ((r as u16 * WEIGHTS[0] + g as u16 * WEIGHTS[1] + b as u16 * WEIGHTS[2] + HALF - 128) >> 8) as u8
    }

    pub mod curve {
        use windrow::prelude::*;

        /// The transfer function of sRGB (IEC 61966-2-1), by windrow's own `powf`.
        #[helper]
        pub fn to_linear(v: f32) -> f32 {
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        }
    }
}

use colour::curve::to_linear as linear;

/// A helper by its path, called by its name.
#[kernel(uses(colour::luma))]
pub fn grey(pixel: [u8; 3]) -> u8 {
    luma(pixel)
}

/// Several, one of them by another name.
#[kernel(uses(linear, crate::helpers::colour::PAIR), step(4, 1))]
pub fn light(pixel: [u8; 3]) -> f32 {
    let [r, g, _] = pixel;
    (linear(r as f32 / 255.0) + linear(g as f32 / 255.0)) * PAIR
}

/// As a function that is handed on.
#[kernel(uses(self::colour::luma))]
pub fn greatest_grey(src: Neighbourhood<[u8; 3]>) -> u8 {
    src.window::<3, 1>()[0].map(luma).into_iter().fold(0, u8::max)
}

/// One for each type.
#[kernel(types(T = u8, u16), uses(scaled))]
pub fn scale(a: T) -> u32 {
    scaled(a as u32)
}

/// A helper that stands behind its use.
#[helper]
fn scaled(v: u32) -> u32 {
    v * 3 / 2
}

#[kernels(uses(colour::luma, colour::WEIGHTS))]
mod kernels {
    /// Of a module of kernels.
    fn dark(pixel: [u8; 3]) -> bool {
        luma(pixel) < 16
    }

    #[kernel]
    pub fn mask(pixel: [u8; 3]) -> u8 {
        if dark(pixel) { 0 } else { WEIGHTS[1] as u8 }
    }

    /// A helper that other modules use, with what it shares with the kernels here.
    #[helper]
    pub fn darkness(pixel: [u8; 3]) -> u8 {
        if dark(pixel) { LEAST } else { 255 - luma(pixel) }
    }

    const LEAST: u8 = 240;

    #[kernel]
    pub fn mean(pixel: [u8; 3], other: [u8; 3]) -> u8 {
        ((luma(pixel) as u16 + luma(other) as u16) / 2) as u8
    }
}

/// Of another module of kernels.
#[kernel(uses(kernels::darkness))]
pub fn darken(pixel: [u8; 3]) -> u8 {
    darkness(pixel)
}

/// Kernels of a module bring along what they share with each other, and use.
#[pipeline]
pub fn scaled_mean(src: &Tensor<[u8; 3]>, other: &Tensor<[u8; 3]>) -> Result<Tensor<u32>, windrow::Error> {
    scale::<u8>::apply(&kernels::mean::apply(src, other)?)
}

/// The fused kernel brings the helpers of its kernels along.
#[pipeline]
pub fn scaled_grey(src: &Tensor<[u8; 3]>) -> Result<Tensor<u32>, windrow::Error> {
    scale::<u8>::apply(&grey::apply(src)?)
}

fn photo() -> Tensor<[u8; 3]> {
    Tensor::from_fn([5, 19], |[y, x]| [(40 * y) as u8, (13 * x) as u8, (x * y) as u8]).unwrap()
}

#[test]
fn a_helper_is_a_function_of_rust_and_part_of_a_kernel() {
    let photo = photo();
    let expected: Vec<u8> = photo.to_vec().iter().map(|pixel| colour::luma(*pixel)).collect();
    assert_eq!(grey::apply(&photo).unwrap().to_vec(), expected);
    let expected: Vec<u32> = expected.iter().map(|&grey| scaled(grey.into())).collect();
    assert_eq!(scaled_grey::apply(&photo).unwrap().to_vec(), expected);
    assert_eq!(scaled_grey(&photo).unwrap().to_vec(), expected);
    let widest = greatest_grey::apply(&photo, Border::Replicate).unwrap();
    assert_eq!(widest.to_vec()[1], colour::luma(photo.to_vec()[2]));
    let expected: Vec<u8> = photo.to_vec().iter().map(|pixel| kernels::darkness(*pixel)).collect();
    assert_eq!(darken::apply(&photo).unwrap().to_vec(), expected);
    assert_eq!(kernels::mean::apply(&photo, &photo).unwrap().to_vec(), grey::apply(&photo).unwrap().to_vec());
}

#[test]
fn a_function_of_windrows_own_has_the_same_bits_in_a_helper() {
    let photo = photo();
    let of = |[r, g, _]: [u8; 3]| (linear(f32::from(r) / 255.0) + linear(f32::from(g) / 255.0)) * colour::PAIR;
    let expected: Vec<u32> = photo.to_vec().into_iter().map(|pixel| of(pixel).to_bits()).collect();
    let found: Vec<u32> = light::apply(&photo).unwrap().to_vec().iter().map(|v| v.to_bits()).collect();
    assert_eq!(found, expected);
}

#[test]
fn kernels_with_helpers_are_fused() {
    use windrow::chain::OneKernel;
    fn stages<P: OneKernel>() -> &'static str {
        <P::Kernel as windrow::Kernel>::CODE.spec().name
    }
    assert_eq!(stages::<scaled_grey>(), "grey_scale");
    assert_eq!(stages::<scaled_mean>(), "mean_scale");
}
