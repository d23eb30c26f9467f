//! The Rust types that a kernel's parameters and outputs have in generated code.

use crate::text::comma;
use windrow_dsl::ir::{Kernel, Output, Parameter, Type, Uniform};

/// The type of a pixel: a scalar, or an array of channels.
pub fn pixel(ty: Type, channels: u32) -> String {
    match channels {
        1 => scalar(ty),
        _ => format!("[{}; {channels}]", scalar(ty)),
    }
}

/// The type of a scalar, where `rt` is known.
pub fn scalar(ty: Type) -> String {
    path_in("rt", ty)
}

/// The type of a scalar anywhere. Rust's core lacks the halves.
pub fn path(ty: Type) -> String {
    path_in("::windrow::__rt", ty)
}

fn path_in(runtime: &str, ty: Type) -> String {
    if ty.is_half() { format!("{runtime}::{}", ty.name()) } else { ty.name().to_owned() }
}

/// The type of a uniform's parameter, as the author wrote it.
pub fn uniform(uniform: &Uniform) -> String {
    let innermost = if uniform.is_usize { "usize" } else { uniform.ty.name() }.to_owned();
    uniform.dims.iter().rev().fold(innermost, |inner, dim| format!("[{inner}; {dim}]"))
}

/// `Kernel::Inputs<'a>`: a view for each input and table that is not an output, in argument order.
pub fn inputs(kernel: &Kernel) -> String {
    tuple(kernel.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Input(id) => {
            let input = &kernel.inputs[id.0 as usize];
            input.inout.is_none().then(|| format!("rt::View<'a, {}>", pixel(input.element, input.channels)))
        }
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            Some(format!("&'a [{}; {}]", scalar(table.element), table.length))
        }
        Parameter::Uniform(_) | Parameter::Variant(_) | Parameter::Place(_) => None,
    }))
}

/// `Kernel::Outputs<'a>`: a mutable view for each output.
pub fn outputs(kernel: &Kernel) -> String {
    tuple(kernel.outputs.iter().map(|output| {
        let view = format!("rt::ViewMut<'a, {}>", pixel(output.element, output.channels));
        if output.optional { format!("::core::option::Option<{view}>") } else { view }
    }))
}

/// One of them by itself, several in parentheses.
pub fn tuple(types: impl Iterator<Item = String>) -> String {
    let types: Vec<String> = types.collect();
    match types.as_slice() {
        [one] => one.clone(),
        several => format!("({})", comma(several)),
    }
}

/// The type of a parameter of the author's function.
pub fn parameter(kernel: &Kernel, parameter: Parameter) -> String {
    match parameter {
        Parameter::Input(id) => {
            let input = &kernel.inputs[id.0 as usize];
            let pixel = pixel(input.element, input.channels);
            if let Some(rank) = input.rank {
                return format!("rt::View<'_, {pixel}, {rank}>");
            }
            match (input.is_whole, input.is_neighbourhood) {
                (true, _) => format!("rt::View<'_, {pixel}>"),
                (false, true) => format!("rt::Neighbourhood<'_, {pixel}>"),
                (false, false) => pixel,
            }
        }
        Parameter::Uniform(id) => uniform(&kernel.uniforms[id.0 as usize]),
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            format!("rt::Table<'_, {}, {}>", scalar(table.element), table.length)
        }
        Parameter::Variant(index) => kernel.variants[index as usize].enum_name.clone(),
        Parameter::Place(rank) => format!("[i32; {rank}]"),
    }
}

/// What the author's function returns.
pub fn result(kernel: &Kernel) -> String {
    tuple(kernel.outputs.iter().map(|output| pixel(output.element, output.channels)))
}

/// The input that is also this output.
pub fn inout_of(kernel: &Kernel, output: usize) -> Option<usize> {
    kernel.inputs.iter().position(|input| input.inout.is_some_and(|id| id.0 as usize == output))
}

/// The outputs that are not `#[inout]` images, with their numbers.
pub fn fresh_outputs(kernel: &Kernel) -> impl Iterator<Item = (usize, &Output)> {
    kernel.outputs.iter().enumerate().filter(|(id, _)| inout_of(kernel, *id).is_none())
}

/// Whether configuring takes a border: some input is read around the element.
pub fn has_border(kernel: &Kernel) -> bool {
    kernel.inputs.iter().any(|input| input.is_neighbourhood)
}

/// The parameter's type for an output's metadata.
pub fn output_info(output: &Output) -> &'static str {
    if output.optional { "::core::option::Option<&rt::TensorInfo>" } else { "&rt::TensorInfo" }
}
