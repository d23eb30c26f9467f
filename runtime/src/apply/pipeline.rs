//! What the functions that `#[pipeline]` writes hand over: a chain, and the images that it runs on.

use core::ops::RangeInclusive;

use crate::{
    apply::{
        images::{Allocate, Readable, Writable},
        space::{Arguments, Space},
    },
    element::{Element, Primitive, Scalar},
    error::{InvalidConfiguration, any::Error},
    function::{ChainBuilder, FunctionError},
};

/// Makes output `index` of a chain in the kind of `first`, the first image that it reads.
///
/// # Errors
/// Memory ran out, or an image of this kind doesn't have such a shape.
#[doc(hidden)]
pub fn allocate_output<T: Element, A: Allocate<T>>(
    first: &A,
    chain: &ChainBuilder,
    index: usize,
) -> Result<A::Image, Error> {
    let infos = chain.infer();
    let outputs = || FunctionError::ImageCount { outputs: true, found: infos.len(), expected: index + 1 };
    first.allocate(infos.get(index).ok_or_else(outputs)?)
}

/// Runs a chain on images of the space `S`, where they lie.
///
/// # Errors
/// As [`Space::run_chain`].
#[doc(hidden)]
pub fn run_chain<S: Space>(
    chain: ChainBuilder,
    inputs: &[&dyn Readable<Space = S>],
    outputs: &mut [&mut dyn Writable<Space = S>],
) -> Result<(), Error> {
    let infos = chain.infer();
    S::run_chain(chain, Arguments { inputs, tables: &[], outputs: &mut *outputs })?;
    for (output, info) in outputs.iter_mut().zip(infos) {
        output.written(info.valid_region())?;
    }
    Ok(())
}

/// A number that a pipeline's author may declare a range of.
#[doc(hidden)]
pub trait Bounded: Copy + PartialOrd {
    /// Returns it as errors show it.
    fn scalar(self) -> Scalar;
}

impl<T: Primitive + PartialOrd> Bounded for T {
    fn scalar(self) -> Scalar {
        self.into()
    }
}

impl Bounded for usize {
    /// The greatest number of 32 bits stands for all that are greater.
    fn scalar(self) -> Scalar {
        Scalar::U32(u32::try_from(self).unwrap_or(u32::MAX))
    }
}

/// Checks a value of a pipeline against the range that its author declared.
///
/// # Errors
/// [`InvalidConfiguration::OutOfBounds`].
#[doc(hidden)]
pub fn check_bounds<T: Bounded>(argument: &'static str, value: T, range: RangeInclusive<T>) -> Result<(), Error> {
    if range.contains(&value) {
        return Ok(());
    }
    let [found, least, greatest] = [value, *range.start(), *range.end()].map(T::scalar);
    Err(InvalidConfiguration::OutOfBounds { argument, found, least, greatest }.into())
}
