//! Layers: nodes, and what is folded into them.
//!
//! A normalisation of channels, and a factor or a summand for each of them, become part of the weights and the bias of the
//! convolution before it, or of the normalisation before it, computed in 64 bits.

use std::collections::HashMap;

use crate::{
    analysis::Analysis,
    budget::Budget,
    error::PlanError,
    model::{Node, ValueId},
    operator::Operator,
};

/// A node as it is planned.
#[derive(Debug)]
pub(crate) struct Layer<'m> {
    pub node: &'m Node,
    /// What it writes: that of the last node folded into it.
    pub output: ValueId,
    /// What is folded into it.
    pub affine: Option<Affine>,
}

/// x · scale + shift, for each channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affine {
    pub scale: Vec<f64>,
    pub shift: Vec<f64>,
}

/// The layers of a model, in order.
pub(crate) fn layers<'m>(analysis: &Analysis<'m>, budget: &mut Budget) -> Result<Vec<Layer<'m>>, PlanError> {
    let nodes = &analysis.model.nodes;
    let mut reader: HashMap<ValueId, usize> = HashMap::new();
    for &index in &analysis.nodes {
        nodes[index].inputs.iter().flatten().for_each(|&input| {
            reader.insert(input, index);
        });
    }
    let (mut layers, mut folded) = (Vec::new(), vec![false; nodes.len()]);
    for &index in &analysis.nodes {
        let Some(output) = nodes[index].outputs.first().copied().flatten().filter(|_| !folded[index]) else { continue };
        let mut layer = Layer { node: &nodes[index], output, affine: None };
        while let Some(next) = only_reader(analysis, &layer, &reader) {
            let Some(output) = nodes[next].outputs.first().copied().flatten() else { break };
            let channels = analysis.extents(layer.output).get(1).copied().unwrap_or(0);
            let Some(affine) = affine(analysis, &nodes[next], layer.output, channels, budget)? else { break };
            layer.affine = Some(match layer.affine.take() {
                None => affine,
                Some(before) => before.then(&affine),
            });
            (layer.output, folded[next]) = (output, true);
        }
        layers.push(layer);
    }
    Ok(layers)
}

/// The node that alone reads what a convolution or a normalisation by constants writes.
fn only_reader(analysis: &Analysis<'_>, layer: &Layer<'_>, reader: &HashMap<ValueId, usize>) -> Option<usize> {
    let is_constant = |input: usize| layer.node.input(input).is_none_or(|input| analysis.constant(input).is_some());
    let is_foldable = match layer.node.operator {
        Operator::Convolution { .. } => (1..=2).all(is_constant),
        Operator::BatchNormalization { .. } => (1..=4).all(is_constant),
        _ => false,
    };
    (is_foldable && analysis.readers[layer.output.0] == 1).then(|| reader.get(&layer.output).copied()).flatten()
}

/// What a node does to each channel of `value`, where that is all it does.
pub(crate) fn affine(
    analysis: &Analysis<'_>,
    node: &Node,
    value: ValueId,
    channels: usize,
    budget: &mut Budget,
) -> Result<Option<Affine>, PlanError> {
    let is_add = match node.operator {
        Operator::BatchNormalization { epsilon } if node.input(0) == Some(value) => {
            return normalization(analysis, node, epsilon, channels, budget);
        }
        Operator::Add => true,
        Operator::Multiply => false,
        _ => return Ok(None),
    };
    let [Some(a), Some(b)] = node.inputs[..] else { return Ok(None) };
    let other = if a == value { b } else { a };
    let Some(constant) = analysis.constant(other) else { return Ok(None) };
    // `[channel, 1, 1]`, or with images in front.
    let is_one_each = matches!(*constant.extents, [c, 1, 1] | [1, c, 1, 1] if c == channels);
    if !is_one_each {
        return Ok(None);
    }
    let elements = channel_elements(analysis, node, other, channels, budget)?;
    Ok(Some(if is_add {
        Affine { scale: vec![1.0; channels], shift: elements }
    } else {
        Affine { shift: vec![0.0; channels], scale: elements }
    }))
}

fn normalization(
    analysis: &Analysis<'_>,
    node: &Node,
    epsilon: f32,
    channels: usize,
    budget: &mut Budget,
) -> Result<Option<Affine>, PlanError> {
    let mut parameters = Vec::new();
    for input in 1..=4 {
        let Some(input) = node.input(input).filter(|&input| analysis.constant(input).is_some()) else {
            return Ok(None);
        };
        parameters.push(channel_elements(analysis, node, input, channels, budget)?);
    }
    let [scale, shift, mean, variance] = &parameters[..] else { return Ok(None) };
    let of = |c: usize| scale[c] / (variance[c] + f64::from(epsilon)).sqrt();
    let scale: Vec<f64> = (0..channels).map(of).collect();
    let shift = (0..channels).map(|c| shift[c] - mean[c] * scale[c]).collect();
    Ok(Some(Affine { scale, shift }))
}

/// The elements of a constant that has one for each channel.
fn channel_elements(
    analysis: &Analysis<'_>,
    node: &Node,
    value: ValueId,
    channels: usize,
    budget: &mut Budget,
) -> Result<Vec<f64>, PlanError> {
    // Twice floats of 64 bits, and floats for constants that are filled.
    budget.floats(analysis.name(value), channels.saturating_mul(5))?;
    let unread = |reason: &str| PlanError::Constant {
        node: node.name.clone(),
        value: analysis.name(value).to_owned(),
        reason: reason.to_owned(),
    };
    let constant = analysis.constant(value).ok_or_else(|| unread("which is no constant"))?;
    let floats = constant.floats().map_err(unread)?;
    Ok(floats.iter().map(|&float| f64::from(float)).collect())
}

impl Affine {
    /// This, and then another.
    pub fn then(&self, next: &Affine) -> Affine {
        let scale = self.scale.iter().zip(&next.scale).map(|(own, next)| own * next).collect();
        let shifted = self.shift.iter().zip(&next.scale).zip(&next.shift);
        Affine { scale, shift: shifted.map(|((shift, scale), next)| shift * scale + next).collect() }
    }
}
