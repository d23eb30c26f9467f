//! Operators held to formulas that are written here a second time, in plain arithmetic of 64 bits: from OpenVX' specification, from
//! TFLite's reference, from definitions. They are no copies of the kernels: neighbourhoods are loops over coordinates, roundings are
//! those of exact quotients.

mod colour;
mod conversion;
mod elementary;
mod features;
mod filters;
mod geometry;
mod network;
mod quantized;
mod regions;
mod scales;
mod tensors;

use windrow::Tensor;

/// Height and width of the images: odd, wider than a vector.
const SIZE: [usize; 2] = [19, 45];

/// A sequence that is the same in every run.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from the first to the last.
    fn of(&mut self, least: i64, greatest: i64) -> i64 {
        least + (self.next() % (greatest - least + 1) as u64) as i64
    }

    /// Any of 32 bits, corners more often than chance.
    fn any_i32(&mut self) -> i32 {
        const CORNERS: [i32; 12] =
            [0, 1, -1, 2, -2, i32::MIN, i32::MIN + 1, i32::MAX, i32::MAX - 1, 1 << 30, -(1 << 30), (1 << 30) - 1];
        if self.next().is_multiple_of(4) { CORNERS[self.next() as usize % CORNERS.len()] } else { self.next() as i32 }
    }

    fn any_i16(&mut self) -> i16 {
        const CORNERS: [i16; 8] = [0, 1, -1, i16::MIN, i16::MIN + 1, i16::MAX, i16::MAX - 1, 255];
        if self.next().is_multiple_of(4) { CORNERS[self.next() as usize % CORNERS.len()] } else { self.next() as i16 }
    }
}

fn bytes(seed: u64) -> Tensor<u8> {
    let mut random = Random::new(seed);
    Tensor::from_fn(SIZE, |_| random.next() as u8).unwrap()
}

fn words(seed: u64) -> Tensor<i16> {
    let mut random = Random::new(seed);
    Tensor::from_fn(SIZE, |_| random.any_i16()).unwrap()
}

fn floats(seed: u64, extents: [usize; 2]) -> Tensor<f32> {
    let mut random = Random::new(seed);
    Tensor::from_fn(extents, |_| random.of(-4000, 4000) as f32 / 256.0).unwrap()
}

/// The element at (x, y), or the nearest one inside.
fn replicated<T: windrow::Element>(image: &Tensor<T>, x: i64, y: i64) -> T {
    let (height, width) = (image.info().height(), image.info().width());
    let inside = |at: i64, extent: usize| at.clamp(0, extent as i64 - 1) as usize;
    image.view().get([inside(y, height), inside(x, width)]).unwrap()
}

/// Compares a result with what a formula gives at each (x, y).
fn hold<T: windrow::Element + PartialEq + std::fmt::Debug>(
    what: &str,
    found: &Tensor<T>,
    formula: impl Fn(i64, i64) -> T,
) {
    let (height, width) = (found.info().height(), found.info().width());
    for y in 0..height {
        for x in 0..width {
            let (found, expected) = (found.view().get([y, x]).unwrap(), formula(x as i64, y as i64));
            assert!(found == expected, "{what}: ({x}, {y}) is {found:?} instead of {expected:?}");
        }
    }
}
