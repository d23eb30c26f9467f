//! Writes what hangs on a kernel's name: `SPEC`, `infer`, `validate`, `configure`, and `impl Kernel`.
//!
//! The methods only turn typed arguments into the runtime's tables; every rule stands in the runtime.

use super::{signature, spec};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Kernel, Parameter};

/// Writes `impl Kernel for k` and the inherent methods; `name` is `k`, or `k<f32>` with `types`.
pub fn write(text: &mut Text, kernel: &Kernel, name: &str, visibility: &str) {
    text.open(format!("impl rt::Kernel for {name}"));
    text.line("const CODE: &'static rt::KernelCode = &CODE;");
    text.line(format!("type Inputs<'a> = {};", signature::inputs(kernel)));
    text.line(format!("type Outputs<'a> = {};", signature::outputs(kernel)));
    text.close("");
    text.open(format!("impl {name}"));
    text.line("/// The kernel's signature and limits.");
    text.line(format!("{visibility} const SPEC: &'static rt::KernelSpec = &SPEC;"));
    for method in [INFER, VALIDATE, CONFIGURE] {
        write_method(text, kernel, visibility, &method);
    }
    text.close("");
}

/// One of the three entries, which differ in whether they know the outputs and in what they give.
struct Method {
    name: &'static str,
    docs: &'static str,
    takes_outputs: bool,
    result: &'static str,
}

const INFER: Method = Method {
    name: "infer",
    docs: "The shape, type and valid region of each output, from the inputs alone.",
    takes_outputs: false,
    result: "rt::Inferred",
};

const VALIDATE: Method = Method {
    name: "validate",
    docs: "Whether the kernel can run on such arguments; looks at metadata alone, and names the argument and the rule broken.",
    takes_outputs: true,
    result: "()",
};

const CONFIGURE: Method = Method {
    name: "configure",
    docs: "Validates, and fixes window, variant, border and valid region; the result runs many times.",
    takes_outputs: true,
    result: "rt::Configured<Self>",
};

fn write_method(text: &mut Text, kernel: &Kernel, visibility: &str, method: &Method) {
    text.line(format!("/// {}", method.docs));
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The first rule that the arguments break.");
    text.line("#[allow(clippy::too_many_arguments)]");
    let parameters = parameters(kernel, method.takes_outputs);
    text.open(format!(
        "{visibility} fn {}({}) -> ::core::result::Result<{}, rt::InvalidConfiguration>",
        method.name,
        comma(parameters),
        method.result
    ));
    text.line(format!("let mut words = [0u32; {}];", spec::uniform_words(kernel)));
    for (id, word) in spec::first_words(kernel).iter().enumerate() {
        let uniform = &kernel.uniforms[id];
        let end = word + spec::scalars(uniform);
        text.line(format!("rt::Uniform::store({}, &mut words[{word}..{end}])?;", parameter_name(&uniform.name)));
    }
    text.open("let request = rt::Request");
    text.line(format!("inputs: &[{}],", input_values(kernel)));
    text.line("words: &words,");
    text.line(format!("choice: &[{}],", comma(kernel.variants.iter().map(choice))));
    text.line(format!("outputs: &[{}],", if method.takes_outputs { output_values(kernel) } else { String::new() }));
    text.line(format!("border: {},", border_value(kernel)));
    text.close(";");
    text.line(format!("rt::{}::<Self>(&request)", method.name));
    text.close("");
}

fn parameters(kernel: &Kernel, takes_outputs: bool) -> Vec<String> {
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
    if takes_outputs {
        let fresh = kernel.outputs.iter().enumerate().filter(|(id, _)| signature::inout_of(kernel, *id).is_none());
        list.extend(fresh.map(|(_, output)| format!("output_{}: {}", output.name, signature::output_info(output))));
    }
    if signature::has_border(kernel) {
        list.push("border: rt::Border".to_owned());
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

fn input_values(kernel: &Kernel) -> String {
    comma(kernel.inputs.iter().map(|input| parameter_name(&input.name)))
}

fn output_values(kernel: &Kernel) -> String {
    comma(kernel.outputs.iter().enumerate().map(|(id, output)| match signature::inout_of(kernel, id) {
        Some(input) => format!("::core::option::Option::Some({})", parameter_name(&kernel.inputs[input].name)),
        None if output.optional => format!("output_{}", output.name),
        None => format!("::core::option::Option::Some(output_{})", output.name),
    }))
}

fn choice(variant: &windrow_dsl::ir::Variant) -> String {
    let arms = variant.values.iter().enumerate().map(|(index, value)| format!("{}::{value} => {index}u32", variant.enum_name));
    format!("match {} {{ {} }}", parameter_name(&variant.name), comma(arms))
}

fn border_value(kernel: &Kernel) -> &'static str {
    if signature::has_border(kernel) { "border" } else { "rt::Border::Undefined" }
}
