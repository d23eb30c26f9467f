//! Wrong definitions: each constant and each operator is changed, one at a time. The stated error, or a corner, must be missed.
//! `docs/mutants.md` says which change nothing.

use rayon::prelude::*;
use windrow::reference::functions::{DEFINITIONS, Definition};
use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Body, Constant, TableId, UniformId};
use windrow_function_tests::measure::error;
use windrow_function_tests::table::{FUNCTIONS, Function, Of};

struct Two([f32; 2]);

impl Arguments for Two {
    fn element(&self, access: &Access) -> Constant {
        Constant::Float(self.0[access.tensor.0 as usize].to_bits())
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }
    fn coordinate(&self, _: AxisId) -> i32 {
        0
    }
}

/// A definition's text with one mistake in it, and what the mistake is.
fn mutants(source: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut start = 0;
    for (number, line) in source.split_inclusive('\n').enumerate() {
        let code = line.split("//").next().unwrap_or("");
        let is_code = !code.trim_start().starts_with(['#', 'u']) || code.contains('=');
        for (at, old, new) in changes(code).into_iter().filter(|_| is_code) {
            let mut text = source.to_owned();
            text.replace_range(start + at..start + at + old.len(), &new);
            all.push((format!("line {}: `{old}` as `{new}`", number + 1), text));
        }
        start += line.len();
    }
    all
}

/// Place, text, other text.
fn changes(code: &str) -> Vec<(usize, String, String)> {
    const OPERATORS: [(&str, &str); 14] = [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        (" / ", " * "),
        (" < ", " >= "),
        (" > ", " <= "),
        (" <= ", " > "),
        (" == ", " != "),
        (" != ", " == "),
        (" & ", " | "),
        (" | ", " & "),
        (" ^ ", " & "),
        (" && ", " || "),
        (" || ", " && "),
    ];
    let operators = OPERATORS.iter().flat_map(|(old, new)| {
        code.match_indices(old).map(|(at, _)| (at, (*old).to_owned(), (*new).to_owned())).collect::<Vec<_>>()
    });
    let mut all: Vec<_> = operators.collect();
    let bytes = code.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_start = bytes[at].is_ascii_digit()
            && (at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_'));
        if !is_start {
            at += 1;
            continue;
        }
        let in_number = |place: usize| {
            let byte = bytes[place];
            byte.is_ascii_alphanumeric()
                || byte == b'_'
                || (byte == b'.' && bytes.get(place + 1).is_some_and(u8::is_ascii_digit))
                || (byte == b'-' && bytes[place - 1] == b'e')
        };
        let end = (at..bytes.len()).find(|place| !in_number(*place)).unwrap_or(bytes.len());
        let old = &code[at..end];
        all.extend(other_number(old).map(|new| (at, old.to_owned(), new)));
        at = end;
    }
    all
}

/// A float by half more, a pattern of bits with another bit, an integer one more.
fn other_number(text: &str) -> Option<String> {
    let plain = text.replace('_', "");
    if let Some(hex) = plain.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok().map(|bits| format!("{:#x}", bits ^ 0x0001_0000));
    }
    let (digits, suffix) = plain.strip_suffix("f32").map_or((plain.as_str(), ""), |digits| (digits, "f32"));
    if digits.contains(['.', 'e']) {
        let value: f32 = digits.parse().ok()?;
        return Some(format!("{:e}{suffix}", if value == 0.0 { 0.01 } else { value * 1.5 }));
    }
    digits.parse::<u32>().ok().map(|value| format!("{}", value + 1))
}

fn body(definition: &Definition, source: &str) -> Option<Body> {
    let parameters: Vec<String> = definition.parameters.iter().map(|name| format!("{name}: f32")).collect();
    let (name, arguments) = (definition.name, definition.parameters.join(", "));
    let text = format!(
        "#[kernels] mod m {{ {source}\n #[kernel] fn k({}) -> f32 {{ {name}({arguments}) }} }}",
        parameters.join(", ")
    );
    windrow_dsl::compile_file(&text).kernels.into_iter().next()?.kernel.bodies.into_iter().next()
}

/// What a body computes, wherever it is written.
fn operations(body: &Body) -> String {
    body.nodes.iter().map(|node| format!("{:?}; ", node.op)).collect()
}

/// Floats of every exponent, and more where the functions are not yet 0, 1 or infinite.
fn arguments(two: bool) -> Vec<[f32; 2]> {
    let exponents = (0..255u32).step_by(2).flat_map(|e| [0, 0x35_04f3, 0x7f_ffff].map(|f| f32::from_bits(e << 23 | f)));
    let near = (0..400).map(|i| i as f32 * 0.037 + 0.001);
    let ends = [0.0, 1.0, 3.0, 89.5, 103.9, 104.5, 149.5, f32::INFINITY, f32::NAN, 0.9374, 0.9376];
    // Near multiples of π/2.
    let angles =
        [16_367_173.0 * f32::from_bits((72 + 127) << 23), 1.177_183_4e27, 7.931_297e29, 6.303_87e28, 6.381_956e8];
    let all: Vec<f32> = exponents.chain(near).chain(ends).chain(angles).flat_map(|x| [x, -x]).collect();
    if !two {
        return all.into_iter().map(|x| [x, 0.0]).collect();
    }
    let with = |y: &f32| all.iter().step_by(7).map(|x| [*x, *y]).collect::<Vec<_>>();
    let corners = [0.0, 0.3, 0.5, 1.0, 2.0, 3.0, 0.999_999_9, 16_777_215.0, 1e-40, 1e-45, f32::INFINITY, f32::NAN];
    let corners: Vec<f32> = corners.into_iter().flat_map(|x| [x, -x]).collect();
    let both = corners.iter().flat_map(|x| corners.iter().map(|y| [*x, *y]));
    all.iter().step_by(31).chain(&[2.0, 3.0, -3.0, 0.5]).flat_map(with).chain(both).collect()
}

/// Whether a body keeps to what is stated of the function, for all arguments.
fn is_good(function: &Function, body: &Body, arguments: &[[f32; 2]]) -> bool {
    arguments.iter().all(|&[a, b]| {
        let exact = match function.of {
            Of::One(_, exact, _) => exact(f64::from(a)),
            Of::Two(_, exact, _) => exact(f64::from(a), f64::from(b)),
        };
        match interpret::stores(body, &Two([a, b])).as_deref() {
            Ok([Constant::Float(bits)]) => error(f32::from_bits(*bits), exact) <= function.bound,
            _ => false,
        }
    })
}

#[test]
fn wrong_definitions_are_caught() {
    let (mut all, mut alive) = (0, Vec::new());
    for function in &FUNCTIONS {
        let definition = DEFINITIONS.iter().find(|definition| definition.name == function.name).unwrap();
        let arguments = arguments(definition.parameters.len() == 2);
        assert!(is_good(function, &body(definition, definition.source).unwrap(), &arguments), "{}", function.name);
        let original = operations(&body(definition, definition.source).unwrap());
        let judge = |(mistake, source): &(String, String)| {
            let Some(body) = body(definition, source) else { return Some(None) };
            // A line of another function of the same file.
            if operations(&body) == original {
                return None;
            }
            Some(is_good(function, &body, &arguments).then(|| format!("{} {mistake}", function.name)))
        };
        let judged: Vec<Option<String>> = mutants(definition.source).par_iter().filter_map(judge).collect();
        all += judged.len();
        alive.extend(judged.into_iter().flatten());
    }
    println!("{all} mistakes, {} not seen:\n{}", alive.len(), alive.join("\n"));
    assert!(all > 500 && alive.len() * 8 < all, "{} of {all}: {alive:#?}", alive.len());
}
