//! Writes a kernel's specification: the `static SPEC` on which validation, configuration, tests and docs rest.

use crate::text::{Text, comma};
use windrow_dsl::ir::{
    Affine, AxisId, BinaryOp, Body, Bound, Extent, Input, InputId, Kernel, NamedExtent, Neighbourhood, Op, Output,
    Parameter, Require, RequireTerm, Type, UnaryOp, Uniform,
};
use windrow_dsl::optimise::Prepared;

/// Writes `static SPEC: rt::KernelSpec = …;`.
pub fn write(text: &mut Text, kernel: &Kernel, prepared: &Prepared) {
    let (derived_words, bodies) = (prepared.derive.words.len(), prepared.bodies.len());
    text.open("static SPEC: rt::KernelSpec = rt::KernelSpec");
    text.line(format!("name: {:?},", kernel.name));
    text.line(format!("docs: {:?},", kernel.docs.join("\n")));
    text.line("module: ::core::module_path!(),");
    text.line(format!("rank: {},", AxisId::COUNT));
    text.line(format!("dimensions: {},", kernel.rank()));
    text.line("arguments: &[");
    for parameter in kernel.parameters.iter().filter(|parameter| !matches!(parameter, Parameter::Place(_))) {
        text.line(format!("    {},", argument(kernel, *parameter)));
    }
    text.line("],");
    text.line("outputs: &[");
    for output in &kernel.outputs {
        text.line(format!("    {},", output_spec(kernel, output)));
    }
    text.line("],");
    text.line(format!("step: ({}, {}),", kernel.step.x, kernel.step.y));
    text.line(format!("borders: &[{}],", comma(kernel.borders.iter().map(|mode| format!("rt::BorderMode::{mode:?}")))));
    text.line(format!("requires: &[{}],", comma(kernel.requires.iter().map(|require| requirement(kernel, require)))));
    text.line(format!("extents: &[{}],", comma(kernel.extents.iter().map(|extent| named_extent(kernel, extent)))));
    text.line(format!("window: {},", window(kernel)));
    text.line(format!("words: rt::WordCount {{ uniforms: {}, derived: {derived_words} }},", uniform_words(kernel)));
    text.line(format!("bodies: {bodies},"));
    text.line(format!("fast: {},", kernel.fast));
    text.line(format!("floats: {},", has_floats(prepared)));
    text.line(format!("coordinates: {},", asks_for_coordinates(kernel)));
    text.close(";");
}

/// A name of an extent.
fn named_extent(kernel: &Kernel, NamedExtent { name, input, dimension }: &NamedExtent) -> String {
    let (image, dimension) = read_dimension(kernel, *input, *dimension);
    format!("rt::NamedExtent {{ name: {name:?}, image: {image}, dimension: {dimension} }}")
}

/// An input's place among those that are read, and its dimension counted from the innermost.
fn read_dimension(kernel: &Kernel, input: InputId, dimension: u32) -> (usize, u32) {
    let before = kernel.inputs.iter().take(input.0 as usize).filter(|input| input.inout.is_none()).count();
    (before, kernel.inputs[input.0 as usize].dimensions() - 1 - dimension)
}

/// The extents of the outputs, where the author says them.
fn window(kernel: &Kernel) -> String {
    let said = kernel.window.as_ref();
    said.map_or_else(
        || "None".to_owned(),
        |window| format!("Some(&[{}])", comma(window.iter().map(|said| extent(kernel, said)))),
    )
}

fn extent(kernel: &Kernel, said: &Extent) -> String {
    match said {
        Extent::Number(number) => format!("rt::Extent::Number({number})"),
        Extent::Named(input, dimension) => {
            let (image, dimension) = read_dimension(kernel, *input, *dimension);
            format!("rt::Extent::Named {{ image: {image}, dimension: {dimension} }}")
        }
        Extent::Uniform(uniform, index) => {
            let (ty, first) = (kernel.uniforms[uniform.0 as usize].ty, first_words(kernel)[uniform.0 as usize]);
            format!("rt::Extent::Uniform {{ element: {}, word: {} }}", element(ty), first + index)
        }
        Extent::Binary(op, sides) => {
            let [a, b] = [&sides[0], &sides[1]].map(|side| extent(kernel, side));
            format!("rt::Extent::{op:?}(&{a}, &{b})")
        }
    }
}

/// Whether the outputs' extents depend on uniforms.
pub fn window_has_uniforms(kernel: &Kernel) -> bool {
    fn has(extent: &Extent) -> bool {
        match extent {
            Extent::Number(_) | Extent::Named(..) => false,
            Extent::Uniform(..) => true,
            Extent::Binary(_, sides) => sides.iter().any(has),
        }
    }
    kernel.window.iter().flatten().any(has)
}

/// Whether a body computes with floats on some target: with the author's own, or for a root or a quotient of integers.
fn has_floats(prepared: &Prepared) -> bool {
    let computes = |body: &Body| {
        body.nodes.iter().any(|node| match node.op {
            _ if node.ty == Type::F32 => true,
            Op::Unary(UnaryOp::Isqrt, _) => true,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => !matches!(body.node(by).op, Op::Constant(_)),
            _ => false,
        })
    };
    prepared.bodies.iter().chain([&prepared.derive.body]).any(computes)
}

fn asks_for_coordinates(kernel: &Kernel) -> bool {
    let asks = |body: &Body| body.nodes.iter().any(|node| matches!(node.op, Op::Coordinate { .. }));
    kernel.bodies.iter().any(asks)
}

/// The scalars of a uniform.
pub fn scalars(uniform: &Uniform) -> u32 {
    uniform.dims.iter().product()
}

/// The words of all uniforms.
pub fn uniform_words(kernel: &Kernel) -> u32 {
    kernel.uniforms.iter().map(scalars).sum()
}

/// The first word of each uniform, in the order of [`Kernel::uniforms`].
pub fn first_words(kernel: &Kernel) -> Vec<u32> {
    let mut first = vec![0; kernel.uniforms.len()];
    let mut next = 0;
    for parameter in &kernel.parameters {
        if let Parameter::Uniform(id) = parameter {
            first[id.0 as usize] = next;
            next += scalars(&kernel.uniforms[id.0 as usize]);
        }
    }
    first
}

fn argument(kernel: &Kernel, parameter: Parameter) -> String {
    let (name, kind) = match parameter {
        Parameter::Input(id) => input(&kernel.inputs[id.0 as usize]),
        Parameter::Uniform(id) => {
            let uniform = &kernel.uniforms[id.0 as usize];
            (&uniform.name, uniform_kind(uniform, first_words(kernel)[id.0 as usize]))
        }
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            let kind = format!("Table {{ element: {}, length: {} }}", element(table.element), table.length);
            (&table.name, kind)
        }
        Parameter::Variant(index) => {
            let variant = &kernel.variants[index as usize];
            let values = comma(variant.values.iter().map(|value| format!("{value:?}")));
            (&variant.name, format!("Variant {{ enum_name: {:?}, values: &[{values}] }}", variant.enum_name))
        }
        // It isn't an argument of a run.
        Parameter::Place(_) => return String::new(),
    };
    format!("rt::ArgumentSpec {{ name: {name:?}, kind: rt::ArgumentKind::{kind} }}")
}

fn input(input: &Input) -> (&String, String) {
    if input.is_whole {
        let (element, channels) = (element(input.element), input.channels);
        let kind = match input.rank {
            Some(rank) => format!("Input(rt::InputSpec::tensor({element}, {channels}, {rank}))"),
            None => format!("Input(rt::InputSpec::whole({element}, {channels}))"),
        };
        return (&input.name, kind);
    }
    let inout = input.inout.map_or("None".to_owned(), |output| format!("Some({})", output.0));
    let Neighbourhood { left, right, top, bottom } = input.neighbourhood;
    let hulls = [(top, bottom), (left, right)];
    let accesses = comma(input.place.iter().zip(hulls).map(|(place, hull)| access(place, hull)));
    let kind =
        format!("Input(rt::InputSpec::new({}, {}, &[{accesses}], {inout}))", element(input.element), input.channels);
    (&input.name, kind)
}

/// The `rt::AccessSpec` of a dimension.
fn access(place: &Affine, (least, greatest): (i32, i32)) -> String {
    let terms = comma(place.terms().iter().map(|(axis, coefficient)| format!("({}, {coefficient})", axis.0)));
    format!("rt::AccessSpec::new(&[{terms}], {least}, {greatest})")
}

fn uniform_kind(uniform: &Uniform, word: u32) -> String {
    let bounds = uniform.bounds.map_or("None".to_owned(), |(lo, hi)| {
        format!("Some(({}, {}))", scalar(uniform.ty, lo), scalar(uniform.ty, hi))
    });
    let magnitudes = uniform.sum_of_magnitudes.map_or("None".to_owned(), |sum| format!("Some({sum})"));
    format!(
        "Uniform(rt::UniformSpec {{ element: {}, dims: &[{}], bounds: {bounds}, sum_of_magnitudes: {magnitudes}, word: {word} }})",
        element(uniform.ty),
        comma(&uniform.dims),
    )
}

/// The `rt::OutputSpec` of an output. The only one of a kernel has the name of the `#[inout]` image that it is, which callers know.
fn output_spec(kernel: &Kernel, output: &Output) -> String {
    let inout = kernel.inputs.iter().find(|input| input.inout.is_some() && kernel.outputs.len() == 1);
    format!(
        "rt::OutputSpec {{ name: {:?}, element: {}, channels: {}, optional: {} }}",
        inout.map_or(&output.name, |input| &input.name),
        element(output.element),
        output.channels,
        output.optional
    )
}

fn requirement(kernel: &Kernel, require: &Require) -> String {
    let term = |term: RequireTerm, other: RequireTerm| match (term, other) {
        (RequireTerm::Uniform(id), _) => format!("rt::RequireTerm::Uniform({:?})", kernel.uniforms[id.0 as usize].name),
        (RequireTerm::Constant(bound), RequireTerm::Uniform(id)) => {
            format!("rt::RequireTerm::Constant({})", scalar(kernel.uniforms[id.0 as usize].ty, bound))
        }
        (RequireTerm::Constant(bound), RequireTerm::Constant(_)) => {
            format!("rt::RequireTerm::Constant({})", scalar(Type::I32, bound))
        }
    };
    format!(
        "rt::RequireSpec {{ text: {:?}, left: {}, relation: rt::Relation::{}, right: {} }}",
        require.text,
        term(require.left, require.right),
        relation(require.op),
        term(require.right, require.left),
    )
}

fn relation(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt => "Less",
        BinaryOp::Le => "LessEqual",
        BinaryOp::Ge => "GreaterEqual",
        BinaryOp::Gt => "Greater",
        // The front end accepts comparisons alone.
        _ => "Equal",
    }
}

/// The `rt::Scalar` of a declared bound.
fn scalar(ty: Type, bound: Bound) -> String {
    match bound {
        Bound::Int(value) => format!("rt::Scalar::{ty:?}({value})"),
        Bound::Float(value) => format!("rt::Scalar::F32(f32::from_bits({:#x}))", value.to_bits()),
    }
}

/// The `rt::ElementType` of a type.
pub fn element(ty: Type) -> String {
    format!("rt::ElementType::{ty:?}")
}

/// The `rt::NeighbourhoodSpec` of the seam.
pub fn neighbourhood(n: Neighbourhood) -> String {
    format!("rt::NeighbourhoodSpec {{ left: {}, right: {}, top: {}, bottom: {} }}", n.left, n.right, n.top, n.bottom)
}
