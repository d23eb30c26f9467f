//! What is computed once for the whole run, as `fn derive(words: &mut [u32])`.

use super::expression::{self, Division, Operands};
use super::values::Values;
use crate::rows::{derived_word, read_word, uniform_word};
use crate::scopes::{self, Uses};
use crate::text::Text;
use windrow_dsl::ir::{Kernel, Op, Type, ValueId};
use windrow_dsl::optimise::{Derive, Formula, Part};

/// The function `derive`; an empty one where nothing is derived.
pub fn derive(kernel: &Kernel, derive: &Derive) -> String {
    let mut out = Text::new();
    out.line(format!("/// Fills the derived words of `{}`, which follow those of its uniforms.", kernel.name));
    if derive.words.is_empty() {
        out.line("fn derive(_words: &mut [u32]) {}");
        return out.finish();
    }
    out.open("fn derive(words: &mut [u32])");
    let values = values(kernel, derive, &mut out);
    for (index, word) in derive.words.iter().enumerate() {
        let place = derived_word(kernel, index as u32);
        let text = match word.formula {
            Formula::Value(value) => {
                let value = values.text(value);
                match word.ty {
                    Type::F32 => format!("{value}.to_bits()"),
                    Type::U32 => value,
                    _ => format!("{value} as u32"),
                }
            }
            Formula::Divisor { divisor, part } => {
                let ty = derive.body.node(divisor).ty;
                let part = match part {
                    Part::Multiplier => "multiplier",
                    Part::First => "first",
                    Part::Last => "last",
                };
                let sign = if ty.is_signed() { "signed" } else { "unsigned" };
                let value = values.text(divisor);
                format!("::windrow::__rt::divisor::{sign}({}, i64::from({value})).{part}", ty.bits())
            }
        };
        out.line(format!("words[{place}] = {text};"));
    }
    out.close("");
    out.finish()
}

/// Writes the program's values.
fn values(kernel: &Kernel, derive: &Derive, out: &mut Text) -> Values {
    let nodes = derive.body.nodes.as_slice();
    let mut values = Values::of(nodes.len());
    let uses = |_: &Values| {
        let mut uses = Uses::default();
        for (index, node) in nodes.iter().enumerate() {
            uses.makes(index, index);
            node.op.for_operands(|operand| uses.reads(index, operand.0 as usize));
        }
        for word in &derive.words {
            let (Formula::Value(value) | Formula::Divisor { divisor: value, .. }) = word.formula;
            uses.reads(nodes.len(), value.0 as usize);
        }
        uses
    };
    let name = |values: &Values, value| values.name(ValueId(value as u32));
    scopes::write_all(out, nodes.len(), &mut values, uses, name, |values, out, index| {
        write_value(kernel, derive, values, out, index);
    });
    values
}

fn write_value(kernel: &Kernel, derive: &Derive, values: &mut Values, out: &mut Text, index: usize) {
    let node = &derive.body.nodes[index];
    if let Op::Constant(constant) = node.op {
        return values.set_constant(index, constant, node.ty);
    }
    let line = out.begin();
    values.declare(line, index, kernel, node);
    line.push_all(&[": ", node.ty.name(), " = "]);
    match node.op {
        Op::Uniform { uniform, index } => {
            line.push(&read_word("words", uniform_word(kernel, uniform, index), node.ty));
        }
        // A derived word depends on uniforms alone, never on images, tables or other derived words.
        Op::Constant(_)
        | Op::Load(_)
        | Op::Coordinate { .. }
        | Op::Lookup { .. }
        | Op::Extent { .. }
        | Op::Stride { .. }
        | Op::Plane { .. }
        | Op::Gather { .. }
        | Op::Fetch { .. }
        | Op::Contiguous { .. }
        | Op::Across { .. }
        | Op::Local { .. }
        | Op::Derived { .. }
        | Op::Turn { .. }
        | Op::Carried { .. }
        | Op::Advance { .. }
        | Op::Outcome { .. } => {}
        Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
            expression::push(line, &derive.body, node, values, Division::Unguarded);
        }
    }
    line.push(";");
    out.end();
}
