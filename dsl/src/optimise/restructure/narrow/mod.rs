//! Narrowing: every integer is computed in the narrowest lanes that hold it, whatever type the author wrote.
//!
//! Two facts make it exact. A sum, a difference, a product, a shift to the left, a bit operation or a choice has the
//! right low bits when its operands have theirs: how wide it is computed matters to no bit that remains. And a value
//! whose proved range fits a type is that type's reading of its low bits. So only operations that look at a value as a
//! whole (comparisons, shifts to the right, quotients, the lesser of two) need lanes that hold their operands; the
//! others need as many bits as somebody asks for. [`plan`] chooses widths, [`rewrite`] types and conversions. What
//! reads memory keeps its type, and bounds of table indices are put in afterwards, by type: memory safety rests on no
//! proof.

mod demand;
mod plan;
mod rewrite;
#[cfg(test)]
mod tests;

use crate::ir::{Body, Node, Op, Type};
pub use rewrite::Narrowed;

/// Whether narrowing changes nothing: bytes are as narrow as lanes get, and unsigned ones hold whatever they hold.
pub fn is_narrow(body: &Body) -> bool {
    let is_byte = |node: &Node| matches!(node.ty, Type::U8 | Type::BOOL) || matches!(node.op, Op::Constant(_));
    body.nodes.iter().all(is_byte)
}
