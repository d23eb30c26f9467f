//! Where a block is in each image, as expressions and as text.

use crate::opencl::c::text::Expr;
use crate::opencl::c::types::{self, Floats, bytes};
use windrow_dsl::ir::{Input, Type};

/// The last row or column of an input that an element of the window reads.
pub fn last(stride: u32, end: &'static str, beyond: i32) -> Expr {
    match stride {
        1 => Expr::name(end).plus(beyond - 1),
        _ => Expr::name(end).plus(-1).times(stride).plus(beyond),
    }
}

/// Whether the block lies inside the window along an axis; always where it is one element long.
pub fn in_window(axis: &str, length: u32) -> Option<String> {
    (length > 1).then(|| format!("block_{axis} >= {axis}0 && block_{axis} + {length} <= {axis}1"))
}

/// The element of an input at the block's first, column and row: `2 * block_x`.
pub fn origin(input: &Input) -> [Expr; 2] {
    [Expr::name("block_x").times(input.stride().0), Expr::name("block_y").times(input.stride().1)]
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
        (Type::F32, 1) => types::BYTES.to_owned(),
        (Type::F32, _) => format!("{count} * {}", types::BYTES),
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
