//! What Python is told of a kernel: its specification as dictionaries, and its documentation.

use crate::{
    numpy,
    options::NAMES,
    output::is_inout,
    signature::{Parameter, Role},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use windrow::{
    ElementType, KernelSpec,
    family::Family,
    spec::{ArgumentKind, InputSpec, NeighbourhoodSpec, UniformSpec},
};

/// NumPy's name of a type that kernels compute with.
pub fn dtype_name(element: ElementType) -> &'static str {
    numpy::name(element.dtype()).unwrap_or("?")
}

/// A kernel's specification.
pub fn spec<'py>(py: Python<'py>, spec: &'static KernelSpec) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", spec.name)?;
    dict.set_item("docs", docs(spec))?;
    dict.set_item("module", spec.module)?;
    dict.set_item("rank", spec.rank)?;
    dict.set_item("step", spec.step)?;
    dict.set_item("borders", spec.borders.iter().map(|mode| mode.name()).collect::<Vec<_>>())?;
    dict.set_item("coordinates", spec.coordinates)?;
    dict.set_item("floats", spec.floats)?;
    dict.set_item("fast", spec.fast)?;
    let arguments = PyList::empty(py);
    for argument in spec.arguments {
        let described = PyDict::new(py);
        described.set_item("name", argument.name)?;
        match &argument.kind {
            ArgumentKind::Input(input) => image(&described, input)?,
            ArgumentKind::Uniform(uniform) => of_uniform(&described, uniform)?,
            ArgumentKind::Table { element, length } => {
                described.set_item("kind", "table")?;
                described.set_item("dtype", dtype_name(*element))?;
                described.set_item("length", *length)?;
            }
            ArgumentKind::Variant { values, .. } => {
                described.set_item("kind", "variant")?;
                described.set_item("values", values.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>())?;
            }
        }
        arguments.append(described)?;
    }
    dict.set_item("arguments", arguments)?;
    let outputs = PyList::empty(py);
    for output in spec.outputs {
        let described = PyDict::new(py);
        described.set_item("name", output.name)?;
        described.set_item("dtype", dtype_name(output.element))?;
        described.set_item("channels", output.channels)?;
        described.set_item("optional", output.optional)?;
        outputs.append(described)?;
    }
    dict.set_item("outputs", outputs)?;
    dict.set_item("requires", spec.requires.iter().map(|require| require.text).collect::<Vec<_>>())?;
    Ok(dict)
}

fn image(described: &Bound<'_, PyDict>, input: &'static InputSpec) -> PyResult<()> {
    let NeighbourhoodSpec { left, right, top, bottom } = input.neighbourhood();
    described.set_item("kind", "image")?;
    described.set_item("dtype", dtype_name(input.element))?;
    described.set_item("channels", input.channels)?;
    described.set_item("whole", input.is_whole())?;
    described.set_item("element_wise", input.is_element_wise())?;
    described.set_item("inout", input.inout)?;
    // Outermost first, as extents: rows, columns.
    described.set_item("neighbourhood", ((top, bottom), (left, right)))?;
    let (x, y) = input.stride();
    described.set_item("stride", (y, x))
}

fn of_uniform(described: &Bound<'_, PyDict>, uniform: &'static UniformSpec) -> PyResult<()> {
    described.set_item("kind", "uniform")?;
    described.set_item("dtype", dtype_name(uniform.element))?;
    described.set_item("shape", uniform.dims)?;
    let bounds = uniform.bounds.map(|(least, greatest)| (least.to_f64(), greatest.to_f64()));
    described.set_item("bounds", bounds)?;
    described.set_item("sum_of_magnitudes", uniform.sum_of_magnitudes)
}

/// The author's words without the blank that follows `///`.
fn docs(spec: &KernelSpec) -> String {
    let lines = spec.docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim().to_string()
}

/// The documentation of an operator, as NumPy's functions have it.
pub fn documentation(family: &Family, parameters: &[Parameter]) -> String {
    let members = family.members();
    let mut text = match members {
        [code] => docs(code.spec()),
        _ => {
            let names = members.iter().map(|code| format!("* `{}`: {}", code.spec().name, Family::types_of(code)));
            let first = members.first().map(|code| docs(code.spec())).unwrap_or_default();
            let kernels = names.collect::<Vec<_>>().join("\n");
            format!("{first}\n\nThe types of the arrays choose the kernel:\n\n{kernels}")
        }
    };
    text.push_str("\n\nParameters\n----------\n");
    for parameter in parameters {
        let optional = if parameter.required { "" } else { ", where the kernel has it" };
        let name = parameter.names.join(", ");
        text.push_str(&format!("{name} : {}{optional}\n", takes(family, parameter)));
    }
    for name in NAMES.iter().filter(|name| is_option(family, parameters, name)) {
        text.push_str(&format!("{name} : {}\n", option(family, name)));
    }
    text.push_str("\nReturns\n-------\n");
    let Some(spec) = members.first().map(|code| code.spec()) else { return text };
    for (index, output) in spec.outputs.iter().enumerate() {
        let types = distinct(
            members
                .iter()
                .filter_map(|code| code.spec().outputs.get(index))
                .map(|output| array(output.element, output.channels)),
        );
        let same = if is_inout(spec, index) { ", the one that was given" } else { "" };
        text.push_str(&format!("{} : array of {types}{same}\n", output.name));
    }
    text
}

/// Whether calls of an operator have this option.
pub fn is_option(family: &Family, parameters: &[Parameter], name: &str) -> bool {
    let members = family.members();
    let reads_around = members
        .iter()
        .any(|code| code.spec().images().any(|(_, input)| input.neighbourhood() != NeighbourhoodSpec::default()));
    let has_no_shape = members.iter().any(|code| code.spec().read_images().all(|(_, input)| input.is_whole()));
    !parameters.iter().any(|parameter| parameter.names.contains(&name))
        && match name {
            "border" => reads_around,
            "dtype" => members.len() > 1,
            "size" => family.sizes().len() > 1,
            "shape" => has_no_shape,
            "out" => {
                members.iter().any(|code| (0..code.spec().outputs.len()).any(|index| !is_inout(code.spec(), index)))
            }
            _ => true,
        }
}

fn option(family: &Family, name: &str) -> String {
    match name {
        "out" => "array or tuple of arrays, optional\n    Where the results go. In a tuple, `None` stands for a new array, and \
                  `False` leaves out an output\n    that is optional."
            .into(),
        "border" => {
            let modes = family.members().iter().flat_map(|code| code.spec().borders).map(|mode| match mode.name() {
                "constant" => "(\"constant\", value)".to_string(),
                name => format!("{name:?}"),
            });
            format!("{}, default \"undefined\"\n    What is read outside the arrays. A list has one for each of them.", distinct(modes))
        }
        "threads" => "int, optional\n    Threads that share the work; as many as there are cores by default.".into(),
        "dtype" => "type, optional\n    The type of the results, where there are kernels for several.".into(),
        "size" => "(columns, rows), optional\n    The size of the neighbourhood, where there are kernels for several.".into(),
        "shape" => "tuple of int, optional\n    The shape of the results: no array that is read says it.".into(),
        _ => "slice or tuple of slices, optional\n    The part of the results to compute, in whole steps of the kernel. The rest of a \
              new array is 0."
            .into(),
    }
}

/// What a parameter takes, in words.
fn takes(family: &Family, parameter: &Parameter) -> String {
    let same = family.members().iter().flat_map(|code| crate::signature::arguments(code.spec(), parameter));
    let kinds = same.map(|argument| match &argument.kind {
        ArgumentKind::Input(input) => {
            let array = format!("array of {}", array(input.element, input.channels));
            match (parameter.role, input.is_whole(), input.neighbourhood()) {
                (Role::InOut(_), ..) => format!("{array}, which is changed"),
                (_, true, _) => format!("{array}, read anywhere"),
                (_, false, around) if around == NeighbourhoodSpec::default() => array,
                (_, false, around) => format!("{array}, read at {around}"),
            }
        }
        ArgumentKind::Uniform(uniform) => {
            let bounds =
                uniform.bounds.map_or_else(String::new, |(least, greatest)| format!(" from {least:#} to {greatest:#}"));
            match uniform.dims {
                [] => format!("{}{bounds}", dtype_name(uniform.element)),
                dims => format!("array of {} of shape {dims:?}{bounds}", dtype_name(uniform.element)),
            }
        }
        ArgumentKind::Table { element, length } => format!("table of {length} {}", dtype_name(*element)),
        ArgumentKind::Variant { values, .. } => {
            values.iter().map(|name| format!("{:?}", name.to_lowercase())).collect::<Vec<_>>().join(", ")
        }
    });
    distinct(kinds)
}

fn array(element: ElementType, channels: u32) -> String {
    match channels {
        1 => dtype_name(element).to_string(),
        _ => format!("{} with {channels} channels in the last axis", dtype_name(element)),
    }
}

/// Each text once, with `or` between them.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found.join(" or ")
}
