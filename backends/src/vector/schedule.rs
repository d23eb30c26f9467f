//! How many vectors and rows a step computes, and in which normal form: the author's schedule, or what costs least.
//!
//! A schedule never changes a result. More rows share the parts of neighbouring rows, more vectors share the overhead of
//! the loop; both end where the values no longer fit the registers, or where the text grows too long to compile fast.
//! The search itself is [`windrow_dsl::optimise::choose`]; here is what the instructions of a [`Machine`] cost.

use super::machine::{BLOCK_BITS, Costs, Machine};
use super::neighbours::{is_by_twos, is_combined, is_pair_term};
use super::{
    Target,
    subject::{self, Subject},
};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{
    BinaryOp, Block, Body, CastMode, Constant, InputId, Kernel, Node, Op, TableId, Type, UnaryOp, ValueId,
};
use windrow_dsl::optimise::{self, Choice, Graph, Prepared, Price};

/// Intrinsic calls of all bodies of a kernel for one architecture.
const MOST_CALLS: usize = 1500;
/// Intrinsic calls of one body, however few there are; and what each of many bodies may have at least.
const MOST_IN_BODY: usize = 450;
const LEAST_IN_BODY: usize = 150;

/// What a row beyond the addresses of a machine costs.
const CROWD: f64 = 12.0;

/// The form and the block of a body of `prepared`, the latter in vectors and rows; with `fixed`, only the form is chosen.
pub(super) fn choose<T: Target>(subject: &Subject<'_, T>, prepared: &Prepared, fixed: Option<Block>) -> Choice {
    let fixed = fixed.or_else(|| self::fixed(subject));
    optimise::choose(subject.kernel, subject.forms, || subject.lanes, fixed, &prices(subject, prepared, fixed))
}

/// The block of the author's schedule, in vectors and rows.
pub(super) fn fixed<T: Target>(subject: &Subject<'_, T>) -> Option<Block> {
    let chosen = subject.target.chosen(&subject.kernel.schedule)?;
    Some(Block { x: chosen.x.div_ceil(subject.lanes).max(1), y: chosen.y.max(1) })
}

/// The machine as the search for the schedule of a body sees it; where no block is `fixed`, all bodies of the kernel
/// together keep the limit of calls.
pub(super) fn prices<T: Target>(subject: &Subject<'_, T>, prepared: &Prepared, fixed: Option<Block>) -> Prices {
    let Subject { target, kernel, body, bodies, .. } = *subject;
    let machine = target.machine();
    let mut prices = Prices::new(machine, kernel, body, bodies);
    // Where all bodies together have too many calls, each may have fewer.
    while fixed.is_none() && bodies > 1 && prices.most_calls > LEAST_IN_BODY {
        let calls = |index: usize| {
            let lanes = || subject::lanes(machine, kernel, &prepared.bodies[index]);
            let choice = optimise::choose(kernel, prepared.forms(kernel, index), lanes, None, &prices);
            choice.considered[choice.chosen].calls
        };
        if (0..bodies).map(calls).sum::<usize>() * machine.tiers <= MOST_CALLS {
            break;
        }
        prices.most_calls = (prices.most_calls / 2).max(LEAST_IN_BODY);
    }
    prices
}

/// Registers of the interleaved loads of a step.
const MOST_INTERLEAVED: u32 = 12;

/// A machine as the search sees it.
pub(super) struct Prices {
    machine: &'static Machine,
    most_calls: usize,
    columns: Vec<u32>,
    kind: &'static str,
    orders_sums: bool,
    /// How many rows of the outputs are as long as one of the inputs: where those begin at the same place of a page, only every
    /// so many of these do.
    spread: usize,
}

impl Prices {
    /// Those of a machine, for a body of a kernel with this number of bodies.
    fn new(machine: &'static Machine, kernel: &Kernel, body: &Body, bodies: usize) -> Self {
        let most_calls = (MOST_CALLS / bodies.max(1)).clamp(LEAST_IN_BODY, MOST_IN_BODY);
        // An interleaved load fills neighbouring registers: too many of them leave too few.
        let widest = kernel.inputs.iter().map(|input| input.channels * input.stride().0).max().unwrap_or(1);
        let takes_twos =
            (0..).zip(&kernel.inputs).any(|(id, input)| input.is_neighbourhood && is_by_twos(kernel, InputId(id)));
        let most = if takes_twos { machine.costs.most_by_twos } else { u32::MAX };
        let fits =
            |&columns: &u32| columns == 1 || columns <= most && (widest == 1 || columns * widest <= MOST_INTERLEAVED);
        let columns = machine.costs.columns.iter().copied().filter(fits).collect();
        let spread = kernel.inputs.iter().map(|input| input.stride().0).max().unwrap_or(1).max(1) as usize;
        let (kind, orders_sums) = (machine.kind(body), machine.may_order_sums(body));
        Self { machine, most_calls, columns, kind, orders_sums, spread }
    }
}

impl optimise::CostModel for Prices {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn registers(&self) -> usize {
        self.machine.costs.registers
    }

    fn most_calls(&self) -> usize {
        self.most_calls
    }

    fn blocks(&self) -> (&[u32], &[u32]) {
        (self.machine.costs.rows, &self.columns)
    }

    fn table_registers(&self, kernel: &Kernel, table: TableId) -> usize {
        let table = &kernel.tables[table.0 as usize];
        let is_held = table.ty.bits() == 8 && table.length <= 256;
        if is_held { (table.length * 8).div_ceil(BLOCK_BITS) as usize } else { 0 }
    }

    fn most_held(&self) -> usize {
        self.machine.costs.held
    }

    fn stores_before_loads(&self, kernel: &Kernel) -> bool {
        self.machine.stores_before_loads(kernel)
    }

    fn orders_long_sums(&self) -> bool {
        self.orders_sums
    }

    fn store(&self, graph: &Graph<'_>, ty: Type) -> f64 {
        self.machine.costs.store * self.machine.vectors_of(ty, graph.lanes).max(1) as f64
    }

    fn step(&self, read: usize, written: usize) -> f64 {
        let Costs { step, row, addresses, .. } = self.machine.costs;
        // Steps of stride 2 touch a new cache line of each row anyway, so losing one is cheap.
        let crowd = (read + written.div_ceil(self.spread)).saturating_sub(self.spread - 1);
        step + row * (read + written) as f64 + CROWD * crowd.saturating_sub(addresses) as f64
    }

    fn price(&self, graph: &Graph<'_>, value: ValueId) -> Price {
        let node = graph.node(value);
        let wide = if node.ty == Type::BOOL { operand_type(graph, node) } else { node.ty };
        let vectors = self.machine.vectors_of(wide, graph.lanes).max(1);
        let (weight, calls, is_held) = self.in_vectors(graph, value, node);
        Price {
            weight: weight * vectors as f64,
            calls: (calls * vectors as f64).ceil() as usize,
            registers: match node.op {
                ref op if op.is_word() => usize::from(is_held),
                // Those of pairs are multiplied or added as they come.
                Op::Load(ref access) if is_by_twos(graph.kernel, access.tensor) && self.is_left_lying(graph, value) => {
                    0
                }
                // The vectors of an interleaved load are neighbours, which leaves gaps among the registers.
                Op::Load(ref access) if is_interleaved(graph.kernel, access.tensor) => 2 * vectors,
                _ if is_held => vectors,
                _ => 0,
            },
        }
    }
}

/// Free: an immediate, or taken in by an instruction that reads or makes it.
const TAKEN_IN: (f64, f64, bool) = (0.0, 0.0, false);
/// Another view of a vector.
const VIEW: (f64, f64, bool) = (0.0, 0.0, false);

impl Prices {
    /// For each vector of the value: weight, calls, and whether it needs a register.
    fn in_vectors(&self, graph: &Graph<'_>, value: ValueId, node: &Node) -> (f64, f64, bool) {
        let costs = &self.machine.costs;
        match node.op {
            // Before the steps.
            Op::Extent { .. } | Op::Stride { .. } | Op::Plane { .. } => (0.0, 0.0, true),
            // An index and an element for each lane.
            Op::Gather { .. } | Op::Fetch { .. } | Op::Contiguous { .. } => {
                let elements = f64::from(self.machine.bits() / node.ty.bits());
                (2.0 * elements, elements, true)
            }
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => {
                let is_amount = |user: &ValueId| amount(&graph.node(*user).op) == Some(value);
                (0.0, 0.0, !graph.users(value).iter().all(is_amount))
            }
            Op::Load(ref access) if is_by_twos(graph.kernel, access.tensor) => {
                let parting = if self.is_left_lying(graph, value) { 0.0 } else { costs.parting };
                (costs.single_load + parting, 1.0 + parting, true)
            }
            Op::Load(ref access) => {
                // A value of several vectors has a part of each run in each of them, and so have the channels of pixels.
                let has_parts = self.machine.vectors_of(node.ty, graph.lanes) > 1;
                let is_apart = has_parts || is_interleaved(graph.kernel, access.tensor);
                let is_apart = is_apart && self.machine.lanes.runs() > 1;
                let own = if graph.is_used_once(value) { costs.single_load } else { costs.load };
                (own + if is_apart { costs.apart } else { 0.0 }, 1.0, true)
            }
            Op::Coordinate { .. } | Op::Select { .. } => (1.0, 1.0, true),
            // The schedule of a body with loops is found by its program.
            Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. }
            | Op::Across { .. }
            | Op::Local { .. } => TAKEN_IN,
            Op::MulAdd(..) => (costs.float_product, 1.0, true),
            Op::Lookup { index, .. } if graph.node(index).op.is_word() => (0.0, 0.0, true),
            Op::Lookup { .. } => (6.0, 6.0, true),
            Op::Cast(mode, inner) => self.cast(graph, value, node, mode, inner),
            Op::Unary(op, _) => match op {
                UnaryOp::Isqrt => (8.0, 8.0, true),
                UnaryOp::Sqrt => (8.0, 1.0, true),
                _ => (1.0, 1.0, true),
            },
            Op::Binary(op, a, b) => self.binary(graph, value, op, a, b),
        }
    }

    fn binary(&self, graph: &Graph<'_>, value: ValueId, op: BinaryOp, a: ValueId, b: ValueId) -> (f64, f64, bool) {
        use BinaryOp::*;
        let costs = &self.machine.costs;
        match op {
            Add(Never | Wrap) | Sub(Never | Wrap) if [a, b].iter().any(|&id| self.is_pair_term(graph, id)) => {
                (0.0, 0.0, true)
            }
            Mul(Never | Wrap) if self.is_pair_term(graph, value) => (costs.pair_term, 0.5, true),
            // Coefficients of the terms.
            Mul(Never | Wrap) if costs.most_paired > 2 && self.is_sum_of_pairs(graph, a) => (0.0, 0.0, true),
            Mul(Never) if self.is_word_product(graph, value) => {
                // Of two products, each pair of factors is brought together.
                let factors = if a == b { 1.5 } else { 3.0 };
                (factors, factors, true)
            }
            Add(Never | Wrap) | Sub(Never | Wrap) if [a, b].iter().any(|&id| self.is_of_word_product(graph, id)) => {
                (0.5, 0.5, true)
            }
            Add(Never | Wrap) | Sub(Never | Wrap) if costs.adds_products => {
                let takes = [a, b].iter().any(|&id| graph.node(id).op.is_product() && graph.is_used_once(id));
                if takes { (0.0, 0.0, true) } else { (1.0, 1.0, true) }
            }
            Mul(Never | Wrap) => {
                let is_float = graph.node(value).ty.is_float();
                let weight = if is_float { costs.float_product } else { costs.product };
                (weight, 1.0, !(costs.adds_products && graph.is_used_once(value) && is_added(graph, value)))
            }
            Mul(Saturate) | MulHigh => (costs.product, 1.0, true),
            Div | Rem => (4.0, 5.0, true),
            Shr | RoundingShr if costs.narrows && graph.is_used_once(value) && is_narrowed(graph, value) => TAKEN_IN,
            _ => (1.0, 1.0, true),
        }
    }

    fn is_pair_term(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        is_pair_term(graph, value, self.machine.costs.most_paired)
    }

    /// Whether a product of 16 bits is widened and added, as another beside it.
    fn is_word_product(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        let node = graph.node(value);
        let is_taken = |user: &ValueId| {
            graph.node(*user).ty.bits() == 32
                && matches!(graph.node(*user).op, Op::Cast(CastMode::Value, _))
                && graph.is_used_once(*user)
                && is_summed(graph, *user)
        };
        self.machine.costs.adds_word_products
            && node.ty.is_integer()
            && node.ty.bits() == 16
            && node.op.is_product()
            && graph.is_used_once(value)
            && graph.users(value).iter().all(is_taken)
    }

    /// Whether a value is such a product, widened.
    fn is_of_word_product(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        matches!(graph.node(value).op, Op::Cast(CastMode::Value, inner) if self.is_word_product(graph, inner))
    }

    /// Whether all that a value becomes is such products.
    fn is_in_word_products(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        let users = graph.users(value);
        !users.is_empty() && users.iter().all(|&user| self.is_word_product(graph, user))
    }

    /// Whether no value needs every second element by itself.
    fn is_left_lying(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        let Costs { widens_lying, combines_lying, .. } = self.machine.costs;
        let is_cast = |user: &ValueId| matches!(graph.node(*user).op, Op::Cast(..));
        let users = graph.users(value);
        !users.is_empty()
            && (widens_lying && users.iter().all(is_cast)
                || combines_lying && is_combined(graph, value)
                || self.is_in_pairs(graph, value))
    }

    /// Whether a sum that one value needs has terms of pairs.
    fn is_sum_of_pairs(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        match graph.node(value).op {
            Op::Binary(_, a, b) if graph.node(value).op.is_sum() && graph.is_used_once(value) => {
                [a, b].iter().any(|&id| self.is_pair_term(graph, id))
            }
            _ => false,
        }
    }

    /// Whether all that a value becomes is terms of pairs.
    fn is_in_pairs(&self, graph: &Graph<'_>, value: ValueId) -> bool {
        let users = graph.users(value);
        let is_term = |&user: &ValueId| {
            let is_widened = matches!(graph.node(user).op, Op::Cast(..)) && self.is_in_pairs(graph, user);
            is_widened || self.is_pair_term(graph, user)
        };
        !users.is_empty() && users.iter().all(is_term)
    }

    fn cast(&self, graph: &Graph<'_>, value: ValueId, node: &Node, mode: CastMode, inner: ValueId) -> (f64, f64, bool) {
        let (from, to) = (graph.node(inner), node.ty);
        if from.ty.is_float() || to.is_float() || from.ty == Type::BOOL {
            return (1.0, 1.0, true);
        }
        match to.bits().cmp(&from.ty.bits()) {
            std::cmp::Ordering::Equal => VIEW,
            std::cmp::Ordering::Greater if self.is_word_product(graph, inner) => (0.5, 0.5, false),
            // Its bytes are brought together.
            std::cmp::Ordering::Greater if self.is_in_word_products(graph, value) => TAKEN_IN,
            std::cmp::Ordering::Greater if self.is_in_pairs(graph, value) => TAKEN_IN,
            std::cmp::Ordering::Greater if self.is_pair_term(graph, value) => (self.machine.costs.pair_term, 0.5, true),
            // What widens takes in the last doubling only.
            std::cmp::Ordering::Greater if self.machine.costs.widens && is_summed(graph, value) => {
                if to.bits() > 2 * from.ty.bits() && !from.op.is_word() { (0.5, 0.5, false) } else { TAKEN_IN }
            }
            std::cmp::Ordering::Greater if to.bits() > 2 * from.ty.bits() => (1.5, 1.5, true),
            std::cmp::Ordering::Greater => (1.0, 1.0, true),
            std::cmp::Ordering::Less => match from.op {
                // The high halves of two vectors are one.
                Op::Binary(BinaryOp::Shr, _, amount) if is_half(graph, amount, to) => (1.0, 1.0, true),
                _ if mode == CastMode::Saturating || is_shift(&from.op) => (2.0, 2.0, true),
                _ => (1.0, 1.0, true),
            },
        }
    }
}

fn is_interleaved(kernel: &Kernel, input: InputId) -> bool {
    let input = &kernel.inputs[input.0 as usize];
    input.channels > 1 || input.stride().0 > 1
}

/// The amount of a shift.
fn amount(op: &Op) -> Option<ValueId> {
    match *op {
        Op::Binary(op, _, b) if is_shift(&Op::Binary(op, b, b)) => Some(b),
        _ => None,
    }
}

fn is_shift(op: &Op) -> bool {
    use BinaryOp::*;
    matches!(op, Op::Binary(Shl(_) | Shr | RoundingShr, ..))
}

/// Whether a shift by this amount leaves the upper half.
fn is_half(graph: &Graph<'_>, amount: ValueId, narrow: Type) -> bool {
    matches!(graph.node(amount).op, Op::Constant(Constant::Int(n)) if n == i128::from(narrow.bits()))
}

/// Whether a product is added by the instruction that makes it: of two in one sum, the later is.
fn is_added(graph: &Graph<'_>, value: ValueId) -> bool {
    graph.users(value).iter().all(|&user| match graph.node(user).op {
        Op::Binary(_, a, b) if graph.node(user).op.is_sum() => {
            let other = if a == value { b } else { a };
            !(graph.node(other).op.is_product() && graph.is_used_once(other)) || value > other
        }
        _ => false,
    })
}

/// Whether all users are sums, differences and products.
fn is_summed(graph: &Graph<'_>, value: ValueId) -> bool {
    let users = graph.users(value);
    let takes = |user: &ValueId| graph.node(*user).op.is_sum() || graph.node(*user).op.is_product();
    !users.is_empty() && users.iter().all(takes)
}

/// Whether the user halves the width.
fn is_narrowed(graph: &Graph<'_>, value: ValueId) -> bool {
    let ty = graph.node(value).ty;
    let narrows = |user: &ValueId| {
        let node = graph.node(*user);
        matches!(node.op, Op::Cast(..)) && !node.ty.is_float() && !ty.is_float() && node.ty.bits() * 2 == ty.bits()
    };
    graph.users(value).iter().all(narrows)
}

fn operand_type(graph: &Graph<'_>, node: &Node) -> Type {
    match node.op {
        Op::Binary(_, a, _) | Op::Unary(_, a) => graph.node(a).ty,
        _ => Type::U8,
    }
}
