//! The stages of a chain in another chain.

use std::{vec, vec::Vec};

use super::{builder::ChainBuilder, error::FunctionError, value::Value};

/// [`ChainBuilder::append`].
pub(super) fn append(
    chain: &mut ChainBuilder,
    other: ChainBuilder,
    inputs: &[Value],
) -> Result<Vec<Value>, FunctionError> {
    let (found, expected) = (inputs.len(), other.inputs);
    if found != expected {
        return Err(FunctionError::ImageCount { outputs: false, found, expected });
    }
    // In the order in which they were made: what a stage reads comes before what it writes.
    let mut renamed: Vec<Option<Value>> = vec![None; other.values.len()];
    for (index, def) in other.values.iter().enumerate() {
        if renamed[index].is_some() {
            continue;
        }
        renamed[index] = match (def.input, def.view, def.writer) {
            (Some(input), ..) => inputs.get(input).copied(),
            (None, Some((of, view)), _) => {
                let of = renamed[of].ok_or(FunctionError::ForeignValue)?;
                Some(chain.view(of, Ok(view))?)
            }
            (None, None, Some(stage)) => {
                append_stage(chain, &other, stage, &mut renamed)?;
                renamed[index]
            }
            (None, None, None) => None,
        };
    }
    other.outputs.iter().map(|&output| renamed[output].ok_or(FunctionError::ForeignValue)).collect()
}

fn append_stage(
    chain: &mut ChainBuilder,
    other: &ChainBuilder,
    stage: usize,
    renamed: &mut [Option<Value>],
) -> Result<(), FunctionError> {
    let (wiring, operator) = &other.stages[stage];
    let known = |index: usize| renamed[index].ok_or(FunctionError::ForeignValue);
    let images = wiring.images.iter().map(|&image| known(image)).collect::<Result<Vec<_>, _>>()?;
    let tables = wiring.kept.renamed(&|value| renamed[value.index]).ok_or(FunctionError::ForeignValue)?;
    let uniforms = wiring.uniforms.iter().map(|edge| Ok((edge.need.name.as_str(), known(edge.value)?)));
    let uniforms = uniforms.collect::<Result<Vec<_>, FunctionError>>()?;
    let written = chain.push(operator.clone(), &images, tables, &uniforms)?;
    for (output, value) in wiring.outputs.iter().flatten().zip(written) {
        renamed[*output] = Some(value);
    }
    Ok(())
}
