//! What a vector instruction set must say of itself: its size as data, its instructions as functions over a selection.

use super::exempt::{Builtin, Exemption};
use super::program::{Arg, Call, Intrinsic, Lane, Line, Place, Program, StoreLine, VectorId};
use super::schedule::Costs;
use super::select::Select;
use super::text::Printer;
use super::value::Value;
use crate::text::{Parts, Text};
use std::rc::Rc;
use windrow_dsl::ir::{BinaryOp, Block, Body, CastMode, Kernel, Node, Schedule, TableId, Type, UnaryOp, ValueId};
use windrow_dsl::optimise::{has_long_sums, sums_over_rows};

/// Bits within which widening and narrowing instructions move lanes.
pub(super) const BLOCK_BITS: u32 = 128;

/// An instruction set, in numbers.
#[derive(Debug)]
pub struct Machine {
    /// As the documentation of a body calls it.
    pub name: &'static str,
    /// The module of `core::arch`.
    pub architecture: &'static str,
    /// Tiers of the architecture: each has bodies of its own, which are compiled together.
    pub tiers: usize,
    /// What `target_feature` enables.
    pub features: &'static str,
    /// Blocks of 128 bits in a vector. The blocks of a value's vectors hold runs of `lanes / blocks` elements of the step:
    /// the first vector holds the start of each run. So instructions that stay inside blocks keep the order of the
    /// elements, and only loads, stores and coordinates know that there are several.
    pub blocks: u32,
    /// Entries that one instruction looks up in a table of bytes; tables of up to 256 of them are held in vectors.
    pub byte_entries: u32,
    /// Whether other tables are indexed by u32.
    pub has_word_indices: bool,
    /// Whether floats become unsigned integers by one instruction.
    pub has_unsigned_floats: bool,
    /// Whether stores stand as soon as their values are known, where no input is an output too: registers are few.
    pub stores_early: bool,
    /// Whether some loads are kept from being joined with their neighbours: see [`super::loads`].
    pub parts_loads: bool,
    /// Whether the first step of several rows may be overlapped by the second, for the stores from there on to be aligned: a move
    /// for each step.
    pub has_heads: bool,
    /// What its instructions cost.
    pub costs: Costs,
    /// The class of vector registers in `asm!` and the modifier of their names, where long sums are held in the order of rows.
    pub fence: Option<(&'static str, &'static str)>,
    /// The operations that go lane by lane.
    pub exemptions: &'static [Exemption],
}

impl Machine {
    /// Bits of a vector.
    pub fn bits(&self) -> u32 {
        self.blocks * BLOCK_BITS
    }

    /// Whether it multiplies and adds with one rounding.
    pub fn has_fused(&self) -> bool {
        !self.exemptions.iter().any(|exemption| matches!(exemption.builtin, Builtin::MulAdd))
    }

    /// Vectors that hold `lanes` elements of a type.
    pub fn vectors_of(&self, ty: Type, lanes: u32) -> usize {
        (lanes * ty.bits().max(8) / self.bits()) as usize
    }

    /// Whether the stores of a kernel's body stand before its last load. With several outputs, one of them may lie where an
    /// input does that another one is computed from: a run takes an output in the place of any input of its own elements.
    pub fn stores_before_loads(&self, kernel: &Kernel) -> bool {
        let is_alone = kernel.outputs.len() == 1;
        let keeps_apart = |input: &windrow_dsl::ir::Input| {
            let mut outputs = kernel.outputs.iter();
            let is_other = outputs.all(|output| (output.ty, output.channels) != (input.ty, input.channels));
            input.inout.is_none() && (is_alone || is_other || input.neighbourhood != Default::default())
        };
        self.stores_early && kernel.inputs.iter().all(keeps_apart)
    }

    /// Tiers of an architecture are of one kind: they make the same of a body, but where only one of them orders long sums.
    pub fn kind(&self, body: &Body) -> &'static str {
        if self.may_order_sums(body) { self.name } else { self.architecture }
    }

    /// Whether the long sums of a body go row by row of the input, between fences: a compiler would take one sum after
    /// the other, and hold the elements of all rows meanwhile.
    pub fn orders_sums(&self, body: &Body) -> bool {
        self.may_order_sums(body) && sums_over_rows(&body.nodes)
    }

    /// Whether a body has long sums, and they are better off so: products that no sum takes in only ask for more registers.
    pub fn may_order_sums(&self, body: &Body) -> bool {
        let is_apart = |node: &Node| node.op.is_product() && node.ty != Type::F32;
        let suits = || self.costs.adds_products || !body.nodes.iter().any(is_apart);
        self.fence.is_some() && has_long_sums(&body.nodes) && suits()
    }

    /// Lanes of a block.
    pub fn lanes_in_block(&self, lane: Lane) -> u32 {
        BLOCK_BITS / lane.bits()
    }

    /// Elements from the start of one block's run to the next.
    pub fn apart(&self, lanes: u32) -> i64 {
        i64::from(lanes / self.blocks)
    }
}

/// An instruction set. Each function is asked for one kind of node whose operands stand before it, and gives its
/// vectors in the order of the lanes.
pub trait Target: Copy {
    /// Its numbers.
    fn machine(self) -> &'static Machine;
    /// The block that the author fixed for it, in elements.
    fn chosen(self, schedule: &Schedule) -> Option<Block>;

    /// A scalar of the lanes' type in all of them.
    fn splat(self, lane: Lane, scalar: Arg) -> Call;
    /// An operation on one value that is no truth value and gives none.
    fn unary(select: &mut Select<'_, Self>, op: UnaryOp, a: ValueId) -> Vec<VectorId>;
    /// An operation on two values that are no truth values and give none.
    fn binary(select: &mut Select<'_, Self>, node: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> Value;
    /// a·b + c with one rounding.
    fn mul_add(select: &mut Select<'_, Self>, a: ValueId, b: ValueId, c: ValueId) -> Vec<VectorId>;
    /// A conversion between types that are no truth values.
    fn cast(select: &mut Select<'_, Self>, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId>;
    /// The entries of a table.
    fn lookup(select: &mut Select<'_, Self>, table: TableId, index: ValueId) -> Vec<VectorId>;
    /// The coordinates along the row, from a scalar expression for that of the first column.
    fn columns(select: &mut Select<'_, Self>, first: &dyn Fn(i64) -> String) -> Vec<VectorId>;

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

    /// Whether a sum is selected with those that are its parts, which are then needed by nobody.
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
    fn join_stores(self, _: &mut [StoreLine]) {}

    /// Begins a vector that is read as other lanes; what ends it.
    fn begin_view(self, text: &mut Parts, to: Lane, from: Lane) -> &'static str;
    /// Begins the lower half of a vector; what ends it.
    fn begin_low(self, text: &mut Parts, lane: Lane) -> &'static str;
    /// A constant, a literal with its type, whose value the compiler does not learn, as text.
    fn opaque(self, literal: &str) -> String {
        format!("unsafe {{ ::core::ptr::read_volatile(&{literal}) }}")
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
    /// Writes a statement that is no call.
    fn write_line(printer: &mut Printer<'_, Self>, out: &mut Text, line: &Line);
    /// Writes a store.
    fn write_store(printer: &Printer<'_, Self>, out: &mut Text, store: &StoreLine);
}
