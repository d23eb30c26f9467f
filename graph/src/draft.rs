//! A model on its way out of a file whose images are `[image, row, column, channel]`.
//!
//! In a model images are `[image, channel, row, column]`. So a tensor of four dimensions is one of two values, or both: as the file has
//! it, and as an image, one a transposition of the other, which moves nothing.

use crate::{
    malformed::Malformed,
    model::{Constant, Elements, Node, Value, ValueId},
    operator::Operator,
};

/// The order of dimensions that makes an image of what the file has, and the one that turns it back.
pub(crate) const AS_IMAGE: [i64; 4] = [0, 3, 1, 2];
pub(crate) const AS_IN_FILE: [i64; 4] = [0, 2, 3, 1];

/// Where the dimensions of `[image, row, column, channel]` are in an image.
pub(crate) const IN_IMAGE: [usize; 4] = [0, 2, 3, 1];

/// A dimension of an image that the file counts in its own order, from the end where it is negative.
pub(crate) fn axis_in_image(axis: i64) -> Option<usize> {
    let from_start = if axis < 0 { axis.checked_add(4)? } else { axis };
    IN_IMAGE.get(usize::try_from(from_start).ok()?).copied()
}

/// Values and nodes, and the values that the file's tensors are.
#[derive(Debug)]
pub(crate) struct Draft {
    pub values: Vec<Value>,
    pub nodes: Vec<Node>,
    tensors: Vec<Views>,
    /// What the format calls operators that turn a tensor and that give it another shape.
    kinds: Kinds,
}

/// Names of operators that a file has not, but that its others come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    pub transpose: &'static str,
    pub reshape: &'static str,
}

#[derive(Clone, Copy, Debug, Default)]
struct Views {
    in_file: Option<ValueId>,
    as_image: Option<ValueId>,
}

impl Draft {
    /// Nothing but a file's number of tensors.
    pub fn new(tensors: usize, kinds: Kinds) -> Draft {
        Draft { values: Vec::new(), nodes: Vec::new(), tensors: vec![Views::default(); tensors], kinds }
    }

    /// How many tensors the file has.
    pub fn tensors(&self) -> usize {
        self.tensors.len()
    }

    pub fn add(&mut self, value: Value) -> ValueId {
        self.values.push(value);
        ValueId(self.values.len() - 1)
    }

    /// A value of another one's type.
    fn like(&mut self, value: ValueId, name: String) -> ValueId {
        let (element, quantization) = (self.values[value.0].element, self.values[value.0].quantization.clone());
        self.add(Value { element, quantization, ..Value::new(&name) })
    }

    /// A constant that the file does not have, but says.
    pub fn add_ints(&mut self, name: &str, ints: &[i64]) -> ValueId {
        let constant = Constant { extents: vec![ints.len()], elements: Elements::Ints(ints.into()) };
        self.add(Value { constant: Some(constant), ..Value::new(name) })
    }

    /// A node that writes one value.
    pub fn add_node(
        &mut self,
        (name, kind): (&str, &str),
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        output: ValueId,
    ) {
        self.push((name, kind), operator, inputs, vec![Some(output)], false);
    }

    /// A node that nothing computes.
    pub fn add_unknown(
        &mut self,
        (name, kind): (&str, &str),
        reason: &str,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<Option<ValueId>>,
    ) {
        self.push((name, kind), Operator::Other(reason.to_owned()), inputs, outputs, false);
    }

    /// A node of any number of outputs.
    pub fn push(
        &mut self,
        (name, kind): (&str, &str),
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        outputs: Vec<Option<ValueId>>,
        is_added: bool,
    ) {
        let (name, kind) = (name.to_owned(), kind.to_owned());
        self.nodes.push(Node { name, kind, operator, inputs, outputs, is_added });
    }

    /// Whether something has written a tensor.
    pub fn is_there(&self, index: usize) -> bool {
        let Views { in_file, as_image } = self.tensors[index];
        in_file.is_some() || as_image.is_some()
    }

    /// Says which value a tensor is, as an image or as the file has it.
    pub fn place(&mut self, index: usize, value: ValueId, is_image: bool) {
        let views = &mut self.tensors[index];
        if is_image { views.as_image = Some(value) } else { views.in_file = Some(value) }
    }

    /// The values that a tensor is already: as the file has it, and as an image.
    pub fn placed(&self, index: usize) -> [Option<ValueId>; 2] {
        let Views { in_file, as_image } = self.tensors[index];
        [in_file, as_image]
    }

    /// A tensor as the file has it.
    pub fn in_file(&mut self, index: usize) -> Result<ValueId, Malformed> {
        let Views { in_file, as_image } = self.tensors[index];
        match (in_file, as_image) {
            (Some(value), _) => Ok(value),
            (None, Some(image)) => {
                // As the file has it, it is the tensor: an output of the model has its name.
                let name = self.values[image.0].name.clone();
                let value = self.turned(image, name, &AS_IN_FILE);
                self.tensors[index].in_file = Some(value);
                Ok(value)
            }
            (None, None) => Err(Malformed::Reference { what: "tensor", found: index as i64, count: 0 }),
        }
    }

    /// A tensor of four dimensions as an image.
    pub fn as_image(&mut self, index: usize) -> Result<ValueId, Malformed> {
        if let Some(value) = self.tensors[index].as_image {
            return Ok(value);
        }
        let in_file = self.in_file(index)?;
        let name = format!("{} turned", self.values[in_file.0].name);
        let value = self.turned(in_file, name, &AS_IMAGE);
        self.tensors[index].as_image = Some(value);
        Ok(value)
    }

    /// A tensor that is aligned with an image by its last dimensions, which are the image's columns and channels.
    ///
    /// Many nodes may read one tensor: what they make of it has the name of the node, however long the tensor's is.
    pub fn beside_image(&mut self, index: usize, extents: &[usize], node: &str) -> Result<ValueId, Malformed> {
        if extents.len() >= 4 {
            return self.as_image(index);
        }
        let shape: Vec<i64> =
            (extents.len()..4).map(|_| 1).chain(extents.iter().map(|&extent| extent as i64)).collect();
        let value = self.in_file(index)?;
        let wide = self.like(value, format!("an operand of {node}, of four dimensions"));
        self.add_reshaped(node, value, wide, &shape);
        let turned = self.like(value, format!("an operand of {node}"));
        self.add_turned(wide, turned, &AS_IMAGE);
        Ok(turned)
    }

    fn turned(&mut self, from: ValueId, name: String, order: &[i64]) -> ValueId {
        let value = self.like(from, name);
        self.add_turned(from, value, order);
        value
    }

    /// A node of no operator of the file's that turns a value into another.
    pub fn add_turned(&mut self, from: ValueId, to: ValueId, order: &[i64]) {
        let (name, kind) = (self.values[to.0].name.clone(), self.kinds.transpose);
        self.push((&name, kind), Operator::Transpose(Some(order.to_vec())), vec![Some(from)], vec![Some(to)], true);
    }

    /// A node of no operator of the file's that gives a value another shape.
    pub fn add_reshaped(&mut self, node: &str, from: ValueId, to: ValueId, shape: &[i64]) {
        let inputs = vec![Some(from), Some(self.add_ints("a shape", shape))];
        let operator = Operator::Reshape { keeps_zeros: true };
        self.push((node, self.kinds.reshape), operator, inputs, vec![Some(to)], true);
    }
}
