//! Where a block reads and writes, as text: its coordinates in each image, and the structures that its function is given.

use super::c::Expr;
use super::floats::{self, Floats};
use super::types::bytes;
use crate::text::Text;
use windrow_dsl::ir::{Input, Output, Type};

/// Declares a place to read from or to write to; the result is its name.
pub fn place(out: &mut Text, kind: &str, ty: Type, name: String, fields: &[String]) -> String {
    out.line(format!("const {kind}_{} {name} = {{", ty.name()));
    for (position, line) in fields.iter().enumerate() {
        out.line(format!("    {line}{}", if position + 1 == fields.len() { "" } else { "," }));
    }
    out.line("};");
    name
}

/// Declares the place of an output that is written as far as the window goes; the result is its name.
pub fn sink(out: &mut Text, output: &Output, o: &str, part: &str, flags: &str) -> String {
    let fields = [
        format!(".image = {o}_first, .stride = {o}_stride, .channels = {}", output.channels),
        ".from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y".to_owned(),
        flags.to_owned(),
    ];
    place(out, "Sink", output.ty, format!("{o}_{part}"), &fields)
}

/// What a source says of its columns where each element is looked for.
pub fn columns_at_edge(input: &Input, a: &str, border: &str) -> String {
    let [first, _] = origin(input);
    let last_x = plain(&last(input.stride.0, "x1", input.neighbourhood.right));
    let (first, channels) = (plain(&first), input.channels);
    format!(".x = {first}, .last_x = {last_x}, .width = {a}_width, .channels = {channels}, .border = {border}")
}

/// The last row or column of an input that an element of the window reads.
pub fn last(stride: u32, end: &'static str, beyond: i32) -> Expr {
    match stride {
        1 => Expr::name(end).plus(beyond - 1),
        _ => Expr::name(end).plus(-1).times(stride).plus(beyond),
    }
}

/// Writes what is true where all tests hold, a line each.
pub fn all_hold(out: &mut Text, head: &str, tests: &[String]) {
    for (position, test) in tests.iter().enumerate() {
        let begin = if position == 0 { head } else { "    && " };
        let end = if position + 1 == tests.len() { ";" } else { "" };
        out.line(format!("{begin}{test}{end}"));
    }
}

/// Whether the block lies inside the window along an axis; always where it is one element long.
pub fn in_window(axis: &str, length: u32) -> Option<String> {
    (length > 1).then(|| format!("block_{axis} >= {axis}0 && block_{axis} + {length} <= {axis}1"))
}

/// The element of an input at the block's first, column and row: `2 * block_x`.
pub fn origin(input: &Input) -> [Expr; 2] {
    [Expr::name("block_x").times(input.stride.0), Expr::name("block_y").times(input.stride.1)]
}

/// The address of an element, given in bytes from row to row.
pub fn element(image: &str, [column, row]: [Expr; 2], ty: Type, channels: u32) -> String {
    let size = size(ty, channels);
    let column = if size == "1" { plain(&column) } else { format!("{size} * {}", long(&column)) };
    format!("{image} + {} * {image}_stride + {column}", long(&row))
}

/// Bytes of `count` values in memory.
pub fn size(ty: Type, count: u32) -> String {
    match (ty, count) {
        (Type::F32, 1) => floats::BYTES.to_owned(),
        (Type::F32, _) => format!("{count} * {}", floats::BYTES),
        (_, _) => (count * bytes(ty)).to_string(),
    }
}

/// A coordinate as a factor of a byte offset, which may not fit an int.
pub fn long(coordinate: &Expr) -> String {
    match coordinate {
        Expr::Name(name) => format!("(long){name}"),
        _ => format!("(long)({})", plain(coordinate)),
    }
}

/// An expression of coordinates as text.
pub fn plain(expr: &Expr) -> String {
    expr.text(&Floats::default())
}
