//! The bounds of uniforms, and the relations that are declared between them.

use crate::{
    element::Scalar,
    error::InvalidConfiguration,
    float_environment::DefaultFloats,
    spec::{KernelSpec, Relation, RequireSpec, RequireTerm, UniformSpec},
};

/// Uniforms must keep their bounds and the relations that are declared between them.
pub(crate) fn check_words(spec: &'static KernelSpec, words: &[u32]) -> Result<(), InvalidConfiguration> {
    let _floats = DefaultFloats::set_for(spec);
    check_uniforms(spec, words)?;
    spec.requires.iter().try_for_each(|require| check_require(spec, require, words))
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

/// The uniforms of a kernel, in argument order.
pub(crate) fn uniforms(spec: &'static KernelSpec) -> impl Iterator<Item = (&'static str, &'static UniformSpec)> {
    spec.uniforms()
}

/// The scalars of a uniform, rows first.
fn scalars(uniform: &UniformSpec, words: &[u32]) -> impl Iterator<Item = Scalar> {
    let (first, element) = (uniform.word as usize, uniform.element);
    let count = uniform.dims.iter().product::<u32>() as usize;
    words.iter().skip(first).take(count).map(move |&word| Scalar::from_word(element, word))
}
