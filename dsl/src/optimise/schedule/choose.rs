//! The choice of a form and of a schedule, by cost: one decision, as the cheapest factorisation of a sum depends on how
//! many rows share its parts.
//!
//! A target describes itself as a [`CostModel`]. Each form is jammed over each number of rows and its values are priced;
//! vectors along the row share next to nothing, so they only spread what a step costs besides its values. The order of
//! candidates is fixed, and the first of equals wins.

use super::demand_order::row_order;
use super::graph::rows_read;
use crate::ir::{BinaryOp, Block, Body, Kernel, Node, Op, Store, TableId, Type, UnaryOp, ValueId};
use crate::optimise::{Forms, Graph, has_long_sums, sums_over_rows};

/// What a value costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Time, in instructions of a plain kind.
    pub weight: f64,
    /// Intrinsic calls.
    pub calls: usize,
    /// Registers that hold it; none where its users take it in, or where it is an immediate.
    pub registers: usize,
}

/// A target, as far as forms and schedules depend on it.
pub trait CostModel {
    /// Targets of one kind choose the same, for as many calls and the same fixed block: one search serves them all.
    fn kind(&self) -> &'static str;
    /// Vector registers that a compiler fills without spilling any.
    fn registers(&self) -> usize;
    /// Uniform values that stay in registers; where there are more, each is read where it is needed, once for all
    /// vectors of a row.
    fn most_held(&self) -> usize;
    /// Intrinsic calls that a body may have.
    fn most_calls(&self) -> usize;
    /// Numbers of rows and of vectors that a step may have, ascending.
    fn blocks(&self) -> (&[u32], &[u32]);
    /// Registers that hold a table for the whole run.
    fn table_registers(&self, kernel: &Kernel, table: TableId) -> usize;
    /// Whether a result is stored as soon as it is known; otherwise it waits for the step's last load.
    fn stores_before_loads(&self, kernel: &Kernel) -> bool;
    /// Whether it computes long sums over rows row by row ([`crate::optimise::sums_over_rows`]).
    fn orders_long_sums(&self) -> bool;
    /// What storing the lanes of a step costs.
    fn store(&self, graph: &Graph<'_>, ty: Type) -> f64;
    /// The cost of a step besides its values: the loop, and the addresses of the rows that it reads and writes.
    fn step(&self, read: usize, written: usize) -> f64;
    /// What the lanes of a step of one value cost.
    fn price(&self, graph: &Graph<'_>, value: ValueId) -> Price;
}

/// A candidate, or the one that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The form's name.
    pub form: &'static str,
    /// Vectors and rows.
    pub block: Block,
    /// Weight for the elements of one vector, all that a step costs included.
    pub weight: f64,
    /// Registers that are full at once.
    pub registers: usize,
    /// Intrinsic calls.
    pub calls: usize,
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The block, in vectors and rows.
    pub block: Block,
    /// The best candidate of each form, in the order of the forms.
    pub considered: Vec<Candidate>,
    /// Which of them, and so which of the forms, was chosen.
    pub chosen: usize,
}

/// Chooses among the forms of a body, whose vectors have `lanes` elements. With `fixed`, only the form is chosen.
///
/// The forms are compared over a few rows; then those that are near the best find their blocks.
pub fn choose(
    kernel: &Kernel,
    forms: &Forms,
    lanes: impl FnOnce() -> u32,
    fixed: Option<Block>,
    target: &dyn CostModel,
) -> Choice {
    forms.choice((target.kind(), target.most_calls(), fixed), || {
        let columns = fixed.map_or_else(|| target.blocks().1.to_vec(), |block| vec![block.x]);
        Search { kernel, forms, lanes: lanes(), target, columns }.choose(fixed)
    })
}

/// Rows over which forms are compared.
const FEW_ROWS: u32 = 2;

/// A form that is this near the best over a few rows may be the best over more.
const NEAR: f64 = 1.1;

/// A body may have so many times the calls of its limit where it pays.
const MOST_LONGER: usize = 2;

/// It pays where an element costs at most this share of what it costs within the limit.
const LONG_GAIN: f64 = 0.66;

/// A candidate must be better by this much to be worth a larger block.
const GAIN: f64 = 0.98;

fn is_better(candidate: &Candidate, than: &Candidate) -> bool {
    candidate.weight < than.weight * GAIN
}

/// A search for blocks.
struct Search<'a> {
    kernel: &'a Kernel,
    forms: &'a Forms,
    lanes: u32,
    target: &'a dyn CostModel,
    columns: Vec<u32>,
}

impl Search<'_> {
    fn choose(&self, fixed: Option<Block>) -> Choice {
        let count = self.forms.list().len();
        let few = match fixed {
            Some(block) => block.y,
            None if self.forms.list()[0].phases.iter().any(|body| shares_rows(&body.nodes)) => FEW_ROWS,
            None => 1,
        };
        let sums: Vec<Sums> = (0..count).map(|form| self.sums(form, few)).collect();
        let known = |form: usize, rows: u32| (rows == few).then(|| sums[form]);
        let mut considered: Vec<Candidate> = (0..count).map(|form| self.best(form, &[few], &known)).collect();
        let least = considered.iter().map(|candidate| candidate.weight).fold(f64::MAX, f64::min);
        let near: Vec<usize> = (0..count).filter(|&form| considered[form].weight <= least * NEAR).collect();
        if fixed.is_none() && few > 1 {
            for &form in &near {
                considered[form] = self.best(form, self.target.blocks().0, &known);
            }
        }
        let lighter = |a: usize, b: usize| if considered[b].weight < considered[a].weight { b } else { a };
        let chosen = near.into_iter().reduce(lighter).unwrap_or(0);
        Choice { block: considered[chosen].block, considered, chosen }
    }

    /// The best block for a form, of these numbers of rows; some sums are `known`.
    fn best(&self, form: usize, rows: &[u32], known: &dyn Fn(usize, u32) -> Option<Sums>) -> Candidate {
        let (most_calls, name) = (self.target.most_calls(), self.forms.list()[form].name);
        let mut best: Option<Candidate> = None;
        let mut shorter: Option<f64> = None;
        for &y in rows {
            let sums = known(form, y).unwrap_or_else(|| self.sums(form, y));
            for &x in &self.columns {
                let candidate = sums.candidate(name, Block { x, y }, self.target);
                // The best that keeps the limit, or else the first.
                if candidate.calls <= most_calls || shorter.is_none() {
                    shorter = Some(shorter.map_or(candidate.weight, |known| known.min(candidate.weight)));
                }
                let pays = shorter.is_some_and(|shorter| candidate.weight <= shorter * LONG_GAIN);
                let fits = candidate.calls <= most_calls || pays && candidate.calls <= MOST_LONGER * most_calls;
                let is_taken = match &best {
                    None => true,
                    // Any shorter candidate is better than one that is over the limit.
                    Some(best) if best.calls > most_calls && !fits => candidate.calls < best.calls,
                    Some(best) => fits && is_better(&candidate, best),
                };
                if is_taken {
                    best = Some(candidate);
                }
            }
            // More rows have more calls still.
            if sums.calls > MOST_LONGER * most_calls {
                break;
            }
        }
        let none = Block { x: 1, y: 1 };
        best.unwrap_or(Candidate { form: name, block: none, weight: f64::MAX, registers: 0, calls: 0 })
    }

    /// What the rows of a block cost in one vector.
    fn sums(&self, form: usize, rows: u32) -> Sums {
        self.forms.sums(self.target.kind(), form, rows, || self.find_sums(form, rows))
    }

    fn find_sums(&self, form: usize, rows: u32) -> Sums {
        self.forms.in_rows(form, rows, |nodes, stores| {
            let single = &self.forms.list()[form].phases[0];
            let is_by_rows = self.target.orders_long_sums() && sums_over_rows(nodes);
            if !is_by_rows {
                let graph = Graph::new(self.kernel, nodes, stores, self.lanes);
                return Sums::of(&graph, single, rows, false, self.target);
            }
            let (nodes, stores) = row_order(nodes, stores);
            let graph = Graph::new(self.kernel, &nodes, &stores, self.lanes);
            Sums::of(&graph, single, rows, true, self.target)
        })
    }
}

/// Whether neighbouring rows read a row in common.
fn shares_rows(nodes: &[Node]) -> bool {
    let rows = rows_read(nodes);
    rows.iter().any(|&(input, _)| rows.iter().filter(|(other, _)| *other == input).count() > 1)
}

/// What the rows of a block cost in one vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    weight: f64,
    calls: usize,
    /// Registers of what is the same for all steps.
    invariant: usize,
    /// The most registers full at once, and those of the results.
    peak: usize,
    results: usize,
    /// Rows of inputs and outputs.
    rows: (usize, usize),
    /// Vectors of long sums that are under way at once.
    long_sums: Option<usize>,
    /// Whether an operation is slow, so that a compiler begins it for all vectors before it goes on with one.
    is_slow: bool,
}

impl Sums {
    /// Those of a form over `rows`; `single` is what it computes for one. Long sums go `by_rows` of the inputs or not.
    fn of(graph: &Graph<'_>, single: &Body, rows: u32, by_rows: bool, target: &dyn CostModel) -> Self {
        let mut sums = Self {
            weight: 0.0,
            calls: 0,
            invariant: 0,
            peak: 0,
            results: 0,
            rows: rows_of(graph.nodes, graph.stores),
            long_sums: None,
            is_slow: graph.nodes.iter().any(|node| is_slow(&node.op)),
        };
        let (mut registers, mut widest) = (Vec::with_capacity(graph.nodes.len()), 0);
        for (id, node) in (0..).map(ValueId).zip(graph.nodes) {
            let price = target.price(graph, id);
            sums.weight += price.weight;
            sums.calls += price.calls;
            widest = widest.max(price.registers);
            if node.op.is_word() {
                sums.invariant += price.registers;
            }
            registers.push(price.registers);
        }
        let output = |id: usize| graph.kernel.outputs.get(id).map_or(Type::U8, |output| output.ty);
        let stores: f64 =
            graph.stores.iter().map(|store| target.store(graph, output(store.to.tensor.0 as usize))).sum();
        sums.weight += stores;
        sums.calls += graph.stores.len();
        sums.invariant +=
            tables(graph.nodes).iter().map(|&table| target.table_registers(graph.kernel, table)).sum::<usize>();
        (sums.peak, sums.results) = pressure(graph, &registers, !target.stores_before_loads(graph.kernel));
        if target.orders_long_sums() && !by_rows && has_long_sums(graph.nodes) {
            // A compiler takes the sums of all rows term by term, and holds the elements of other rows meanwhile.
            sums.peak += 2 * (loads(graph.nodes) - loads(&single.nodes));
        }
        let (read, written) = rows_of(&single.nodes, &single.stores);
        sums.long_sums = by_rows.then(|| (read + written - 1).min(rows as usize) * widest);
        sums
    }

    fn candidate(&self, form: &'static str, block: Block, target: &dyn CostModel) -> Candidate {
        let vectors = block.x as usize;
        // A compiler begins the next vector before it has done with one.
        let overlap = if self.is_slow { self.peak } else { (self.peak / 3).min(MOST_OVERLAP) };
        let (held, read) = if self.invariant > target.most_held() { (0, self.invariant) } else { (self.invariant, 0) };
        let registers = held + self.peak + (vectors - 1) * (self.results + overlap);
        // What does not fit is stored and loaded again.
        let spilled = registers.saturating_sub(target.registers());
        // Sums that wait for themselves leave a machine idle where few are under way.
        let idle = self.long_sums.map_or(0, |sums| IN_FLIGHT.saturating_sub(sums * vectors));
        let weight = self.weight * f64::from(block.x)
            + target.step(self.rows.0, self.rows.1)
            + SPILL * spilled as f64
            + READ * read as f64 * f64::from(block.y);
        let weight = weight / f64::from(block.x * block.y) * (1.0 + idle as f64 / 15.0);
        Candidate { form, block, weight, registers, calls: self.calls * vectors }
    }
}

/// Sums that keep a machine busy: four cycles, two a cycle.
const IN_FLIGHT: usize = 8;
/// Registers that the next vector's values take at most before one is done.
const MOST_OVERLAP: usize = 3;
/// What a value costs that does not find a register.
const SPILL: f64 = 4.0;
/// The cost of reading a uniform value.
const READ: f64 = 0.5;

/// Whether an operation takes many cycles: a root, a division by what no constant is, or a read for each element.
fn is_slow(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(UnaryOp::Sqrt | UnaryOp::Isqrt, _)
            | Op::Binary(BinaryOp::Div | BinaryOp::Rem, ..)
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
    )
}

/// Elements that a body loads.
fn loads(nodes: &[Node]) -> usize {
    nodes.iter().filter(|node| matches!(node.op, Op::Load(_))).count()
}

/// The tables that a body looks up.
fn tables(nodes: &[Node]) -> Vec<TableId> {
    let mut tables = Vec::new();
    for node in nodes {
        if let Op::Lookup { table, .. } = node.op
            && !tables.contains(&table)
        {
            tables.push(table);
        }
    }
    tables
}

/// Rows of inputs and outputs that a body addresses.
fn rows_of(nodes: &[Node], stores: &[Store]) -> (usize, usize) {
    let mut outputs: Vec<_> = stores.iter().map(|store| (store.to.tensor, store.place()[0])).collect();
    outputs.dedup();
    (rows_read(nodes).len(), outputs.len())
}

/// The most registers that are full at once, and those of the results. A result `waits` for the last load where stores
/// follow all loads.
fn pressure(graph: &Graph<'_>, registers: &[usize], waits: bool) -> (usize, usize) {
    let ends = ends(graph, registers, waits);
    let (mut live, mut most) = (0usize, 0usize);
    let mut freed = vec![0usize; graph.nodes.len() + 1];
    for (index, _) in graph.nodes.iter().enumerate().filter(|(_, node)| !node.op.is_word()) {
        let (own, end) = (registers[index], ends[index]);
        if end != NEVER {
            // An operand that ends here makes room for the result.
            live = live.saturating_sub(freed[index]) + own;
            freed[index] = 0;
            freed[end.max(index)] += own;
        }
        most = most.max(live);
        if end == index {
            live -= own;
        }
    }
    let mut results: Vec<ValueId> = graph.stores.iter().map(|store| store.value).collect();
    results.sort_unstable();
    results.dedup();
    (most, results.iter().map(|id| registers[id.0 as usize]).sum())
}

/// A value that is never read.
const NEVER: usize = usize::MAX;

/// Where each value is read last.
fn ends(graph: &Graph<'_>, registers: &[usize], waits: bool) -> Vec<usize> {
    let nodes = graph.nodes;
    let last_load = nodes.iter().rposition(|node| matches!(node.op, Op::Load(_))).unwrap_or(0);
    let mut ends = vec![NEVER; nodes.len()];
    for store in graph.stores {
        let index = store.value.0 as usize;
        ends[index] = if waits { last_load.max(index) } else { index };
    }
    for (index, node) in nodes.iter().enumerate().rev() {
        // What its users take in keeps its operands until then.
        let end = if registers[index] == 0 && ends[index] != NEVER { ends[index] } else { index };
        node.op.for_operands(|id| {
            let known = &mut ends[id.0 as usize];
            if *known == NEVER || *known < end {
                *known = end;
            }
        });
    }
    ends
}

impl Choice {
    /// What was chosen and why, a line a candidate.
    pub fn explain(&self, lanes: u32) -> Vec<String> {
        let line = |candidate: &Candidate| {
            let Candidate { form, block, weight, registers, calls } = candidate;
            format!(
                "{form}, {} x {} elements: weight {weight:.1} a vector, {registers} registers, {calls} calls",
                block.x * lanes,
                block.y
            )
        };
        let chosen = format!("chosen: {}", line(&self.considered[self.chosen]));
        let others = self.considered.iter().enumerate().filter(|(index, _)| *index != self.chosen);
        std::iter::once(chosen).chain(others.map(|(_, other)| format!("instead of: {}", line(other)))).collect()
    }
}
