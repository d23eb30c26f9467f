//! What no operator of Rust's makes: coordinates, extents, entries of tables, elements of whole inputs, and products that a sum
//! takes in with one rounding.

use super::expression::Operands;
use crate::rows::{cast_pointer, plus};
use windrow_dsl::ir::{AxisId, InputId, Node, Op, TableId, Type};

/// `a * b + c` with one rounding, by an instruction.
pub type Fused = fn(&str, &str, &str) -> String;

/// Where a function finds what lies in memory.
pub trait Memory {
    /// The pointer to a table's first entry.
    fn table(&self, table: TableId) -> &str;

    /// The view of a whole input.
    fn view(&self, input: InputId) -> String;
}

/// The text of such a value, and why it is sound, where it reads memory; none for a value that [`super::expression`] writes.
pub fn reading(
    node: &Node,
    fused: Option<Fused>,
    values: &impl Operands,
    memory: &impl Memory,
) -> Option<(Option<&'static str>, String)> {
    Some(match node.op {
        Op::Coordinate { axis, offset } => {
            let start = match axis {
                AxisId::X | AxisId::STEP => "rows.x + x as i32",
                _ => "rows.y",
            };
            (None, plus(start, i64::from(offset)))
        }
        Op::Extent { input, dimension } => (None, format!("{}.extents[{dimension}]", memory.view(input))),
        Op::Stride { input, dimension } => (None, format!("{}.strides[{dimension}]", memory.view(input))),
        Op::Lookup { table: own, index } => {
            let safety = "// SAFETY: the index is below the table's length by its type or by `min`.";
            let (pointer, at) = (memory.table(own), values.text(index));
            (Some(safety), format!("unsafe {{ {pointer}.add({at} as usize).{}() }}", read(node.ty)))
        }
        Op::Gather { input, channel, at: [row, column] } => {
            let at = format!("{}.at({}, {})", memory.view(input), values.text(row), values.text(column));
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
