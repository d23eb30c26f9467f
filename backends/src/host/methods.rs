//! Writes what hangs on a kernel's name: `SPEC`, `infer`, `validate`, `configure`, and `unsafe impl Kernel`.
//!
//! The methods only turn typed arguments into the runtime's tables; every rule stands in the runtime.

use super::{signature, spec};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Kernel, Parameter};

/// Writes `impl Kernel for k` and the inherent methods; `name` is `k`, or `k<f32>` with `types`.
pub fn write(text: &mut Text, kernel: &Kernel, name: &str, visibility: &str) {
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
    text.close("");
}

/// A function with `types` has no single type to stand in place with: each copy is called through its name.
fn write_call(text: &mut Text, kernel: &Kernel, visibility: &str) {
    let names: Vec<String> = (0..kernel.parameters.len()).map(|place| format!("argument_{place}")).collect();
    let parameters = names
        .iter()
        .zip(&kernel.parameters)
        .map(|(name, parameter)| format!("{name}: {}", signature::parameter(kernel, *parameter)));
    text.line("/// The author's function on these types.");
    text.line("#[allow(clippy::too_many_arguments)]");
    text.open(format!("{visibility} fn call({}) -> {}", comma(parameters), signature::result(kernel)));
    text.line(format!("{}({})", kernel.function, comma(&names)));
    text.close("");
}

/// The outputs follow from the images read alone.
fn write_infer(text: &mut Text, kernel: &Kernel, visibility: &str) {
    text.line("/// The shape and type of each output and the valid region, from the images read alone.");
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The first rule that the arguments break.");
    let mut list: Vec<String> = read(kernel).map(|name| format!("{name}: &rt::TensorInfo")).collect();
    if signature::has_border(kernel) {
        list.push("border: impl ::core::convert::Into<rt::Borders>".to_owned());
    }
    let result = "::core::result::Result<rt::Inferred, rt::InvalidConfiguration>";
    text.open(format!("{visibility} fn infer({}) -> {result}", comma(list)));
    text.line(format!("rt::infer(&SPEC, &[{}], {}.modes())", comma(read(kernel)), border_value(kernel)));
    text.close("");
}

/// The names of the images that are read and not written.
fn read(kernel: &Kernel) -> impl Iterator<Item = String> + '_ {
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
    docs: "Whether the kernel can run on such arguments; looks at metadata alone, and names the argument and the rule broken.",
    call: "rt::validate(&SPEC, &request)",
    result: "rt::Inferred",
};

const CONFIGURE: Method = Method {
    name: "configure",
    docs: "Validates, and fixes window, variant, border and valid region; the result runs many times.",
    call: "rt::configure::<Self>(&request)",
    result: "rt::Configured<Self>",
};

fn write_method(text: &mut Text, kernel: &Kernel, visibility: &str, method: &Method) {
    text.line(format!("/// {}", method.docs));
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The first rule that the arguments break.");
    text.line("#[allow(clippy::too_many_arguments)]");
    text.open(format!(
        "{visibility} fn {}({}) -> ::core::result::Result<{}, rt::InvalidConfiguration>",
        method.name,
        comma(parameters(kernel)),
        method.result
    ));
    text.line(format!("let mut words = [0u32; {}];", spec::uniform_words(kernel)));
    for (id, word) in spec::first_words(kernel).iter().enumerate() {
        let uniform = &kernel.uniforms[id];
        let end = word + spec::scalars(uniform);
        text.line(format!("rt::Uniform::to_words({}, &mut words[{word}..{end}]);", parameter_name(&uniform.name)));
    }
    text.open("let request = rt::Request");
    text.line(format!("inputs: &[{}],", comma(read(kernel))));
    text.line("words: &words,");
    text.line(format!("choice: &[{}],", comma(kernel.variants.iter().map(choice))));
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
            Parameter::Uniform(id) => {
                let uniform = &kernel.uniforms[id.0 as usize];
                Some(format!("{}: {}", parameter_name(&uniform.name), signature::uniform(uniform)))
            }
            Parameter::Variant(index) => {
                let variant = &kernel.variants[index as usize];
                Some(format!("{}: {}", parameter_name(&variant.name), variant.enum_name))
            }
            Parameter::Table(_) => None,
        })
        .collect();
    let fresh = kernel.outputs.iter().enumerate().filter(|(id, _)| signature::inout_of(kernel, *id).is_none());
    list.extend(fresh.map(|(_, output)| format!("output_{}: {}", output.name, signature::output_info(output))));
    if signature::has_border(kernel) {
        list.push("border: impl ::core::convert::Into<rt::Borders>".to_owned());
    }
    list
}

/// The author's name, kept apart from the locals of the generated method.
fn parameter_name(name: &str) -> String {
    match name {
        "words" | "request" | "border" => format!("{name}_"),
        name if name.starts_with('_') => format!("argument{name}"),
        name => name.to_owned(),
    }
}

fn output_values(kernel: &Kernel) -> String {
    comma(kernel.outputs.iter().enumerate().map(|(id, output)| match signature::inout_of(kernel, id) {
        Some(input) => format!("::core::option::Option::Some({})", parameter_name(&kernel.inputs[input].name)),
        None if output.optional => format!("output_{}", output.name),
        None => format!("::core::option::Option::Some(output_{})", output.name),
    }))
}

fn choice(variant: &windrow_dsl::ir::Variant) -> String {
    let arms =
        variant.values.iter().enumerate().map(|(index, value)| format!("{}::{value} => {index}u32", variant.enum_name));
    format!("match {} {{ {} }}", parameter_name(&variant.name), comma(arms))
}

fn border_value(kernel: &Kernel) -> &'static str {
    match signature::has_border(kernel) {
        true => "::core::convert::Into::<rt::Borders>::into(border)",
        false => "rt::Borders::from(rt::Border::Undefined)",
    }
}
