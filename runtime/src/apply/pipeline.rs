//! What the functions that `#[pipeline]` writes hand over: a chain, and the images that it runs on.

use core::ops::RangeInclusive;

use crate::{
    apply::{
        images::{AllocateLike, Readable, Writable},
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
pub fn allocate_output<T: Element, S: AllocateLike<I, T>, I>(
    first: &I,
    chain: &ChainBuilder,
    index: usize,
) -> Result<S::Image, Error> {
    let infos = chain.infer();
    let outputs = || FunctionError::ImageCount { outputs: true, found: infos.len(), expected: index + 1 };
    S::allocate(first, infos.get(index).ok_or_else(outputs)?)
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

/// A value of a pipeline whose author may declare a range of numbers for it: a number, or an array of them.
#[doc(hidden)]
pub trait Bounded<Number> {
    /// Returns the first number that lies outside a range, as errors show it, with the ends of the range.
    fn outside(&self, range: &RangeInclusive<Number>) -> Option<[Scalar; 3]>;
}

impl<T: Primitive + PartialOrd> Bounded<T> for T {
    fn outside(&self, range: &RangeInclusive<T>) -> Option<[Scalar; 3]> {
        (!range.contains(self)).then(|| [*self, *range.start(), *range.end()].map(T::into))
    }
}

impl Bounded<usize> for usize {
    fn outside(&self, range: &RangeInclusive<usize>) -> Option<[Scalar; 3]> {
        // The greatest number of 32 bits stands for all that are greater.
        let scalar = |number: usize| Scalar::U32(u32::try_from(number).unwrap_or(u32::MAX));
        (!range.contains(self)).then(|| [*self, *range.start(), *range.end()].map(scalar))
    }
}

impl<Number, T: Bounded<Number>, const N: usize> Bounded<Number> for [T; N] {
    fn outside(&self, range: &RangeInclusive<Number>) -> Option<[Scalar; 3]> {
        self.iter().find_map(|element| element.outside(range))
    }
}

/// Checks a value of a pipeline against the range that its author declared.
///
/// # Errors
/// [`InvalidConfiguration::OutOfBounds`].
#[doc(hidden)]
pub fn check_bounds<Number>(
    argument: &'static str,
    value: &impl Bounded<Number>,
    range: RangeInclusive<Number>,
) -> Result<(), Error> {
    match value.outside(&range) {
        Some([found, least, greatest]) => {
            Err(InvalidConfiguration::OutOfBounds { argument, found, least, greatest }.into())
        }
        None => Ok(()),
    }
}
