//! What a vector instruction set does: its instructions as functions over a selection, and the text of what is not a call.

use super::machine::Machine;
use super::printer::Printer;
use super::program::{Arg, Call, Intrinsic, Lane, Line, Place, Program, StoreLine, VectorId};
use super::selection::Select;
use super::value::Value;
use crate::text::Text;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, BinaryOp, Block, CastMode, Node, Schedule, TableId, Type, UnaryOp, ValueId};
use windrow_dsl::quick::Parts;

/// An instruction set. Each function is asked for one kind of node whose operands were selected before it, and gives its
/// vectors in the order of the lanes.
pub trait Target: Copy {
    /// Its numbers.
    fn machine(self) -> &'static Machine;
    /// The block that the author fixed for it, in elements.
    fn chosen(self, schedule: &Schedule) -> Option<Block>;

    /// A scalar of the lanes' type in all of them.
    fn splat(self, lane: Lane, scalar: Arg) -> Call;
    /// An operation on one value, in which neither is a truth value.
    fn unary(select: &mut Select<'_, Self>, op: UnaryOp, a: ValueId) -> Vec<VectorId>;
    /// An operation on two values, neither of which is a truth value, nor is the result.
    fn binary(select: &mut Select<'_, Self>, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> Value;
    /// The intrinsic of a sum of floats.
    fn sum_of_floats(self) -> String;
    /// The intrinsic of a sum of integers of 32 bits.
    fn sum_of_integers(self) -> String;
    /// a·b + c with one rounding.
    fn mul_add(select: &mut Select<'_, Self>, a: ValueId, b: ValueId, c: ValueId) -> Vec<VectorId>;
    /// A conversion between types other than truth values.
    fn cast(select: &mut Select<'_, Self>, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId>;
    /// The entries of a table.
    fn lookup(select: &mut Select<'_, Self>, table: TableId, index: ValueId) -> Vec<VectorId>;
    /// The coordinates along the row, or the numbers of the lanes, so much further on.
    fn columns(select: &mut Select<'_, Self>, axis: AxisId, first: i64) -> Vec<VectorId>;

    /// The masks of a comparison, as wide as its operands.
    fn compare(select: &mut Select<'_, Self>, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId>;
    /// The masks of what is not a number.
    fn is_nan(select: &mut Select<'_, Self>, a: ValueId) -> Vec<VectorId>;
    /// The inverse of masks.
    fn not(select: &mut Select<'_, Self>, lane: Lane, masks: Vec<VectorId>) -> Vec<VectorId>;
    /// `&`, `|` or `^` of vectors.
    fn logic(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, operands: [Vec<VectorId>; 2]) -> Vec<VectorId>;
    /// `then` where the mask is set, `otherwise` elsewhere; one vector of each.
    fn choose(self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> Call;
    /// Two masks as one of half the width, which is `lane`'s.
    fn narrow_masks(self, lane: Lane, pair: [VectorId; 2]) -> Call;
    /// A mask as two of twice the width; `lane` is its own.
    fn widen_mask(self, lane: Lane, mask: VectorId) -> [Call; 2];
    /// The mask for lanes of a width that is set where a scalar expression is true: in all of them or none.
    fn word_mask(self, width: u32, holds: Arg) -> Call {
        self.splat(Lane::mask(width), word_of_mask(width, holds))
    }
    /// `&`, `|` or `^` of masks for lanes of a width.
    fn mask_logic(
        select: &mut Select<'_, Self>,
        op: BinaryOp,
        width: u32,
        operands: [Vec<VectorId>; 2],
    ) -> Vec<VectorId> {
        Self::logic(select, op, Lane::mask(width), operands)
    }
    /// The masks of the second list where those of the first are set, those of the third elsewhere.
    fn choose_masks(select: &mut Select<'_, Self>, width: u32, masks: [Vec<VectorId>; 3]) -> Vec<VectorId> {
        select.bit_select(Lane::mask(width), &masks[0], &masks[1], &masks[2])
    }
    /// Masks as vectors whose lanes have all bits alike.
    fn spread(_: &mut Select<'_, Self>, _: Lane, masks: Vec<VectorId>) -> Vec<VectorId> {
        masks
    }
    /// The lanes of vectors where masks are set, and no bits elsewhere.
    fn kept(select: &mut Select<'_, Self>, lane: Lane, vectors_and_masks: [Vec<VectorId>; 2]) -> Vec<VectorId> {
        Self::logic(select, BinaryOp::And, lane.unsigned(), vectors_and_masks)
    }
    /// [`Self::choose`] by a vector whose lanes have all bits alike.
    fn choose_by_vector(self, lane: Lane, mask: VectorId, then: VectorId, otherwise: VectorId) -> Call {
        self.choose(lane, mask, then, otherwise)
    }

    /// An operation on one vector, in which neither is a truth value; none where there are no instructions for it.
    fn unary_vector(select: &mut Select<'_, Self>, op: UnaryOp, ty: Type, a: VectorId) -> Option<VectorId>;
    /// An operation on two vectors that are not masks and give none; none where there are no instructions for it.
    fn binary_vector(
        select: &mut Select<'_, Self>,
        op: BinaryOp,
        ty: Type,
        a: VectorId,
        b: VectorId,
    ) -> Option<VectorId>;
    /// A shift by a constant from 1 to the width less 1.
    fn shift_vector(select: &mut Select<'_, Self>, op: BinaryOp, lane: Lane, a: VectorId, by: u32) -> VectorId;
    /// The vector of a comparison of integers, whose lanes have all bits alike.
    fn compare_vectors(select: &mut Select<'_, Self>, op: BinaryOp, ty: Type, a: VectorId, b: VectorId) -> VectorId;
    /// The products of the lower halves of lanes of 64 bits, as unsigned numbers.
    fn low_products(select: &mut Select<'_, Self>, a: VectorId, b: VectorId) -> VectorId;
    /// The lanes of two vectors in turn: those that come first in the order of lanes, and the others.
    fn interleave(select: &mut Select<'_, Self>, pair: [VectorId; 2], lane: Lane, result: Lane) -> [VectorId; 2];
    /// A sum in lanes of 32 bits and the products of the four bytes of each lane of two vectors: those of
    /// [`Machine::byte_factor`], and signed ones.
    fn dot(select: &mut Select<'_, Self>, lane: Lane, sum: VectorId, factors: [VectorId; 2]) -> VectorId;
    /// The factors of a dot product, where it may take them from a lane of a vector.
    fn lane_factors(self, _: &Call) -> Option<VectorId> {
        None
    }
    /// Writes the load of a vector, of this name, of four lanes of factors from a pointer, with these bits of each flipped.
    fn write_lanes(_: &mut Text, _name: &str, _pointer: &str, _flips: u32) {}
    /// `!a & b`.
    fn and_not(select: &mut Select<'_, Self>, lane: Lane, a: VectorId, b: VectorId) -> VectorId;
    /// An integer in all lanes.
    fn constant(select: &mut Select<'_, Self>, value: i128, lane: Lane) -> VectorId {
        select.splat_int(value, lane)
    }

    /// Whether a sum is selected with those that are its parts, which are then unused.
    fn joins_sums(self) -> bool {
        false
    }

    /// `count` interleaved vectors.
    fn load(self, program: &mut Program, place: Place, count: u32, name: &Rc<str>) -> Vec<VectorId>;
    /// Elements `factor` apart, which no load of several vectors reaches.
    fn load_lanes(self, program: &mut Program, place: Place, name: &Rc<str>) -> VectorId;
    /// The lines that store one or several interleaved vectors.
    fn store(select: &mut Select<'_, Self>, line: StoreLine, lines: &mut Vec<StoreLine>);

    /// Joins stores of an output's row that follow each other, where that makes fewer of them.
    fn join_stores(_: &mut Select<'_, Self>, _: &mut [StoreLine]) {}

    /// Gives instructions of a whole program other forms, where its processors' ports have more room for those.
    fn balance(self, _: &mut Program) {}

    /// Begins a vector that is read as other lanes; what ends it.
    fn begin_view(self, text: &mut Parts, to: Lane, from: Lane) -> &'static str;
    /// Begins the lower half of a vector; what ends it.
    fn begin_low(self, text: &mut Parts, lane: Lane) -> &'static str;
    /// A constant, a literal with its type, whose value the compiler does not learn, as text.
    fn opaque(self, literal: &str) -> String {
        format!("unsafe {{ ::core::ptr::read_volatile(&{literal}) }}")
    }
    /// Keeps the compiler from following the value of a variable that holds a comparison's outcome, as text.
    fn hidden(self, variable: &str) -> String {
        format!("{variable} = ::core::hint::black_box({variable})")
    }
    /// Whether an intrinsic reads memory, and so is unsafe.
    fn reads_memory(self, intrinsic: Intrinsic) -> bool;
    /// A call that asks for the cache line at a pointer, soon to be stored to, where that pays.
    fn ask_for_line(self, _pointer: &str) -> Option<String> {
        None
    }
    /// Writes what holds tables in vectors, before the loop.
    fn write_tables(printer: &mut Printer<'_, Self>, out: &mut Text);
    /// Writes a statement that is a call but is better written otherwise; false where it is not.
    fn write_call(_: &Printer<'_, Self>, _: &mut Text, _: &Line, _: &Call) -> bool {
        false
    }
    /// Writes a statement that is not a call.
    fn write_line(printer: &mut Printer<'_, Self>, out: &mut Text, line: &Line);
    /// Writes a store.
    fn write_store(printer: &Printer<'_, Self>, out: &mut Text, store: &StoreLine);
}

/// All bits of a width where a scalar expression is true, none where it is not.
pub fn word_of_mask(width: u32, holds: Arg) -> Arg {
    holds.around("if ", &format!(" {{ {}::MAX }} else {{ 0 }}", Lane::mask(width).scalar()))
}
