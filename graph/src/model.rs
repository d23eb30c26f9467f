//! A model: values, and the nodes that compute them.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use windrow::{AnyView, ElementType};

use crate::{custom::CustomOperators, error::ModelError, onnx, operator::Operator, scaling::Engine, tflite, tvm};

/// A network as its file says it: inputs, outputs, constants, and nodes in an order in which each reads what is there before.
///
/// ```
/// use windrow_graph::Model;
///
/// // Two bytes are no model; a file is read whole, and nothing but the file.
/// assert!(Model::from_onnx(&[0x08, 0xff]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(crate) values: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<ValueId>,
    pub(crate) outputs: Vec<ValueId>,
    /// The engine that the format's integers are those of; `None` where there are several, and the plan's options name one.
    pub(crate) engine: Option<Engine>,
}

/// A value's place in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub(crate) usize);

/// What is read or written: an input, a constant, or what a node makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub(crate) name: String,
    /// Of an input: an extent that the file leaves open is `None`, as all of them are where it leaves the rank open.
    pub(crate) declared: Option<Vec<Option<usize>>>,
    pub(crate) constant: Option<Constant>,
    pub(crate) element: ElementType,
    /// What integers stand for.
    pub(crate) quantization: Option<Quantization>,
}

/// What integers of 8 bits stand for: scale · (integer − zero).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantization {
    /// One for all, or one for each output of weights.
    pub scales: Arc<[f32]>,
    pub zero: i8,
}

/// A tensor that is the same in every run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    pub extents: Vec<usize>,
    pub elements: Elements,
}

/// Why a constant can't be read whose elements are no part of the file.
pub(crate) const ABSENT: &str = "whose elements are no part of the file, and are not given";

/// The elements of a constant, in C order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Elements {
    Floats(Arc<[f32]>),
    Bytes(Arc<[i8]>),
    /// As many of one value as the extents say: no memory is taken for them before they are needed.
    Filled(f32),
    Ints(Arc<[i64]>),
    /// Floats that are no part of the file, and that no one has given yet.
    Absent,
    /// Why they can't be read. Models have constants that nothing reads.
    Unread(&'static str),
}

/// A step of a model: an operator, what it reads, and what it writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub(crate) name: String,
    /// The format's name of the operator, with its domain where that isn't ONNX' own.
    pub(crate) kind: String,
    pub(crate) operator: Operator,
    /// `None` for an optional input that is left out.
    pub(crate) inputs: Vec<Option<ValueId>>,
    pub(crate) outputs: Vec<Option<ValueId>>,
    /// Whether the file has no operator of it: an image is turned, or a tensor is given the shape that another operator reads.
    pub(crate) is_added: bool,
}

impl Model {
    /// Reads a model from the bytes of a TFLite file, of TVM's JSON or of an ONNX file, by what the file begins with.
    ///
    /// Of TVM's JSON, constants have no elements: those of floats are given by [`Model::set_constant`], and others by [`Model::from_tvm`].
    ///
    /// # Errors
    /// As [`Model::from_tflite`], [`Model::from_tvm`] and [`Model::from_onnx`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        Model::from_bytes_with(bytes, &CustomOperators::new())
    }

    /// Works as [`Model::from_bytes`], with operators of the caller's own; kernels of TVM's JSON are none of them.
    ///
    /// # Errors
    /// As [`Model::from_tflite_with`], [`Model::from_tvm`] and [`Model::from_onnx_with`].
    pub fn from_bytes_with(bytes: &[u8], operators: &CustomOperators) -> Result<Model, ModelError> {
        if tflite::is_file(bytes) {
            tflite::read(bytes, operators)
        } else if tvm::is_file(bytes) {
            tvm::read(bytes, Vec::new())
        } else {
            onnx::read(bytes, operators)
        }
    }

    /// Reads a model from the JSON that TVM writes for its runtime of the Arm Compute Library, and from the constants that it names, whose
    /// elements TVM keeps elsewhere: each with the type and the shape that the JSON says. TVM has one kernel in a file; here there may
    /// be any number, each of which reads what is there before it.
    ///
    /// Constants of floats that are left out are given by [`Model::set_constant`]. A constant that has no name in the JSON is called by
    /// its number among the nodes: `const 1`.
    ///
    /// The file is not trusted: reading takes at most 512 bytes of memory for each byte of it and 1 KiB, besides the constants, and does not
    /// panic. Shapes are the file's, `[image, row, column, channel]` for an image.
    ///
    /// ```
    /// use windrow::{Serial, View};
    /// use windrow_graph::Model;
    ///
    /// let json = r#"{"nodes": [
    ///     {"op": "input", "name": "x", "attrs": {"shape": [[[2, 3]]], "dtype": [["float32"]]}},
    ///     {"op": "const", "name": "w", "attrs": {"shape": [[[1, 3]]], "dtype": [["float32"]]}},
    ///     {"op": "kernel", "name": "nn.dense", "inputs": [[0, 0, 0], [1, 0, 0]],
    ///      "attrs": {"shape": [[[2, 1]]], "dtype": [["float32"]], "units": [["1"]]}}
    /// ], "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}"#;
    /// let weights = View::from_slice(&[1.0f32, 10.0, 100.0], [1, 3])?;
    /// let plan = Model::from_tvm(json.as_bytes(), &[("w", weights.any())])?.plan()?;
    /// let x = View::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    /// assert_eq!(plan.apply::<f32>(&Serial, &[x.any()])?[0].to_vec(), [321.0, 654.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`ModelError`] that names the node, the value and the rule.
    pub fn from_tvm(json: &[u8], constants: &[(&str, AnyView<'_>)]) -> Result<Model, ModelError> {
        tvm::read(json, tvm::from_tensors(constants))
    }

    /// Works as [`Model::from_tvm`], with the constants of a file that TVM's `save_param_dict` wrote. Those that the JSON does not name
    /// are left out: what TVM builds has one file of parameters for all of its JSON.
    ///
    /// In Python, where TVM is installed:
    ///
    /// ```text
    /// lib = relay.build(partition_for_arm_compute_lib(module, params), target)
    /// for module in lib.get_lib().imported_modules:
    ///     if module.type_key == "arm_compute_lib":
    ///         open(f"{module.get_function('get_symbol')()}.json", "w").write(module.get_source("json"))
    /// open("constants.params", "wb").write(tvm.runtime.save_param_dict(lib.get_params()))
    /// ```
    ///
    /// Neither file is trusted: reading takes at most 512 bytes of memory for each byte of both and 1 KiB, and does not panic.
    ///
    /// # Errors
    /// As [`Model::from_tvm`].
    pub fn from_tvm_with_params(json: &[u8], params: &[u8]) -> Result<Model, ModelError> {
        tvm::read(json, tvm::from_params(params)?)
    }

    /// Reads a model from the bytes of a TFLite file: its first graph.
    ///
    /// The file is not trusted, as [`Model::from_onnx`] has it. Shapes are the file's, `[image, row, column, channel]` for an image.
    ///
    /// # Errors
    /// A [`ModelError`] that names the node, the value and the rule.
    pub fn from_tflite(bytes: &[u8]) -> Result<Model, ModelError> {
        Model::from_tflite_with(bytes, &CustomOperators::new())
    }

    /// Works as [`Model::from_tflite`], with operators of the caller's own: custom operators of their names.
    ///
    /// # Errors
    /// As [`Model::from_tflite`], and [`ModelError::Custom`] for a node that breaks a rule of its custom operator.
    pub fn from_tflite_with(bytes: &[u8], operators: &CustomOperators) -> Result<Model, ModelError> {
        tflite::read(bytes, operators)
    }

    /// Reads a model from the bytes of an ONNX file of operator sets 7 to 22.
    ///
    /// The file is not trusted: whatever it says, reading takes at most 512 bytes of memory for each byte of it, and neither
    /// panics nor recurses. Operators that are not known here are kept, and refused by [`Model::plan`], all at once.
    ///
    /// Of the inputs, those stay that are no constants and that something reads.
    ///
    /// # Errors
    /// A [`ModelError`] that names the node, the value and the rule.
    pub fn from_onnx(bytes: &[u8]) -> Result<Model, ModelError> {
        Model::from_onnx_with(bytes, &CustomOperators::new())
    }

    /// Works as [`Model::from_onnx`], with operators of the caller's own: nodes of their names and domains.
    ///
    /// # Errors
    /// As [`Model::from_onnx`], and [`ModelError::Custom`] for a node that breaks a rule of its custom operator.
    pub fn from_onnx_with(bytes: &[u8], operators: &CustomOperators) -> Result<Model, ModelError> {
        onnx::read(bytes, operators)
    }

    /// Returns the names of the inputs, each with the extents that the file fixes; `None` where it leaves even the rank open.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = (&str, Option<&[Option<usize>]>)> {
        self.inputs.iter().map(|&input| {
            let value = &self.values[input.0];
            (value.name.as_str(), value.declared.as_deref())
        })
    }

    /// Returns the names of the outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &str> {
        self.outputs.iter().map(|&output| self.values[output.0].name.as_str())
    }

    /// Returns the names of the constants, each with its extents.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let constant = |value: &'_ Value| value.constant.is_some();
        let constants = self.values.iter().filter(move |value| constant(value));
        constants.filter_map(|value| Some((value.name.as_str(), &*value.constant.as_ref()?.extents)))
    }

    /// Returns the nodes, in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Fixes the extents of an input: a batch that the file leaves open, say.
    ///
    /// # Errors
    /// [`ModelError::NoValue`]; [`ModelError::Value`] where the file fixes others.
    pub fn set_input_shape(&mut self, name: &str, extents: &[usize]) -> Result<(), ModelError> {
        let is_asked = |input: &&ValueId| self.values[input.0].name == name;
        let input = self.inputs.iter().find(is_asked).copied();
        let input = input.ok_or_else(|| ModelError::NoValue { kind: "input", name: name.to_owned() })?;
        let value = &mut self.values[input.0];
        if let Some(declared) = &value.declared {
            let fits = |(declared, found): (&Option<usize>, &usize)| declared.is_none_or(|declared| declared == *found);
            if declared.len() != extents.len() || !declared.iter().zip(extents).all(fits) {
                let (value, found) = (name.to_owned(), format!("to be {extents:?}"));
                return Err(ModelError::Value { value, found, rule: "the file fixes other extents" });
            }
        }
        value.declared = Some(extents.iter().copied().map(Some).collect());
        Ok(())
    }

    /// Gives a constant of floats other elements, in C order: weights for a model whose file has none.
    ///
    /// # Errors
    /// [`ModelError::NoValue`]; [`ModelError::Value`] where it has another number of elements, or holds no floats.
    pub fn set_constant(&mut self, name: &str, elements: Vec<f32>) -> Result<(), ModelError> {
        let constant = self.values.iter_mut().find(|value| value.name == name && value.constant.is_some());
        let constant = constant.and_then(|value| value.constant.as_mut());
        let constant = constant.ok_or_else(|| ModelError::NoValue { kind: "constant", name: name.to_owned() })?;
        if !matches!(constant.elements, Elements::Floats(_) | Elements::Filled(_) | Elements::Absent) {
            return Err(ModelError::Value {
                value: name.to_owned(),
                found: "no tensor of floats".to_owned(),
                rule: "it is to be given floats",
            });
        }
        if count(&constant.extents) != Some(elements.len()) {
            let (value, found) = (name.to_owned(), format!("{:?}", constant.extents));
            return Err(ModelError::Value { value, found, rule: "it is to be given as many elements" });
        }
        constant.elements = Elements::Floats(elements.into());
        Ok(())
    }

    /// The nodes that outputs depend on.
    pub(crate) fn needed(&self) -> Vec<bool> {
        let mut read: Vec<bool> = vec![false; self.values.len()];
        self.outputs.iter().for_each(|output| read[output.0] = true);
        let mut needed = vec![false; self.nodes.len()];
        for (node, needed) in self.nodes.iter().zip(&mut needed).rev() {
            if node.outputs.iter().flatten().any(|output| read[output.0]) {
                *needed = true;
                node.inputs.iter().flatten().for_each(|input| read[input.0] = true);
            }
        }
        needed
    }
}

impl Value {
    /// A value of floats of which nothing is known but its name.
    pub fn new(name: &str) -> Value {
        Value { name: name.to_owned(), declared: None, constant: None, element: ElementType::F32, quantization: None }
    }

    /// The extents that the file fixes of it.
    pub fn extents(&self) -> Option<Vec<usize>> {
        match &self.constant {
            Some(constant) => Some(constant.extents.clone()),
            None => self.declared.as_ref()?.iter().copied().collect(),
        }
    }
}

impl Node {
    /// Returns the node's name, or that of its first output where the file gives it none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the format's name of the operator, with its domain where that isn't ONNX' own.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns what the node computes.
    pub fn operator(&self) -> &Operator {
        &self.operator
    }

    /// An input that may be left out.
    pub(crate) fn input(&self, index: usize) -> Option<ValueId> {
        self.inputs.get(index).copied().flatten()
    }
}

impl Constant {
    /// The floats, in C order; why not, where it has none. `Filled` ones are made: whoever asks has accounted for them.
    pub fn floats(&self) -> Result<Cow<'_, [f32]>, &'static str> {
        if self.extents.contains(&0) {
            return Err("which has no element");
        }
        match &self.elements {
            Elements::Floats(floats) => Ok(Cow::Borrowed(floats)),
            Elements::Filled(value) => Ok(Cow::Owned(vec![*value; count(&self.extents).unwrap_or(0)])),
            Elements::Ints(_) | Elements::Bytes(_) => Err("which holds integers, and floats are needed"),
            Elements::Absent => Err(ABSENT),
            Elements::Unread(reason) => Err(reason),
        }
    }
}

/// The number of elements; `None` where `usize` lacks it.
pub(crate) fn count(extents: &[usize]) -> Option<usize> {
    // An extent of 0 leaves no element, whatever the others are.
    if extents.contains(&0) {
        Some(0)
    } else {
        extents.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent))
    }
}

/// The values of a model that is being read, by name.
#[derive(Debug, Default)]
pub(crate) struct Names<'a>(HashMap<&'a str, ValueId>);

impl<'a> Names<'a> {
    pub fn get(&self, name: &str) -> Option<ValueId> {
        self.0.get(name).copied()
    }

    pub fn insert(&mut self, name: &'a str, value: ValueId) {
        self.0.insert(name, value);
    }
}
