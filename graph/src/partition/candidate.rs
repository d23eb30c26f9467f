//! What a target may ask of a node.

use windrow::ElementType;

use super::is_identity;
use crate::{
    analysis::Analysis,
    model::{Node, ValueId},
    operator::Operator,
};

/// The nodes of a model, with those that are taken already.
pub(super) struct Graph<'a> {
    analysis: &'a Analysis<'a>,
    is_needed: Vec<bool>,
    /// Of values: whether they are the same in every run, what writes them, and what alone reads them.
    is_constant: Vec<bool>,
    writer: Vec<Option<usize>>,
    reader: Vec<Option<usize>>,
    is_taken: Vec<bool>,
}

impl<'a> Graph<'a> {
    pub fn new(analysis: &'a Analysis<'a>) -> Graph<'a> {
        let model = analysis.model;
        let is_needed = model.needed();
        let values = model.values.len();
        let (mut writer, mut reader) = (vec![None; values], vec![None; values]);
        let mut is_constant: Vec<bool> = analysis.constants.iter().map(Option::is_some).collect();
        for (index, node) in model.nodes.iter().enumerate().filter(|(index, _)| is_needed[*index]) {
            let of_constants = node.inputs.iter().flatten().all(|input| is_constant[input.0]);
            for output in node.outputs.iter().flatten() {
                (writer[output.0], is_constant[output.0]) = (Some(index), of_constants);
            }
            for input in node.inputs.iter().flatten() {
                reader[input.0] = (analysis.readers[input.0] == 1).then_some(index);
            }
        }
        let is_taken = vec![false; model.nodes.len()];
        Graph { analysis, is_needed, is_constant, writer, reader, is_taken }
    }

    /// Whether a node is one that a target is asked for.
    pub fn counts(&self, index: usize) -> bool {
        let node = &self.analysis.model.nodes[index];
        let is_constant = node.outputs.iter().flatten().all(|output| self.is_constant[output.0]);
        self.is_needed[index] && !node.is_added && !is_constant && !is_identity(node) && !self.bounds_nothing(node)
    }

    /// Whether a node bounds integers of 8 bits none of which lies outside.
    fn bounds_nothing(&self, node: &Node) -> bool {
        let [lower, upper] = match node.operator {
            Operator::Relu => [0.0, f32::INFINITY],
            Operator::Clip { lower, upper } => [lower, upper],
            _ => return false,
        };
        let of = node.outputs.first().copied().flatten().and_then(|output| self.analysis.quantization(output));
        let Some(scales) = of.filter(|of| of.scales.len() == 1) else { return false };
        // Scales are rounded: the nearest integer is what bounds.
        let integer = |bound: f32| (bound / scales.scales[0]).round() + f32::from(scales.zero);
        integer(lower) <= f32::from(i8::MIN) && f32::from(i8::MAX) <= integer(upper)
    }

    pub fn is_taken(&self, node: usize) -> bool {
        self.is_taken[node]
    }

    pub fn take(&mut self, nodes: &[usize]) {
        nodes.iter().for_each(|&node| self.is_taken[node] = true);
    }

    pub fn candidate(&self, index: usize) -> Candidate<'_> {
        Candidate { graph: self, index }
    }

    /// A node with as many before and behind it, as far as there are such.
    pub fn around(&self, index: usize, before: usize, behind: usize) -> Vec<usize> {
        let steps = |count: usize, next: fn(&Candidate<'_>) -> Option<usize>| {
            std::iter::successors(Some(index), move |&index| next(&self.candidate(index))).skip(1).take(count)
        };
        let mut nodes: Vec<usize> = steps(before, |node| node.before().map(|node| node.index)).collect();
        nodes.reverse();
        nodes.push(index);
        nodes.extend(steps(behind, |node| node.behind().map(|node| node.index)));
        nodes
    }
}

/// A node that a target is asked for, and what is around it.
#[derive(Clone, Copy)]
pub struct Candidate<'p> {
    graph: &'p Graph<'p>,
    index: usize,
}

impl<'p> Candidate<'p> {
    /// Returns the node.
    pub fn node(&self) -> &'p Node {
        &self.graph.analysis.model.nodes[self.index]
    }

    /// Returns how many inputs the node has; those at the end may be left out.
    pub fn inputs(&self) -> usize {
        self.node().inputs.len()
    }

    /// Returns the extents of an input, of an image `[image, channel, row, column]`; `None` for one that is left out, or whose extents are
    /// not known as an operator before it is not.
    pub fn extents(&self, input: usize) -> Option<&'p [usize]> {
        self.graph.analysis.extents[self.node().input(input)?.0].as_deref()
    }

    /// Returns the type of an input's elements; `None` for one that is left out.
    pub fn element(&self, input: usize) -> Option<ElementType> {
        Some(self.graph.analysis.element(self.node().input(input)?))
    }

    /// Returns the type of the elements that the node writes.
    pub fn output_element(&self) -> Option<ElementType> {
        Some(self.graph.analysis.element(self.output()?))
    }

    /// Returns how many scales an input of integers has: one, or one for each output of weights; 0 for what has none.
    pub fn scales(&self, input: usize) -> usize {
        let value = self.node().input(input);
        value.and_then(|value| self.graph.analysis.quantization(value)).map_or(0, |found| found.scales.len())
    }

    /// Returns whether an input is the same in every run; not for one that is left out.
    pub fn is_constant(&self, input: usize) -> bool {
        self.node().input(input).is_some_and(|value| self.graph.is_constant[value.0])
    }

    /// Returns whether two inputs are one value.
    pub fn is_same(&self, input: usize, other: usize) -> bool {
        self.node().input(input).is_some_and(|value| self.node().input(other) == Some(value))
    }

    /// Returns the one number that an input is in every run; `None` for any other.
    pub fn number(&self, input: usize) -> Option<f32> {
        let constant = self.graph.analysis.constant(self.node().input(input)?)?;
        if crate::model::count(&constant.extents) != Some(1) {
            return None;
        }
        constant.floats().ok()?.first().copied()
    }

    /// Returns the node that writes the first input, where this node alone reads that and no part has it.
    pub fn before(&self) -> Option<Candidate<'p>> {
        let input = self.node().input(0).filter(|input| self.graph.reader[input.0].is_some())?;
        self.free(self.graph.writer[input.0])
    }

    /// Returns the node that alone reads what this node writes, where no part has it.
    pub fn behind(&self) -> Option<Candidate<'p>> {
        self.free(self.graph.reader[self.output()?.0])
    }

    fn output(&self) -> Option<ValueId> {
        self.node().outputs.first().copied().flatten()
    }

    fn free(&self, index: Option<usize>) -> Option<Candidate<'p>> {
        let index = index.filter(|&index| !self.graph.is_taken[index])?;
        Some(Candidate { index, ..*self })
    }
}

impl std::fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Candidate").field(self.node()).finish()
    }
}
