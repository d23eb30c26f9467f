//! A kernel's signature on one line, as its author wrote it.

use crate::text::comma;
use windrow_dsl::ir::{Bound, Input, Kernel, Output, Parameter, Type, Uniform};

/// `gaussian3x3(src: Neighbourhood<u8>) -> u8`.
pub fn signature(kernel: &Kernel) -> String {
    let parameters = kernel.parameters.iter().map(|parameter| match *parameter {
        Parameter::Input(id) => input(&kernel.inputs[id.0 as usize]),
        Parameter::Uniform(id) => uniform(&kernel.uniforms[id.0 as usize]),
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            format!("{}: Table<{}, {}>", table.name, table.element.name(), table.length)
        }
        Parameter::Variant(index) => {
            let variant = &kernel.variants[index as usize];
            format!("#[variant] {}: {}", variant.name, variant.enum_name)
        }
        Parameter::Place(2) => "[y, x]: At<2>".to_owned(),
        Parameter::Place(rank) => format!("at: At<{rank}>"),
    });
    let outputs: Vec<_> = kernel.outputs.iter().map(output).collect();
    let result = match outputs.as_slice() {
        [one] => one.clone(),
        several => format!("({})", comma(several)),
    };
    format!("{}({}) -> {result}", kernel.name, comma(parameters))
}

fn input(input: &Input) -> String {
    let element = element(input.element, input.channels);
    if input.is_whole {
        let rank = input.rank.map_or_else(String::new, |rank| format!(", {rank}"));
        return format!("{}: View<{element}{rank}>", input.name);
    }
    let stride = if input.stride() == (1, 1) {
        String::new()
    } else {
        format!("#[stride({}, {})] ", input.stride().0, input.stride().1)
    };
    let inout = if input.inout.is_some() { "#[inout] " } else { "" };
    let ty = if input.is_neighbourhood { format!("Neighbourhood<{element}>") } else { element };
    format!("{stride}{inout}{}: {ty}", input.name)
}

fn uniform(uniform: &Uniform) -> String {
    let facts = match (uniform.bounds, uniform.sum_of_magnitudes) {
        (Some((lo, hi)), _) => format!("({}..={})", bound(lo), bound(hi)),
        (None, Some(sum)) => format!("(sum_of_magnitudes <= {sum})"),
        (None, None) => String::new(),
    };
    let scalar = if uniform.is_usize { "usize" } else { uniform.ty.name() };
    let ty = uniform.dims.iter().rev().fold(scalar.to_owned(), |ty, length| format!("[{ty}; {length}]"));
    format!("#[uniform{facts}] {}: {ty}", uniform.name)
}

fn output(output: &Output) -> String {
    let ty = element(output.element, output.channels);
    if output.name == "out" {
        return ty;
    }
    format!("{}{}: {ty}", output.name, if output.optional { "?" } else { "" })
}

fn element(ty: Type, channels: u32) -> String {
    if channels == 1 { ty.name().to_owned() } else { format!("[{}; {channels}]", ty.name()) }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Int(value) => value.to_string(),
        Bound::Float(value) => format!("{value:?}"),
    }
}
