//! Writes what hangs on a kernel's name: `SPEC`, `infer`, `validate`, `configure`, `apply`, and `unsafe impl Kernel`.
//!
//! The methods only turn typed arguments into the runtime's tables; every rule is in the runtime.

use super::{apply, signature, spec, values};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Kernel, Output, Parameter};

/// Writes `impl Kernel for k` and the inherent methods; `name` is `k`, or `k<f32>` with `types`.
pub fn write(text: &mut Text, kernel: &Kernel, name: &str, visibility: &str) {
    values::write(text, kernel);
    // SAFETY: `CODE`, `Inputs` and `Outputs` are written from one kernel.
    text.open(format!("unsafe impl rt::Kernel for {name}"));
    text.line("const CODE: &'static rt::KernelCode = &CODE;");
    text.line(format!("type Inputs<'a> = {};", signature::inputs(kernel)));
    text.line(format!("type Outputs<'a> = {};", signature::outputs(kernel)));
    text.close("");
    text.open(format!("impl {name}"));
    text.line("/// The kernel's signature and limits.");
    text.line(format!("{visibility} const SPEC: &'static rt::KernelSpec = &SPEC;"));
    if kernel.type_parameter.is_some() {
        write_call(text, kernel, visibility);
    }
    write_infer(text, kernel, visibility);
    for method in [VALIDATE, CONFIGURE] {
        write_method(text, kernel, visibility, &method);
    }
    apply::write(text, kernel, visibility);
    text.close("");
}

/// A function with `types` has no single type in its place: each copy is called through its name.
fn write_call(text: &mut Text, kernel: &Kernel, visibility: &str) {
    let names: Vec<String> = (0..kernel.parameters.len()).map(|place| format!("argument_{place}")).collect();
    let parameters = names
        .iter()
        .zip(&kernel.parameters)
        .map(|(name, parameter)| format!("{name}: {}", signature::parameter(kernel, *parameter)));
    text.line("/// Calls the author's function on these types.");
    text.line("#[allow(clippy::too_many_arguments)]");
    text.open(format!("{visibility} fn call({}) -> {}", comma(parameters), signature::result(kernel)));
    text.line(format!("{}({})", kernel.function, comma(&names)));
    text.close("");
}

/// The outputs follow from the images read, and from uniforms where the author says so.
fn write_infer(text: &mut Text, kernel: &Kernel, visibility: &str) {
    let has_uniforms = spec::window_has_uniforms(kernel);
    let from = if has_uniforms { "the images read and the uniforms" } else { "the images read" };
    text.line(format!("/// Returns the shape and type of each output and the valid region, which follow from {from}."));
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The error names the first rule that the arguments break.");
    let mut list: Vec<String> = read(kernel).map(|name| format!("{name}: &rt::TensorInfo")).collect();
    if has_uniforms {
        list.extend(values::of(kernel).map(|parameter| values::parameter(kernel, parameter)));
    }
    if signature::has_border(kernel) {
        list.push("border: impl ::core::convert::Into<rt::Borders>".to_owned());
    }
    let result = "::core::result::Result<rt::Inferred, rt::InvalidConfiguration>";
    text.open(format!("{visibility} fn infer({}) -> {result}", comma(list)));
    let (read, border) = (comma(read(kernel)), border_value(kernel));
    if has_uniforms {
        values::write_words(text, kernel);
        text.line(format!("rt::infer_with_uniforms(&SPEC, &[{read}], &words, {border}.modes())"));
    } else {
        text.line(format!("rt::infer(&SPEC, &[{read}], {border}.modes())"));
    }
    text.close("");
}

/// The names of the images that are read and not written.
pub fn read(kernel: &Kernel) -> impl Iterator<Item = String> + '_ {
    kernel.inputs.iter().filter(|input| input.inout.is_none()).map(|input| parameter_name(&input.name))
}

/// One of the entries that know the outputs too.
struct Method {
    name: &'static str,
    docs: &'static str,
    call: &'static str,
    result: &'static str,
}

const VALIDATE: Method = Method {
    name: "validate",
    docs: "Checks whether the kernel can run on such arguments, by their metadata alone.",
    call: "rt::validate(&SPEC, &request)",
    result: "rt::Inferred",
};

const CONFIGURE: Method = Method {
    name: "configure",
    docs: "Checks the arguments once, for many runs: `run` of the result takes a scheduler, inputs and outputs.",
    call: "rt::configure::<Self>(&request)",
    result: "rt::Configured<Self>",
};

fn write_method(text: &mut Text, kernel: &Kernel, visibility: &str, method: &Method) {
    text.line(format!("/// {}", method.docs));
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The error names the first rule that the arguments break.");
    text.line("#[allow(clippy::too_many_arguments)]");
    text.open(format!(
        "{visibility} fn {}({}) -> ::core::result::Result<{}, rt::InvalidConfiguration>",
        method.name,
        comma(parameters(kernel)),
        method.result
    ));
    values::write_call(text, kernel);
    text.open("let request = rt::Request");
    text.line(format!("inputs: &[{}],", comma(read(kernel))));
    text.line("words: &words,");
    text.line("choice: &choice,");
    text.line(format!("outputs: &[{}],", output_values(kernel)));
    text.line(format!("border: {},", border_value(kernel)));
    text.close(";");
    text.line(method.call);
    text.close("");
}

fn parameters(kernel: &Kernel) -> Vec<String> {
    let mut list: Vec<String> = kernel
        .parameters
        .iter()
        .filter_map(|parameter| match *parameter {
            Parameter::Input(id) => {
                Some(format!("{}: &rt::TensorInfo", parameter_name(&kernel.inputs[id.0 as usize].name)))
            }
            Parameter::Uniform(_) | Parameter::Variant(_) => Some(values::parameter(kernel, *parameter)),
            Parameter::Table(_) | Parameter::Place(_) => None,
        })
        .collect();
    list.extend(
        signature::fresh_outputs(kernel)
            .map(|(_, output)| format!("{}: {}", output_name(kernel, output), signature::output_info(output))),
    );
    if signature::has_border(kernel) {
        list.push("border: impl ::core::convert::Into<rt::Borders>".to_owned());
    }
    list
}

/// The author's name, kept apart from the locals of the generated method.
pub fn parameter_name(name: &str) -> String {
    match name {
        "words" | "choice" | "request" | "border" | "call" | "inferred" => format!("{name}_"),
        name if name.starts_with('_') => format!("argument{name}"),
        name => name.to_owned(),
    }
}

fn output_values(kernel: &Kernel) -> String {
    let names = kernel.outputs.iter().enumerate().zip(output_names(kernel));
    comma(names.map(|((id, output), name)| match output.optional && signature::inout_of(kernel, id).is_none() {
        true => name,
        false => format!("::core::option::Option::Some({name})"),
    }))
}

/// The variable that holds each output, an `#[inout]` one under its parameter's name.
pub fn output_names(kernel: &Kernel) -> impl Iterator<Item = String> + '_ {
    kernel.outputs.iter().enumerate().map(|(id, output)| match signature::inout_of(kernel, id) {
        Some(input) => parameter_name(&kernel.inputs[input].name),
        None => output_name(kernel, output),
    })
}

/// The parameter of an output: `output` where the author gave the only one no name, `output_dx` where it is `dx`.
pub fn output_name(kernel: &Kernel, output: &Output) -> String {
    let inputs = kernel.inputs.iter().map(|input| &input.name);
    let uniforms = kernel.uniforms.iter().map(|uniform| &uniform.name);
    let tables = kernel.tables.iter().map(|table| &table.name);
    let variants = kernel.variants.iter().map(|variant| &variant.name);
    let mut names = inputs.chain(uniforms).chain(tables).chain(variants);
    match output.name.as_str() {
        "out" if names.all(|name| name != "output") => "output".to_owned(),
        name => format!("output_{name}"),
    }
}

pub fn border_value(kernel: &Kernel) -> &'static str {
    match signature::has_border(kernel) {
        true => "::core::convert::Into::<rt::Borders>::into(border)",
        false => "rt::Borders::from(rt::Border::Undefined)",
    }
}
