//! The choice of a form and of a schedule, by cost: one decision, as the cheapest factorisation of a sum depends on how
//! many rows share its parts.
//!
//! A target describes itself as a [`Target`]. Each form is jammed over each number of rows and its values are priced;
//! vectors along the row share next to nothing, so they only spread what a step costs beside its values. The order of
//! candidates is fixed, and the first of equals wins.

use super::builder::for_operands;
use super::{Form, forms, in_demand_order, jam_phases};
use crate::ir::{Block, Body, Kernel, Op, TableId, ValueId};

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
pub trait Target {
    /// Vector registers that a compiler fills without spilling any.
    fn registers(&self) -> usize;
    /// Values of the run that stay in registers; where there are more, each is read where it is needed, once for all
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
    /// What a step costs beside its values: the loop, and the addresses of so many rows of inputs and outputs.
    fn step(&self, rows: usize) -> f64;
    /// What the lanes of a step of one value cost.
    fn price(&self, graph: &Graph<'_>, value: ValueId) -> Price;
}

/// A body whose values are priced.
#[derive(Debug)]
pub struct Graph<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The body, jammed or not.
    pub body: &'a Body,
    /// Elements of a step of one vector.
    pub lanes: u32,
    users: Vec<Vec<ValueId>>,
}

impl<'a> Graph<'a> {
    /// The graph of a body.
    pub fn new(kernel: &'a Kernel, body: &'a Body, lanes: u32) -> Self {
        let mut users = vec![Vec::new(); body.nodes.len()];
        for (index, node) in body.nodes.iter().enumerate() {
            for_operands(&node.op, |id| users[id.0 as usize].push(ValueId(index as u32)));
        }
        Self { kernel, body, lanes, users }
    }

    /// The values that a value is an operand of; a store is none.
    pub fn users(&self, value: ValueId) -> &[ValueId] {
        &self.users[value.0 as usize]
    }

    /// Whether a value has one user and is not stored.
    pub fn is_used_once(&self, value: ValueId) -> bool {
        self.users(value).len() == 1 && self.body.stores.iter().all(|store| store.value != value)
    }
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
    /// The form.
    pub form: Form,
    /// The block, in vectors and rows.
    pub block: Block,
    /// The best candidate of each form, in the order of the forms.
    pub considered: Vec<Candidate>,
    /// Which of them was chosen.
    pub chosen: usize,
}

/// Chooses for a body whose vectors have `lanes` elements. With `fixed`, only the form is chosen.
pub fn choose(kernel: &Kernel, body: &Body, lanes: u32, fixed: Option<Block>, target: &dyn Target) -> Choice {
    let forms = forms(kernel, body);
    let considered: Vec<Candidate> = forms.iter().map(|form| best(kernel, form, lanes, fixed, target)).collect();
    let chosen = (0..forms.len()).reduce(|a, b| if is_better(&considered[b], &considered[a]) { b } else { a });
    let chosen = chosen.unwrap_or(0);
    Choice { form: forms[chosen].clone(), block: considered[chosen].block, considered, chosen }
}

/// A candidate must be better by this much to be worth a larger block, or to stand before an earlier form.
const GAIN: f64 = 0.98;

fn is_better(candidate: &Candidate, than: &Candidate) -> bool {
    candidate.weight < than.weight * GAIN
}

/// The best block for a form.
fn best(kernel: &Kernel, form: &Form, lanes: u32, fixed: Option<Block>, target: &dyn Target) -> Candidate {
    let (rows, columns) = target.blocks();
    let (mut rows, mut columns) = (rows.to_vec(), columns.to_vec());
    if !shares_rows(&form.phases[0]) {
        rows = vec![1];
    }
    if let Some(block) = fixed {
        (rows, columns) = (vec![block.y], vec![block.x]);
    }
    let mut best: Option<Candidate> = None;
    for &y in &rows {
        let sums = Sums::of(kernel, form, lanes, y, target);
        for &x in &columns {
            let candidate = sums.candidate(form, Block { x, y }, target);
            let is_first = best.is_none();
            if is_first
                || candidate.calls <= target.most_calls()
                    && best.as_ref().is_some_and(|best| is_better(&candidate, best))
            {
                best = Some(candidate);
            }
        }
        // More rows have more calls still.
        if sums.calls > target.most_calls() {
            break;
        }
    }
    best.unwrap_or(Candidate { form: form.name, block: Block { x: 1, y: 1 }, weight: f64::MAX, registers: 0, calls: 0 })
}

/// Whether neighbouring rows read a row in common.
fn shares_rows(body: &Body) -> bool {
    let mut rows = Vec::new();
    for node in &body.nodes {
        if let Op::Input { input, dy, .. } = node.op
            && !rows.contains(&(input, dy))
        {
            rows.push((input, dy));
        }
    }
    rows.iter().any(|&(input, _)| rows.iter().filter(|(other, _)| *other == input).count() > 1)
}

/// What the rows of a block cost in one vector.
struct Sums {
    weight: f64,
    calls: usize,
    /// Registers of what is the same for all steps.
    invariant: usize,
    /// The most registers full at once, and those of the results.
    peak: usize,
    results: usize,
    /// Rows of inputs and outputs.
    rows: usize,
}

impl Sums {
    fn of(kernel: &Kernel, form: &Form, lanes: u32, rows: u32, target: &dyn Target) -> Self {
        let body = in_demand_order(&jam_phases(kernel, &form.phases, lanes, Block { x: 1, y: rows }));
        let graph = Graph::new(kernel, &body, lanes);
        let prices: Vec<Price> =
            (0..body.nodes.len()).map(|index| target.price(&graph, ValueId(index as u32))).collect();
        let is_invariant =
            |index: usize| matches!(body.nodes[index].op, Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. });
        let invariant = (0..prices.len()).filter(|&index| is_invariant(index)).map(|index| prices[index].registers);
        let waits = !target.stores_before_loads(kernel);
        let (peak, results) = pressure(&body, &prices, waits, is_invariant);
        Self {
            weight: prices.iter().map(|price| price.weight).sum(),
            calls: prices.iter().map(|price| price.calls).sum::<usize>() + body.stores.len(),
            invariant: invariant.sum::<usize>()
                + tables(&body).iter().map(|&table| target.table_registers(kernel, table)).sum::<usize>(),
            peak,
            results,
            rows: rows_of(&body),
        }
    }

    fn candidate(&self, form: &Form, block: Block, target: &dyn Target) -> Candidate {
        let vectors = block.x as usize;
        // A compiler begins the next vector before it has done with one.
        let overlap = (self.peak / 3).min(MOST_OVERLAP);
        let (held, read) = if self.invariant > target.most_held() { (0, self.invariant) } else { (self.invariant, 0) };
        let registers = held + self.peak + (vectors - 1) * (self.results + overlap);
        // What does not fit is stored and loaded again.
        let spilled = registers.saturating_sub(target.registers());
        let weight = self.weight * f64::from(block.x)
            + target.step(self.rows)
            + SPILL * spilled as f64
            + READ * read as f64 * f64::from(block.y);
        let weight = weight / f64::from(block.x * block.y);
        Candidate { form: form.name, block, weight, registers, calls: self.calls * vectors }
    }
}

/// Registers that the next vector's values take at most before one is done.
const MOST_OVERLAP: usize = 3;
/// What a value costs that does not find a register.
const SPILL: f64 = 4.0;
/// What it costs to read a value of the run.
const READ: f64 = 1.0;

/// The tables that a body looks up.
fn tables(body: &Body) -> Vec<TableId> {
    let mut tables = Vec::new();
    for node in &body.nodes {
        if let Op::Lookup { table, .. } = node.op
            && !tables.contains(&table)
        {
            tables.push(table);
        }
    }
    tables
}

/// Rows of inputs and outputs that a body addresses.
fn rows_of(body: &Body) -> usize {
    let mut inputs = Vec::new();
    for node in &body.nodes {
        if let Op::Input { input, dy, .. } = node.op
            && !inputs.contains(&(input, dy))
        {
            inputs.push((input, dy));
        }
    }
    let mut outputs: Vec<_> = body.stores.iter().map(|store| (store.output, store.dy)).collect();
    outputs.dedup();
    inputs.len() + outputs.len()
}

/// The most registers that are full at once, and those of the results. A result `waits` for the last load where stores
/// follow all loads.
fn pressure(body: &Body, prices: &[Price], waits: bool, is_invariant: impl Fn(usize) -> bool) -> (usize, usize) {
    let is_load = |index: &usize| matches!(body.nodes[*index].op, Op::Input { .. });
    let last_load = (0..body.nodes.len()).rev().find(is_load).unwrap_or(0);
    let mut last: Vec<Option<usize>> = vec![None; body.nodes.len()];
    for store in &body.stores {
        let index = store.value.0 as usize;
        last[index] = Some(if waits { last_load.max(index) } else { index });
    }
    for index in (0..body.nodes.len()).rev() {
        // What its users take in keeps its operands until then.
        let end = if prices[index].registers == 0 { last[index].unwrap_or(index) } else { index };
        for_operands(&body.nodes[index].op, |id| {
            let known = &mut last[id.0 as usize];
            *known = Some(known.map_or(end, |known| known.max(end)));
        });
    }
    let (mut live, mut most) = (0usize, 0usize);
    let mut ending = vec![0usize; body.nodes.len() + 1];
    for index in (0..body.nodes.len()).filter(|&index| !is_invariant(index)) {
        let registers = prices[index].registers;
        if let Some(end) = last[index] {
            // An operand that ends here makes room for the result.
            live -= std::mem::take(&mut ending[index]).min(live);
            live += registers;
            ending[end.max(index)] += registers;
        }
        most = most.max(live);
        if last[index] == Some(index) {
            live -= registers;
        }
    }
    let mut results: Vec<ValueId> = body.stores.iter().map(|store| store.value).collect();
    results.sort_unstable();
    results.dedup();
    (most, results.iter().map(|id| prices[id.0 as usize].registers).sum())
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
