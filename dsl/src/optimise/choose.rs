//! The choice of a form and of a schedule, by cost: one decision, as the cheapest factorisation of a sum depends on how
//! many rows share its parts.
//!
//! A target describes itself as a [`Target`]. Each form is jammed over each number of rows and its values are priced;
//! vectors along the row share next to nothing, so they only spread what a step costs beside its values. The order of
//! candidates is fixed, and the first of equals wins.

use super::builder::for_operands;
use super::{Form, has_long_sums, in_demand_order, in_row_order, jam_phases, sums_over_rows};
use crate::ir::{Block, Body, Kernel, Op, Store, TableId, Type, ValueId};

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
    /// Whether it computes long sums over rows row by row ([`super::sums_over_rows`]).
    fn orders_long_sums(&self) -> bool;
    /// What storing the lanes of a step costs.
    fn store(&self, graph: &Graph<'_>, ty: Type) -> f64;
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

/// Chooses among the forms of a body, the one as written first, whose vectors have `lanes` elements. With `fixed`, only the form is chosen.
///
/// The forms are compared over a few rows; then those that are near the best find their blocks.
pub fn choose(kernel: &Kernel, forms: &[Form], lanes: u32, fixed: Option<Block>, target: &dyn Target) -> Choice {
    let search = Search { kernel, lanes, target, columns: columns(fixed, target) };
    let unnamed: Vec<Form> = forms.iter().map(Form::without_names).collect();
    let few = match fixed {
        Some(block) => block.y,
        None if forms[0].phases.iter().any(shares_rows) => FEW_ROWS,
        None => 1,
    };
    let mut considered: Vec<Candidate> = unnamed.iter().map(|form| search.best(form, &[few])).collect();
    let least = considered.iter().map(|candidate| candidate.weight).fold(f64::MAX, f64::min);
    let is_near: Vec<bool> = considered.iter().map(|candidate| candidate.weight <= least * NEAR).collect();
    let near: Vec<usize> = (0..forms.len()).filter(|&index| is_near[index]).collect();
    if fixed.is_none() && few > 1 {
        for &index in &near {
            considered[index] = search.best(&unnamed[index], target.blocks().0);
        }
    }
    let lighter = |a: usize, b: usize| if considered[b].weight < considered[a].weight { b } else { a };
    let chosen = near.into_iter().reduce(lighter).unwrap_or(0);
    let (form, block) = (forms[chosen].clone(), considered[chosen].block);
    Choice { form, block, considered, chosen }
}

/// Rows over which forms are compared.
const FEW_ROWS: u32 = 2;

/// A form that is this near the best over a few rows may be the best over more.
const NEAR: f64 = 1.1;

fn columns(fixed: Option<Block>, target: &dyn Target) -> Vec<u32> {
    fixed.map_or_else(|| target.blocks().1.to_vec(), |block| vec![block.x])
}

/// A candidate must be better by this much to be worth a larger block.
const GAIN: f64 = 0.98;

fn is_better(candidate: &Candidate, than: &Candidate) -> bool {
    candidate.weight < than.weight * GAIN
}

/// A search for blocks.
struct Search<'a> {
    kernel: &'a Kernel,
    lanes: u32,
    target: &'a dyn Target,
    columns: Vec<u32>,
}

impl Search<'_> {
    /// The best block for a form, of these numbers of rows.
    fn best(&self, form: &Form, rows: &[u32]) -> Candidate {
        let most_calls = self.target.most_calls();
        let mut best: Option<Candidate> = None;
        for &y in rows {
            let sums = Sums::of(self.kernel, form, self.lanes, y, self.target);
            for &x in &self.columns {
                let candidate = sums.candidate(form, Block { x, y }, self.target);
                let is_taken = match &best {
                    None => true,
                    // One that is too long gives way to any that is shorter.
                    Some(best) if best.calls > most_calls => candidate.calls < best.calls,
                    Some(best) => candidate.calls <= most_calls && is_better(&candidate, best),
                };
                if is_taken {
                    best = Some(candidate);
                }
            }
            // More rows have more calls still.
            if sums.calls > most_calls {
                break;
            }
        }
        let none = Block { x: 1, y: 1 };
        best.unwrap_or(Candidate { form: form.name, block: none, weight: f64::MAX, registers: 0, calls: 0 })
    }
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
    /// Vectors of long sums that are under way at once.
    long_sums: Option<usize>,
}

impl Sums {
    fn of(kernel: &Kernel, form: &Form, lanes: u32, rows: u32, target: &dyn Target) -> Self {
        let jammed = jam_phases(kernel, &form.phases, lanes, Block { x: 1, y: rows });
        let is_by_rows = target.orders_long_sums() && sums_over_rows(&jammed);
        let body = if is_by_rows { in_row_order(&jammed) } else { in_demand_order(&jammed) };
        let graph = Graph::new(kernel, &body, lanes);
        let prices: Vec<Price> =
            (0..body.nodes.len()).map(|index| target.price(&graph, ValueId(index as u32))).collect();
        let output = |store: &Store| kernel.outputs.get(store.output.0 as usize).map_or(Type::U8, |output| output.ty);
        let stores: f64 = body.stores.iter().map(|store| target.store(&graph, output(store))).sum();
        let is_invariant =
            |index: usize| matches!(body.nodes[index].op, Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. });
        let invariant = (0..prices.len()).filter(|&index| is_invariant(index)).map(|index| prices[index].registers);
        let widest = prices.iter().map(|price| price.registers).max().unwrap_or(1);
        let waits = !target.stores_before_loads(kernel);
        let (mut peak, results) = pressure(&body, &prices, waits, is_invariant);
        if target.orders_long_sums() && !is_by_rows && has_long_sums(&body) {
            // A compiler takes the sums of all rows term by term, and holds the elements of other rows meanwhile.
            peak += 2 * (loads(&body) - loads(&form.phases[0]));
        }
        Self {
            weight: prices.iter().map(|price| price.weight).sum::<f64>() + stores,
            calls: prices.iter().map(|price| price.calls).sum::<usize>() + body.stores.len(),
            invariant: invariant.sum::<usize>()
                + tables(&body).iter().map(|&table| target.table_registers(kernel, table)).sum::<usize>(),
            peak,
            results,
            rows: rows_of(&body),
            long_sums: is_by_rows.then(|| (rows_of(&form.phases[0]) - 1).min(rows as usize) * widest),
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
        // Sums that wait for themselves leave a machine idle where few are under way.
        let idle = self.long_sums.map_or(0, |sums| IN_FLIGHT.saturating_sub(sums * vectors));
        let weight = self.weight * f64::from(block.x)
            + target.step(self.rows)
            + SPILL * spilled as f64
            + READ * read as f64 * f64::from(block.y);
        let weight = weight / f64::from(block.x * block.y) * (1.0 + idle as f64 / 15.0);
        Candidate { form: form.name, block, weight, registers, calls: self.calls * vectors }
    }
}

/// Sums that keep a machine busy: four cycles, two a cycle.
const IN_FLIGHT: usize = 8;
/// Registers that the next vector's values take at most before one is done.
const MOST_OVERLAP: usize = 3;
/// What a value costs that does not find a register.
const SPILL: f64 = 4.0;
/// What it costs to read a value of the run.
const READ: f64 = 1.0;

/// Elements that a body loads.
fn loads(body: &Body) -> usize {
    body.nodes.iter().filter(|node| matches!(node.op, Op::Input { .. })).count()
}

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
