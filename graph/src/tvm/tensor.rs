//! The tensors of a graph: what its nodes put out.

use super::form::NodeForm;
use crate::{error::ModelError, model::Constant, shape};

/// What a tensor is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    Input,
    Constant,
    Made,
}

/// The types of the elements of tensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Type {
    Float,
    Byte,
    Int,
    Unsigned,
    Other,
}

/// An output of a node: an input, a constant, or what a kernel makes.
pub(super) struct Tensor {
    pub name: String,
    pub extents: Vec<usize>,
    pub of: Type,
    pub role: Role,
    pub constant: Option<Constant>,
}

/// The outputs of a node.
pub(super) fn tensors_of(index: usize, form: &NodeForm) -> Result<Vec<Tensor>, ModelError> {
    let name = match form.op.as_str() {
        "kernel" => format!("{} {index}", form.name),
        op if form.name.is_empty() => format!("{op} {index}"),
        _ => form.name.clone(),
    };
    let wrong = |attribute, found, rule| Err(ModelError::Attribute { node: name.clone(), attribute, found, rule });
    let role = match form.op.as_str() {
        "kernel" => Role::Made,
        "input" => Role::Input,
        "const" => Role::Constant,
        op => return wrong("op", format!("`{op}`"), "nodes are `input`, `const` or `kernel`"),
    };
    let (shapes, types) = (&form.attrs.shapes, &form.attrs.types);
    if shapes.len() != types.len() {
        let found = format!("{} and {}", shapes.len(), types.len());
        return wrong("shape and dtype", found, "there is one of each for each output");
    }
    if shapes.is_empty() || (shapes.len() > 1 && role != Role::Input) {
        return wrong("shape", format!("a list of {}", shapes.len()), "kernels and constants have one output");
    }
    if role != Role::Made && !form.inputs.is_empty() {
        return wrong("inputs", format!("a list of {}", form.inputs.len()), "inputs and constants read nothing");
    }
    for (attribute, count) in [("num_inputs", form.inputs.len()), ("num_outputs", shapes.len())] {
        if let Some(found) = form.attrs.counts.get(attribute)
            && found.parse() != Ok(count)
        {
            return wrong(attribute, format!("`{found}`"), "it is as many as there are");
        }
    }
    let tensor = |(output, (shape, of)): (usize, (&Vec<i64>, &String))| {
        // Nodes may have many outputs: only the first has the node's name, however long that is.
        let name = if output == 0 { name.clone() } else { format!("{} {index}, output {output}", form.op) };
        let extents: Option<Vec<usize>> = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        let checked = match extents {
            Some(extents) => shape::check(&extents).map(|()| extents),
            None => Err("extents are 1 or more"),
        };
        match checked {
            Ok(extents) => Ok(Tensor { name, extents, of: Type::of(of), role, constant: None }),
            Err(rule) => Err(ModelError::Value { value: name, found: format!("of the shape {shape:?}"), rule }),
        }
    };
    shapes.iter().zip(types).enumerate().map(tensor).collect()
}

impl Type {
    fn of(name: &str) -> Type {
        match name {
            "float32" => Type::Float,
            "int8" => Type::Byte,
            "int32" => Type::Int,
            "uint8" => Type::Unsigned,
            _ => Type::Other,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Type::Float => "float32",
            Type::Byte => "int8",
            Type::Int => "int32",
            Type::Unsigned => "uint8",
            Type::Other => "another type",
        }
    }
}
