//! What is known of a model's values before anything runs: their shapes, and which of them never change.

use windrow::ElementType;

use crate::{
    budget::Budget,
    custom,
    error::{PlanError, Unsupported},
    model::{Constant, Model, Node, Quantization, ValueId},
    operator::Operator,
    scale::{Unscaled, scaled},
    shape::{self, Inputs, Wrong},
};

/// Shapes and constants of a model.
#[derive(Debug)]
pub(crate) struct Analysis<'m> {
    pub model: &'m Model,
    /// `None` for what a node writes that can't be computed, and for what depends on that.
    pub extents: Vec<Option<Vec<usize>>>,
    /// Of the model's constants and of what views make of them.
    pub constants: Vec<Option<Constant>>,
    /// The nodes that are left: those that outputs depend on and that aren't constant.
    pub nodes: Vec<usize>,
    /// How many nodes that outputs depend on, and outputs, read each value.
    pub readers: Vec<usize>,
    /// Nodes whose operators are not known.
    pub unsupported: Vec<Unsupported>,
}

impl<'m> Analysis<'m> {
    /// `budget` is for what is made of constants here.
    pub fn new(model: &'m Model, budget: &mut Budget) -> Result<Analysis<'m>, PlanError> {
        let count = model.values.len();
        let mut analysis = Analysis {
            model,
            extents: vec![None; count],
            constants: model.values.iter().map(|value| value.constant.clone()).collect(),
            nodes: Vec::new(),
            readers: vec![0; count],
            unsupported: Vec::new(),
        };
        analysis.start()?;
        let needed = model.needed();
        for index in (0..model.nodes.len()).filter(|&index| needed[index]) {
            analysis.node(index, budget)?;
        }
        analysis.count_readers(&needed);
        Ok(analysis)
    }

    pub fn name(&self, value: ValueId) -> &'m str {
        &self.model.values[value.0].name
    }

    pub fn constant(&self, value: ValueId) -> Option<&Constant> {
        self.constants[value.0].as_ref()
    }

    /// The type of a value's elements.
    pub fn element(&self, value: ValueId) -> ElementType {
        self.model.values[value.0].element
    }

    /// What a value's integers stand for.
    pub fn quantization(&self, value: ValueId) -> Option<&'m Quantization> {
        self.model.values[value.0].quantization.as_ref()
    }

    /// The extents of a value that a node reads; of a node that is left all inputs have some.
    pub fn extents(&self, value: ValueId) -> &[usize] {
        self.extents[value.0].as_deref().unwrap_or_default()
    }

    fn start(&mut self) -> Result<(), PlanError> {
        for (extents, constant) in self.extents.iter_mut().zip(&self.constants) {
            *extents = constant.as_ref().map(|constant| constant.extents.clone());
        }
        for &input in &self.model.inputs {
            let value = self.name(input).to_owned();
            let declared = self.model.values[input.0].declared.as_ref();
            let fixed = declared.and_then(|extents| extents.iter().copied().collect::<Option<Vec<usize>>>());
            let fixed = fixed.ok_or_else(|| PlanError::OpenInput { value: value.clone() })?;
            let found = format!("{fixed:?}");
            shape::check(&fixed).map_err(|rule| PlanError::Shape {
                node: "the model".to_owned(),
                value,
                found,
                rule,
            })?;
            self.extents[input.0] = Some(fixed);
        }
        Ok(())
    }

    fn node(&mut self, index: usize, budget: &mut Budget) -> Result<(), PlanError> {
        let node = &self.model.nodes[index];
        if let Operator::Other(reason) = node.operator() {
            let (node, operator) = (node.name.clone(), node.kind.clone());
            self.unsupported.push(Unsupported { node, operator, reason: reason.clone() });
            return Ok(());
        }
        if node.inputs.iter().flatten().any(|input| self.extents[input.0].is_none()) {
            // What a node before it writes is not known.
            return Ok(());
        }
        if let Some(reason) = unknown(&node.operator) {
            let (node, operator) = (node.name.clone(), node.kind.clone());
            self.unsupported.push(Unsupported { node, operator, reason: reason.to_owned() });
            return Ok(());
        }
        let Some(output) = node.outputs.first().copied().flatten() else { return Ok(()) };
        let of = |value: &Option<ValueId>| value.map(|value| self.extents(value));
        let constant = |value: &Option<ValueId>| self.constant((*value)?);
        let inputs = Inputs {
            extents: node.inputs.iter().map(of).collect(),
            constants: node.inputs.iter().map(constant).collect(),
        };
        let checked = |extents: Vec<usize>| match shape::check(&extents) {
            Ok(()) => Ok(extents),
            Err(rule) => Err(Wrong { input: 0, rule }),
        };
        let extents = match &node.operator {
            Operator::Custom(custom) => {
                let called = custom::tensors(node, self.model, &self.extents).and_then(|tensors| custom.call(&tensors));
                Ok(called.map_err(|error| PlanError::custom(node, error))?.1)
            }
            operator => shape::infer(operator, &inputs),
        };
        let extents = extents.and_then(checked).map_err(|wrong| self.wrong(node, wrong))?;
        let view = is_view(&node.operator).then(|| node.input(0)).flatten().and_then(|input| self.constant(input));
        if let Operator::Scale { axis } = node.operator {
            match scaled(self, node, axis, budget) {
                Ok(constant) => self.constants[output.0] = Some(constant),
                Err(Unscaled::Failed(error)) => return Err(error),
                Err(Unscaled::Refused(reason)) => {
                    let (node, operator) = (node.name.clone(), node.kind.clone());
                    self.unsupported.push(Unsupported { node, operator, reason: reason.to_owned() });
                    return Ok(());
                }
            }
        } else if let Some(constant) = view {
            let elements = constant.elements.clone();
            self.constants[output.0] = Some(Constant { extents: extents.clone(), elements });
        } else {
            self.nodes.push(index);
        }
        self.extents[output.0] = Some(extents);
        Ok(())
    }

    fn wrong(&self, node: &Node, wrong: Wrong) -> PlanError {
        let value = node.input(wrong.input);
        PlanError::Shape {
            node: node.name.clone(),
            value: value.map_or_else(|| format!("input {}", wrong.input), |value| self.name(value).to_owned()),
            found: value.map_or_else(|| "no shape".to_owned(), |value| format!("{:?}", self.extents(value))),
            rule: wrong.rule,
        }
    }

    /// A node whose second output is read is one that nothing computes.
    fn count_readers(&mut self, needed: &[bool]) {
        let nodes = self.model.nodes.iter().zip(needed).filter(|(_, needed)| **needed).map(|(node, _)| node);
        for &value in nodes.clone().flat_map(|node| node.inputs.iter().flatten()).chain(&self.model.outputs) {
            self.readers[value.0] += 1;
        }
        for node in nodes.filter(|node| !matches!(node.operator, Operator::Other(_))) {
            let mut others = node.outputs.iter().skip(1).flatten();
            if others.any(|output| self.readers[output.0] > 0) {
                let (node, operator) = (node.name.clone(), node.kind.clone());
                let reason = "more than its first output is read".to_owned();
                self.unsupported.push(Unsupported { node, operator, reason });
            }
        }
    }
}

/// Whether an operator gives the same elements another shape, in the same order.
pub(crate) fn is_view(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::Reshape { .. }
            | Operator::Flatten { .. }
            | Operator::Squeeze(_)
            | Operator::Unsqueeze(_)
            | Operator::Identity
    )
}

/// Why nothing computes an operator of numbers that are not known before the network runs.
fn unknown(operator: &Operator) -> Option<&str> {
    match operator {
        Operator::Later(later) => Some(&later.reason),
        Operator::Shape { .. } | Operator::Size | Operator::Fill(_) | Operator::Range => {
            Some("its numbers are not known before the network runs, or are too many")
        }
        _ => None,
    }
}
