//! What an instruction set says of itself in numbers: how wide it is, what it costs, and what it has no vector form for.

use super::lane::Lane;
use crate::scalar::Fused;
use windrow_dsl::ir::{Body, Kernel, Node, Op, Type};
use windrow_dsl::optimise::{has_long_sums, sums_over_rows};

/// Bits within which widening and narrowing instructions move lanes.
pub(super) const BLOCK_BITS: u32 = 128;

/// How wide a vector is, and which of a step's elements its lanes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// So many blocks of 128 bits. Each block of a value's vectors holds a run of `lanes / blocks` elements of the step, and
    /// the first vector holds the start of each run. Instructions that widen, narrow and interleave within blocks keep the
    /// order of the elements so; only loads, stores and coordinates know that there are several.
    InBlocks(u32),
    /// So many bits, whose lanes hold elements in the order of memory: instructions that widen and narrow cross all of them.
    Linear(u32),
}

impl Lanes {
    /// Bits of a vector.
    pub const fn bits(self) -> u32 {
        match self {
            Self::InBlocks(blocks) => blocks * BLOCK_BITS,
            Self::Linear(bits) => bits,
        }
    }

    /// Runs of neighbouring elements in a vector.
    pub const fn runs(self) -> u32 {
        match self {
            Self::InBlocks(blocks) => blocks,
            Self::Linear(_) => 1,
        }
    }
}

/// What a comparison gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// A vector as wide as what was compared, all bits of a lane alike.
    Vectors,
    /// A predicate: a register of its own kind, with a bit for each lane of what was compared.
    Predicates,
}

/// An instruction set, in numbers.
#[derive(Debug)]
pub struct Machine {
    /// As the documentation of a body calls it.
    pub name: &'static str,
    /// The module of `core::arch`.
    pub architecture: &'static str,
    /// Tiers of the architecture: each has bodies of its own, which are compiled together.
    pub tiers: usize,
    /// Machines of a kind make the same of a body, but where only one of them orders long sums.
    pub kind: &'static str,
    /// What `target_feature` enables.
    pub features: &'static str,
    /// `a * b + c` of single floats with one rounding, by an instruction, where it has one.
    pub fused: Option<Fused>,
    /// How wide a vector is, and which of a step's elements its lanes hold.
    pub lanes: Lanes,
    /// What a comparison gives.
    pub masks: Masks,
    /// Entries that one instruction looks up in a table of bytes; tables of up to 256 of them are held in vectors.
    pub byte_entries: u32,
    /// Whether other tables are indexed by u32.
    pub has_word_indices: bool,
    /// Whether floats become unsigned integers by one instruction.
    pub has_unsigned_floats: bool,
    /// Whether an instruction multiplies 16-bit values and adds two neighbouring products.
    pub multiplies_pairs: bool,
    /// The type of bytes that an instruction multiplies by signed ones, four neighbours at once, to add the products to a sum of 32
    /// bits; none without such an instruction.
    pub byte_factor: Option<Type>,
    /// Whether neighbouring elements or a constant, by a condition that is the same for all lanes, are read from one of two places, and not
    /// chosen by a mask.
    pub chooses_pointers: bool,
    /// Whether a value is stored as soon as it is known, where no input is an output too: registers are few.
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
        self.lanes.bits()
    }

    /// Whether it multiplies and adds with one rounding.
    pub fn has_fused(&self) -> bool {
        !self.exemptions.iter().any(|exemption| matches!(exemption.builtin, Builtin::MulAdd))
    }

    /// Vectors that hold `lanes` elements of a type.
    pub fn vectors_of(&self, ty: Type, lanes: u32) -> usize {
        (lanes * ty.bits().max(8) / self.bits()) as usize
    }

    /// Whether the stores of a kernel's body come before its last load. With several outputs, one of them may lie where an
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

    /// What machines share that make the same of this body.
    pub fn kind(&self, body: &Body) -> &'static str {
        if self.may_order_sums(body) { self.name } else { self.kind }
    }

    /// The lane of a mask for lanes of a width.
    pub fn mask_lane(&self, width: u32) -> Lane {
        match self.masks {
            Masks::Vectors => Lane::mask(width),
            Masks::Predicates => Lane::PREDICATE,
        }
    }

    /// Whether the long sums of a body go row by row of the input, between fences: a compiler would take one sum after
    /// the other, and hold the elements of all rows meanwhile.
    pub fn orders_sums(&self, body: &Body) -> bool {
        self.may_order_sums(body) && sums_over_rows(&body.nodes)
    }

    /// Whether a body has long sums, and they are better off so: products that no sum takes in only ask for more registers.
    pub fn may_order_sums(&self, body: &Body) -> bool {
        let is_apart = |node: &Node| node.op.is_product() && !node.ty.is_float();
        let suits = || self.costs.adds_products || !body.nodes.iter().any(is_apart);
        self.fence.is_some() && has_long_sums(&body.nodes) && suits()
    }

    /// Lanes of a vector that hold a run of neighbouring elements.
    pub fn lanes_in_run(&self, lane: Lane) -> u32 {
        self.bits() / self.lanes.runs() / lane.bits()
    }

    /// Elements from the start of one run to the next.
    pub fn apart(&self, lanes: u32) -> i64 {
        i64::from(lanes / self.lanes.runs())
    }
}

/// What instructions cost, one of a plain kind being 1.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// A load.
    pub load: f64,
    /// A load for one user, which may read memory itself.
    pub single_load: f64,
    /// What a load costs more whose runs lie apart in memory, where that is counted.
    pub apart: f64,
    /// A store.
    pub store: f64,
    /// A product of floats, added to a sum or not.
    pub float_product: f64,
    /// A product of integers. One that widens may be cheaper, but a compiler joins two by one constant to one that does
    /// not.
    pub product: f64,
    /// What a step costs beside its values: the loop, and each row's address.
    pub step: f64,
    /// A row's address in a step.
    pub row: f64,
    /// A tap widened and added to a sum together with the one that lies beside it, of which an instruction does two.
    pub pair_term: f64,
    /// The greatest coefficient of such a tap.
    pub most_paired: i128,
    /// What it takes beside a load to bring together every second element of a row.
    pub parting: f64,
    /// Whether neighbours are widened, or combined in their own lanes, without that.
    pub widens_lying: bool,
    pub combines_lying: bool,
    /// Whether sums, differences and products take narrow operands in and give wide results.
    pub widens: bool,
    /// Whether a product is added to a sum in one instruction.
    pub adds_products: bool,
    /// Whether an instruction adds two products of 16 bits in 32.
    pub adds_word_products: bool,
    /// Whether a shift to the right narrows, a vector at a time.
    pub narrows: bool,
    /// Rows whose addresses a step keeps in registers, and whose lines do not drive each other out of the cache.
    pub addresses: usize,
    /// Vector registers that the compiler fills without spilling: it keeps loads in flight, and some to itself.
    pub registers: usize,
    /// Uniform values that stay in registers, where there are no more: weights of a convolution are read as they are
    /// needed.
    pub held: usize,
    /// Rows that a step may have.
    pub rows: &'static [u32],
    /// Vectors along the row that a step may have.
    pub columns: &'static [u32],
    /// The most of [`Self::columns`] for an input with a neighbourhood whose pixels are two elements apart.
    pub most_by_twos: u32,
}

/// A builtin, the types for which it goes lane by lane, and why.
#[derive(Clone, Copy, Debug)]
pub struct Exemption {
    /// The builtin.
    pub builtin: Builtin,
    /// Entry types, or operand types.
    pub types: &'static [Type],
    /// Why.
    pub reason: &'static str,
}

/// What may go lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// A look-up in a table of more entries than this.
    Table {
        /// The greatest table that needs no exemption.
        above: u32,
    },
    /// A read of a whole input.
    Gather,
    /// `mul_add`.
    MulAdd,
}

impl Exemption {
    /// Whether a node of a body is exempted.
    pub fn covers(&self, kernel: &Kernel, body: &Body, node: &Node) -> bool {
        match (self.builtin, &node.op) {
            (Builtin::Table { above }, Op::Lookup { table, index }) => {
                let table = &kernel.tables[table.0 as usize];
                // One entry for the whole run is read before the loop.
                self.types.contains(&table.ty) && table.length > above && !body.node(*index).op.is_word()
            }
            (Builtin::Gather, Op::Gather { .. }) | (Builtin::MulAdd, Op::MulAdd(..)) => self.types.contains(&node.ty),
            (Builtin::Table { .. } | Builtin::Gather | Builtin::MulAdd, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which elements of a step of 64 the lanes of each vector of a type hold, as loads place them.
    fn elements(lanes: Lanes, ty: Type) -> Vec<Vec<u32>> {
        let machine = Machine { lanes, ..crate::x86::AVX2 };
        let (in_run, apart) = (machine.lanes_in_run(Lane::of(ty)), machine.apart(64) as u32);
        let in_vector = |place: u32| {
            let element = |index: u32| index / in_run * apart + place * in_run + index % in_run;
            (0..machine.bits() / ty.bits()).map(element).collect()
        };
        (0..machine.vectors_of(ty, 64) as u32).map(in_vector).collect()
    }

    #[test]
    fn lanes_hold_runs_or_the_order_of_memory() {
        let [low, high] = [0..16, 32..48].map(Iterator::collect::<Vec<u32>>);
        assert_eq!(elements(Lanes::InBlocks(2), Type::U8)[0], [low, high].concat());
        assert_eq!(elements(Lanes::InBlocks(2), Type::U16)[1], (8..16).chain(40..48).collect::<Vec<_>>());
        assert_eq!(elements(Lanes::Linear(512), Type::U16), [0..32, 32..64].map(Iterator::collect::<Vec<_>>));
        for ty in [Type::U8, Type::I16, Type::F32] {
            // One block has one run: that is the order of memory.
            assert_eq!(elements(Lanes::InBlocks(1), ty), elements(Lanes::Linear(128), ty));
            for lanes in [Lanes::InBlocks(2), Lanes::Linear(256), Lanes::Linear(512)] {
                let mut all = elements(lanes, ty).concat();
                all.sort_unstable();
                assert_eq!(all, (0..64).collect::<Vec<_>>(), "{lanes:?} of {}", ty.name());
            }
        }
    }
}
