//! What the emitters of CPU bodies share: the shape of the result, and where a tap lies among the row pointers.

use crate::text::Mark;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{
    Access, Affine, Body, Constant, InputId, Kernel, Neighbourhood, Op, OutputId, Tap, Type, UniformId,
};
use windrow_dsl::optimise::Prepared;

/// One body of a CPU tier, as the text of a function item `unsafe fn name(rows: &::windrow::__rt::Rows<'_>)`.
#[derive(Clone, Debug)]
pub struct EmittedBody {
    /// The function.
    pub text: String,
    /// Which of its lines are from which token of the author's, in order.
    pub marks: Vec<Mark>,
    /// Elements of the output along the row that it computes at least.
    pub lanes: u32,
    /// Elements that one step along a long row computes: a multiple of them.
    pub columns: u32,
    /// Rows of the output that one call computes.
    pub rows: u32,
    /// What one step reads of each input, at least its neighbourhood.
    pub reads: Vec<Neighbourhood>,
    /// Whether the second step begins where the call says.
    pub has_head: bool,
    /// Whether a call computes as many groups of rows as it is told, and carries something from one to the next.
    pub carries_rows: bool,
    /// The inputs of which it reads, for the element in a column, only what lies in the same one: a bit for each.
    pub strips: u32,
    /// Those of them of which it loads four rows at once where a run has packed them so.
    pub quads: u32,
    /// What `explain` says of it: a line an operation that needs several instructions or goes lane by lane.
    pub notes: Vec<String>,
}

/// The row pointers of a call: which rows of which inputs, and rows of outputs.
#[derive(Clone, Debug)]
pub struct RowPlan<'a> {
    kernel: &'a Kernel,
    /// What is read of each input.
    pub reads: Vec<Neighbourhood>,
    /// Rows of the output that a call computes.
    pub rows: u32,
}

impl<'a> RowPlan<'a> {
    /// The plan for a body before its block is jammed: each input's declared neighbourhood and every tap.
    pub fn new(kernel: &'a Kernel, body: &Body, rows: u32) -> Self {
        let mut reads: Vec<Neighbourhood> = kernel.inputs.iter().map(|input| input.neighbourhood).collect();
        for node in &body.nodes {
            if let Some(tap) = node.op.tap() {
                reads[tap.input.0 as usize].include(tap);
            }
        }
        Self { kernel, reads, rows }
    }

    /// The place of an input's row among `Rows::inputs`.
    pub fn input(&self, input: InputId, dy: i32) -> usize {
        let before: i32 = (0..input.0 as usize).map(|index| self.input_rows(index)).sum();
        (before + dy - self.reads[input.0 as usize].top) as usize
    }

    /// How many pointers to rows of inputs there are.
    pub fn input_pointers(&self) -> usize {
        (0..self.kernel.inputs.len()).map(|index| self.input_rows(index) as usize).sum()
    }

    /// The place of an output's row among `Rows::outputs`.
    pub fn output(&self, output: OutputId, dy: i32) -> usize {
        output.0 as usize * self.rows as usize + dy as usize
    }

    /// Rows of an input that a call is given pointers to; a whole input is given by its first element.
    fn input_rows(&self, index: usize) -> i32 {
        if self.kernel.inputs[index].is_whole {
            return 0;
        }
        let (reads, stride) = (self.reads[index], self.kernel.inputs[index].stride().1 as i32);
        reads.bottom - reads.top + 1 + stride * (self.rows as i32 - 1)
    }
}

/// Where an access lies among the rows of its input.
///
/// # Panics
/// Where no row holds it: [`refuse`] has named such accesses before anything is emitted.
pub fn tap_of(access: &Access) -> Tap {
    access.tap().expect("accesses that rows do not hold were refused")
}

/// Refuses accesses that emitters cannot address by rows: of each input they read what lies around the element's place, row
/// by row, its columns along the element's row.
pub fn refuse(kernel: &Kernel) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for node in kernel.bodies.iter().flat_map(|body| &body.nodes) {
        let Op::Load(access) = &node.op else { continue };
        let input = &kernel.inputs[access.tensor.0 as usize];
        let mut places = access.at().iter().zip(&*input.place);
        if access.tap().is_some() && places.all(|(own, element)| own.terms() == element.terms()) {
            continue;
        }
        let place: Vec<String> = access.at().iter().map(Affine::to_string).collect();
        let message = format!("`{}` is read at [{}], which no target can address", input.name, place.join(", "));
        let help = "read elements at constant offsets, and rows and columns at positive strides that are the input's";
        if found.iter().all(|known| known.message != message) {
            found.push(Diagnostic::at(node.span, message, help));
        }
    }
    found
}

/// The place of a uniform's scalar among the words: uniforms in argument order, row-major.
pub fn uniform_word(kernel: &Kernel, uniform: UniformId, index: u32) -> u32 {
    let before = &kernel.uniforms[..uniform.0 as usize];
    before.iter().map(|uniform| uniform.dims.iter().product::<u32>()).sum::<u32>() + index
}

/// The place of a derived word: after all uniforms.
pub fn derived_word(kernel: &Kernel, index: u32) -> u32 {
    uniform_word(kernel, UniformId(kernel.uniforms.len() as u32), index)
}

/// A word read as a scalar.
pub fn read_word(words: &str, word: u32, ty: Type) -> String {
    match ty {
        Type::BOOL => format!("{words}[{word}] != 0"),
        Type::F32 => format!("f32::from_bits({words}[{word}])"),
        Type::U32 => format!("{words}[{word}]"),
        _ => format!("{words}[{word}] as {}", ty.name()),
    }
}

/// A constant as a Rust literal.
pub fn literal(constant: Constant, ty: Type) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => format!("{value}{}", ty.name()),
        Constant::Float(bits) if f32::from_bits(bits).is_finite() => format!("{:?}f32", f32::from_bits(bits)),
        Constant::Float(bits) => format!("f32::from_bits(0x{bits:08x})"),
        Constant::Double(bits) if f64::from_bits(bits).is_finite() => format!("{:?}f64", f64::from_bits(bits)),
        Constant::Double(bits) => format!("f64::from_bits(0x{bits:016x})"),
    }
}

/// A row pointer's cast from bytes to its element type.
pub fn cast_pointer(ty: Type) -> String {
    if ty == Type::U8 { String::new() } else { format!(".cast::<{}>()", ty.name()) }
}

/// `x + by` as text.
pub fn plus(x: &str, by: i64) -> String {
    match by {
        0 => x.to_owned(),
        by if by < 0 => format!("{x} - {}", -by),
        by => format!("{x} + {by}"),
    }
}

/// An offset as a part of a name: `m1`, `0`, `p2`.
pub fn offset_name(offset: i32) -> String {
    match offset {
        0 => "0".to_owned(),
        offset if offset < 0 => format!("m{}", -offset),
        offset => format!("p{offset}"),
    }
}

/// The integer type of twice the width.
pub fn wide_name(ty: Type) -> &'static str {
    match (ty.bits(), ty.is_signed()) {
        (8, false) => "u16",
        (8, true) => "i16",
        (16, false) => "u32",
        (16, true) => "i32",
        (32, false) => "u64",
        (32, true) => "i64",
        (_, false) => "u128",
        (_, true) => "i128",
    }
}

/// The body of a choice and a subset of outputs, by its index in [`Prepared::bodies`].
pub fn describe_body(kernel: &Kernel, prepared: &Prepared, index: usize) -> String {
    let body = &prepared.bodies[index];
    let chosen = body.choice.iter().zip(&kernel.variants);
    let mut parts: Vec<String> = chosen
        .filter_map(|(&value, variant)| Some(format!("{} = {}", variant.name, variant.values.get(value as usize)?)))
        .collect();
    let subset = prepared.subsets[index % prepared.subsets.len()];
    let written = kernel.outputs.iter().enumerate().filter(|(output, _)| subset >> output & 1 == 1);
    if prepared.subsets.len() > 1 {
        parts.push(format!(
            "writing {}",
            written.map(|(_, output)| output.name.as_str()).collect::<Vec<_>>().join(", ")
        ));
    }
    if parts.is_empty() { format!("`{}`", kernel.name) } else { format!("`{}` ({})", kernel.name, parts.join("; ")) }
}
