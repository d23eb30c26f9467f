//! The edges of a stage that are checked: tables and uniforms, kept with the chain or computed by an earlier stage, and outputs in
//! the place of inputs.

use std::vec::Vec;

use super::{
    builder::ChainBuilder,
    error::{FunctionError, OperatorError},
    operator::{Alias, Operator, TableSpec},
    stage::{TableEdge, UniformEdge},
    tables::ChainTables,
    value::{Value, holds},
};
use crate::{arguments::AnyTable, element::ElementType, info::TensorInfo};

/// Tables must be of the types and lengths that the operator looks up.
pub(super) fn table_edges(
    chain: &ChainBuilder,
    stage: &str,
    operator: &dyn Operator,
    given: &ChainTables,
) -> Result<Vec<TableEdge>, FunctionError> {
    let specs = operator.tables();
    let (found, expected) = (given.each().len(), specs.len());
    if found != expected {
        return Err(FunctionError::of_stage(stage, OperatorError::TableCount { found, expected }));
    }
    let mut edges = Vec::new();
    for (spec, table) in specs.into_iter().zip(given.each()) {
        let value = match table {
            Ok(value) => {
                let info = chain.info(value)?;
                if !holds(&info, spec.element, spec.length) {
                    return Err(computed(stage, &spec.name, value.index, &info, spec.length, spec.element));
                }
                Some(value.index)
            }
            Err(table) if (table.element, table.length) == (spec.element, spec.length) => None,
            Err(AnyTable { element: found_element, length: found, .. }) => {
                let TableSpec { name: argument, element: expected_element, length: expected } = spec;
                let error = OperatorError::Table { argument, found, found_element, expected, expected_element };
                return Err(FunctionError::of_stage(stage, error));
            }
        };
        edges.push(TableEdge { spec, value });
    }
    Ok(edges)
}

/// Uniforms that are values must be of the types and lengths that the operator has.
pub(super) fn uniform_edges(
    chain: &ChainBuilder,
    stage: &str,
    operator: &dyn Operator,
    given: &[(&str, Value)],
) -> Result<Vec<UniformEdge>, FunctionError> {
    let needs = operator.uniforms();
    let mut edges = Vec::new();
    for (name, value) in given {
        let found = needs.iter().enumerate().find(|(_, need)| need.name == *name);
        let missing = || FunctionError::NoUniform { stage: stage.into(), uniform: (*name).into() };
        let (index, need) = found.ok_or_else(missing)?;
        let info = chain.info(*value)?;
        if !holds(&info, need.element, need.length) {
            return Err(computed(stage, name, value.index, &info, need.length, need.element));
        }
        edges.push(UniformEdge { index, need: need.clone(), value: value.index });
    }
    Ok(edges)
}

fn computed(
    stage: &str,
    argument: &str,
    value: usize,
    info: &TensorInfo,
    expected: usize,
    expected_element: ElementType,
) -> FunctionError {
    let found = std::format!("{} of {}×{}", info.shape(), info.dtype(), info.channels());
    FunctionError::Computed { stage: stage.into(), argument: argument.into(), value, found, expected, expected_element }
}

/// An output that is computed in the place of an input has its memory and its elements: no other has, and it is of one type and shape.
pub(super) fn check_aliases(
    aliases: &[Alias],
    inputs: &[TensorInfo],
    outputs: &[Option<TensorInfo>],
) -> Result<(), OperatorError> {
    for (index, &Alias { output, input }) in aliases.iter().enumerate() {
        let refused = |rule: &str| OperatorError::Input {
            argument: std::format!("output {output}"),
            found: std::format!("computed in the place of input {input}"),
            rule: rule.into(),
        };
        let (Some(read), Some(written)) = (inputs.get(input), outputs.get(output)) else {
            return Err(refused("the operator has no such image"));
        };
        if aliases[..index].iter().any(|other| other.output == output || other.input == input) {
            return Err(refused("one of them is another's already"));
        }
        if written
            .is_some_and(|written| !written.is_plain(read.dtype(), read.channels()) || written.shape() != read.shape())
        {
            return Err(refused("their types or shapes differ"));
        }
    }
    Ok(())
}
