//! What a kernel says of the extents of what it reads and writes: names that are said twice are equal, and the extents of the outputs
//! follow from names and uniforms.

use crate::{
    bounds::check_words,
    element::{ElementType, Scalar},
    error::InvalidConfiguration,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    spec::{Extent, KernelSpec},
};

/// The greatest extent of a tensor of which a kernel with a window reads or writes an element: places are exact as `f32`, and products
/// with small numbers fit an `i32`.
pub const MAX_WINDOW_EXTENT: usize = windrow_reference::limits::MAX_WINDOW_EXTENT;

/// Checks the extents of what is read: those of one name are equal, and none is too long for a kernel with a window.
pub(super) fn check_extents(spec: &'static KernelSpec, inputs: &[&TensorInfo]) -> Result<(), InvalidConfiguration> {
    for named in spec.extents {
        let Some((argument, found)) = named_extent(spec, inputs, (named.image, named.dimension)) else { continue };
        let first = spec.extents.iter().find(|other| other.name == named.name).unwrap_or(named);
        let Some((other, expected)) = named_extent(spec, inputs, (first.image, first.dimension)) else { continue };
        if found != expected {
            let name = named.name;
            return Err(InvalidConfiguration::Extent { argument, name, found, other, expected });
        }
    }
    if spec.window.is_none() {
        return Ok(());
    }
    let lengths = spec.read_images().zip(inputs).map(|((argument, _), info)| (argument, info.shape()));
    lengths.into_iter().try_for_each(|(argument, shape)| check_lengths(argument, shape))
}

/// The extents of the outputs of a kernel with a window; none of a kernel without. `words` are those of the uniforms.
pub(super) fn window_shape(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    words: &[u32],
) -> Result<Option<Shape>, InvalidConfiguration> {
    let Some(window) = spec.window else { return Ok(None) };
    if words.len() == spec.words.uniforms as usize {
        // A number that the extents are computed from may be what is wrong.
        check_words(spec, words)?;
    }
    let mut extents = [0; MAX_DIMENSIONS];
    let extents = extents.get_mut(..window.len()).unwrap_or_default();
    for (dimension, (extent, said)) in extents.iter_mut().zip(window).enumerate() {
        let found = value(spec, inputs, words, said)?;
        *extent = usize::try_from(found).ok().filter(|extent| (1..=MAX_WINDOW_EXTENT).contains(extent)).ok_or(
            InvalidConfiguration::WindowExtent { kernel: spec.name, dimension, found, greatest: MAX_WINDOW_EXTENT },
        )?;
    }
    let argument = spec.outputs.first().map_or(spec.name, |output| output.name);
    Shape::new(extents).map(Some).map_err(|error| InvalidConfiguration::Tensor { argument, error })
}

fn check_lengths(argument: &'static str, shape: Shape) -> Result<(), InvalidConfiguration> {
    match shape.extents().iter().position(|&extent| extent > MAX_WINDOW_EXTENT) {
        Some(dimension) => {
            let found = shape.extents()[dimension];
            Err(InvalidConfiguration::Long { argument, dimension, found, greatest: MAX_WINDOW_EXTENT })
        }
        None => Ok(()),
    }
}

/// An extent of an image that is read, by its place among these and its dimension counted from the innermost; and the image's name.
fn named_extent(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    (image, dimension): (u32, u32),
) -> Option<(&'static str, usize)> {
    let (argument, _) = spec.read_images().nth(image as usize)?;
    Some((argument, inputs.get(image as usize)?.shape().inner_extent(dimension as usize)))
}

/// What an extent comes to. Quotients are rounded down.
fn value(
    spec: &'static KernelSpec,
    inputs: &[&TensorInfo],
    words: &[u32],
    extent: &Extent,
) -> Result<i64, InvalidConfiguration> {
    let of = |extent: &Extent| value(spec, inputs, words, extent);
    let (result, operands) = match *extent {
        Extent::Number(number) => return Ok(number),
        Extent::Named { image, dimension } => {
            return Ok(named_extent(spec, inputs, (image, dimension)).map_or(0, |(_, extent)| extent as i64));
        }
        Extent::Uniform { element, word } => {
            let words_expected = InvalidConfiguration::NoWindow { kernel: spec.name };
            return words.get(word as usize).map(|word| integer(element, *word)).ok_or(words_expected);
        }
        Extent::Sum(a, b) => (i64::checked_add as fn(i64, i64) -> Option<i64>, [a, b]),
        Extent::Difference(a, b) => (i64::checked_sub as _, [a, b]),
        Extent::Product(a, b) => (i64::checked_mul as _, [a, b]),
        Extent::Quotient(a, b) => (quotient as _, [a, b]),
    };
    let [a, b] = [of(operands[0])?, of(operands[1])?];
    result(a, b).ok_or(InvalidConfiguration::WindowNumber { kernel: spec.name, left: a, right: b })
}

fn quotient(dividend: i64, divisor: i64) -> Option<i64> {
    if divisor > 0 { Some(dividend.div_euclid(divisor)) } else { None }
}

fn integer(element: ElementType, word: u32) -> i64 {
    match Scalar::from_word(element, word) {
        // The front end takes integers alone, of 32 bits at most.
        Scalar::F32(_) => 0,
        scalar => scalar.to_f64() as i64,
    }
}
