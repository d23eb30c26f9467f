//! Kernels of one's own as a Python module: `pip install ./python/examples/own_kernels` builds it.

use windrow::{
    Error,
    family::{Family, code_of},
    prelude::*,
};

/// The element where it is at least `level`, and `level` minus it elsewhere.
#[kernel(step(16, 1), types(T = u8, i16))]
pub fn fold(x: T, #[uniform(0..=100)] level: T) -> T {
    if x >= level { x } else { level.wrapping_sub(x) }
}

/// The difference of the right and the left neighbour.
#[kernel(step(16, 1))]
pub fn slope(src: Neighbourhood<u8>) -> i16 {
    src.at(1, 0) as i16 - src.at(-1, 0) as i16
}

/// 255 where the element's magnitude is above `level`, and 0 elsewhere.
#[kernel(step(16, 1))]
pub fn beyond(x: i16, #[uniform(0..=255)] level: i16) -> u8 {
    if x > level || x < -level { 255 } else { 0 }
}

/// `fold` of every type.
pub static FOLD: Family = Family::new("fold", &[code_of::<fold<u8>>(), code_of::<fold<i16>>()]);

/// Marks where the image changes by more than `level` from left to right: one kernel, which stores no slopes.
#[pipeline]
pub fn edges(src: &Tensor<u8>, #[uniform(0..=255)] level: i16) -> Result<Tensor<u8>, Error> {
    let slopes = slope::apply(src, Border::Replicate)?;
    beyond::apply(&slopes, level)
}

windrow_pymodule::python! {
    module: own_kernels,
    kernels: [fold<u8>, fold<i16>, slope, beyond],
    families: [FOLD],
    pipelines: [
        /// Marks where the image changes by more than `level` from left to right.
        edges(src: &Tensor<u8>, level: i16),
    ],
}
