//! Checks everything about a configuration that can be known without data: shapes, types, borders, uniforms, choices.
//!
//! The checks are ordinary code over [`KernelSpec`]; each is a named rule, and reports the argument that breaks it.

use crate::{
    arguments::MAX_ARGUMENTS,
    border::{Border, Borders},
    element::{ElementType, Scalar},
    error::InvalidConfiguration,
    float_environment::DefaultFloats,
    infer::{Inferred, images, infer_with_outputs},
    info::TensorInfo,
    spec::{KernelSpec, Relation, RequireSpec, RequireTerm, UniformSpec},
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

/// Uniforms must keep their bounds and the relations that are declared between them.
pub(crate) fn check_words(spec: &'static KernelSpec, words: &[u32]) -> Result<(), InvalidConfiguration> {
    let _floats = DefaultFloats::set_for(spec);
    check_uniforms(spec, words)?;
    spec.requires.iter().try_for_each(|require| check_require(spec, require, words))
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

/// Every scalar of a uniform must keep its bounds (a float with bounds is no NaN), every array its sum of magnitudes.
fn check_uniforms(spec: &'static KernelSpec, words: &[u32]) -> Result<(), InvalidConfiguration> {
    let expected = spec.words.uniforms as usize;
    if words.len() != expected {
        return Err(InvalidConfiguration::Words { kernel: spec.name, found: words.len(), expected });
    }
    for (argument, uniform) in uniforms(spec) {
        check_bounds(argument, uniform, words)?;
        check_sum(argument, uniform, words)?;
    }
    Ok(())
}

fn check_bounds(argument: &'static str, uniform: &UniformSpec, words: &[u32]) -> Result<(), InvalidConfiguration> {
    let Some((least, greatest)) = uniform.bounds else { return Ok(()) };
    for found in scalars(uniform, words) {
        let value = found.to_f64();
        if !(least.to_f64() <= value && value <= greatest.to_f64()) {
            return Err(InvalidConfiguration::OutOfBounds { argument, found, least, greatest });
        }
    }
    Ok(())
}

fn check_sum(argument: &'static str, uniform: &UniformSpec, words: &[u32]) -> Result<(), InvalidConfiguration> {
    let Some(greatest) = uniform.sum_of_magnitudes else { return Ok(()) };
    let found: f64 = scalars(uniform, words).map(|scalar| magnitude(scalar.to_f64())).sum();
    if found <= greatest as f64 {
        return Ok(());
    }
    Err(InvalidConfiguration::SumOfMagnitudes { argument, found, greatest })
}

fn magnitude(value: f64) -> f64 {
    if value < 0.0 { -value } else { value }
}

/// A declared relation between uniforms must hold.
fn check_require(
    spec: &'static KernelSpec,
    require: &'static RequireSpec,
    words: &[u32],
) -> Result<(), InvalidConfiguration> {
    let value = |term: &RequireTerm| match term {
        RequireTerm::Constant(value) => *value,
        RequireTerm::Uniform(name) => uniforms(spec)
            .find(|(argument, _)| argument == name)
            .and_then(|(_, uniform)| scalars(uniform, words).next())
            .unwrap_or(Scalar::F32(f32::NAN)),
    };
    let (left, right) = (value(&require.left), value(&require.right));
    let (l, r) = (left.to_f64(), right.to_f64());
    let holds = match require.relation {
        Relation::Less => l < r,
        Relation::LessEqual => l <= r,
        Relation::Equal => l == r,
        Relation::GreaterEqual => l >= r,
        Relation::Greater => l > r,
    };
    if holds {
        return Ok(());
    }
    Err(InvalidConfiguration::Requirement { kernel: spec.name, text: require.text, left, right })
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

/// The uniforms of a kernel, in argument order.
pub(crate) fn uniforms(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static UniformSpec)> {
    spec.uniforms()
}

/// The variants of a kernel, in argument order, with their values.
pub(crate) fn variants(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    spec.variants()
}

/// The tables of a kernel, in argument order.
pub(crate) fn tables(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, ElementType, u32)> {
    spec.tables()
}

/// The scalars of a uniform, rows first.
fn scalars(uniform: &UniformSpec, words: &[u32]) -> impl Iterator<Item = Scalar> {
    let (first, element) = (uniform.word as usize, uniform.element);
    let count = uniform.dims.iter().product::<u32>() as usize;
    words.iter().skip(first).take(count).map(move |&word| Scalar::from_word(element, word))
}
