//! The comment at a program's head: the kernel's documentation and signature, as its author wrote them.

use super::types::rust_name;
use crate::text::{Text, comma};
use windrow_dsl::ir::{Bound, Input, Kernel, Output, Parameter, Type, Uniform};

/// Writes the comment.
pub fn emit(out: &mut Text, kernel: &Kernel) {
    for line in &kernel.docs {
        out.line(format!("// {}", ascii(line.trim())).trim_end());
    }
    if !kernel.docs.is_empty() {
        out.line("//");
    }
    out.line(format!("//     {}", ascii(&signature(kernel))));
}

/// `gaussian3x3(src: Neighbourhood<u8>) -> u8`.
pub fn signature(kernel: &Kernel) -> String {
    let parameters = kernel.parameters.iter().map(|parameter| match *parameter {
        Parameter::Input(id) => input(&kernel.inputs[id.0 as usize]),
        Parameter::Uniform(id) => uniform(&kernel.uniforms[id.0 as usize]),
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            format!("{}: Table<{}, {}>", table.name, rust_name(table.ty), table.length)
        }
        Parameter::Variant(index) => {
            let variant = &kernel.variants[index as usize];
            format!("#[variant] {}: {}", variant.name, variant.enum_name)
        }
    });
    let outputs: Vec<_> = kernel.outputs.iter().map(output).collect();
    let result = match outputs.as_slice() {
        [one] => one.clone(),
        several => format!("({})", comma(several)),
    };
    format!("{}({}) -> {result}", kernel.name, comma(parameters))
}

fn input(input: &Input) -> String {
    let element = element(input.ty, input.channels);
    let stride = if input.stride == (1, 1) {
        String::new()
    } else {
        format!("#[stride({}, {})] ", input.stride.0, input.stride.1)
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
    let scalar = if uniform.is_usize { "usize" } else { rust_name(uniform.ty) };
    let ty = uniform.dims.iter().rev().fold(scalar.to_owned(), |ty, length| format!("[{ty}; {length}]"));
    format!("#[uniform{facts}] {}: {ty}", uniform.name)
}

fn output(output: &Output) -> String {
    let ty = element(output.ty, output.channels);
    if output.name == "out" {
        return ty;
    }
    format!("{}{}: {ty}", output.name, if output.optional { "?" } else { "" })
}

fn element(ty: Type, channels: u32) -> String {
    if channels == 1 { rust_name(ty).to_owned() } else { format!("[{}; {channels}]", rust_name(ty)) }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Int(value) => value.to_string(),
        Bound::Float(value) => format!("{value:?}"),
    }
}

/// `text` in ASCII, and free of what C would read in a comment: some drivers refuse anything else.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' if c != '\\' => out.push(c),
            '×' => out.push('x'),
            '−' | '–' | '—' => out.push('-'),
            '·' => out.push('*'),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '≠' => out.push_str("!="),
            '…' => out.push_str("..."),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            '²' => out.push_str("^2"),
            '³' => out.push_str("^3"),
            '√' => out.push_str("sqrt"),
            _ => out.push_str(&format!("<{:x}>", u32::from(c))),
        }
    }
    out.replace("??", "? ?")
}

#[cfg(test)]
mod tests {
    use super::ascii;

    #[test]
    fn comments_are_plain_ascii() {
        assert_eq!(ascii("3×3 −1…1"), "3x3 -1...1");
        assert_eq!(ascii("what??/ ends \\"), "what? ?/ ends <5c>");
        assert_eq!(ascii("σ"), "<3c3>");
    }
}
