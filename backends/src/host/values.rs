//! Writes how a kernel's uniforms and variants become words and numbers, once for all methods that take them.

use super::{methods::parameter_name, signature, spec};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Kernel, Parameter, Variant};

/// Writes `fn values`, where the kernel has uniforms or variants.
pub fn write(text: &mut Text, kernel: &Kernel) {
    if of(kernel).next().is_none() {
        return;
    }
    let (words, variants) = (spec::uniform_words(kernel), kernel.variants.len());
    let list = of(kernel).map(|parameter| self::parameter(kernel, parameter));
    text.open(format!("fn values({}) -> ([u32; {words}], [u32; {variants}])", comma(list)));
    text.line(format!("let mut words = [0u32; {words}];"));
    for (id, word) in spec::first_words(kernel).iter().enumerate() {
        let uniform = &kernel.uniforms[id];
        let end = word + spec::scalars(uniform);
        text.line(format!("rt::Uniform::to_words({}, &mut words[{word}..{end}]);", parameter_name(&uniform.name)));
    }
    text.line(format!("(words, [{}])", comma(kernel.variants.iter().map(choice))));
    text.close("");
}

/// Writes `let (words, choice) = …;` into a method that has the parameters.
pub fn write_call(text: &mut Text, kernel: &Kernel) {
    let mut names = of(kernel).map(|parameter| name(kernel, parameter)).peekable();
    match names.peek() {
        Some(_) => text.line(format!("let (words, choice) = values({});", comma(names))),
        None => text.line("let (words, choice) = ([], []);"),
    }
}

/// Writes `let words = …;` into a method that has the parameters, of a kernel with uniforms.
pub fn write_words(text: &mut Text, kernel: &Kernel) {
    text.line(format!("let (words, _) = values({});", comma(of(kernel).map(|parameter| name(kernel, parameter)))));
}

/// The parameter of a method for a uniform or a variant.
pub fn parameter(kernel: &Kernel, parameter: Parameter) -> String {
    let ty = match parameter {
        Parameter::Uniform(id) => signature::uniform(&kernel.uniforms[id.0 as usize]),
        _ => signature::parameter(kernel, parameter),
    };
    format!("{}: {ty}", name(kernel, parameter))
}

/// The uniforms and variants, in the author's order.
pub fn of(kernel: &Kernel) -> impl Iterator<Item = Parameter> + '_ {
    let is_value = |parameter: &Parameter| matches!(parameter, Parameter::Uniform(_) | Parameter::Variant(_));
    kernel.parameters.iter().copied().filter(is_value)
}

fn name(kernel: &Kernel, parameter: Parameter) -> String {
    parameter_name(match parameter {
        Parameter::Uniform(id) => &kernel.uniforms[id.0 as usize].name,
        Parameter::Variant(index) => &kernel.variants[index as usize].name,
        Parameter::Input(id) => &kernel.inputs[id.0 as usize].name,
        Parameter::Table(id) => &kernel.tables[id.0 as usize].name,
        Parameter::Place(_) => "place",
    })
}

fn choice(variant: &Variant) -> String {
    let arms =
        variant.values.iter().enumerate().map(|(index, value)| format!("{}::{value} => {index}u32", variant.enum_name));
    format!("match {} {{ {} }}", parameter_name(&variant.name), comma(arms))
}
