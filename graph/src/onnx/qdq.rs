//! What is computed of floats between integers, computed of the integers: a node that reads what `DequantizeLinear` writes, and whose result
//! alone `QuantizeLinear` reads.
//!
//! Nodes that only move elements, and the greatest of some, are the same of integers as of what they stand for: there, `DequantizeLinear` goes
//! behind the node. Whatever else has no operator of integers stays as it is, and is computed of floats.

use std::collections::HashMap;

use windrow::ElementType;

use super::types::moves;
use crate::{
    fold::bound,
    model::{Constant, Elements, Model, Node, Quantization, Value, ValueId, count},
    operator::{Axes, Operator, Reduction},
    scaling::Shifted,
    shape::dimension,
};

/// Has nodes between integers compute with these.
pub(super) fn fold(model: &mut Model) {
    if !model.nodes.iter().any(|node| matches!(node.operator, Operator::Dequantize)) {
        return;
    }
    let mut fold = Fold::new(model);
    for index in 0..fold.old.len() {
        let Some(node) = fold.old[index].take() else { continue };
        fold.node(node);
    }
    model.nodes = fold.nodes;
}

/// What follows a node, up to the integers.
struct Rest {
    /// A bound, which has no step of its own.
    bound: Option<usize>,
    /// The node that makes integers.
    quantize: usize,
    /// What that writes.
    output: ValueId,
    quantization: Quantization,
}

/// Has a node write another value first.
fn set_output(node: &mut Node, output: ValueId) {
    if let Some(first) = node.outputs.first_mut() {
        *first = Some(output);
    }
}

struct Fold<'m> {
    values: &'m mut Vec<Value>,
    /// The nodes that are left, in order, and those that are not looked at yet.
    nodes: Vec<Node>,
    old: Vec<Option<Node>>,
    /// The node that writes each value, of those that are looked at.
    writers: Vec<Option<usize>>,
    /// How many nodes and outputs read each value, and the last node.
    readers: Vec<(usize, Option<usize>)>,
    /// Constants with what they stand for, by the floats that they would be.
    constants: HashMap<ValueId, ValueId>,
}

impl<'m> Fold<'m> {
    fn new(model: &'m mut Model) -> Fold<'m> {
        let mut readers = vec![(0, None); model.values.len()];
        model.outputs.iter().for_each(|output| readers[output.0].0 += 1);
        for (index, node) in model.nodes.iter().enumerate() {
            for input in node.inputs.iter().flatten() {
                readers[input.0] = (readers[input.0].0 + 1, Some(index));
            }
        }
        let old = std::mem::take(&mut model.nodes).into_iter().map(Some).collect();
        let (nodes, writers) = (Vec::new(), vec![None; model.values.len()]);
        Fold { values: &mut model.values, nodes, old, writers, readers, constants: HashMap::new() }
    }

    fn node(&mut self, mut node: Node) {
        let mut behind = None;
        if matches!(node.operator, Operator::Quantize { .. }) {
            self.cancel(&mut node);
        } else if !moves(&node.operator) {
            self.compute(&mut node);
        } else if !self.join(&mut node) {
            behind = self.swap(&mut node);
        }
        self.push(node);
        behind.into_iter().for_each(|node| self.push(node));
    }

    fn push(&mut self, node: Node) {
        for output in node.outputs.iter().flatten() {
            self.writers.resize(self.values.len().max(self.writers.len()), None);
            self.writers[output.0] = Some(self.nodes.len());
        }
        self.nodes.push(node);
    }

    fn add(&mut self, value: Value) -> ValueId {
        self.values.push(value);
        ValueId(self.values.len() - 1)
    }

    fn writer(&self, value: ValueId) -> Option<&Node> {
        self.nodes.get((*self.writers.get(value.0)?)?)
    }

    /// The integers that a value of floats is made of.
    fn integers(&self, value: Option<ValueId>) -> Option<ValueId> {
        let writer = self.writer(value?)?;
        (writer.operator == Operator::Dequantize).then(|| writer.input(0)).flatten()
    }

    fn quantization(&self, value: ValueId) -> Option<&Quantization> {
        self.values[value.0].quantization.as_ref()
    }

    /// The scale and the zero that all of an activation's integers have.
    fn scale(&self, value: ValueId) -> Option<f32> {
        self.quantization(value)?.scales.first().copied()
    }

    /// The nodes behind one, of which each alone reads what is before it.
    fn rest(&self, node: &Node, is_bounded: bool) -> Option<Rest> {
        let next = |value: ValueId| match self.readers.get(value.0)? {
            (1, Some(index)) => Some((*index, self.old.get(*index)?.as_ref()?)),
            _ => None,
        };
        let first = |node: &Node| node.outputs.first().copied().flatten();
        let (mut index, mut found) = next(first(node)?)?;
        let mut between = None;
        if is_bounded && bound(&found.operator).is_some() {
            between = Some(index);
            (index, found) = next(first(found)?)?;
        }
        if !matches!(found.operator, Operator::Quantize { .. }) {
            return None;
        }
        let output = first(found)?;
        let quantization = self.quantization(output)?.clone();
        Some(Rest { bound: between, quantize: index, output, quantization })
    }

    /// Has a node write the integers that are made of what it writes.
    fn write(&mut self, node: &mut Node, rest: Rest) {
        self.old[rest.quantize] = None;
        match rest.bound.and_then(|index| self.old[index].as_mut()) {
            None => set_output(node, rest.output),
            Some(bound) => {
                set_output(bound, rest.output);
                if let Some(between) = node.outputs.first().copied().flatten() {
                    let value = &mut self.values[between.0];
                    (value.element, value.quantization) = (ElementType::I8, Some(rest.quantization));
                }
            }
        }
    }

    /// Integers that are made of what the same integers stand for are these.
    fn cancel(&mut self, node: &mut Node) {
        let Some(integers) = self.integers(node.input(0)) else { return };
        let output = node.outputs.first().copied().flatten();
        if output.is_some_and(|output| self.quantization(output) == self.quantization(integers)) {
            node.operator = Operator::Identity;
            node.inputs = vec![Some(integers)];
        }
    }

    /// Moves integers, and gives the node behind that makes floats of them.
    fn swap(&mut self, node: &mut Node) -> Option<Node> {
        let is_joined = matches!(node.operator, Operator::Concatenate { .. });
        let count = if is_joined { node.inputs.len() } else { 1 };
        let found = node.inputs.iter().take(count).map(|&input| self.integers(input)).collect::<Option<Vec<_>>>()?;
        let quantization = self.quantization(*found.first()?)?.clone();
        let output = (*node.outputs.first()?)?;
        if found.iter().any(|&value| self.quantization(value) != Some(&quantization)) {
            return None;
        }
        let name = self.values[output.0].name.clone();
        let value = Value { element: ElementType::I8, quantization: Some(quantization), ..Value::new(&name) };
        let integers = self.add(value);
        node.inputs.iter_mut().zip(found).for_each(|(input, found)| *input = Some(found));
        set_output(node, integers);
        Some(Node {
            name,
            kind: "DequantizeLinear".to_owned(),
            operator: Operator::Dequantize,
            inputs: vec![Some(integers)],
            outputs: vec![Some(output)],
            is_added: false,
        })
    }

    /// Joins integers of several scales, each of which is brought to that of what is joined before.
    fn join(&mut self, node: &mut Node) -> bool {
        if !matches!(node.operator, Operator::Concatenate { .. }) {
            return false;
        }
        let found = node.inputs.iter().map(|&input| self.integers(input)).collect::<Option<Vec<_>>>();
        let (Some(found), Some(rest)) = (found, self.rest(node, false)) else { return false };
        for (input, found) in node.inputs.iter_mut().zip(found) {
            if self.quantization(found) == Some(&rest.quantization) {
                *input = Some(found);
                continue;
            }
            // There may be many parts: they do not have the node's name, however long it is.
            let quantization = Some(rest.quantization.clone());
            let part = self.add(Value { element: ElementType::I8, quantization, ..Value::new("a part") });
            self.push(Node {
                name: "a part".to_owned(),
                kind: "QuantizeLinear".to_owned(),
                operator: Operator::Quantize { to_even: true },
                inputs: vec![*input],
                outputs: vec![Some(part)],
                is_added: true,
            });
            *input = Some(part);
        }
        self.write(node, rest);
        true
    }

    /// Has a node compute with integers where the library has an operator for that.
    fn compute(&mut self, node: &mut Node) {
        let is_bounded = !matches!(node.operator, Operator::Reduction { .. });
        let Some(rest) = self.rest(node, is_bounded) else { return };
        let inputs = match node.operator {
            Operator::Convolution { .. } => self.sums(node, 4, 0),
            Operator::Product { alpha, beta, transposed: [false, turned] } => {
                // Factors of sums are none of the scales'.
                let is_plain = alpha == 1.0 && (beta == 1.0 || node.input(2).is_none());
                is_plain.then(|| self.sums(node, 2, if turned { 0 } else { 1 })).flatten()
            }
            Operator::Matrices => self.sums(node, 2, 1),
            Operator::Add => self.summands(node).filter(|found| self.are_near(found, &rest)),
            Operator::Multiply => self.summands(node),
            Operator::Reduction { by: Reduction::Mean, axes: Axes::OfImage, keeps: true } => {
                self.integers(node.input(0)).map(|image| vec![Some(image)])
            }
            _ => None,
        };
        let Some(inputs) = inputs else { return };
        node.inputs = inputs;
        if let Operator::Product { beta, .. } = &mut node.operator {
            *beta = 1.0;
        }
        self.write(node, rest);
    }

    /// What sums of products read: an activation, weights of a rank with their outputs along a dimension, and a bias.
    fn sums(&mut self, node: &Node, rank: usize, outputs: usize) -> Option<Vec<Option<ValueId>>> {
        let image = self.integers(node.input(0))?;
        self.scale(image)?;
        let weights = self.weights(node.input(1)?, rank, outputs)?;
        let count = *self.values[weights.0].constant.as_ref()?.extents.get(outputs)?;
        let mut inputs = vec![Some(image), Some(weights)];
        if let Some(bias) = node.input(2) {
            inputs.push(Some(self.bias(bias, count)?));
        }
        Some(inputs)
    }

    /// The integers of two tensors, of which one may be constant.
    fn summands(&mut self, node: &Node) -> Option<Vec<Option<ValueId>>> {
        let &[a, b] = &node.inputs[..] else { return None };
        let mut found = Vec::new();
        for input in [a, b] {
            let integers = self.integers(input).or_else(|| self.constant(input?))?;
            self.scale(integers)?;
            found.push(Some(integers));
        }
        Some(found)
    }

    /// Whether scales are near enough that sums can be made of integers.
    fn are_near(&self, found: &[Option<ValueId>], rest: &Rest) -> bool {
        let scale = |at: usize| self.scale((*found.get(at)?)?);
        let (Some(a), Some(b), Some(out)) = (scale(0), scale(1), rest.quantization.scales.first()) else {
            return false;
        };
        Shifted::new([a / out, b / out]).is_some()
    }

    fn constant_of(&self, value: Option<ValueId>) -> Option<&Constant> {
        self.values[value?.0].constant.as_ref()
    }

    /// The scales that a constant is made floats by, where they are above zero: one, or one for each element along a dimension.
    fn scales(&self, node: &Node, axis: i64, along: usize, extents: &[usize]) -> Option<std::sync::Arc<[f32]>> {
        let Elements::Floats(scales) = &self.constant_of(node.input(1))?.elements else { return None };
        let is_along = dimension(axis, extents.len()).is_ok_and(|axis| axis == along);
        let fits = scales.len() == 1 || is_along && extents.get(along) == Some(&scales.len());
        (fits && scales.iter().all(|scale| scale.is_normal() && *scale > 0.0)).then(|| scales.clone())
    }

    /// Weights as integers whose zero is 0.
    fn weights(&mut self, floats: ValueId, rank: usize, outputs: usize) -> Option<ValueId> {
        let node = self.writer(floats)?;
        let Operator::Scale { axis } = node.operator else { return None };
        let constant = self.constant_of(node.input(0))?;
        let is_zero = match node.input(2) {
            None => true,
            zeros => match &self.constant_of(zeros)?.elements {
                Elements::Bytes(zeros) => zeros.iter().all(|&zero| zero == 0),
                _ => false,
            },
        };
        let is_plain = is_zero && node.input(3).is_none() && constant.extents.len() == rank;
        if !is_plain || !matches!(constant.elements, Elements::Bytes(_)) {
            return None;
        }
        let quantization = Quantization { scales: self.scales(node, axis, outputs, &constant.extents)?, zero: 0 };
        Some(self.quantized(floats, constant.clone(), Some(quantization)))
    }

    /// A tensor of integers with one scale and zero.
    fn constant(&mut self, floats: ValueId) -> Option<ValueId> {
        let node = self.writer(floats)?;
        let (Operator::Scale { .. }, None) = (&node.operator, node.input(3)) else { return None };
        let zero = match node.input(2) {
            None => 0,
            zeros => match &self.constant_of(zeros)?.elements {
                Elements::Bytes(zeros) if zeros.len() == 1 => zeros[0],
                _ => return None,
            },
        };
        let constant = self.constant_of(node.input(0))?;
        let scales = self.scales(node, 0, usize::MAX, &constant.extents)?;
        if constant.extents.len() > crate::shape::MAX_RANK || !matches!(constant.elements, Elements::Bytes(_)) {
            return None;
        }
        Some(self.quantized(floats, constant.clone(), Some(Quantization { scales, zero })))
    }

    /// A bias of one number for each output: integers with their scale or in the unit of the sums, or floats.
    fn bias(&mut self, floats: ValueId, outputs: usize) -> Option<ValueId> {
        let is_row = |constant: &Constant| {
            let extents = &constant.extents[..];
            extents.len() <= 2 && extents.last() == Some(&outputs) && count(extents) == Some(outputs)
        };
        if let Some(constant) = self.constant_of(Some(floats)) {
            let is_known = matches!(&constant.elements, Elements::Floats(floats) if floats.len() == outputs);
            return (is_known && is_row(constant)).then_some(floats);
        }
        let node = self.writer(floats)?;
        let Operator::Scale { axis } = node.operator else { return None };
        let constant = self.constant_of(node.input(0)).filter(|constant| is_row(constant))?;
        let is_zero = match node.input(2) {
            None => true,
            zeros => {
                matches!(&self.constant_of(zeros)?.elements, Elements::Ints(zeros) if zeros.iter().all(|&z| z == 0))
            }
        };
        if !is_zero || !matches!(constant.elements, Elements::Ints(_)) {
            return None;
        }
        let last = constant.extents.len().checked_sub(1)?;
        // The product of two scales is that of the operands', which is the unit.
        let quantization = match node.input(3) {
            Some(_) => None,
            None => Some(Quantization { scales: self.scales(node, axis, last, &constant.extents)?, zero: 0 }),
        };
        Some(self.quantized(floats, constant.clone(), quantization))
    }

    /// The value of a constant's integers, which is one for all that read its floats.
    fn quantized(&mut self, floats: ValueId, constant: Constant, quantization: Option<Quantization>) -> ValueId {
        if let Some(&found) = self.constants.get(&floats) {
            return found;
        }
        let is_bytes = matches!(constant.elements, Elements::Bytes(_));
        let element = if is_bytes { ElementType::I8 } else { ElementType::F32 };
        let name = self.values[floats.0].name.clone();
        let found = self.add(Value { constant: Some(constant), element, quantization, ..Value::new(&name) });
        self.constants.insert(floats, found);
        found
    }
}
