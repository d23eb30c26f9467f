//! Kernels of one's own as a Python module: `pip install ./python/examples/own_kernels` builds it.

use windrow::{
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

/// `fold` of every type.
pub static FOLD: Family = Family::new("fold", &[code_of::<fold<u8>>(), code_of::<fold<i16>>()]);

windrow_pymodule::python! {
    module: own_kernels,
    kernels: [fold<u8>, fold<i16>, slope],
    families: [FOLD],
}
