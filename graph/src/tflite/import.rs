//! From a file's tables to a [`Model`].
//!
//! Images are `[image, row, column, channel]` in TFLite, and `[image, channel, row, column]` in a model. A tensor of four dimensions
//! is one of two values, or both: as the file has it, and as an image, one a transposition of the other, which moves nothing.

use std::{collections::HashMap, sync::Arc};

use windrow::ElementType;

use super::{
    flat::limit,
    operators,
    schema::{ModelTable, OperatorTable, TensorTable, data_type},
};
use crate::{
    error::ModelError,
    malformed::Malformed,
    model::{Constant, Elements, Model, Node, Quantization, Value, ValueId, count},
    operator::Operator,
};

/// The order of dimensions that makes an image of what the file has, and the one that turns it back.
const AS_IMAGE: [i64; 4] = [0, 3, 1, 2];
const AS_IN_FILE: [i64; 4] = [0, 2, 3, 1];

/// Reads the bytes of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, ModelError> {
    let left = limit(bytes);
    let file = ModelTable::read(bytes, &left)?;
    if file.graphs > 1 {
        let found = format!("{} graphs", file.graphs);
        return Err(ModelError::Value { value: "the file".to_owned(), found, rule: "models of one graph are read" });
    }
    let mut import = Import::new(&file);
    let mut inputs = Vec::new();
    for &input in &file.inputs {
        let index = import.index(input)?;
        inputs.push(import.add_input(index)?);
    }
    for operator in &file.operators {
        operators::add(&mut import, operator)?;
    }
    let mut outputs = Vec::new();
    for &output in &file.outputs {
        let index = import.index(output)?;
        if !import.is_there(index)? {
            return Err(ModelError::Output { value: import.name(index) });
        }
        outputs.push(import.in_file(index)?);
    }
    Ok(Model { values: import.values, nodes: import.nodes, inputs, outputs, engine: None })
}

/// A model on its way out of a file.
pub(super) struct Import<'f, 'a> {
    pub file: &'f ModelTable<'a>,
    values: Vec<Value>,
    nodes: Vec<Node>,
    /// The values of each tensor, as the file has it and as an image.
    tensors: Vec<Views>,
    /// The elements of constants, by buffer and type.
    elements: HashMap<(usize, i8), Elements>,
    /// What the integers of tensors stand for, of which many values share one.
    quantizations: HashMap<usize, Option<Quantization>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Views {
    in_file: Option<ValueId>,
    as_image: Option<ValueId>,
}

impl<'f, 'a> Import<'f, 'a> {
    fn new(file: &'f ModelTable<'a>) -> Import<'f, 'a> {
        let tensors = vec![Views::default(); file.tensors.len()];
        let (elements, quantizations) = (HashMap::new(), HashMap::new());
        Import { file, values: Vec::new(), nodes: Vec::new(), tensors, elements, quantizations }
    }

    /// The place of a tensor that the file names.
    pub fn index(&self, tensor: i32) -> Result<usize, Malformed> {
        let place = usize::try_from(tensor).ok().filter(|&place| place < self.tensors.len());
        place.ok_or(Malformed::Reference { what: "tensor", found: tensor.into(), count: self.tensors.len() })
    }

    pub fn tensor(&self, index: usize) -> &'f TensorTable<'a> {
        &self.file.tensors[index]
    }

    pub fn name(&self, index: usize) -> String {
        match self.tensor(index).name {
            "" => format!("tensor {index}"),
            name => name.to_owned(),
        }
    }

    /// The tensor's extents; the file's −1 never stands here.
    pub fn extents(&self, index: usize) -> Result<Vec<usize>, ModelError> {
        let extent = |&extent: &i32| {
            usize::try_from(extent).map_err(|_| ModelError::Value {
                value: self.name(index),
                found: format!("of an extent of {extent}"),
                rule: "extents are 0 or more",
            })
        };
        self.tensor(index).shape.iter().map(extent).collect()
    }

    /// What a tensor's integers stand for; `None` where they stand for themselves.
    fn quantization(&mut self, index: usize) -> Result<Option<Quantization>, ModelError> {
        if let Some(found) = self.quantizations.get(&index) {
            return Ok(found.clone());
        }
        let found = self.read_quantization(index)?;
        self.quantizations.insert(index, found.clone());
        Ok(found)
    }

    fn read_quantization(&self, index: usize) -> Result<Option<Quantization>, ModelError> {
        let tensor = self.tensor(index);
        if tensor.scales.is_empty() || tensor.data_type != data_type::INT8 {
            return Ok(None);
        }
        let wrong = |found: String, rule| Err(ModelError::Value { value: self.name(index), found, rule });
        // Of one dimension it is always that one, whatever files say.
        let axis = usize::try_from(tensor.axis).ok().filter(|_| tensor.shape.len() > 1).unwrap_or(0);
        let along = tensor.shape.get(axis).and_then(|&extent| usize::try_from(extent).ok());
        let scales = tensor.scales.len();
        if scales != 1 && along != Some(scales) {
            return wrong(format!("of {scales} scales"), "it has one, or one for each element of a dimension");
        }
        if let Some(scale) = tensor.scales.iter().find(|scale| !(scale.is_normal() && **scale > 0.0)) {
            return wrong(format!("of the scale {scale}"), "scales are above zero");
        }
        let first = tensor.zeros.first().copied().unwrap_or(0);
        let zero = i8::try_from(first).ok().filter(|_| tensor.zeros.iter().all(|&zero| zero == first));
        match zero {
            Some(zero) => Ok(Some(Quantization { scales: tensor.scales.as_slice().into(), zero })),
            None => wrong(format!("of the zeros {:?}", tensor.zeros), "it has one zero, between -128 and 127"),
        }
    }

    /// A value of the tensor's type, of another shape.
    ///
    /// Many nodes may read one tensor: what they make of it has the name of what they write, however long the tensor's is.
    pub fn like(&mut self, index: usize, name: String) -> Result<ValueId, ModelError> {
        let element = if self.tensor(index).data_type == data_type::INT8 { ElementType::I8 } else { ElementType::F32 };
        let quantization = self.quantization(index)?;
        self.values.push(Value { element, quantization, ..Value::new(&name) });
        Ok(ValueId(self.values.len() - 1))
    }

    /// A constant that the file does not have, but says.
    pub fn add_ints(&mut self, name: &str, ints: &[i64]) -> ValueId {
        let constant = Constant { extents: vec![ints.len()], elements: Elements::Ints(ints.into()) };
        self.values.push(Value { constant: Some(constant), ..Value::new(name) });
        ValueId(self.values.len() - 1)
    }

    /// A node that writes one value.
    pub fn add_node(
        &mut self,
        (name, kind): (&str, &str),
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        output: ValueId,
    ) {
        self.nodes.push(Node {
            name: name.to_owned(),
            kind: kind.to_owned(),
            operator,
            inputs,
            outputs: vec![Some(output)],
        });
    }

    /// A node that nothing computes.
    pub fn add_unknown(
        &mut self,
        (name, kind): (&str, &str),
        reason: &str,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<Option<ValueId>>,
    ) {
        let operator = Operator::Other(reason.to_owned());
        self.nodes.push(Node { name: name.to_owned(), kind: kind.to_owned(), operator, inputs, outputs });
    }

    fn add_input(&mut self, index: usize) -> Result<ValueId, ModelError> {
        if self.is_there(index)? {
            let (value, found) = (self.name(index), "an input twice, or a constant".to_owned());
            return Err(ModelError::Value { value, found, rule: "inputs are given once a run" });
        }
        let tensor = self.tensor(index);
        if ![data_type::FLOAT32, data_type::INT8].contains(&tensor.data_type) {
            let (value, found) = (self.name(index), "of another type".to_owned());
            return Err(ModelError::Value { value, found, rule: "inputs are floats of 32 bits or integers of 8" });
        }
        let open = if tensor.signature.len() == tensor.shape.len() { &tensor.signature } else { &tensor.shape };
        let declared = open.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        let value = self.like(index, self.name(index))?;
        self.values[value.0].declared = Some(declared);
        self.tensors[index].in_file = Some(value);
        Ok(value)
    }

    /// Whether something has written a tensor, or it is a constant or an input.
    pub fn is_there(&mut self, index: usize) -> Result<bool, ModelError> {
        let Views { in_file, as_image } = self.tensors[index];
        if in_file.is_some() || as_image.is_some() {
            return Ok(true);
        }
        let Some(constant) = self.constant(index)? else { return Ok(false) };
        let value = self.like(index, self.name(index))?;
        self.values[value.0].constant = Some(constant);
        self.tensors[index].in_file = Some(value);
        Ok(true)
    }

    /// The numbers of a constant of integers.
    pub fn ints(&mut self, index: usize) -> Result<Option<Arc<[i64]>>, ModelError> {
        Ok(match self.constant(index)? {
            Some(Constant { elements: Elements::Ints(ints), .. }) => Some(ints),
            _ => None,
        })
    }

    /// The constant that a tensor is.
    fn constant(&mut self, index: usize) -> Result<Option<Constant>, ModelError> {
        let tensor = self.tensor(index);
        let (buffers, buffer) = (&self.file.buffers, tensor.buffer);
        let wrong = Malformed::Reference { what: "buffer", found: buffer as i64, count: buffers.len() };
        let bytes = match *buffers.get(buffer).ok_or(wrong)? {
            Some([]) => return Ok(None),
            bytes => bytes,
        };
        let extents = self.extents(index)?;
        let elements = self.elements.entry((buffer, tensor.data_type));
        let elements = elements.or_insert_with(|| elements_of(bytes, tensor.data_type)).clone();
        let found = match &elements {
            Elements::Floats(floats) => floats.len(),
            Elements::Bytes(bytes) => bytes.len(),
            Elements::Ints(ints) => ints.len(),
            Elements::Filled(_) | Elements::Unread(_) => return Ok(Some(Constant { extents, elements })),
        };
        if count(&extents) != Some(found) {
            let (value, found) = (self.name(index), format!("{found} elements for the extents {extents:?}"));
            return Err(ModelError::Value { value, found, rule: "a constant has as many elements as its extents say" });
        }
        Ok(Some(Constant { extents, elements }))
    }

    /// A tensor as the file has it.
    pub fn in_file(&mut self, index: usize) -> Result<ValueId, ModelError> {
        let Views { in_file, as_image } = self.tensors[index];
        match (in_file, as_image) {
            (Some(value), _) => Ok(value),
            (None, Some(image)) => {
                let value = self.turned(index, image, &AS_IN_FILE)?;
                self.tensors[index].in_file = Some(value);
                Ok(value)
            }
            (None, None) => Err(Malformed::Reference { what: "tensor", found: index as i64, count: 0 }.into()),
        }
    }

    /// A tensor of four dimensions as an image.
    pub fn as_image(&mut self, index: usize) -> Result<ValueId, ModelError> {
        if let Some(value) = self.tensors[index].as_image {
            return Ok(value);
        }
        let in_file = self.in_file(index)?;
        let value = self.turned(index, in_file, &AS_IMAGE)?;
        self.tensors[index].as_image = Some(value);
        Ok(value)
    }

    /// A tensor that is aligned with an image by its last dimensions, which are the image's columns and channels.
    pub fn beside_image(&mut self, index: usize, node: &str) -> Result<ValueId, ModelError> {
        let extents = self.extents(index)?;
        if extents.len() >= 4 {
            return self.as_image(index);
        }
        let shape: Vec<i64> =
            (extents.len()..4).map(|_| 1).chain(extents.iter().map(|&extent| extent as i64)).collect();
        let (value, shape) = (self.in_file(index)?, self.add_ints("a shape", &shape));
        let wide = self.like(index, format!("an operand of {node}, of four dimensions"))?;
        let inputs = vec![Some(value), Some(shape)];
        self.add_node((node, "RESHAPE"), Operator::Reshape { keeps_zeros: false }, inputs, wide);
        let turned = self.like(index, format!("an operand of {node}"))?;
        self.add_turned(wide, turned, &AS_IMAGE);
        Ok(turned)
    }

    fn turned(&mut self, index: usize, from: ValueId, order: &[i64]) -> Result<ValueId, ModelError> {
        let value = self.like(index, format!("{} turned", self.name(index)))?;
        self.add_turned(from, value, order);
        Ok(value)
    }

    /// The node that turns a value into another.
    pub fn add_turned(&mut self, from: ValueId, to: ValueId, order: &[i64]) {
        let name = self.values[to.0].name.clone();
        self.add_node((&name, "TRANSPOSE"), Operator::Transpose(Some(order.to_vec())), vec![Some(from)], to);
    }

    /// The value that a node is to write: a tensor as an image, or as the file has it.
    pub fn written(&mut self, index: usize, is_image: bool) -> Result<ValueId, ModelError> {
        let name = self.name(index);
        if self.is_there(index)? {
            return Err(ModelError::WrittenTwice { node: name.clone(), value: name });
        }
        let value = self.like(index, name)?;
        let views = &mut self.tensors[index];
        if is_image {
            views.as_image = Some(value)
        } else {
            views.in_file = Some(value)
        }
        Ok(value)
    }

    /// The kind of an operator, by TFLite's name or that of its own.
    pub fn code(&self, operator: &OperatorTable<'a>) -> Result<(i32, &'a str), Malformed> {
        let (codes, found) = (&self.file.codes, operator.code);
        let code = codes.get(found);
        let code = code.ok_or(Malformed::Reference { what: "operator", found: found as i64, count: codes.len() })?;
        Ok((code.builtin, code.custom))
    }
}

fn elements_of(bytes: Option<&[u8]>, data_type: i8) -> Elements {
    let Some(bytes) = bytes else {
        return Elements::Unread("whose elements lie behind the tables, which are not read");
    };
    const CUT: Elements = Elements::Unread("whose last element is cut off");
    match data_type {
        data_type::INT8 => Elements::Bytes(bytes.iter().map(|byte| byte.cast_signed()).collect()),
        data_type::FLOAT32 => match bytes.as_chunks() {
            (floats, []) => Elements::Floats(floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
            _ => CUT,
        },
        data_type::INT32 => match bytes.as_chunks() {
            (ints, []) => Elements::Ints(ints.iter().map(|&bytes| i32::from_le_bytes(bytes).into()).collect()),
            _ => CUT,
        },
        data_type::INT64 => match bytes.as_chunks() {
            (ints, []) => Elements::Ints(ints.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect()),
            _ => CUT,
        },
        _ => Elements::Unread("whose elements are neither floats of 32 bits nor integers of 8, 32 or 64"),
    }
}
