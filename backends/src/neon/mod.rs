//! NEON: real `core::arch::aarch64` intrinsics on whole vectors, for every operation of the language.
//!
//! One table row an instruction ([`table`], [`fuse`]); what has no row is a short sequence. The only operations that go lane
//! by lane are those of `exempt`.

mod bits;
mod dots;
mod double;
mod exempt;
pub mod fuse;
mod halves;
mod instructions;
mod memory;
pub mod pairwise;
#[cfg(test)]
mod proofs;
mod sequence;
pub mod table;
#[cfg(test)]
mod tests;
mod text;

use crate::target::CpuTarget;
use crate::text::Text;
use crate::vector::expansions::Operation;
use crate::vector::program::{Arg, Call, Intrinsic, Lane, Line, Place, Program, StoreLine, VectorId};
use crate::vector::{self, Costs, Lanes, Machine, Masks, Target, select::Select, text::Printer, value::Value};
use instructions::{call, call_of};
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, BinaryOp, Block, CastMode, Node, Schedule, TableId, Type, UnaryOp, ValueId};
use windrow_dsl::quick::Parts;

/// NEON in numbers.
pub(crate) const MACHINE: Machine = Machine {
    name: "NEON",
    architecture: "aarch64",
    tiers: 1,
    kind: "aarch64",
    features: "neon",
    fused: Some(|a, b, c| format!("vget_lane_f32::<0>(vfma_f32(vdup_n_f32({c}), vdup_n_f32({a}), vdup_n_f32({b})))")),
    lanes: Lanes::Linear(128),
    masks: Masks::Vectors,
    multiplies_pairs: false,
    byte_factor: None,
    chooses_pointers: false,
    byte_entries: 64,
    has_word_indices: false,
    has_unsigned_floats: true,
    stores_early: false,
    parts_loads: true,
    has_heads: false,
    costs: Costs {
        load: 0.8,
        single_load: 0.8,
        apart: 0.0,
        store: 1.2,
        float_product: 1.0,
        product: 1.5,
        pair_term: 0.5,
        most_paired: 2,
        parting: 0.3,
        widens_lying: false,
        combines_lying: true,
        step: 3.0,
        row: 1.0,
        widens: true,
        adds_products: true,
        adds_word_products: false,
        narrows: true,
        addresses: usize::MAX,
        registers: 23,
        held: usize::MAX,
        rows: &[1, 2, 4, 8],
        columns: &[1, 2, 4, 8],
        most_by_twos: 8,
    },
    fence: Some(("vreg", ":v")),
    exemptions: exempt::EXEMPTIONS,
};

/// NEON with FEAT_DotProd, which Arm's processors have from Armv8.4 on, and many before: four products of bytes are one step.
pub(crate) const DOTPROD_MACHINE: Machine = Machine {
    name: "NEON with dot products",
    tiers: 2,
    kind: "aarch64 with dot products",
    features: "neon,dotprod",
    byte_factor: Some(Type::I8),
    costs: Costs { registers: 28, ..MACHINE.costs },
    ..MACHINE
};

/// NEON among the targets.
pub const TARGET: CpuTarget = CpuTarget {
    name: "neon",
    family: "neon",
    tier: "Neon",
    is_narrow: false,
    is_for_bytes: false,
    architecture: Some("aarch64"),
    feature: None,
    pays: None,
    machine: Some(&MACHINE),
    emit: |kernel, prepared, index, name, block| vector::emit(Neon::Base, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(Neon::Base, kernel, prepared, index),
    is_instruction,
};

/// The same with dot products: only kernels that add products of bytes have such a body.
pub const DOTPROD_TARGET: CpuTarget = CpuTarget {
    name: "dotprod",
    tier: "DotProd",
    is_for_bytes: true,
    pays: Some(|kernel, prepared| {
        prepared.bodies.iter().all(|body| vector::adds_products_of_bytes(&DOTPROD_MACHINE, kernel, body))
    }),
    machine: Some(&DOTPROD_MACHINE),
    emit: |kernel, prepared, index, name, block| vector::emit(Neon::DotProd, kernel, prepared, index, name, block),
    weigh: |kernel, prepared, index| vector::weigh(Neon::DotProd, kernel, prepared, index),
    ..TARGET
};

/// Whether a function is an intrinsic that becomes an instruction: one that only reinterprets a register does not.
fn is_instruction(name: &str) -> bool {
    let is_view = ["vreinterpret", "vget_low"].iter().any(|view| name.starts_with(view));
    name.starts_with('v') && name.contains('_') && !is_view
}

/// A tier of AArch64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Neon {
    /// Advanced SIMD, the floor.
    Base,
    /// The same with dot products of bytes.
    DotProd,
}

impl Target for Neon {
    fn machine(self) -> &'static Machine {
        match self {
            Neon::Base => &MACHINE,
            Neon::DotProd => &DOTPROD_MACHINE,
        }
    }

    fn chosen(self, schedule: &Schedule) -> Option<Block> {
        schedule.neon
    }

    fn splat(self, lane: Lane, scalar: Arg) -> Call {
        call("vdupq_n", lane, vec![scalar])
    }

    fn unary(select: &mut Select<'_, Self>, op: UnaryOp, a: ValueId) -> Vec<VectorId> {
        select.unary(op, a)
    }

    fn binary(select: &mut Select<'_, Self>, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        let dots = dots::binary(select, node, op, a, b);
        let paired = dots.or_else(|| pairwise::binary(select, node, op, a, b));
        let fused = paired.or_else(|| fuse::binary(select, node, op, a, b));
        fused.map_or_else(|| select.binary(op, a, b), Value::Vectors)
    }

    fn mul_add(select: &mut Select<'_, Self>, a: ValueId, b: ValueId, c: ValueId) -> Vec<VectorId> {
        let operands = [select.vectors(c), select.vectors(a), select.vectors(b)];
        select.each("vfmaq", Lane::F32, Lane::F32, &operands)
    }

    fn cast(select: &mut Select<'_, Self>, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId> {
        let halves = if node.ty == Type::U16 { select.narrow_halves_of_floats(a) } else { None };
        halves.or_else(|| fuse::cast(select, node, mode, a)).unwrap_or_else(|| select.convert(node, mode, a))
    }

    fn lookup(select: &mut Select<'_, Self>, table: TableId, index: ValueId) -> Vec<VectorId> {
        select.entries(table, index)
    }

    fn sum_of_floats(self) -> String {
        "vaddq_f32".to_owned()
    }

    fn sum_of_integers(self) -> String {
        "vaddq_s32".to_owned()
    }

    fn columns(select: &mut Select<'_, Self>, axis: AxisId, first: i64) -> Vec<VectorId> {
        select.ascending(axis, first)
    }

    fn compare(select: &mut Select<'_, Self>, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(select.body.node(a).ty);
        let intrinsic = table::compare_row(op).map_or("vceqq", |row| row.intrinsic);
        let operands = [select.vectors(a), select.vectors(b)];
        let masks = select.each(intrinsic, lane, lane.unsigned(), &operands);
        if op == BinaryOp::Ne { Self::not(select, lane.unsigned(), masks) } else { masks }
    }

    fn is_nan(select: &mut Select<'_, Self>, a: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(select.body.node(a).ty);
        let a = select.vectors(a);
        let ordered = select.each("vceqq", lane, lane.unsigned(), &[a.clone(), a]);
        Self::not(select, lane.unsigned(), ordered)
    }

    fn not(select: &mut Select<'_, Self>, lane: Lane, masks: Vec<VectorId>) -> Vec<VectorId> {
        // Bits are inverted in lanes of any width, but there is no instruction that says so of 64.
        let lane = if lane.bits() == 64 { Lane::U32 } else { lane };
        select.each("vmvnq", lane, lane, &[masks])
    }

    fn logic(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, operands: [Vec<VectorId>; 2]) -> Vec<VectorId> {
        let intrinsic = table::binary_row(op, Type::U8).map_or("vandq", |row| row.intrinsic);
        select.each(intrinsic, lane, lane, &operands)
    }

    fn choose(self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> Call {
        let sides = [Arg::Whole(mask, lane.unsigned()), Arg::Whole(then, lane), Arg::Whole(otherwise, lane)];
        call("vbslq", lane, sides.to_vec())
    }

    fn narrow_masks(self, lane: Lane, pair: [VectorId; 2]) -> Call {
        call("vuzp1q", lane, pair.map(|id| Arg::Whole(id, lane)).to_vec())
    }

    fn widen_mask(self, lane: Lane, mask: VectorId) -> [Call; 2] {
        [call("vmovl", lane, vec![Arg::Low(mask, lane)]), call_of("vmovl", "_high", lane, vec![Arg::Whole(mask, lane)])]
    }

    fn unary_vector(select: &mut Select<'_, Self>, op: UnaryOp, ty: Type, a: VectorId) -> Option<VectorId> {
        let row = table::unary_row(op, ty)?;
        let lane = instructions::read_by(row, ty);
        Some(select.call(lane, call(row.intrinsic, lane, vec![Arg::Whole(a, lane)])))
    }

    fn binary_vector(
        select: &mut Select<'_, Self>,
        op: BinaryOp,
        ty: Type,
        a: VectorId,
        b: VectorId,
    ) -> Option<VectorId> {
        let lane = Lane::of(ty);
        match table::binary_row(op, ty) {
            Some(row) => {
                let args = [a, b].map(|id| Arg::Whole(id, lane));
                Some(select.call(lane, call(row.intrinsic, lane, args.to_vec())))
            }
            None => select.expanded(Operation::Binary(op), ty, [a, b, a]),
        }
    }

    fn shift_vector(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, a: VectorId, by: u32) -> VectorId {
        let base = if op == BinaryOp::Shr { "vshrq" } else { "vshlq" };
        select.call(lane, call_of(base, "_n", lane, vec![Arg::Whole(a, lane)]).with(by))
    }

    fn compare_vectors(select: &mut Select<'_, Self>, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId {
        let lane = Lane::of(ty);
        let args = [a, b].map(|id| Arg::Whole(id, lane));
        let intrinsic = table::compare_row(op).map_or("vceqq", |row| row.intrinsic);
        select.call(lane.unsigned(), call(intrinsic, lane, args.to_vec()))
    }

    fn low_products(select: &mut Select<'_, Self>, a: VectorId, b: VectorId) -> VectorId {
        let halves = [a, b].map(|id| Arg::Call(Box::new(call("vmovn", Lane::U64, vec![Arg::Whole(id, Lane::U64)]))));
        select.call(Lane::U64, call("vmull", Lane::U32, halves.to_vec()))
    }

    fn interleave(select: &mut Select<'_, Self>, pair: [VectorId; 2], lane: Lane, _: Lane) -> [VectorId; 2] {
        let name = select.name();
        ["vzip1q", "vzip2q"].map(|base| select.pack(base, &pair, lane, &name))
    }

    fn dot(select: &mut Select<'_, Self>, _: Lane, sum: VectorId, [factors, bytes]: [VectorId; 2]) -> VectorId {
        let args = vec![Arg::Whole(sum, Lane::I32), Arg::Whole(factors, Lane::I8), Arg::Whole(bytes, Lane::I8)];
        select.call(Lane::I32, call(dots::INTRINSIC, Lane::I32, args))
    }

    fn joins_sums(self) -> bool {
        self == Neon::DotProd
    }

    fn and_not(select: &mut Select<'_, Self>, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        select.call(lane, call("vbicq", lane, vec![Arg::Whole(b, lane), Arg::Whole(a, lane)]))
    }

    fn load(self, program: &mut Program, place: Place, count: u32, name: &Rc<str>) -> Vec<VectorId> {
        memory::load(program, place, count, name)
    }

    fn load_lanes(self, program: &mut Program, place: Place, name: &Rc<str>) -> VectorId {
        memory::load_lanes(program, place, name)
    }

    fn store(_: &mut Select<'_, Self>, line: StoreLine, lines: &mut Vec<StoreLine>) {
        lines.push(line);
    }

    fn begin_view(self, text: &mut Parts, to: Lane, from: Lane) -> &'static str {
        text.push("vreinterpretq_");
        text.push(instructions::suffix(to));
        text.push("_");
        text.push(instructions::suffix(from));
        text.push("(");
        ")"
    }

    fn begin_low(self, text: &mut Parts, lane: Lane) -> &'static str {
        text.push("vget_low_");
        text.push(instructions::suffix(lane));
        text.push("(");
        ")"
    }

    fn opaque(self, literal: &str) -> String {
        text::opaque(literal)
    }

    fn reads_memory(self, intrinsic: Intrinsic) -> bool {
        // The one call that does is that of the ascending integers.
        intrinsic.begins_with("vld1q")
    }

    fn write_tables(printer: &mut Printer<'_, Self>, out: &mut Text) {
        text::tables(printer, out);
    }

    fn lane_factors(self, call: &Call) -> Option<VectorId> {
        dots::factors(call)
    }

    fn write_lanes(out: &mut Text, name: &str, pointer: &str, flips: u32) {
        dots::write_lanes(out, name, pointer, flips);
    }

    fn write_call(printer: &Printer<'_, Self>, out: &mut Text, line: &Line, call: &Call) -> bool {
        text::choice_of_invariants(printer, out, line, call)
            || text::insertion(printer, out, line, call)
            || dots::write(printer, out, line, call)
    }

    fn write_line(printer: &mut Printer<'_, Self>, out: &mut Text, line: &Line) {
        text::line(printer, out, line);
    }

    fn write_store(printer: &Printer<'_, Self>, out: &mut Text, store: &StoreLine) {
        text::store(printer, out, store);
    }
}
