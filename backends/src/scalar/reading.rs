//! What no operator of Rust's makes: coordinates, extents, planes, entries of tables, elements of whole inputs, and products that a sum
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

    /// Where a coordinate begins.
    fn coordinate(&self, axis: AxisId) -> String {
        coordinate(axis)
    }

    /// How many dimensions a place in a whole input has.
    fn dimensions(&self, input: InputId) -> u32;

    /// An extent or a stride of a whole input, along the dimension, outermost first.
    fn number(&self, field: &str, input: InputId, dimension: u32) -> String {
        number_of_view(&self.view(input), field, self.dimensions(input), dimension)
    }
}

/// An extent or a stride of a `WholeView` of this many dimensions: rows and columns, and apart from them what is outside, counted from
/// the innermost.
pub fn number_of_view(view: &str, field: &str, dimensions: u32, dimension: u32) -> String {
    match dimensions - 1 - dimension {
        inner @ (0 | 1) => format!("{view}.{field}[{}]", 1 - inner),
        inner => format!("{view}.outer_{field}[{}]", inner - AxisId::COUNT),
    }
}

/// Where a coordinate begins in a body.
pub fn coordinate(axis: AxisId) -> String {
    match (axis, axis.as_outer()) {
        (AxisId::X | AxisId::STEP, _) => "rows.x + x as i32".to_owned(),
        (_, Some(number)) => format!("rows.outer[{number}]"),
        _ => "rows.y".to_owned(),
    }
}

/// The text of such a value, and why it is sound, where it reads memory; none for a value that [`super::expression`] writes.
pub fn reading(
    node: &Node,
    fused: Option<Fused>,
    values: &impl Operands,
    memory: &impl Memory,
) -> Option<(Option<&'static str>, String)> {
    Some(match node.op {
        Op::Coordinate { axis, offset } => (None, plus(&memory.coordinate(axis), i64::from(offset))),
        Op::Extent { input, dimension } => (None, memory.number("extents", input, dimension)),
        Op::Stride { input, dimension } => (None, memory.number("strides", input, dimension)),
        Op::Plane { input, dimension, outside, index } => {
            let stride = memory.number("strides", input, dimension);
            let own = format!("{}.wrapping_mul({stride})", values.text(index));
            (None, outside.map_or(own.clone(), |outside| format!("{}.wrapping_add({own})", values.text(outside))))
        }
        Op::Lookup { table: own, index } => {
            let safety = "// SAFETY: the index is below the table's length by its type or by `min`.";
            let (pointer, at) = (memory.table(own), values.text(index));
            (Some(safety), format!("unsafe {{ {pointer}.add({at} as usize).{}() }}", read(node.ty)))
        }
        Op::Gather { input, channel, plane, at: [row, column] } => {
            let at = format!("{}.at({}, {})", memory.view(input), values.text(row), values.text(column));
            let plane = plane.map(|plane| format!(".wrapping_offset({} as isize)", values.text(plane)));
            let at = at + &plane.unwrap_or_default();
            let element = cast_pointer(node.ty);
            let element = if channel == 0 { element } else { format!("{element}.add({channel})") };
            let safety = "// SAFETY: the place lies inside the view, by `max` and `min`.";
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
