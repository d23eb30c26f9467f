//! What no operator of Rust's makes: coordinates, extents, entries of tables, elements of whole inputs, and products that a sum
//! takes in with one rounding.

use super::expression::Operands;
use crate::rows::{cast_pointer, plus};
use windrow_dsl::ir::{AxisId, Kernel, Node, Op, TableId, Type};

/// `a * b + c` with one rounding, by an instruction.
pub type Fused = fn(&str, &str, &str) -> String;

/// The text of such a value, and why it is sound, where it reads memory; none for a value that [`super::expression`] writes.
pub fn reading(
    kernel: &Kernel,
    node: &Node,
    fused: Option<Fused>,
    values: &impl Operands,
    table: impl Fn(TableId) -> String,
) -> Option<(Option<&'static str>, String)> {
    Some(match node.op {
        Op::Coordinate { axis, offset } => {
            let start = match axis {
                AxisId::X | AxisId::STEP => "rows.x + x as i32",
                _ => "rows.y",
            };
            (None, plus(start, i64::from(offset)))
        }
        Op::Extent { input, dimension } => {
            (None, format!("rows.views[{}].extents[{dimension}]", kernel.whole_index(input)))
        }
        Op::Stride { input, dimension } => {
            (None, format!("rows.views[{}].strides[{dimension}]", kernel.whole_index(input)))
        }
        Op::Lookup { table: own, index } => {
            let safety = "// SAFETY: the index is below the table's length by its type or by `min`.";
            let (pointer, at) = (table(own), values.text(index));
            (Some(safety), format!("unsafe {{ {pointer}.add({at} as usize).{}() }}", read(node.ty)))
        }
        Op::Gather { input, channel, at: [row, column] } => {
            let view = format!("rows.views[{}]", kernel.whole_index(input));
            let at = format!("{view}.at({}, {})", values.text(row), values.text(column));
            let element = cast_pointer(node.ty);
            let element = if channel == 0 { element } else { format!("{element}.add({channel})") };
            let safety = "// SAFETY: the row and the column lie inside the view, by `max` and `min`.";
            (Some(safety), format!("unsafe {{ {at}{element}.{}() }}", read(node.ty)))
        }
        Op::MulAdd(a, b, c) => {
            let [a, b, c] = [a, b, c].map(|id| values.text(id));
            (None, fused?(&a, &b, &c))
        }
        _ => return None,
    })
}

/// How an element of a type is read.
pub fn read(ty: Type) -> &'static str {
    if ty == Type::U8 { "read" } else { "read_unaligned" }
}
