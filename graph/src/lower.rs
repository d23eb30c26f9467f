//! A model on its way to steps: where every value lies, and what computes it.

use std::collections::HashMap;

use windrow::{ElementType, TensorInfo, chain::Simple};

use crate::{
    analysis::Analysis,
    array::Array,
    budget::Budget,
    call::Call,
    error::PlanError,
    fold::Layer,
    fused::Fused,
    model::{Elements, ValueId, count},
    operator::Operator,
    prepare::Prepare,
    scaling::Engine,
    shape::dimension,
    slot::{CHANNELS_LAST, Root, Slot},
};

/// A step of a plan: what is read, what is written, and what computes it.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub node: String,
    /// The format's name of what the node computes.
    pub operator: String,
    /// The operator of the library.
    pub call: Call,
    /// What it computes of other nodes.
    pub fused: Vec<Fused>,
    pub reads: Vec<Slot>,
    pub writes: Slot,
    /// `None` for a copy.
    pub function: Option<Simple>,
}

/// Why a row of the table does not take a layer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Its operator does not compute this.
    Unsupported(String),
    /// Nothing can be planned.
    Failed(PlanError),
}

impl<E: Into<PlanError>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Failed(error.into())
    }
}

/// What refuses a layer with a sentence.
pub(crate) fn refused<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Unsupported(reason.into()))
}

/// A model on its way to a plan.
pub(crate) struct Lowering<'m> {
    pub analysis: Analysis<'m>,
    pub budget: Budget,
    pub engine: Engine,
    pub steps: Vec<Lowered>,
    pub constants: Vec<Array>,
    /// The type of the elements of each intermediate, and how many there are.
    pub buffers: Vec<(ElementType, usize)>,
    slots: Vec<Option<Slot>>,
    /// The first of the model's outputs that each value is.
    outputs: Vec<Option<usize>>,
    /// Values that are written where they are joined: the joined value, and where they begin along which dimension.
    parts: HashMap<ValueId, (ValueId, usize, usize)>,
    /// Images that with their channels last are one of the model's outputs.
    turned: HashMap<ValueId, usize>,
    /// Images with more channels than their values have, all of which are written: `[image, row, column, channel]`.
    roomy: Vec<Slot>,
}

impl<'m> Lowering<'m> {
    /// A model of which nothing is placed but its inputs.
    pub fn new(analysis: Analysis<'m>, budget: Budget, engine: Engine) -> Lowering<'m> {
        let slots = vec![None; analysis.extents.len()];
        let (steps, constants, buffers) = (Vec::new(), Vec::new(), Vec::new());
        let (parts, turned) = (HashMap::new(), HashMap::new());
        let (model, mut outputs, roomy) = (analysis.model, vec![None; analysis.extents.len()], Vec::new());
        model.outputs.iter().enumerate().rev().for_each(|(index, output)| outputs[output.0] = Some(index));
        let mut lowering =
            Lowering { analysis, budget, engine, steps, constants, buffers, slots, outputs, parts, turned, roomy };
        for (index, input) in model.inputs.iter().enumerate() {
            let slot = Slot::packed(Root::Input(index), lowering.analysis.extents(*input));
            lowering.slots[input.0] = Some(slot.of(lowering.analysis.element(*input)));
        }
        lowering
    }
}

impl Lowering<'_> {
    /// Where a value lies that is there: a constant is made one of the plan's.
    pub fn slot(&mut self, layer: &Layer<'_>, value: ValueId) -> Result<Slot, PlanError> {
        if let Some(slot) = &self.slots[value.0] {
            return Ok(slot.clone());
        }
        let name = self.analysis.name(value);
        let unread = |reason: &str| {
            let (node, value) = (layer.node.name.clone(), name.to_owned());
            PlanError::Constant { node, value, reason: reason.to_owned() }
        };
        let constant = self.analysis.constant(value).ok_or_else(|| unread("which nothing has written"))?;
        let array = match &constant.elements {
            Elements::Floats(floats) if !floats.is_empty() => Array::Floats(floats.clone()),
            Elements::Bytes(bytes) if !bytes.is_empty() => Array::Bytes(bytes.clone()),
            Elements::Ints(ints) if !ints.is_empty() => {
                self.budget.floats(name, ints.len())?;
                integers(ints, self.analysis.element(value))
                    .ok_or_else(|| unread("which holds integers beyond 32 bits"))?
            }
            _ => {
                self.budget.floats(name, count(&constant.extents).unwrap_or(usize::MAX))?;
                Array::Floats(constant.floats().map_err(unread)?.into())
            }
        };
        let extents = self.analysis.extents(value).to_vec();
        let slot = self.constant(array, &extents);
        self.slots[value.0] = Some(slot.clone());
        Ok(slot)
    }

    /// The slot of an input that must be there.
    pub fn input(&mut self, layer: &Layer<'_>, input: usize) -> Result<Slot, Refusal> {
        match layer.node.input(input) {
            Some(value) => Ok(self.slot(layer, value)?),
            None => refused(format!("input {input} is left out")),
        }
    }

    /// The slot of the image that a convolution reads.
    pub fn source(&mut self, layer: &Layer<'_>) -> Result<Slot, Refusal> {
        match layer.image {
            Some((image, _)) => Ok(self.slot(layer, image)?),
            None => self.input(layer, 0),
        }
    }

    /// A new constant of the plan, whose elements lie in C order.
    pub fn constant(&mut self, array: Array, extents: &[usize]) -> Slot {
        let element = array.element();
        self.constants.push(array);
        Slot::packed(Root::Constant(self.constants.len() - 1), extents).of(element)
    }

    /// A constant with its elements in C order; anything else as it is.
    pub fn in_order(&mut self, layer: &Layer<'_>, slot: Slot) -> Result<Slot, Refusal> {
        let Root::Constant(constant) = slot.root else { return Ok(slot) };
        if slot == slot.like(&slot.extents) {
            return Ok(slot);
        }
        let bytes = count(&slot.extents).unwrap_or(usize::MAX).saturating_mul(slot.element.size());
        self.budget.bytes(layer.node.name(), bytes)?;
        let array = self.constants[constant].gathered(&slot);
        Ok(self.constant(array, &slot.extents))
    }

    /// A new intermediate, its elements side by side.
    pub fn memory(&mut self, element: ElementType, extents: &[usize]) -> Slot {
        self.buffers.push((element, count(extents).unwrap_or(usize::MAX)));
        Slot::packed(Root::Memory(self.buffers.len() - 1), extents).of(element)
    }

    /// Says where a value lies.
    pub fn place(&mut self, value: ValueId, slot: Slot) {
        self.slots[value.0] = Some(slot);
    }

    /// Where a layer is to write: a tensor of the caller's, a part of what it is joined into, or memory of its own.
    ///
    /// What lies in the memory that the layer reads is not written; it is copied where it is joined.
    pub fn destination(&mut self, value: ValueId, reads: &[Slot]) -> Result<Slot, PlanError> {
        let (extents, element) = (self.analysis.extents(value).to_vec(), self.analysis.element(value));
        let mut slot = None;
        if let Some(&(joined, dimension, start)) = self.parts.get(&value) {
            let whole = match &self.slots[joined.0] {
                Some(slot) => slot.clone(),
                None => self.destination(joined, &[])?,
            };
            let is_apart = reads.iter().all(|read| read.root != whole.root);
            slot = is_apart.then(|| whole.part(dimension, start, extents[dimension]));
        } else if let Some(output) = self.outputs[value.0] {
            slot = Some(Slot::packed(Root::Output(output), &extents).of(element));
        } else if let Some(&output) = self.turned.get(&value) {
            slot = Some(Slot::packed(Root::Output(output), &extents).channels_last().of(element));
        }
        let slot = slot.unwrap_or_else(|| self.memory(element, &extents).channels_last());
        self.place(value, slot.clone());
        Ok(slot)
    }

    /// Where a layer is to write an image of few channels: `[image, row, column, channel]` with room for more of them, of which the first
    /// are the value's. `None` where it is to write into what another tensor is a part of.
    pub fn roomy_destination(&mut self, value: ValueId, channels: usize) -> Option<Slot> {
        let &[n, own, h, w] = self.analysis.extents(value) else { return None };
        if self.parts.contains_key(&value) || self.outputs[value.0].is_some() {
            return None;
        }
        let wide = self.memory(self.analysis.element(value), &[n, h, w, channels]);
        self.place(value, wide.permuted(&[0, 3, 1, 2]).part(1, 0, own));
        self.roomy.push(wide.clone());
        Some(wide)
    }

    /// An image, channels last, with the channels that lie behind its own, where there are this many in all.
    pub fn with_room(&self, image: &Slot, channels: usize) -> Option<Slot> {
        let wide = self.roomy.iter().find(|wide| wide.root == image.root)?;
        let is_whole = wide.extents[3] == channels && wide.part(3, 0, image.extents[3]) == *image;
        is_whole.then(|| wide.clone())
    }

    /// A constant whose last dimension has zeros behind its elements.
    pub fn widened(&mut self, layer: &Layer<'_>, slot: Slot, extent: usize) -> Result<Slot, Refusal> {
        let slot = self.in_order(layer, slot)?;
        let (Root::Constant(constant), Some(&own)) = (slot.root, slot.extents.last()) else {
            return refused("it is no constant");
        };
        let mut extents = slot.extents.clone();
        *extents.last_mut().unwrap_or(&mut 0) = extent;
        let bytes = count(&extents).unwrap_or(usize::MAX).saturating_mul(slot.element.size());
        self.budget.bytes(layer.node.name(), bytes)?;
        let array = self.constants[constant].widened(own, extent);
        Ok(self.constant(array, &extents))
    }

    /// Adds a step that an operator of the library computes.
    pub fn compute(&mut self, layer: &Layer<'_>, call: Call, reads: Vec<Slot>, writes: Slot) -> Result<(), Refusal> {
        let (reading, constants) = (&reads[..], &self.constants[..]);
        let prepare = Prepare { node: layer.node.name(), reads: reading, constants, budget: &mut self.budget };
        let function = prepare.call(&call, &writes)?;
        self.push(layer, call, reads, writes, function);
        Ok(())
    }

    /// Adds a step that copies; by way of another place where both lie in the same memory.
    pub fn copy(&mut self, layer: &Layer<'_>, from: Slot, to: Slot) {
        if from.root == to.root {
            let between = self.memory(from.element, &from.extents);
            self.push(layer, Call::copy {}, vec![from], between.clone(), None);
            self.push(layer, Call::copy {}, vec![between], to, None);
        } else {
            self.push(layer, Call::copy {}, vec![from], to, None);
        }
    }

    /// Adds a copy that a later step of the layer reads; which nodes are part of the layer is said of that one.
    pub fn copy_for(&mut self, layer: &Layer<'_>, from: Slot, to: Slot) {
        self.push(layer, Call::copy {}, vec![from], to, None);
        self.steps.last_mut().into_iter().for_each(|step| step.fused.clear());
    }

    /// Where a value lies, if that is said already.
    pub fn placed(&self, value: ValueId) -> Option<Slot> {
        self.slots[value.0].clone()
    }

    fn push(&mut self, layer: &Layer<'_>, call: Call, reads: Vec<Slot>, writes: Slot, function: Option<Simple>) {
        let (node, operator, fused) = (layer.node.name.clone(), layer.node.kind.clone(), layer.fused.clone());
        self.steps.push(Lowered { node, operator, call, fused, reads, writes, function });
    }

    /// A slot in another shape, copied where strides can't say it: an image to where its channels lie side by side.
    pub fn reshaped(&mut self, layer: &Layer<'_>, slot: &Slot, extents: &[usize]) -> Slot {
        if let Some(slot) = slot.reshaped(extents) {
            return slot;
        }
        let rows = self.memory(slot.element, extents);
        let image = rows.clone().channels_last();
        let (target, found) = match image.reshaped(&slot.extents) {
            Some(target) => (target, image),
            None => (rows.like(&slot.extents), rows),
        };
        self.copy(layer, slot.clone(), target);
        found
    }

    /// Finds what can be written where it is joined: what one layer computes or joins, that is joined once and no output of the model.
    /// So layers that join one value after another to those that they have read share one tensor. And finds images that are outputs once
    /// their channels are last, which is how they lie anyway.
    pub fn find_places(&mut self, layers: &[Layer<'_>]) {
        let is_computed = |layer: &&Layer<'_>| {
            !crate::analysis::is_view(&layer.node.operator) && !is_other_place(&layer.node.operator)
        };
        let computed: Vec<ValueId> = layers.iter().filter(is_computed).map(|layer| layer.output).collect();
        let computed: std::collections::HashSet<ValueId> = computed.into_iter().collect();
        for layer in layers {
            let is_last = |order: &[i64]| order.iter().eq(CHANNELS_LAST.map(|d| d as i64).iter());
            if let (Operator::Transpose(Some(order)), Some(output), Some(input)) =
                (&layer.node.operator, self.outputs[layer.output.0], layer.node.input(0))
                && is_last(order)
                && computed.contains(&input)
            {
                self.turned.entry(input).or_insert(output);
            }
            let Operator::Concatenate { axis } = layer.node.operator else { continue };
            let Ok(axis) = dimension(axis, self.analysis.extents(layer.output).len()) else { continue };
            let mut start = 0;
            for &input in layer.node.inputs.iter().flatten() {
                if computed.contains(&input) && self.outputs[input.0].is_none() {
                    self.parts.entry(input).or_insert((layer.output, axis, start));
                }
                start += self.analysis.extents(input).get(axis).copied().unwrap_or(0);
            }
        }
    }

    /// Copies outputs that no layer has written: views, inputs, constants, and what is an output twice.
    pub fn write_outputs(&mut self) -> Result<(), PlanError> {
        let model = self.analysis.model;
        for (index, &value) in model.outputs.iter().enumerate() {
            let node = crate::model::Node {
                name: self.analysis.name(value).to_owned(),
                kind: "copy".to_owned(),
                operator: Operator::Identity,
                inputs: vec![Some(value)],
                outputs: Vec::new(),
                is_added: true,
            };
            let layer = Layer::new(&node, value);
            let slot = self.slot(&layer, value)?;
            let own = Slot::packed(Root::Output(index), self.analysis.extents(value)).of(slot.element);
            if slot != own {
                self.copy(&layer, slot, own);
            }
        }
        Ok(())
    }
}

/// Integers of the type that a value has; `None` where one is none of it.
fn integers(ints: &[i64], element: ElementType) -> Option<Array> {
    let (least, greatest) =
        if element == ElementType::U8 { (0, u8::MAX.into()) } else { (i32::MIN.into(), i32::MAX.into()) };
    // Looked at before they are made, which then takes their memory once.
    ints.iter().all(|int| (least..=greatest).contains(int)).then(|| match element {
        ElementType::U8 => Array::Unsigned(ints.iter().map(|&int| int as u8).collect()),
        _ => Array::Ints(ints.iter().map(|&int| int as i32).collect()),
    })
}

/// Whether an operator's elements lie where others' do already.
fn is_other_place(operator: &Operator) -> bool {
    matches!(operator, Operator::Transpose(_) | Operator::Slice(_) | Operator::Part { .. } | Operator::Other(_))
}

impl Slot {
    /// What the library's operators are told of it.
    pub fn info(&self) -> Result<TensorInfo, windrow::InvalidTensor> {
        TensorInfo::with_strides(self.element, 1, &self.extents, &self.byte_strides())
    }

    pub fn byte_strides(&self) -> Vec<isize> {
        let size = self.element.size();
        self.strides.iter().map(|&stride| (stride * size).cast_signed()).collect()
    }
}
