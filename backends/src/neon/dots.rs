//! Sums of products of bytes by FEAT_DotProd: an instruction multiplies four signed bytes of each lane of 32 bits by four others,
//! and adds the products.

use super::Neon;
use super::fuse::{Operand, accumulate};
use crate::text::Text;
use crate::vector::dots;
use crate::vector::pattern::Term;
use crate::vector::program::{Arg, Call, Lane, Line, VectorId};
use crate::vector::select::Select;
use crate::vector::text::Printer;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, Node, Type, ValueId};

/// The intrinsic, without its suffix. Stable Rust does not have it yet: [`write`] writes the instruction.
pub const INTRINSIC: &str = "vdotq";

/// The vectors of a sum of which some terms are products of bytes.
pub(super) fn binary(
    select: &mut Select<'_, Neon>,
    node: &Node,
    op: BinaryOp,
    a: ValueId,
    b: ValueId,
) -> Option<Vec<VectorId>> {
    let is_sum = matches!(op, BinaryOp::Add(Never | Wrap) | BinaryOp::Sub(Never | Wrap));
    if select.target != Neon::DotProd || !is_sum || !matches!(node.ty, Type::I32 | Type::U32) {
        return None;
    }
    let terms = select.terms(node.ty, op, a, b)?;
    let (sum, others) = dots::sum(select, Lane::of(node.ty), terms);
    let add = |sum, term: Term| accumulate(select, node.ty, term.is_subtracted, Operand::Vectors(sum), term.value);
    sum.map(|sum| others.into_iter().fold(sum, add))
}

/// Writes the instruction, which leaves the sum where it was.
pub(super) fn write(printer: &Printer<'_, Neon>, out: &mut Text, line: &Line, call: &Call) -> bool {
    let [Arg::Whole(sum, lane), Arg::Whole(factors, of_factors), Arg::Whole(bytes, of_bytes)] = call.args.as_slice()
    else {
        return false;
    };
    if !call.intrinsic.begins_with(INTRINSIC) {
        return false;
    }
    let name = printer.name(line.results.first());
    let (sum, bytes) = (printer.whole(*sum, *lane), printer.whole(*bytes, *of_bytes));
    let (factors, form) = match printer.lanes_of.get(factors) {
        Some((lanes, lane)) => (lanes.clone(), format!("4b[{lane}]")),
        None => (printer.whole(*factors, *of_factors), "16b".to_owned()),
    };
    out.line(format!("let mut {name} = {sum};"));
    out.line("// SAFETY: this tier's processors have the instruction, which works on these registers alone.");
    out.line(format!(
        "unsafe {{ ::core::arch::asm!(\"sdot {{0:v}}.4s, {{1:v}}.16b, {{2:v}}.{form}\", inlateout(vreg) {name}, \
         in(vreg) {bytes}, in(vreg) {factors}, options(pure, nomem, nostack, preserves_flags)) }};"
    ));
    true
}

/// The factors of a dot product, which may be a lane of a vector.
pub(super) fn factors(call: &Call) -> Option<VectorId> {
    match call.args.as_slice() {
        [_, Arg::Whole(factors, _), _] if call.intrinsic.begins_with(INTRINSIC) => Some(*factors),
        _ => None,
    }
}

/// Writes the load of four factors.
pub(super) fn write_lanes(out: &mut Text, name: &str, pointer: &str, flips: u32) {
    out.line(format!("let {name} = unsafe {{ vld1q_s32({pointer}.cast()) }};"));
    if flips != 0 {
        out.line(format!("let {name} = veorq_s32({name}, vdupq_n_s32({}));", flips as i32));
    }
}
