//! x86-64: real `core::arch::x86_64` intrinsics on whole vectors, for AVX-512, for AVX2 with FMA and for SSE4.1.
//!
//! The tiers are one instruction set on blocks of 128 bits: AVX2's instructions work on two of them side by side and AVX-512's
//! on four, so that what is interleaved in a block is packed again in the same order, and nothing has to cross. Only loads,
//! stores and coordinates know how many blocks there are (`vector::Lanes`). What else AVX-512 does otherwise is in its folder.

mod arithmetic;
pub mod avx512;
mod beside;
mod compare;
mod convert;
mod double;
mod exempt;
mod float;
mod float_order;
mod fuse;
mod halves;
mod instructions;
mod isa;
mod long;
mod lookup;
mod memory;
mod shift;
pub mod table;
mod text;
mod tiers;

use crate::text::Text;
use crate::vector::program::{Arg, Call, Intrinsic, Lane, Line, Place, Program, StoreLine, VectorId};
use crate::vector::{self, Machine, Target, select::Select, text::Printer, value::Value};
use compare::{float_mask, mask};
use float_order::FloatComparison;
pub(crate) use isa::X86;
use std::rc::Rc;
use tiers::COSTS;
pub(crate) use tiers::{AVX2, SSE41};
pub use tiers::{AVX2_TARGET, SSE41_TARGET};
use windrow_dsl::ir::{AxisId, BinaryOp, Block, CastMode, Node, Schedule, TableId, Type, UnaryOp, ValueId};
use windrow_dsl::quick::Parts;

impl Target for X86 {
    fn machine(self) -> &'static Machine {
        match self {
            X86::Sse41 => &SSE41,
            X86::Avx2 => &AVX2,
            X86::Vnni => &avx512::NARROW_MACHINE,
            X86::Avx512 => &avx512::MACHINE,
        }
    }

    fn chosen(self, schedule: &Schedule) -> Option<Block> {
        schedule.x86
    }

    fn splat(self, lane: Lane, scalar: Arg) -> Call {
        let base = match (lane.is_float(), lane.bits()) {
            (false, 8) => "set1_epi8",
            (false, 16) => "set1_epi16",
            (false, 32) => "set1_epi32",
            (false, _) if self == X86::Avx512 => "set1_epi64",
            (false, _) => "set1_epi64x",
            (true, 64) => "set1_pd",
            (true, _) => "set1_ps",
        };
        let scalar = match scalar {
            Arg::Text(text) => Arg::Text(as_signed(lane, &text)),
            scalar @ Arg::Scalar(..) if !lane.is_float() && !lane.is_signed() => {
                scalar.around("(", &format!(") as {}", signed_scalar(lane)))
            }
            Arg::Opaque(text) => Arg::Opaque(as_signed(lane, &text)),
            Arg::Entry { table, index, .. } => Arg::Entry { table, index, scalar: signed_scalar(lane) },
            other => other,
        };
        Call::new(self.name(base), vec![scalar])
    }

    fn unary(select: &mut Select<'_, Self>, op: UnaryOp, a: ValueId) -> Vec<VectorId> {
        let ty = select.body.node(a).ty;
        if op == UnaryOp::FromHalf
            && let Some(floats) = select.floats_of_narrow_halves(a)
        {
            return floats;
        }
        let vectors = select.vectors(a);
        select.map(vectors, |select, a| {
            let vector = match select.target.row_of_one(op, ty) {
                None if ty.is_float() => select.float_unary(op, Lane::of(ty), a),
                _ => Self::unary_vector(select, op, ty, a),
            };
            vector.unwrap_or_else(|| select.refuse(&format!("{op:?}"), ty, a))
        })
    }

    fn binary(select: &mut Select<'_, Self>, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        if let Some(vectors) = fuse::binary(select, node, op, a, b) {
            return Value::Vectors(vectors);
        }
        let ty = select.body.node(a).ty;
        match op {
            BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr => {
                return Value::Vectors(select.shift(op, ty, a, b));
            }
            BinaryOp::Min | BinaryOp::Max if ty.is_float() => {
                return Value::Vectors(select.order_floats(op, a, b));
            }
            _ => {}
        }
        let instruction = select.target.row_of_two(op, ty);
        if let Some(name) = instruction
            && let Some([a, b]) = select.singles(a, b)
        {
            return Value::Vector(select.op_of(name, Lane::of(ty), &[a, b]));
        }
        let (a, b) = (select.vectors(a), select.vectors(b));
        Value::Vectors(select.map2(a, b, |select, a, b| match instruction {
            Some(name) => select.op_of(name, Lane::of(ty), &[a, b]),
            None => select.integer_binary(op, ty, a, b).unwrap_or_else(|| select.refuse(&format!("{op:?}"), ty, a)),
        }))
    }

    fn mul_add(select: &mut Select<'_, Self>, a: ValueId, b: ValueId, c: ValueId) -> Vec<VectorId> {
        let (a, b, c) = (select.vectors(a), select.vectors(b), select.vectors(c));
        let factors = a.into_iter().zip(b);
        let sums = factors.zip(c).map(|((a, b), c)| match select.target {
            X86::Avx2 | X86::Vnni | X86::Avx512 => select.op("fmadd_ps", Lane::F32, &[a, b, c]),
            X86::Sse41 => select.mul_add_lanes(a, b, c),
        });
        sums.collect()
    }

    fn cast(select: &mut Select<'_, Self>, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId> {
        let halves = if node.ty == Type::U16 { select.narrow_halves_of_floats(a) } else { None };
        halves.unwrap_or_else(|| select.convert(node, mode, a))
    }

    fn lookup(select: &mut Select<'_, Self>, table: TableId, index: ValueId) -> Vec<VectorId> {
        select.entries(table, index)
    }

    fn sum_of_floats(self) -> String {
        self.name("add_ps").name()
    }

    fn sum_of_integers(self) -> String {
        self.name("add_epi32").name()
    }

    fn columns(select: &mut Select<'_, Self>, axis: AxisId, first: i64) -> Vec<VectorId> {
        let (machine, target) = (select.target.machine(), select.target);
        let apart = machine.apart(select.lanes);
        let columns =
            (0..i64::from(machine.lanes.runs())).flat_map(|block| (0..4).map(move |column| block * apart + column));
        let steps = columns.map(|column| Arg::Text(column.to_string())).collect();
        let steps = select.program.call_named(Lane::I32, "steps", Call::new(target.name("setr_epi32"), steps));
        (0..select.count(Type::I32))
            .map(|place| {
                let name = select.name();
                let start = target.splat(Lane::I32, Arg::coordinate(axis, first + 4 * place as i64));
                let args = vec![Arg::Call(Box::new(start)), Arg::Whole(steps, Lane::I32)];
                select.program.call(Lane::I32, &name, Call::new(target.name("add_epi32"), args))
            })
            .collect()
    }

    fn compare(select: &mut Select<'_, Self>, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let ty = select.body.node(a).ty;
        let (a, b) = (select.vectors(a), select.vectors(b));
        select.map2(a, b, |select, a, b| match (select.target, ty) {
            (X86::Avx512, _) => select.predicate(op, ty, a, b),
            _ if ty.is_float() => float_mask(select, op, Lane::of(ty), a, b),
            _ => mask(select, op, ty, a, b),
        })
    }

    fn is_nan(select: &mut Select<'_, Self>, a: ValueId) -> Vec<VectorId> {
        let (vectors, lane) = (select.vectors(a), Lane::of(select.body.node(a).ty));
        select.map(vectors, |select, a| match select.target {
            X86::Avx512 => select.float_predicate(FloatComparison::Unordered, lane, a, a),
            _ => select.unordered(lane, a),
        })
    }

    fn not(select: &mut Select<'_, Self>, lane: Lane, masks: Vec<VectorId>) -> Vec<VectorId> {
        select.map(masks, |select, mask| match select.target {
            X86::Avx512 => select.predicates("not", lane.bits(), &[mask]),
            _ => select.inverse(mask),
        })
    }

    fn logic(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, operands: [Vec<VectorId>; 2]) -> Vec<VectorId> {
        let base = table::binary(op, Type::U8).unwrap_or("and_si");
        let [a, b] = operands;
        select.map2(a, b, |select, a, b| select.op(base, lane, &[a, b]))
    }

    fn choose(self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> Call {
        if self == X86::Avx512 {
            return avx512::choose(lane, Arg::Whole(mask, Lane::PREDICATE), then, otherwise);
        }
        let base = match lane {
            Lane::F32 => "blendv_ps",
            Lane::F64 => "blendv_pd",
            _ => "blendv_epi8",
        };
        self.call(base, &[otherwise, then, mask])
    }

    fn choose_by_vector(self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> Call {
        match self {
            X86::Avx512 => avx512::choose(lane, avx512::predicate_of(lane, mask), then, otherwise),
            _ => self.choose(lane, mask, then, otherwise),
        }
    }

    fn word_mask(self, width: u32, holds: Arg) -> Call {
        match self {
            X86::Avx512 => avx512::of_word(width, holds),
            _ => self.splat(Lane::mask(width), vector::target::word_of_mask(width, holds)),
        }
    }

    fn mask_logic(
        select: &mut Select<'_, Self>,
        op: BinaryOp,
        width: u32,
        operands: [Vec<VectorId>; 2],
    ) -> Vec<VectorId> {
        if select.target != X86::Avx512 {
            return Self::logic(select, op, Lane::mask(width), operands);
        }
        let stem = match op {
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            _ => "and",
        };
        let [a, b] = operands;
        select.map2(a, b, |select, a, b| select.predicates(stem, width, &[a, b]))
    }

    fn choose_masks(select: &mut Select<'_, Self>, width: u32, masks: [Vec<VectorId>; 3]) -> Vec<VectorId> {
        match select.target {
            X86::Avx512 => select.chosen_predicates(width, masks),
            _ => select.bit_select(Lane::mask(width), &masks[0], &masks[1], &masks[2]),
        }
    }

    fn spread(select: &mut Select<'_, Self>, lane: Lane, masks: Vec<VectorId>) -> Vec<VectorId> {
        match select.target {
            X86::Avx512 => select.map(masks, |select, mask| select.spread_predicate(lane, mask)),
            _ => masks,
        }
    }

    fn kept(select: &mut Select<'_, Self>, lane: Lane, [vectors, masks]: [Vec<VectorId>; 2]) -> Vec<VectorId> {
        match select.target {
            X86::Avx512 => select.map2(vectors, masks, |select, a, mask| select.kept_lanes(lane, a, mask)),
            _ => Self::logic(select, BinaryOp::And, lane.unsigned(), [vectors, masks]),
        }
    }

    fn narrow_masks(self, lane: Lane, pair: [VectorId; 2]) -> Call {
        if self == X86::Avx512 {
            return avx512::narrow(lane.bits(), pair);
        }
        // All bits of a mask are alike: those of 64 are taken for two of 32.
        self.sized("packs", (2 * lane.bits()).min(32), &pair)
    }

    fn widen_mask(self, lane: Lane, mask: VectorId) -> [Call; 2] {
        if self == X86::Avx512 {
            return avx512::widen(lane.bits(), mask);
        }
        ["unpacklo", "unpackhi"].map(|base| self.sized(base, lane.bits(), &[mask, mask]))
    }

    fn unary_vector(select: &mut Select<'_, Self>, op: UnaryOp, ty: Type, a: VectorId) -> Option<VectorId> {
        match select.target.row_of_one(op, ty) {
            Some(base) => Some(select.op(base, Lane::of(ty), &[a])),
            None => select.integer_unary(op, ty, a),
        }
    }

    fn binary_vector(
        select: &mut Select<'_, Self>,
        op: BinaryOp,
        ty: Type,
        a: VectorId,
        b: VectorId,
    ) -> Option<VectorId> {
        match select.target.row_of_two(op, ty) {
            Some(name) => Some(select.op_of(name, Lane::of(ty), &[a, b])),
            None => select.integer_binary(op, ty, a, b),
        }
    }

    fn shift_vector(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, a: VectorId, by: u32) -> VectorId {
        select.shifted_by(op, lane, a, by)
    }

    fn compare_vectors(select: &mut Select<'_, Self>, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId {
        match select.target {
            X86::Avx512 => {
                let predicate = select.predicate(op, ty, a, b);
                select.spread_predicate(Lane::of(ty).unsigned(), predicate)
            }
            _ => mask(select, op, ty, a, b),
        }
    }

    fn low_products(select: &mut Select<'_, Self>, a: VectorId, b: VectorId) -> VectorId {
        select.op("mul_epu32", Lane::U64, &[a, b])
    }

    fn interleave(select: &mut Select<'_, Self>, pair: [VectorId; 2], lane: Lane, result: Lane) -> [VectorId; 2] {
        select.interleave(pair[0], pair[1], lane, result)
    }

    fn dot(select: &mut Select<'_, Self>, lane: Lane, sum: VectorId, [factors, bytes]: [VectorId; 2]) -> VectorId {
        select.op("dpbusd_epi32", lane, &[sum, factors, bytes])
    }

    fn and_not(select: &mut Select<'_, Self>, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        select.op("andnot_si", lane, &[a, b])
    }

    fn constant(select: &mut Select<'_, Self>, value: i128, lane: Lane) -> VectorId {
        match value {
            0 => select.zero(),
            -1 => select.ones(),
            _ => select.splat_int(value, lane),
        }
    }

    fn joins_sums(self) -> bool {
        true
    }

    fn load(self, program: &mut Program, place: Place, count: u32, name: &Rc<str>) -> Vec<VectorId> {
        memory::load(self, program, place, count, name)
    }

    fn load_lanes(self, program: &mut Program, place: Place, name: &Rc<str>) -> VectorId {
        memory::load_lanes(self, program, place, name)
    }

    fn store(select: &mut Select<'_, Self>, line: StoreLine, lines: &mut Vec<StoreLine>) {
        memory::store(select, line, lines);
    }

    fn join_stores(select: &mut Select<'_, Self>, lines: &mut [StoreLine]) {
        match select.target {
            X86::Sse41 => {}
            X86::Avx2 | X86::Vnni => memory::join_stores(&AVX2, lines),
            X86::Avx512 => select.join_stores_of_blocks(lines),
        }
    }

    fn hidden(self, variable: &str) -> String {
        let options = "options(pure, nomem, nostack, preserves_flags)";
        format!("::core::arch::asm!(\"/* {{0}} */\", inout(kreg) {variable}, {options})")
    }

    fn balance(self, program: &mut Program) {
        if self == X86::Avx512 {
            avx512::balance(program);
        }
    }

    fn begin_view(self, text: &mut Parts, to: Lane, from: Lane) -> &'static str {
        if from == to || !from.is_float() && !to.is_float() {
            return "";
        }
        let kind = |lane: Lane| match (lane, self) {
            (Lane::F32, _) => "ps",
            (Lane::F64, _) => "pd",
            (_, X86::Sse41) => "si128",
            (_, X86::Avx2 | X86::Vnni) => "si256",
            (_, X86::Avx512) => "si512",
        };
        let (from, to) = (kind(from), kind(to));
        text.push(&format!("{}_cast{from}_{to}(", self.prefix()));
        ")"
    }

    fn begin_low(self, _: &mut Parts, _: Lane) -> &'static str {
        ""
    }

    fn reads_memory(self, _: Intrinsic) -> bool {
        false
    }

    fn ask_for_line(self, pointer: &str) -> Option<String> {
        Some(format!("_mm_prefetch::<_MM_HINT_T0>({pointer}.cast())"))
    }

    fn write_tables(printer: &mut Printer<'_, Self>, out: &mut Text) {
        text::tables(printer, out);
    }

    fn write_line(printer: &mut Printer<'_, Self>, out: &mut Text, line: &Line) {
        text::line(printer, out, line);
    }

    fn write_store(printer: &Printer<'_, Self>, out: &mut Text, store: &StoreLine) {
        text::store(printer, out, store);
    }
}

impl X86 {
    /// The instruction of an operation on one value of a type, where one does it.
    fn row_of_one(self, op: UnaryOp, ty: Type) -> Option<&'static str> {
        match (self, table::unary(op, ty)) {
            (X86::Avx512, row) => avx512::table::of_one(op, ty, row),
            (_, row) => row,
        }
    }

    /// That of an operation on two values, as a stem and how the lanes are called.
    fn row_of_two(self, op: BinaryOp, ty: Type) -> Option<(&'static str, &'static str)> {
        match (self, table::binary_split(op, ty)) {
            (X86::Avx512, None) => avx512::table::of_two(op, ty),
            (_, row) => row,
        }
    }
}

/// The scalar type that the intrinsics take for a lane.
fn signed_scalar(lane: Lane) -> &'static str {
    if lane.is_float() { lane.scalar() } else { lane.signed().scalar() }
}

/// A scalar as the intrinsics take it: integers are signed.
fn as_signed(lane: Lane, text: &str) -> String {
    if lane.is_float() || lane.is_signed() {
        return text.to_owned();
    }
    let (signed, digits) = (lane.signed().scalar(), text.trim_end_matches(lane.scalar()));
    match digits.parse::<i128>() {
        Ok(value) => {
            let unused = 128 - lane.bits();
            format!("{}{signed}", value << unused >> unused)
        }
        Err(_) => format!("({text}) as {signed}"),
    }
}
