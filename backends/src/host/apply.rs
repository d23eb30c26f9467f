//! Writes `apply` and `apply_into`: one call for a whole run. They only name a kernel's arguments; the runtime's `apply` does
//! the rest.

use super::{
    methods::{border_value, output_name, output_names, parameter_name, read},
    signature, values,
};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Kernel, Output, Parameter};

/// Writes both; `apply` where the outputs follow from an image that is read.
pub fn write(text: &mut Text, kernel: &Kernel, visibility: &str) {
    let fresh = signature::fresh_outputs(kernel).count();
    if fresh == 0 || read(kernel).next().is_some() {
        write_apply(text, kernel, visibility);
    }
    if fresh > 0 {
        write_apply_into(text, kernel, visibility);
    }
}

fn write_apply(text: &mut Text, kernel: &Kernel, visibility: &str) {
    let fresh: Vec<(usize, &Output)> = signature::fresh_outputs(kernel).collect();
    text.line("/// Runs the kernel on whole images with the default scheduler, and returns the outputs.");
    text.line("///");
    text.line("/// Every output is made, those that may be left out too, and is of the kind of the first image that is read. An");
    text.line("/// `#[inout]` image is passed as `&mut`.");
    text.line("///");
    text.line("/// # Errors");
    text.line(
        "/// The error names the first rule that the arguments break, or says that there is no memory for an output.",
    );
    text.line("#[allow(clippy::too_many_arguments)]");
    let made = |pixel| format!("<ImageSpace as rt::AllocateLike<FirstImage, {pixel}>>::Image");
    let result = signature::tuple(fresh.iter().map(|(_, output)| made(pixel(output))));
    let first = read(kernel).next().filter(|_| !fresh.is_empty());
    let generics = match &first {
        Some(name) => {
            let mut pixels: Vec<String> = fresh.iter().map(|(_, output)| pixel(output)).collect();
            pixels.sort();
            pixels.dedup();
            let source = kernel.inputs.iter().find(|input| parameter_name(&input.name) == *name);
            let source = source.map_or(String::new(), |input| signature::pixel(input.element, input.channels));
            let makes: Vec<String> =
                pixels.iter().map(|pixel| format!("rt::AllocateLike<FirstImage, {pixel}>")).collect();
            format!("FirstImage: rt::Source<{source}, Space = ImageSpace>, ImageSpace: {}", makes.join(" + "))
        }
        None => "ImageSpace: rt::Space".to_owned(),
    };
    let parameters = parameters(kernel, first.as_deref());
    text.open(format!(
        "{visibility} fn apply<{generics}>({}) -> ::core::result::Result<{result}, rt::Error>",
        comma(parameters)
    ));
    write_call(text, kernel);
    if !fresh.is_empty() {
        text.line("let inferred = call.infer::<Self>()?;");
    }
    for (id, output) in &fresh {
        let first = first.as_deref().unwrap_or_default();
        text.line(format!(
            "let mut {} = rt::allocate::<Self, {}, ImageSpace, _>(&{first}, &inferred, {id})?;",
            output_name(kernel, output),
            pixel(output)
        ));
    }
    write_run(text, kernel);
    let names = signature::tuple(fresh.iter().map(|(_, output)| output_name(kernel, output)));
    text.line(format!("::core::result::Result::Ok({names})"));
    text.close("");
}

fn write_apply_into(text: &mut Text, kernel: &Kernel, visibility: &str) {
    text.line(
        "/// Runs the kernel on whole images with the default scheduler, and writes into images of the caller's.",
    );
    text.line("///");
    text.line("/// An output that may be left out is an `Option`.");
    text.line("///");
    text.line("/// # Errors");
    text.line("/// The error names the first rule that the arguments break.");
    text.line("#[allow(clippy::too_many_arguments)]");
    let mut generics = vec!["ImageSpace: rt::Space".to_owned()];
    let mut list = parameters(kernel, None);
    let border = if signature::has_border(kernel) { list.pop() } else { None };
    let mut optional: Vec<String> = Vec::new();
    for (_, output) in signature::fresh_outputs(kernel) {
        let (name, pixel) = (output_name(kernel, output), pixel(output));
        if !output.optional {
            list.push(format!("mut {name}: impl rt::Destination<{pixel}> + rt::WritableIn<ImageSpace>"));
            continue;
        }
        // Outputs of one type have one parameter for the kind of image, so that `None` has a type where another is given.
        let kind = optional.iter().position(|known| *known == pixel).unwrap_or_else(|| {
            generics
                .push(format!("OutputKind{}: rt::Destination<{pixel}> + rt::WritableIn<ImageSpace>", optional.len()));
            optional.push(pixel);
            optional.len() - 1
        });
        list.push(format!("mut {name}: ::core::option::Option<OutputKind{kind}>"));
    }
    list.extend(border);
    text.open(format!(
        "{visibility} fn apply_into<{}>({}) -> ::core::result::Result<(), rt::Error>",
        comma(generics),
        comma(list)
    ));
    write_call(text, kernel);
    write_run(text, kernel);
    text.line("::core::result::Result::Ok(())");
    text.close("");
}

/// The parameters but for the outputs, in the author's order, the border last; `first` is the one that has the type `FirstImage`.
fn parameters(kernel: &Kernel, first: Option<&str>) -> Vec<String> {
    let mut list: Vec<String> = kernel
        .parameters
        .iter()
        .filter(|parameter| !matches!(parameter, Parameter::Place(_)))
        .map(|parameter| match *parameter {
            Parameter::Input(id) => {
                let input = &kernel.inputs[id.0 as usize];
                let (name, pixel) = (parameter_name(&input.name), signature::pixel(input.element, input.channels));
                match input.inout {
                    Some(_) => format!("mut {name}: impl rt::Destination<{pixel}> + rt::WritableIn<ImageSpace>"),
                    None if first == Some(name.as_str()) => format!("{name}: FirstImage"),
                    None => format!("{name}: impl rt::Source<{pixel}> + rt::ReadableIn<ImageSpace>"),
                }
            }
            Parameter::Table(id) => {
                let table = &kernel.tables[id.0 as usize];
                format!("{}: &[{}]", parameter_name(&table.name), signature::scalar(table.element))
            }
            Parameter::Uniform(_) | Parameter::Variant(_) | Parameter::Place(_) => {
                values::parameter(kernel, *parameter)
            }
        })
        .collect();
    if signature::has_border(kernel) {
        list.push("border: impl ::core::convert::Into<rt::Borders>".to_owned());
    }
    list
}

fn write_call(text: &mut Text, kernel: &Kernel) {
    values::write_call(text, kernel);
    let tables = kernel.tables.iter().map(|table| format!("rt::AnyTable::new({})", parameter_name(&table.name)));
    text.open("let call = rt::Call");
    text.line(format!(
        "inputs: &[{}],",
        comma(read(kernel).map(|name| format!("rt::readable::<ImageSpace, _>(&{name})")))
    ));
    text.line(format!("tables: &[{}],", comma(tables)));
    text.line(format!("words: &words, choice: &choice, border: {},", border_value(kernel)));
    text.close(";");
}

fn write_run(text: &mut Text, kernel: &Kernel) {
    let outputs = output_names(kernel).map(|name| format!("rt::writable::<ImageSpace, _>(&mut {name})"));
    text.line(format!("call.run::<Self>(&mut [{}])?;", comma(outputs)));
}

fn pixel(output: &Output) -> String {
    signature::pixel(output.element, output.channels)
}
