//! Layers: nodes, and what is folded into them.
//!
//! A normalisation of channels, and a factor or a summand for each of them, become part of the weights and the bias of the
//! convolution before it, or of the normalisation before it, computed in 64 bits. What is then added to a convolution or a product, and
//! what bounds it, is computed with it, element by element, with the same bits.

use std::collections::{HashMap, HashSet};

use crate::{
    analysis::Analysis,
    budget::Budget,
    error::PlanError,
    fused::{Fused, Fusion},
    model::{Node, ValueId},
    operator::{Operator, Padding, Pads, Window},
    shape::padded,
};

/// A node as it is planned.
#[derive(Debug)]
pub(crate) struct Layer<'m> {
    pub node: &'m Node,
    /// What it writes: that of the last node folded into it.
    pub output: ValueId,
    /// What is folded into it.
    pub affine: Option<Affine>,
    /// What is added to each element that it computes: another value of its extents, which an earlier layer has written.
    pub added: Option<ValueId>,
    /// The greatest that it may be then, where it is nothing below zero.
    pub upper: Option<f32>,
    /// The image that it reads, and the zeros around that: above, on the left, below and on the right.
    pub image: Option<(ValueId, [usize; 4])>,
    /// The nodes that are part of it, in the order of the above.
    pub fused: Vec<Fused>,
}

impl<'m> Layer<'m> {
    /// A node that writes a value, with nothing folded into it.
    pub fn new(node: &'m Node, output: ValueId) -> Layer<'m> {
        Layer { node, output, affine: None, added: None, upper: None, image: None, fused: Vec::new() }
    }

    /// Keeps that another node is part of this.
    fn fuse(&mut self, node: &Node, how: Fusion) {
        self.fused.push(Fused { node: node.name.clone(), operator: node.kind.clone(), how });
    }

    /// The windows of a convolution over the image that it reads.
    pub fn padded(&self, window: &Window) -> Window {
        let mut window = window.clone();
        if let (Some((_, zeros)), Pads::Explicit(pads)) = (self.image, &mut window.pads) {
            pads.iter_mut().zip(zeros).for_each(|(pad, zeros)| *pad += zeros);
        }
        window
    }
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
    let mut written: HashSet<ValueId> = analysis.model.inputs.iter().copied().collect();
    let mut images: HashMap<ValueId, (&Node, (ValueId, [usize; 4]))> = HashMap::new();
    for &index in &analysis.nodes {
        let Some(output) = nodes[index].outputs.first().copied().flatten().filter(|_| !folded[index]) else { continue };
        if let Some(image) = zeros(analysis, &nodes[index], output, &reader) {
            images.insert(output, (&nodes[index], image));
            continue;
        }
        let mut layer = Layer::new(&nodes[index], output);
        if let Some((pad, image)) = nodes[index].input(0).and_then(|input| images.get(&input)) {
            layer.image = Some(*image);
            layer.fuse(pad, Fusion::Padded);
        }
        while let Some(next) = only_reader(analysis, &layer, &reader) {
            let Some(output) = nodes[next].outputs.first().copied().flatten() else { break };
            let channels = analysis.extents(layer.output).get(1).copied().unwrap_or(0);
            let Some(affine) = affine(analysis, &nodes[next], layer.output, channels, budget)? else { break };
            layer.affine = Some(match layer.affine.take() {
                None => affine,
                Some(before) => before.then(&affine),
            });
            layer.fuse(&nodes[next], Fusion::Folded);
            (layer.output, folded[next]) = (output, true);
        }
        follow(analysis, &mut layer, &reader, &written, &mut folded);
        written.insert(layer.output);
        layers.push(layer);
    }
    Ok(layers)
}

/// The image and the zeros that a node puts around it, where a convolution alone reads them and can do so itself.
fn zeros(
    analysis: &Analysis<'_>,
    node: &Node,
    output: ValueId,
    reader: &HashMap<ValueId, usize>,
) -> Option<(ValueId, [usize; 4])> {
    let [top, left, bottom, right] = around_image(&node.operator)?;
    let next = &analysis.model.nodes[*reader.get(&output).filter(|_| analysis.readers[output.0] == 1)?];
    let Operator::Convolution { window, .. } = &next.operator else { return None };
    let sums = |pads: [usize; 4]| pads.iter().zip([top, left, bottom, right]).all(|(pad, zeros)| pad + zeros <= MOST);
    let is_theirs = matches!(window.pads, Pads::Explicit(pads) if sums(pads));
    let keeps_scale = node.input(0).is_some_and(|input| analysis.quantization(input) == analysis.quantization(output));
    (keeps_scale && next.input(0) == Some(output) && is_theirs).then_some((node.input(0)?, [top, left, bottom, right]))
}

/// The zeros that a node puts around rows and columns alone: above, on the left, below, on the right.
pub(crate) fn around_image(operator: &Operator) -> Option<[usize; 4]> {
    let Operator::Pad { pads, axes, with: Padding::Number(value) } = operator else { return None };
    let [[0, 0], [0, 0], [top, bottom], [left, right]] = padded(pads, axes.as_deref(), 4).ok()?[..] else {
        return None;
    };
    let zeros = [top, left, bottom, right].map(|pad| usize::try_from(pad).ok());
    let [Some(top), Some(left), Some(bottom), Some(right)] = zeros else { return None };
    (value.to_bits() == 0).then_some([top, left, bottom, right])
}

/// Zeros around an image that a convolution can take for its own.
const MOST: usize = 255;

/// Takes an addition and a bound that follow a convolution or a product into its layer, and a bound that follows a normalisation.
fn follow(
    analysis: &Analysis<'_>,
    layer: &mut Layer<'_>,
    reader: &HashMap<ValueId, usize>,
    written: &HashSet<ValueId>,
    folded: &mut [bool],
) {
    let is_quantized = analysis.quantization(layer.output).is_some();
    let (is_sum, is_bounded) = match layer.node.operator {
        Operator::Convolution { .. } | Operator::Product { .. } | Operator::Matrices if is_quantized => (false, true),
        Operator::Add | Operator::Multiply | Operator::AveragePool { .. } | Operator::MaxPool(_) => {
            (false, is_quantized)
        }
        Operator::Convolution { .. } => (!is_depthwise(analysis, layer.node), true),
        Operator::Product { .. } => (true, true),
        Operator::BatchNormalization { .. } => (false, true),
        _ => (false, false),
    };
    let next = |layer: &Layer<'_>| {
        let index = (analysis.readers[layer.output.0] == 1).then(|| reader.get(&layer.output)).flatten()?;
        let node = &analysis.model.nodes[*index];
        Some((*index, node, node.outputs.first().copied().flatten()?))
    };
    if let Some((index, node, output)) = next(layer).filter(|_| is_sum)
        && let (Operator::Add, [Some(a), Some(b)]) = (&node.operator, &node.inputs[..])
        && let other = if *a == layer.output { *b } else { *a }
        && written.contains(&other)
        && analysis.extents(other) == analysis.extents(layer.output)
    {
        layer.fuse(node, Fusion::Added);
        (layer.output, layer.added, folded[index]) = (output, Some(other), true);
    }
    if let Some((index, node, output)) = next(layer).filter(|_| is_bounded)
        && let Some(upper) = bound(&node.operator)
        && analysis.quantization(output) == analysis.quantization(layer.output)
    {
        layer.fuse(node, Fusion::Bounded);
        (layer.output, layer.upper, folded[index]) = (output, Some(upper), true);
    }
}

/// The greatest that is left, of a node that makes everything below zero zero.
pub(crate) fn bound(operator: &Operator) -> Option<f32> {
    match *operator {
        Operator::Relu => Some(f32::INFINITY),
        Operator::Clip { lower, upper } => (lower.to_bits() == 0 && upper >= 0.0).then_some(upper),
        _ => None,
    }
}

/// Whether a convolution has as many groups as channels and as outputs.
pub(crate) fn is_depthwise(analysis: &Analysis<'_>, node: &Node) -> bool {
    let Operator::Convolution { groups, .. } = node.operator else { return false };
    let weights = node.input(1).map(|weights| analysis.extents(weights));
    matches!(weights, Some(&[outputs, 1, _, _]) if outputs == groups)
}

/// The node that alone reads what a convolution or a normalisation by constants writes.
fn only_reader(analysis: &Analysis<'_>, layer: &Layer<'_>, reader: &HashMap<ValueId, usize>) -> Option<usize> {
    let is_constant = |input: usize| layer.node.input(input).is_none_or(|input| analysis.constant(input).is_some());
    let is_foldable = match layer.node.operator {
        Operator::Convolution { .. } => (1..=2).all(is_constant),
        Operator::BatchNormalization { .. } => (1..=4).all(is_constant),
        _ => false,
    };
    let is_float = analysis.quantization(layer.output).is_none();
    (is_foldable && is_float && analysis.readers[layer.output.0] == 1)
        .then(|| reader.get(&layer.output).copied())
        .flatten()
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
