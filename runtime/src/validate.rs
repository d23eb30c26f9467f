//! Checks everything about a configuration that can be known without data: shapes, types, borders, uniforms, choices.
//!
//! The checks are ordinary code over [`KernelSpec`]; each is a named rule, and reports the argument that breaks it.

use crate::{
    arguments::MAX_ARGUMENTS,
    border::{Border, Borders},
    bounds::check_words,
    element::ElementType,
    error::InvalidConfiguration,
    infer::{Inferred, images, infer_with_outputs},
    info::TensorInfo,
    spec::KernelSpec,
    uniform::MAX_WORDS,
};

/// Everything that a kernel is configured with.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The images read, in argument order; an `#[inout]` argument is an output.
    pub inputs: &'a [&'a TensorInfo],
    /// The images written, in order; `None` for one left out.
    pub outputs: &'a [Option<&'a TensorInfo>],
    /// The words of the uniforms, in argument order (see [`crate::uniform::Uniform`]).
    pub words: &'a [u32],
    /// The number of the value chosen for each variant.
    pub choice: &'a [u32],
    /// What reads outside the images find: a border for all of them, or for each.
    pub border: Borders,
}

/// Returns whether `spec` can be configured so; what follows from the images read, if it can.
pub fn validate(spec: &'static KernelSpec, request: &Request<'_>) -> Result<Inferred, InvalidConfiguration> {
    check_limits(spec)?;
    let inferred = infer_with_outputs(spec, request.inputs, request.outputs, request.words, request.border.modes())?;
    check_border_constant(spec, request.border)?;
    check_words(spec, request.words)?;
    check_choice(spec, request.choice)?;
    Ok(inferred)
}

/// A kernel's arguments and words must fit what a run holds.
fn check_limits(spec: &'static KernelSpec) -> Result<(), InvalidConfiguration> {
    let tables = tables(spec).count();
    for found in [images(spec).count(), tables, spec.outputs.len(), variants(spec).count()] {
        if found > MAX_ARGUMENTS {
            return Err(InvalidConfiguration::TooManyArguments { kernel: spec.name, found });
        }
    }
    let found = spec.words.uniforms as usize + spec.words.derived as usize;
    if found > MAX_WORDS {
        return Err(InvalidConfiguration::TooManyWords { kernel: spec.name, found, greatest: MAX_WORDS });
    }
    Ok(())
}

/// A border constant must be a value of every input with a neighbourhood.
fn check_border_constant(spec: &'static KernelSpec, borders: Borders) -> Result<(), InvalidConfiguration> {
    for (index, (argument, input)) in images(spec).enumerate() {
        let Border::Constant(found) = borders.of(index) else { continue };
        if input.neighbourhood() != Default::default() && found.to_element(input.element).is_none() {
            return Err(InvalidConfiguration::BorderConstant { argument, found, expected: input.element });
        }
    }
    Ok(())
}

/// Each variant must be given one of its values.
fn check_choice(spec: &'static KernelSpec, choice: &[u32]) -> Result<(), InvalidConfiguration> {
    let expected = variants(spec).count();
    if choice.len() != expected {
        return Err(InvalidConfiguration::ChoiceCount { kernel: spec.name, found: choice.len(), expected });
    }
    for ((argument, values), &found) in variants(spec).zip(choice) {
        if found as usize >= values.len() {
            return Err(InvalidConfiguration::Choice { argument, found, values: values.len() });
        }
    }
    Ok(())
}

/// The variants of a kernel, in argument order, with their values.
pub(crate) fn variants(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    spec.variants()
}

/// The tables of a kernel, in argument order.
pub(crate) fn tables(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, ElementType, u32)> {
    spec.tables()
}
