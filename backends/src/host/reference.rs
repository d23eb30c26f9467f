//! Writes the bridge from a point of an image to the author's own function.

use super::{signature, spec};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Input, Kernel, Parameter, Uniform};

/// The declaration of `FUNCTION`, to which the author's function is assigned: where it is of another type, rustc says so at its name.
pub fn declaration(kernel: &Kernel) -> String {
    let parameters = kernel.parameters.iter().map(|parameter| signature::parameter(kernel, *parameter));
    format!("const FUNCTION: fn({}) -> {} =", comma(parameters), signature::result(kernel))
}

/// Writes `fn reference(point: &mut rt::Point<'_>)`: collects the arguments, calls `FUNCTION`, writes what it returns.
pub fn write(text: &mut Text, kernel: &Kernel) {
    let first_words = spec::first_words(kernel);
    text.open("fn reference(point: &mut rt::Point<'_>)");
    let arguments: Vec<String> = (0..kernel.parameters.len()).map(|position| format!("argument_{position}")).collect();
    for (name, parameter) in arguments.iter().zip(&kernel.parameters) {
        let value = match *parameter {
            Parameter::Input(id) => input(&kernel.inputs[id.0 as usize], id.0),
            Parameter::Uniform(id) => uniform(&kernel.uniforms[id.0 as usize], first_words[id.0 as usize]),
            Parameter::Table(id) => {
                let table = &kernel.tables[id.0 as usize];
                format!("point.table::<{}, {}>({})", signature::scalar(table.element), table.length, id.0)
            }
            Parameter::Variant(index) => variant(kernel, index),
            Parameter::Place(rank) => format!("point.place::<{rank}>()"),
        };
        text.line(format!("let {name} = {value};"));
    }
    let call = format!("FUNCTION({})", comma(&arguments));
    match kernel.outputs.as_slice() {
        [_] => {
            text.line(format!("let result = {call};"));
            text.line("point.write(0, result);");
        }
        several => {
            let results: Vec<String> = (0..several.len()).map(|position| format!("result_{position}")).collect();
            text.line(format!("let ({}) = {call};", comma(&results)));
            for (position, result) in results.iter().enumerate() {
                text.line(format!("point.write({position}, {result});"));
            }
        }
    }
    text.close("");
}

fn input(input: &Input, index: u32) -> String {
    if let Some(rank) = input.rank {
        return format!("point.tensor::<{}, {rank}>({index})", signature::pixel(input.element, input.channels));
    }
    let read = match (input.is_whole, input.is_neighbourhood) {
        (true, _) => "view",
        (false, true) => "neighbourhood",
        (false, false) => "element",
    };
    format!("point.{read}::<{}>({index})", signature::pixel(input.element, input.channels))
}

/// The value of a uniform, an array literal for an array.
fn uniform(uniform: &Uniform, first_word: u32) -> String {
    fn value(uniform: &Uniform, dims: &[u32], word: &mut u32) -> String {
        match dims {
            [] => {
                let scalar = format!("point.uniform::<{}>({word})", uniform.ty.name());
                *word += 1;
                if uniform.is_usize { format!("{scalar} as usize") } else { scalar }
            }
            [outer, inner @ ..] => {
                let items: Vec<String> = (0..*outer).map(|_| value(uniform, inner, word)).collect();
                format!("[{}]", comma(items))
            }
        }
    }
    let mut word = first_word;
    value(uniform, &uniform.dims, &mut word)
}

fn variant(kernel: &Kernel, index: u32) -> String {
    let variant = &kernel.variants[index as usize];
    let last = variant.values.len().saturating_sub(1);
    let arms = variant.values.iter().enumerate().map(|(position, value)| {
        let pattern = if position == last { "_".to_owned() } else { position.to_string() };
        format!("{pattern} => {}::{value}", variant.enum_name)
    });
    format!("match point.choice({index}) {{ {} }}", comma(arms))
}
