//! Models whose nodes have numbers that other nodes compute, once the extents of the inputs are fixed.

use std::borrow::Cow;

use super::evaluate::{MOST, evaluated};
use crate::{
    budget::Budget,
    custom,
    error::PlanError,
    model::{Constant, Elements, Model, Node, ValueId},
    onnx,
    operator::Operator,
    shape::{self, Inputs},
};

/// The model with what is known of its numbers: nodes that make them are gone, and those that read them say what they compute.
pub(crate) fn resolved<'m>(model: &'m Model, budget: &mut Budget) -> Result<Cow<'m, Model>, PlanError> {
    if !model.nodes.iter().any(|node| is_open(model, node)) {
        return Ok(Cow::Borrowed(model));
    }
    let mut model = model.clone();
    let (needed, nodes) = (model.needed(), std::mem::take(&mut model.nodes));
    let mut resolve = Resolve::new(model);
    for (node, _) in nodes.into_iter().zip(needed).filter(|(_, needed)| *needed) {
        resolve.node(node, budget)?;
    }
    Ok(Cow::Owned(resolve.model))
}

/// Whether a node makes numbers, or waits for some.
fn is_open(model: &Model, node: &Node) -> bool {
    let is_of_ints =
        |value: &ValueId| matches!(model.values[value.0].constant, Some(Constant { elements: Elements::Ints(_), .. }));
    let opens = matches!(
        node.operator,
        Operator::Later(_) | Operator::Shape { .. } | Operator::Size | Operator::Fill(_) | Operator::Range
    );
    opens || !node.inputs.is_empty() && node.inputs.iter().flatten().all(is_of_ints)
}

struct Resolve {
    model: Model,
    extents: Vec<Option<Vec<usize>>>,
}

impl Resolve {
    fn new(model: Model) -> Resolve {
        let constant = |value: &crate::model::Value| value.constant.as_ref().map(|constant| constant.extents.clone());
        let mut extents: Vec<_> = model.values.iter().map(constant).collect();
        for input in &model.inputs {
            let declared = model.values[input.0].declared.as_ref();
            extents[input.0] = declared.and_then(|declared| declared.iter().copied().collect());
        }
        Resolve { model, extents }
    }

    fn constant(&self, value: Option<ValueId>) -> Option<&Constant> {
        self.model.values[value?.0].constant.as_ref()
    }

    fn node(&mut self, mut node: Node, budget: &mut Budget) -> Result<(), PlanError> {
        if let Operator::Later(later) = &node.operator {
            let constant = |input: usize| self.constant(node.input(input));
            let found = onnx::known(later, &node.name, &constant);
            let found =
                found.map_err(|error| PlanError::Numbers { node: node.name.clone(), reason: error.to_string() })?;
            if !matches!(found, Operator::Other(_)) {
                node.operator = found;
            }
        }
        let inputs = Inputs {
            extents: node.inputs.iter().map(|value| self.extents[(*value)?.0].as_deref()).collect(),
            constants: node.inputs.iter().map(|value| self.constant(*value)).collect(),
        };
        let is_known = node.inputs.iter().flatten().all(|value| self.extents[value.0].is_some());
        let Some(output) = node.outputs.first().copied().flatten().filter(|_| is_known) else {
            self.model.nodes.push(node);
            return Ok(());
        };
        if let Some(constant) = evaluated(&node.operator, &inputs) {
            // Integers of 64 bits.
            budget.bytes(
                &node.name,
                MOST.min(crate::model::count(&constant.extents).unwrap_or(MOST)).saturating_mul(8),
            )?;
            self.extents[output.0] = Some(constant.extents.clone());
            self.model.values[output.0].constant = Some(constant);
            return Ok(());
        }
        let found = match &node.operator {
            Operator::Custom(custom) => {
                let tensors = custom::tensors(&node, &self.model, &self.extents);
                tensors.and_then(|tensors| custom.call(&tensors)).ok().map(|(_, extents)| extents)
            }
            operator => shape::infer(operator, &inputs).ok(),
        };
        self.extents[output.0] = found.filter(|extents| shape::check(extents).is_ok());
        self.model.nodes.push(node);
        Ok(())
    }
}
