//! The parameters of an operator in Python: the kernels' own, in the author's order, and the options of every call.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use windrow::{
    KernelSpec,
    family::Family,
    spec::{ArgumentKind, ArgumentSpec},
};

/// What a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The image that is read with this number.
    Image(usize),
    /// The output with this number, which is read too.
    InOut(usize),
    /// A uniform, a variant or a table.
    Value,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// What the members call it, the first member's name first.
    pub names: Vec<&'static str>,
    /// What it stands for.
    pub role: Role,
    /// Whether every member has it.
    pub required: bool,
}

/// The parameters of a family: those of its first member, and those that only others have.
pub fn parameters(family: &Family) -> Vec<Parameter> {
    let mut found: Vec<Parameter> = Vec::new();
    for code in family.members() {
        let mut images = 0;
        for argument in code.spec().arguments {
            let role = match &argument.kind {
                ArgumentKind::Input(input) => match input.inout {
                    Some(output) => Role::InOut(output as usize),
                    None => {
                        images += 1;
                        Role::Image(images - 1)
                    }
                },
                ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => Role::Value,
            };
            let is_this = |known: &&mut Parameter| match role {
                Role::Value => known.role == role && known.names.contains(&argument.name),
                Role::Image(_) | Role::InOut(_) => known.role == role,
            };
            match found.iter_mut().find(is_this) {
                Some(known) if known.names.contains(&argument.name) => {}
                Some(known) => known.names.push(argument.name),
                None => found.push(Parameter { names: vec![argument.name], role, required: true }),
            }
        }
    }
    name_apart(&mut found);
    let images = |spec: &'static KernelSpec| spec.read_images().count();
    for parameter in &mut found {
        let has = |spec: &'static KernelSpec| match parameter.role {
            Role::Image(index) => index < images(spec),
            Role::InOut(_) => true,
            Role::Value => spec.arguments.iter().any(|argument| parameter.names.contains(&argument.name)),
        };
        parameter.required = family.members().iter().all(|code| has(code.spec()));
    }
    // What some members lack comes last, so that all before it may be given by position.
    found.sort_by_key(|parameter| !parameter.required);
    found
}

/// Names all images by their places, where members give one name to different places.
fn name_apart(parameters: &mut [Parameter]) {
    const PLACES: [&str; 8] = ["image1", "image2", "image3", "image4", "image5", "image6", "image7", "image8"];
    let names = parameters.iter().flat_map(|parameter| &parameter.names);
    let is_twice = |name: &&str| parameters.iter().filter(|parameter| parameter.names.contains(name)).count() > 1;
    if !names.copied().any(|name| is_twice(&name)) {
        return;
    }
    for parameter in parameters {
        if let Role::Image(index) = parameter.role {
            parameter.names = PLACES.get(index).copied().into_iter().collect();
        }
    }
}

/// What stands for a parameter among a kernel's arguments.
pub fn arguments(spec: &'static KernelSpec, parameter: &Parameter) -> impl Iterator<Item = &'static ArgumentSpec> {
    let (role, names) = (parameter.role, parameter.names.clone());
    let mut images = 0;
    spec.arguments.iter().filter(move |argument| match &argument.kind {
        ArgumentKind::Input(input) => match input.inout {
            Some(output) => role == Role::InOut(output as usize),
            None => {
                images += 1;
                role == Role::Image(images - 1)
            }
        },
        _ => role == Role::Value && names.contains(&argument.name),
    })
}

/// The objects given for parameters, in their order, and the options that are left.
pub type Bindings<'py> = (Vec<Option<Bound<'py, PyAny>>>, Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>);

/// Brings the arguments of a call into the order of the parameters.
///
/// # Errors
/// More arguments than parameters, or one given twice.
pub fn bind<'py>(
    operator: &str,
    parameters: &[Parameter],
    positional: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bindings<'py>> {
    if positional.len() > parameters.len() {
        let (found, expected) = (positional.len(), parameters.len());
        let plural = if expected == 1 { "" } else { "s" };
        let message =
            format!("`{operator}` takes {expected} argument{plural} by position, found {found}: options go by name");
        return Err(PyTypeError::new_err(message));
    }
    let mut given: Vec<Option<Bound<'py, PyAny>>> = positional.iter().map(Some).collect();
    given.resize(parameters.len(), None);
    let mut options = Vec::new();
    for (key, value) in named.into_iter().flatten() {
        let key = key.cast_into::<PyString>()?;
        let name = key.to_cow()?;
        match parameters.iter().position(|parameter| parameter.names.iter().any(|known| *known == name)) {
            None => {
                drop(name);
                options.push((key, value));
            }
            Some(place) => match given.get_mut(place) {
                Some(slot @ None) => *slot = Some(value),
                _ => return Err(PyTypeError::new_err(format!("`{operator}` got `{name}` twice"))),
            },
        }
    }
    Ok((given, options))
}
