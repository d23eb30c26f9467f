//! From a file's tables to a [`Model`].

use std::{collections::HashMap, sync::Arc};

use windrow::ElementType;

use super::{
    flat::limit,
    operators,
    schema::{ModelTable, OperatorTable, TensorTable, data_type},
};
use crate::{
    custom::CustomOperators,
    draft::{Draft, Kinds},
    error::ModelError,
    malformed::Malformed,
    model::{Constant, Elements, Model, Quantization, Value, ValueId, count},
};

const KINDS: Kinds = Kinds { transpose: "TRANSPOSE", reshape: "RESHAPE" };

/// Reads the bytes of a file.
pub(crate) fn read(bytes: &[u8], operators: &CustomOperators) -> Result<Model, ModelError> {
    let left = limit(bytes);
    let file = ModelTable::read(bytes, &left)?;
    if file.graphs > 1 {
        let found = format!("{} graphs", file.graphs);
        return Err(ModelError::Value { value: "the file".to_owned(), found, rule: "models of one graph are read" });
    }
    let mut import = Import::new(&file, operators);
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
        outputs.push(import.draft.in_file(index)?);
    }
    let Draft { values, nodes, .. } = import.draft;
    Ok(Model { values, nodes, inputs, outputs, engine: None })
}

/// A model on its way out of a file.
pub(super) struct Import<'f, 'a> {
    pub file: &'f ModelTable<'a>,
    pub draft: Draft,
    pub operators: &'f CustomOperators,
    /// The elements of constants, by buffer and type.
    elements: HashMap<(usize, i8), Elements>,
    /// What the integers of tensors stand for, of which many values share one.
    quantizations: HashMap<usize, Option<Quantization>>,
}

impl<'f, 'a> Import<'f, 'a> {
    fn new(file: &'f ModelTable<'a>, operators: &'f CustomOperators) -> Import<'f, 'a> {
        let draft = Draft::new(file.tensors.len(), KINDS);
        Import { file, draft, operators, elements: HashMap::new(), quantizations: HashMap::new() }
    }

    /// The place of a tensor that the file names.
    pub fn index(&self, tensor: i32) -> Result<usize, Malformed> {
        let place = usize::try_from(tensor).ok().filter(|&place| place < self.draft.tensors());
        place.ok_or(Malformed::Reference { what: "tensor", found: tensor.into(), count: self.draft.tensors() })
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
        Ok(self.draft.add(Value { element, quantization, ..Value::new(&name) }))
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
        self.draft.values[value.0].declared = Some(declared);
        self.draft.place(index, value, false);
        Ok(value)
    }

    /// Whether something has written a tensor, or it is a constant or an input.
    pub fn is_there(&mut self, index: usize) -> Result<bool, ModelError> {
        if self.draft.is_there(index) {
            return Ok(true);
        }
        let Some(constant) = self.constant(index)? else { return Ok(false) };
        let value = self.like(index, self.name(index))?;
        self.draft.values[value.0].constant = Some(constant);
        self.draft.place(index, value, false);
        Ok(true)
    }

    /// Whether the file has a tensor's elements.
    pub fn is_constant(&self, index: usize) -> bool {
        !matches!(self.file.buffers.get(self.tensor(index).buffer), None | Some(Some([])))
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
            Elements::Filled(_) | Elements::Absent | Elements::Unread(_) => {
                return Ok(Some(Constant { extents, elements }));
            }
        };
        if count(&extents) != Some(found) {
            let (value, found) = (self.name(index), format!("{found} elements for the extents {extents:?}"));
            return Err(ModelError::Value { value, found, rule: "a constant has as many elements as its extents say" });
        }
        Ok(Some(Constant { extents, elements }))
    }

    /// A tensor that is aligned with an image by its last dimensions, which are the image's columns and channels.
    pub fn beside_image(&mut self, index: usize, node: &str) -> Result<ValueId, ModelError> {
        let extents = self.extents(index)?;
        Ok(self.draft.beside_image(index, &extents, node)?)
    }

    /// The value that a node is to write: a tensor as an image, or as the file has it.
    pub fn written(&mut self, index: usize, is_image: bool) -> Result<ValueId, ModelError> {
        let name = self.name(index);
        if self.is_there(index)? {
            return Err(ModelError::WrittenTwice { node: name.clone(), value: name });
        }
        let value = self.like(index, name)?;
        self.draft.place(index, value, is_image);
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
