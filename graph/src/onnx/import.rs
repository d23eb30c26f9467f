//! From a file's messages to a [`Model`].

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
};

use windrow::ElementType;

use super::{
    attributes::Attributes,
    custom,
    cuts::parts,
    later::later,
    made::made,
    operators::operator,
    proto::{GraphProto, ModelProto, NodeProto, is_own},
    qdq, quantized,
    tensor::{UINT8, constant, extent},
    types,
};
use crate::{
    custom::{Custom, CustomNodeError, CustomOperator, CustomOperators},
    error::ModelError,
    malformed::Malformed,
    model::{Constant, Model, Names, Node, Value, ValueId},
    operator::{Operator, PartOf, Type},
    scaling::Engine,
};

/// Reads the bytes of a file.
pub(crate) fn read(bytes: &[u8], operators: &CustomOperators) -> Result<Model, ModelError> {
    let file = ModelProto::read(bytes)?;
    let graph = file.graph.as_ref().ok_or(Malformed::NoGraph)?;
    let version = file.opset.filter(|version| (7..=22).contains(version));
    let version = version.ok_or(ModelError::Opset { found: file.opset })?;
    let mut import = Import {
        version,
        values: Vec::new(),
        names: Names::default(),
        nodes: Vec::new(),
        of_other_types: HashSet::new(),
        unsigned: HashSet::new(),
        originals: HashMap::new(),
        least: None,
        operators,
    };
    for tensor in &graph.initializers {
        import.add_constant(tensor.name, constant(tensor.name, tensor)?, Some(tensor.data_type));
    }
    let inputs = import.add_inputs(graph)?;
    let written: HashSet<&str> = graph.nodes.iter().flat_map(|node| &node.outputs).copied().collect();
    graph.nodes.iter().try_for_each(|node| import.add_node(node, &written))?;
    let output = |output: &str| import.names.get(output).ok_or_else(|| ModelError::Output { value: output.to_owned() });
    let mut outputs = graph.outputs.iter().map(|value| output(value.name)).collect::<Result<Vec<_>, _>>()?;
    for output in &mut outputs {
        if import.unsigned.contains(output) {
            *output = import.add_unsigned_output(*output);
        }
    }
    let engine = Some(Engine::OnnxRuntime);
    let mut model = Model { values: import.values, nodes: import.nodes, inputs, outputs, engine };
    qdq::fold(&mut model);
    drop_unread(&mut model);
    if let Some(input) = model.inputs.iter().find(|input| import.of_other_types.contains(input)) {
        let (value, found) = (model.values[input.0].name.clone(), "of another type".to_owned());
        return Err(ModelError::Value {
            value,
            found,
            rule: "inputs are tensors of floats of 32 bits, of integers of 8, 32 or 64, or of truth values",
        });
    }
    Ok(model)
}

/// A model on its way out of a file.
pub(super) struct Import<'a> {
    version: i64,
    pub values: Vec<Value>,
    pub names: Names<'a>,
    pub nodes: Vec<Node>,
    /// Inputs of types that are not computed with.
    of_other_types: HashSet<ValueId>,
    /// Integers of 8 bits that the file has without a sign.
    pub unsigned: HashSet<ValueId>,
    /// Inputs of such integers, by the values of integers with a sign that are made of them.
    originals: HashMap<ValueId, ValueId>,
    /// The zero of such integers, where the file leaves it out.
    pub least: Option<ValueId>,
    operators: &'a CustomOperators,
}

impl<'a> Import<'a> {
    pub fn add(&mut self, name: &'a str, value: Value) -> ValueId {
        let id = self.add_unnamed(value);
        self.names.insert(name, id);
        id
    }

    /// A value that the file does not name.
    pub fn add_unnamed(&mut self, value: Value) -> ValueId {
        self.values.push(value);
        ValueId(self.values.len() - 1)
    }

    pub fn name(&self, value: ValueId) -> String {
        self.values[value.0].name.clone()
    }

    fn add_constant(&mut self, name: &'a str, constant: Constant, data_type: Option<i64>) {
        let element = types::of_constant(&constant, data_type);
        let value = self.add(name, Value { constant: Some(constant), element, ..Value::new(name) });
        if data_type == Some(UINT8) {
            self.unsigned.insert(value);
        }
    }

    /// Inputs of the file that are no constants: old files list these too.
    fn add_inputs(&mut self, graph: &GraphProto<'a>) -> Result<Vec<ValueId>, ModelError> {
        let mut inputs = Vec::new();
        for input in &graph.inputs {
            if self.names.get(input.name).is_some() {
                continue;
            }
            let extent = |dim: &Option<i64>| dim.map(|dim| extent(input.name, dim)).transpose();
            let declared = input.dims.as_ref().map(|dims| dims.iter().map(extent).collect());
            let value = Value { declared: declared.transpose()?, ..Value::new(input.name) };
            let id = self.add(input.name, value);
            inputs.push(id);
            match input.data_type.map(types::element) {
                None => {}
                Some(Some(element)) => self.values[id.0].element = element,
                Some(None) => drop(self.of_other_types.insert(id)),
            }
            if input.data_type == Some(UINT8) {
                self.add_unsigned(input.name, id);
            }
        }
        Ok(inputs)
    }

    /// A node whose inputs are there; one that makes a constant is that constant.
    fn add_node(&mut self, proto: &NodeProto<'a>, written: &HashSet<&str>) -> Result<(), ModelError> {
        let first = proto.outputs.first().copied().unwrap_or_default();
        let name = if proto.name.is_empty() { first } else { proto.name };
        let mut inputs = self.read(proto, name, written)?;
        let attributes = Attributes { node: proto, name, kind: proto.operator, version: self.version };
        if let Some(operator) = self.operators.find(&kind(proto)) {
            return self.add_custom(&attributes, operator, inputs);
        }
        if quantized::is_known(proto) {
            return quantized::add(self, &attributes, inputs);
        }
        let is_asked = Cell::new(false);
        let constant = |input: usize| {
            let value = inputs.get(input).copied().flatten()?;
            let constant = self.values[value.0].constant.as_ref();
            is_asked.set(is_asked.get() || constant.is_none());
            constant
        };
        if let Some(made) = is_own(proto.domain).then(|| made(&attributes, &constant)).transpose()?.flatten() {
            let tensor = attributes.get("value").and_then(|attribute| attribute.tensor.as_ref());
            self.add_constant(first, made, tensor.map(|tensor| tensor.data_type));
            return Ok(());
        }
        let parts = (is_own(proto.domain) && proto.operator == "Split").then(|| parts(&attributes, &constant));
        let operator = if let Some(Ok(parts)) = parts {
            return self.add_parts(&attributes, inputs, &parts);
        } else if let Some(Err(reason)) = parts {
            Operator::Other(reason.to_owned())
        } else if is_own(proto.domain) {
            match operator(&attributes, &constant)? {
                // Nodes before it compute its numbers.
                Operator::Other(reason) if is_asked.get() => Operator::Later(later(&attributes, reason)),
                operator => operator,
            }
        } else {
            Operator::Other("it is none of ONNX' own operators".to_owned())
        };
        let operator = self.unsigned_read(operator, &mut inputs);
        let (operator, of) = match quantized::moved(self, &operator, &inputs) {
            Ok(of) => (operator, of),
            Err(reason) => (Operator::Other(reason.to_owned()), None),
        };
        let element = types::written(&operator, |input| {
            let value = inputs.get(input).copied().flatten();
            value.map_or(ElementType::F32, |value| self.values[value.0].element)
        });
        let mut outputs = Vec::new();
        for &output in &proto.outputs {
            let value = self.add_output(name, output, of)?;
            if let (Some(value), None) = (value, of) {
                self.values[value.0].element = element;
            }
            outputs.push(value);
        }
        self.nodes.push(node(&attributes, operator, inputs, outputs));
        Ok(())
    }

    /// The values that a node reads, which are there, where what it writes is not.
    fn read(
        &self,
        proto: &NodeProto<'a>,
        name: &str,
        written: &HashSet<&str>,
    ) -> Result<Vec<Option<ValueId>>, ModelError> {
        let mut inputs = Vec::new();
        for &input in &proto.inputs {
            let found = self.names.get(input);
            if found.is_none() && !input.is_empty() {
                let (node, is_written) = (name.to_owned(), written.contains(input));
                return Err(ModelError::Unwritten { node, value: input.to_owned(), is_written });
            }
            inputs.push(found.filter(|_| !input.is_empty()));
        }
        for &output in proto.outputs.iter().filter(|output| !output.is_empty()) {
            if self.names.get(output).is_some() {
                return Err(ModelError::WrittenTwice { node: name.to_owned(), value: output.to_owned() });
            }
        }
        Ok(inputs)
    }

    /// What is read of bytes without a sign as they are, and not as such with a sign: the operator and its inputs.
    fn unsigned_read(&self, operator: Operator, inputs: &mut [Option<ValueId>]) -> Operator {
        if let (Operator::Cast(to), Some(Some(value))) = (&operator, inputs.first_mut()) {
            *value = self.originals.get(value).copied().unwrap_or(*value);
            if self.values[value.0].element == ElementType::F32 && *to == Type::Float {
                return Operator::Identity;
            }
        }
        operator
    }
}

/// A node of the file, with its name and that of its operator.
pub(super) fn node(
    attributes: &Attributes<'_, '_>,
    operator: Operator,
    inputs: Vec<Option<ValueId>>,
    outputs: Vec<Option<ValueId>>,
) -> Node {
    let kind = kind(attributes.node);
    Node { name: attributes.name.to_owned(), kind, operator, inputs, outputs, is_added: false }
}

/// The name of a node's operator, with its domain where that isn't ONNX' own.
fn kind(proto: &NodeProto<'_>) -> String {
    match proto.domain {
        domain if is_own(domain) => proto.operator.to_owned(),
        domain => format!("{domain}.{}", proto.operator),
    }
}

impl<'a> Import<'a> {
    /// The value that a node writes, of the type of another value; `None` where it leaves it out.
    pub fn add_output(
        &mut self,
        node: &str,
        output: &'a str,
        of: Option<ValueId>,
    ) -> Result<Option<ValueId>, ModelError> {
        // Two outputs of one name: the first one is there by now.
        if !output.is_empty() && self.names.get(output).is_some() {
            return Err(ModelError::WrittenTwice { node: node.to_owned(), value: output.to_owned() });
        }
        if output.is_empty() {
            return Ok(None);
        }
        let value = self.add(output, Value::new(output));
        if let Some(of) = of {
            let (element, quantization) = (self.values[of.0].element, self.values[of.0].quantization.clone());
            let own = &mut self.values[value.0];
            (own.element, own.quantization) = (element, quantization);
            if self.unsigned.contains(&of) {
                self.unsigned.insert(value);
            }
        }
        Ok(Some(value))
    }

    /// A node for each output of `Split`, of the output's name.
    fn add_parts(
        &mut self,
        node: &Attributes<'_, 'a>,
        inputs: Vec<Option<ValueId>>,
        parts: &[PartOf],
    ) -> Result<(), ModelError> {
        let axis = node.int("axis", 0);
        for (&output, &of) in node.node.outputs.iter().zip(parts) {
            let (operator, inputs) = (Operator::Part { axis, of }, inputs.iter().take(1).copied().collect::<Vec<_>>());
            let (operator, of) = match quantized::moved(self, &operator, &inputs) {
                Ok(of) => (operator, of),
                Err(reason) => (Operator::Other(reason.to_owned()), None),
            };
            let outputs = vec![self.add_output(node.name, output, of)?];
            let (name, kind) = (output.to_owned(), node.node.operator.to_owned());
            self.nodes.push(Node { name, kind, operator, inputs, outputs, is_added: false });
        }
        Ok(())
    }
}

/// Files list inputs that nothing reads; nobody has to give them.
fn drop_unread(model: &mut Model) {
    let mut read = vec![false; model.values.len()];
    model.nodes.iter().flat_map(|node| node.inputs.iter().flatten()).for_each(|input| read[input.0] = true);
    model.outputs.iter().for_each(|output| read[output.0] = true);
    model.inputs.retain(|input| read[input.0]);
}

impl<'a> Import<'a> {
    /// An input of unsigned integers of 8 bits: the model computes with such that have a sign.
    fn add_unsigned(&mut self, name: &'a str, input: ValueId) {
        let signed = self.add(name, Value { element: ElementType::I8, ..Value::new(name) });
        self.unsigned.insert(signed);
        self.originals.insert(signed, input);
        self.push_sign(name, Operator::Signed, [input, signed]);
    }

    /// A node that a custom operator computes.
    fn add_custom(
        &mut self,
        attributes: &Attributes<'_, 'a>,
        operator: &CustomOperator,
        mut inputs: Vec<Option<ValueId>>,
    ) -> Result<(), ModelError> {
        let custom = self.custom(attributes, operator, &mut inputs).map_err(|error| ModelError::Custom {
            node: attributes.name.to_owned(),
            operator: operator.name().to_owned(),
            error: Box::new(error),
        })?;
        let mut outputs = Vec::new();
        for &output in &attributes.node.outputs {
            outputs.push(self.add_output(attributes.name, output, None)?);
        }
        if let Some(Some(output)) = outputs.first() {
            self.values[output.0].element = operator.output();
        }
        self.nodes.push(node(attributes, Operator::Custom(custom), inputs, outputs));
        Ok(())
    }

    /// The operator with a node's attributes. Integers without a sign are read as the file has them.
    fn custom(
        &mut self,
        attributes: &Attributes<'_, 'a>,
        operator: &CustomOperator,
        inputs: &mut [Option<ValueId>],
    ) -> Result<Custom, CustomNodeError> {
        operator.check_inputs(inputs, |value| {
            let is_unsigned = self.unsigned.contains(&value);
            let element = if is_unsigned { ElementType::U8 } else { self.values[value.0].element };
            (!self.of_other_types.contains(&value)).then_some(element)
        })?;
        for input in inputs.iter_mut().flatten() {
            if self.unsigned.contains(input) {
                *input = self.as_unsigned(*input);
            }
        }
        Custom::new(operator, custom::attributes(attributes.node)?, true)
    }

    /// Integers of 8 bits without a sign, as the file has them, of such that have one here.
    pub fn as_unsigned(&mut self, signed: ValueId) -> ValueId {
        match self.originals.get(&signed) {
            Some(&original) => original,
            None => self.add_unsigned_output(signed),
        }
    }

    /// An output of unsigned integers of 8 bits, of such that have a sign.
    fn add_unsigned_output(&mut self, output: ValueId) -> ValueId {
        let name = self.name(output);
        let unsigned = self.add_unnamed(Value { element: ElementType::U8, ..Value::new(&name) });
        self.push_sign(&name, Operator::Unsigned, [output, unsigned]);
        unsigned
    }

    fn push_sign(&mut self, name: &str, operator: Operator, [from, to]: [ValueId; 2]) {
        self.nodes.push(Node {
            name: name.to_owned(),
            kind: "uint8".to_owned(),
            operator,
            inputs: vec![Some(from)],
            outputs: vec![Some(to)],
            is_added: true,
        });
    }
}
