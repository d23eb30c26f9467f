//! From the JSON and the constants to a [`Model`].

use std::collections::{HashMap, HashSet};

use windrow::ElementType;

use super::{
    form::{Entry, Graph, NodeForm},
    given::Given,
    operators,
    scales::{Conflict, Scales},
    tensor::{Role, Tensor, Type, tensors_of},
};
use crate::{
    draft::{Draft, IN_IMAGE, Kinds},
    error::ModelError,
    malformed::Malformed,
    model::{ABSENT, Constant, Elements, Model, Quantization, Value, ValueId},
    shape::{self, Inputs},
};

const KINDS: Kinds = Kinds { transpose: "transpose", reshape: "reshape" };

/// Reads JSON, whose constants have the elements that are given by their names.
pub(crate) fn read(json: &[u8], given: Vec<Given<'_>>) -> Result<Model, ModelError> {
    let graph: Graph = serde_json::from_slice(json).map_err(|error| ModelError::Json(error.to_string()))?;
    let mut import = Import::new(&graph)?;
    let inputs = import.inputs(&graph)?;
    import.take(given)?;
    let kernels = import.kernels(&graph)?;
    for kernel in &kernels {
        operators::say_scales(&mut import, kernel)?;
    }
    let inputs = inputs.into_iter().map(|tensor| import.add_leaf(tensor)).collect::<Result<Vec<_>, _>>()?;
    for tensor in 0..import.tensors.len() {
        if import.tensors[tensor].role == Role::Constant {
            import.add_leaf(tensor)?;
        }
    }
    for kernel in &kernels {
        operators::add(&mut import, kernel)?;
    }
    let mut outputs = Vec::new();
    for &head in &graph.heads {
        let tensor = import.tensor(head)?;
        outputs.push(import.draft.in_file(tensor)?);
    }
    import.hold_extents()?;
    let Draft { values, nodes, .. } = import.draft;
    Ok(Model { values, nodes, inputs, outputs, engine: None })
}

/// A kernel, whose tensors are known.
pub(super) struct Kernel<'g> {
    pub name: String,
    pub form: &'g NodeForm,
    pub inputs: Vec<usize>,
    pub output: usize,
}

/// A model on its way out of JSON.
pub(super) struct Import {
    pub draft: Draft,
    pub tensors: Vec<Tensor>,
    pub scales: Scales,
    /// The first tensor of each node, and how many there are.
    firsts: Vec<usize>,
}

impl Import {
    fn new(graph: &Graph) -> Result<Import, ModelError> {
        let (mut tensors, mut firsts, mut names) = (Vec::new(), vec![0], HashSet::new());
        for (index, form) in graph.nodes.iter().enumerate() {
            let own = tensors_of(index, form)?;
            // Kernels have names of their numbers, and tensors without a name, too.
            if form.op != "kernel" && !form.name.is_empty() && !names.insert(form.name.as_str()) {
                let (value, found) = (form.name.clone(), "the name of two nodes".to_owned());
                return Err(ModelError::Value { value, found, rule: "inputs and constants have names of their own" });
            }
            tensors.extend(own);
            firsts.push(tensors.len());
        }
        if let Some(rows) = &graph.node_row_ptr
            && *rows != firsts
        {
            let place = rows.iter().zip(&firsts).position(|(row, first)| row != first);
            let place = place.unwrap_or(rows.len().min(firsts.len()));
            let (value, found) = ("node_row_ptr".to_owned(), format!("another one at place {place}"));
            return Err(ModelError::Value { value, found, rule: "it counts the outputs of the nodes before each" });
        }
        let (draft, scales) = (Draft::new(tensors.len(), KINDS), Scales::new(tensors.len()));
        Ok(Import { draft, tensors, scales, firsts })
    }

    /// The tensor that an entry names.
    fn tensor(&self, Entry { node, output }: Entry) -> Result<usize, Malformed> {
        let reference = |what, found: usize, count| Malformed::Reference { what, found: found as i64, count };
        let count = self.firsts.len() - 1;
        let [first, next] =
            *self.firsts.get(node..).and_then(|rest| rest.first_chunk()).ok_or(reference("node", node, count))?;
        if output < next - first { Ok(first + output) } else { Err(reference("output", output, next - first)) }
    }

    /// The inputs of the graph, in the order in which they are given.
    fn inputs(&self, graph: &Graph) -> Result<Vec<usize>, ModelError> {
        let is_leaf = |node: &usize| graph.nodes.get(*node).is_some_and(|form| form.op != "kernel");
        let leaves: Vec<usize> = (0..graph.nodes.len()).filter(is_leaf).collect();
        let order = match &graph.arg_nodes {
            None => &leaves,
            Some(order) => {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if sorted != leaves {
                    let (value, found) = ("arg_nodes".to_owned(), "another list of nodes".to_owned());
                    let rule = "it names each input and each constant once";
                    return Err(ModelError::Value { value, found, rule });
                }
                order
            }
        };
        let tensors = order.iter().flat_map(|&node| self.firsts[node]..self.firsts[node + 1]);
        Ok(tensors.filter(|&tensor| self.tensors[tensor].role == Role::Input).collect())
    }

    /// The kernels, each of which reads what is there before it.
    fn kernels<'g>(&self, graph: &'g Graph) -> Result<Vec<Kernel<'g>>, ModelError> {
        let mut kernels = Vec::new();
        for (index, form) in graph.nodes.iter().enumerate().filter(|(_, form)| form.op == "kernel") {
            let name = self.tensors[self.firsts[index]].name.clone();
            let mut inputs = Vec::new();
            for &entry in &form.inputs {
                let tensor = self.tensor(entry)?;
                if entry.node >= index {
                    let value = self.tensors[tensor].name.clone();
                    return Err(ModelError::Unwritten { node: name, value, is_written: true });
                }
                inputs.push(tensor);
            }
            kernels.push(Kernel { name, form, inputs, output: self.firsts[index] });
        }
        Ok(kernels)
    }

    /// Takes the constants that are given.
    fn take(&mut self, given: Vec<Given<'_>>) -> Result<(), ModelError> {
        let constants = self.tensors.iter().enumerate().filter(|(_, tensor)| tensor.role == Role::Constant);
        let places: HashMap<String, usize> = constants.map(|(place, tensor)| (tensor.name.clone(), place)).collect();
        for given in given {
            let name = given.name();
            let place = match (places.get(name), &given) {
                (Some(&place), _) => place,
                (None, Given::Param(_)) => continue,
                (None, Given::Tensor(..)) => {
                    return Err(ModelError::NoValue { kind: "constant", name: name.to_owned() });
                }
            };
            let tensor = &mut self.tensors[place];
            if tensor.constant.is_some() {
                let (value, found) = (name.to_owned(), "given twice".to_owned());
                return Err(ModelError::Value { value, found, rule: "a constant is given once" });
            }
            tensor.constant = Some(tensor.taken(&given)?);
        }
        Ok(())
    }

    /// The numbers of a constant that says scales or zeros.
    pub fn constant(&self, tensor: usize) -> Result<&Elements, ModelError> {
        let Tensor { name, role, constant, .. } = &self.tensors[tensor];
        let wrong = |found: &str| {
            let rule = "scales and zeros are constants that are given with the file";
            Err(ModelError::Value { value: name.clone(), found: found.to_owned(), rule })
        };
        match constant {
            _ if *role != Role::Constant => wrong("no constant"),
            None => wrong("not given"),
            Some(constant) => Ok(&constant.elements),
        }
    }

    /// What follows from what kernels say of a tensor.
    pub fn held(&self, tensor: usize, said: Result<(), Conflict>) -> Result<(), ModelError> {
        said.map_err(|Conflict(Quantization { scales, zero })| {
            let scale = scales.first().copied().unwrap_or(1.0);
            let (value, found) =
                (self.tensors[tensor].name.clone(), format!("of the scale {scale} and the zero {zero} elsewhere"));
            ModelError::Value { value, found, rule: "all kernels say the same of what integers stand for" }
        })
    }

    /// A value of a tensor's type, which is the tensor or what it is before or after something.
    pub fn like(&mut self, tensor: usize, name: &str) -> ValueId {
        let is_bytes = self.tensors[tensor].of == Type::Byte;
        let element = if is_bytes { ElementType::I8 } else { ElementType::F32 };
        let quantization = is_bytes.then(|| self.scales.get(tensor));
        self.draft.add(Value { element, quantization, ..Value::new(name) })
    }

    /// Adds an input or a constant.
    fn add_leaf(&mut self, tensor: usize) -> Result<ValueId, ModelError> {
        let Tensor { name, extents, of, role, constant } = &mut self.tensors[tensor];
        let (name, role, extents, constant) = (name.clone(), *role, extents.clone(), constant.take());
        if role == Role::Input && !matches!(of, Type::Float | Type::Byte) {
            let found = "of another type".to_owned();
            let rule = "inputs are floats of 32 bits or integers of 8 with a sign";
            return Err(ModelError::Value { value: name, found, rule });
        }
        let elements = if *of == Type::Float { Elements::Absent } else { Elements::Unread(ABSENT) };
        let value = self.like(tensor, &name);
        let own = &mut self.draft.values[value.0];
        match role {
            Role::Constant => own.constant = Some(constant.unwrap_or(Constant { extents, elements })),
            Role::Input | Role::Made => own.declared = Some(extents.into_iter().map(Some).collect()),
        }
        self.draft.place(tensor, value, false);
        Ok(value)
    }

    /// The value that a kernel is to write: a tensor as an image, or as the file has it.
    pub fn written(&mut self, tensor: usize, is_image: bool) -> ValueId {
        let name = self.tensors[tensor].name.clone();
        let value = self.like(tensor, &name);
        self.draft.place(tensor, value, is_image);
        value
    }

    /// Holds the extents that the file says to those that follow from what kernels read, as far as that can be computed.
    fn hold_extents(&self) -> Result<(), ModelError> {
        let Draft { values, nodes, .. } = &self.draft;
        let mut said: Vec<Option<(usize, bool)>> = vec![None; values.len()];
        for tensor in 0..self.tensors.len() {
            let [in_file, as_image] = self.draft.placed(tensor);
            in_file.into_iter().for_each(|value| said[value.0] = Some((tensor, false)));
            as_image.into_iter().for_each(|value| said[value.0] = Some((tensor, true)));
        }
        let mut extents: Vec<Option<Vec<usize>>> = values.iter().map(Value::extents).collect();
        for node in nodes {
            let of = |value: &Option<ValueId>| value.and_then(|value| extents[value.0].as_deref());
            let constant = |value: &Option<ValueId>| values[(*value)?.0].constant.as_ref();
            let inputs = Inputs {
                extents: node.inputs.iter().map(of).collect(),
                constants: node.inputs.iter().map(constant).collect(),
            };
            // What breaks a rule is said by the plan, which names the rule.
            let Ok(mut found) = shape::infer(&node.operator, &inputs) else { continue };
            let Some(output) = node.outputs.first().copied().flatten() else { continue };
            extents[output.0] = Some(found.clone());
            let Some((tensor, is_image)) = said[output.0] else { continue };
            let Tensor { name, extents, .. } = &self.tensors[tensor];
            if is_image && found.len() == 4 {
                found = IN_IMAGE.map(|dimension| found[dimension]).to_vec();
            }
            if found != *extents {
                let (value, found) =
                    (name.clone(), format!("{found:?} by what is computed, and {extents:?} in the file"));
                return Err(ModelError::Value { value, found, rule: "a file says what is computed" });
            }
        }
        Ok(())
    }
}
