//! Plain Rust from a prepared body: the tier that runs everywhere, and what `configure` computes once.
//!
//! One element at a time, a line a value, wrapping integer arithmetic (the proof has been made), floats in the written
//! order. Element loops run over raw pointers without branches, so that the compiler may vectorise them.

mod derive;
pub mod expression;
mod lanes;
mod pointers;
mod reading;
mod shared;
mod values;

pub use derive::derive;
pub use lanes::InLanes;
pub use reading::{Fused, Memory, coordinate, number_of_view, reading};

use crate::rows::{EmittedBody, RowPlan, derived_word, describe_body, plus, read_word, tap_of, uniform_word};
use crate::scopes::{self, Uses};
use crate::target::CpuTarget;
use crate::text::{Text, comma, joined};
use crate::vector::Machine;
use expression::Operands;
use pointers::Pointers;
use reading::read;
use std::collections::BTreeMap;
use values::Values;
use windrow_dsl::ir::loops::{Loop, Step, Variable, has_loops, steps};
use windrow_dsl::ir::{AxisId, Body, Kernel, Node, Op, Order, Store, Tap, Type, ValueId, along};
use windrow_dsl::optimise::{Prepared, Sharing, sharing};

/// How the loop over the elements of a row begins.
pub const LOOP: &str = "for x in 0..rows.width";

/// Plain Rust among the targets.
pub const TARGET: CpuTarget = CpuTarget {
    name: "scalar",
    family: "scalar",
    tier: "Scalar",
    is_narrow: false,
    is_for_bytes: false,
    architecture: None,
    feature: None,
    pays: None,
    machine: None,
    emit: |kernel, prepared, index, name, _| Ok(emit(kernel, prepared, index, name)),
    weigh: |_, _, _| None,
    is_instruction: |_| false,
};

/// The function `name` for the body `index` of [`Prepared::bodies`].
pub fn emit(kernel: &Kernel, prepared: &Prepared, index: usize, name: &str) -> EmittedBody {
    emit_with(kernel, prepared, index, name, None)
}

/// The same, compiled for an instruction set where it is named: what is not in vectors is at least in its instructions.
pub fn emit_with(
    kernel: &Kernel,
    prepared: &Prepared,
    index: usize,
    name: &str,
    machine: Option<&Machine>,
) -> EmittedBody {
    let body = &prepared.bodies[index];
    let plan = RowPlan::new(kernel, body, 1);
    let sharing = sharing(kernel, body);
    let how = if sharing.is_some() { "whose loops are run once for many elements" } else { "an element at a time" };
    let mut out = Text::new();
    out.line(format!("/// {} in plain Rust, {how}.", describe_body(kernel, prepared, index)));
    out.line("///");
    out.line("/// # Safety");
    out.line("/// `rows` keeps the contract of `Rows` for this body.");
    if let Some(machine) = machine {
        out.line(format!("#[target_feature(enable = {:?})]", machine.features));
    }
    out.open(format!("unsafe fn {name}(rows: &::windrow::__rt::Rows<'_>)"));
    let fused = machine.and_then(|machine| machine.fused);
    let multiplies = body.nodes.iter().any(|node| matches!(node.op, Op::MulAdd(..)));
    if let (Some(machine), Some(_), true) = (machine, fused, multiplies) {
        out.line(format!("use ::core::arch::{}::*;", machine.architecture));
    }
    let emitter = Emitter {
        kernel,
        body,
        plan: &plan,
        fused,
        values: Values::of(body.nodes.len()),
        group: None,
        kept: BTreeMap::new(),
        befores: BTreeMap::new(),
        memories: BTreeMap::new(),
    };
    match &sharing {
        Some(sharing) => emitter.write_shared(&mut out, sharing),
        None => emitter.write(&mut out),
    }
    out.close("");
    let (text, marks) = out.finish_marked();
    let (lanes, columns, rows) = (1, 1, 1);
    let carries_rows = sharing.as_ref().is_some_and(Sharing::carries_rows);
    let notes = sharing.map_or(Vec::new(), |sharing| shared::notes(body, &sharing));
    EmittedBody {
        text,
        marks,
        lanes,
        columns,
        rows,
        reads: plan.reads,
        has_head: false,
        carries_rows,
        strips: 0,
        quads: 0,
        notes,
    }
}

struct Emitter<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    plan: &'a RowPlan<'a>,
    /// How the instruction set multiplies and adds with one rounding.
    fused: Option<Fused>,
    values: Values,
    /// The number of the group of rows that is computed, where there are several.
    group: Option<String>,
    /// The elements of rows that hold variables of loops, by the variables.
    kept: BTreeMap<ValueId, String>,
    /// The memory of these rows.
    memories: BTreeMap<ValueId, String>,
    /// The variables whose sums begin at 0 for a whole row, with what each element adds behind the loop.
    befores: BTreeMap<ValueId, ValueId>,
}

impl<'a> Emitter<'a> {
    fn write(mut self, out: &mut Text) {
        let pointers = self.pointers(out);
        // As few as words of a run.
        for index in 0..self.body.nodes.len() {
            self.uniform(out, index);
        }
        let (before, steps) = by_row(&self.body.nodes);
        for step in &before {
            self.step(out, &pointers, step);
        }
        out.open(format!("{LOOP} as isize"));
        let uses = |emitter: &Self| uses(&emitter.body.nodes, &emitter.body.stores, &steps);
        let name = |emitter: &Self, value| emitter.values.name(ValueId(value as u32));
        scopes::write_all(out, steps.len(), &mut self, uses, name, |emitter, out, index| {
            emitter.step(out, &pointers, &steps[index])
        });
        self.stores(out, &pointers);
        out.close("");
    }

    fn stores(&self, out: &mut Text, pointers: &Pointers<'_>) {
        for store in &self.body.stores {
            let output = &self.kernel.outputs[store.to.tensor.0 as usize];
            let place = scaled(i64::from(output.channels), 1, i64::from(store.to.channel), 0);
            let pointer = &pointers.outputs[&store.to.tensor];
            let write = if output.ty == Type::U8 { "write" } else { "write_unaligned" };
            let value = self.values.text(store.value);
            out.mark(Some(self.body.node(store.value).span));
            out.line("// SAFETY: `Rows` makes `width` elements of each output row writable.");
            out.line(format!("unsafe {{ {pointer}.offset({place}).{write}({value}) }};"));
            out.mark(None);
        }
    }

    /// A value that is the same for the whole run, before the loop.
    fn uniform(&mut self, out: &mut Text, index: usize) {
        let node = &self.body.nodes[index];
        let word = match node.op {
            Op::Constant(constant) => {
                self.values.set_constant(index, constant, node.ty);
                return;
            }
            Op::Uniform { uniform, index } => uniform_word(self.kernel, uniform, index),
            Op::Derived { index, .. } => derived_word(self.kernel, index),
            _ => return,
        };
        out.mark(Some(node.span));
        let line = out.begin();
        self.values.declare(line, index, self.kernel, node);
        line.push_all(&[" = ", &read_word("rows.words", word, node.ty), ";"]);
        out.end();
        out.mark(None);
    }

    /// A value, or the turns of a loop.
    fn step(&mut self, out: &mut Text, pointers: &Pointers<'_>, step: &Step) {
        match step {
            Step::Value(id) => self.value(out, pointers, id.0 as usize),
            Step::Loop(turns) => self.turns(out, pointers, turns),
        }
    }

    /// The variables of a loop, and its turns.
    fn turns(&mut self, out: &mut Text, pointers: &Pointers<'_>, turns: &Loop) {
        let body = self.body;
        let Op::Turn { start, end, order, .. } = body.node(turns.turn).op else { return };
        turns.variables.iter().for_each(|variable| self.variable(out, variable));
        let [start, end] = [start, end].map(|id| self.values.text(id));
        let turn = self.values.claim(turns.turn.0 as usize, self.kernel, body.node(turns.turn));
        let names = turns.variables.iter().map(|variable| self.values.text(variable.carried)).collect();
        let lanes = (order == Order::Lanes).then(|| InLanes::of(names, &mut self.values.names));
        lanes.iter().for_each(|lanes| lanes.write_before(out));
        out.open(format!("for {turn} in {start}..{end}"));
        lanes.iter().for_each(|lanes| lanes.write_turn(out, &turn, &start));
        for step in &turns.body {
            self.step(out, pointers, step);
        }
        self.advance(out, &turns.variables);
        lanes.iter().for_each(|lanes| lanes.write_after(out));
        out.close("");
        lanes.iter().for_each(|lanes| lanes.write_sums(out, |_| "a + b".to_owned()));
    }

    /// A variable of a loop before its first turn.
    fn variable(&mut self, out: &mut Text, variable: &Variable) {
        let before = self.values.text(variable.before);
        self.variable_from(out, variable, &before);
    }

    /// A variable of a loop, which begins with this.
    fn variable_from(&mut self, out: &mut Text, variable: &Variable, before: &str) {
        let node = self.body.node(variable.carried);
        out.mark(Some(node.span));
        let line = out.begin();
        self.values.declare_mutable(line, variable.carried.0 as usize, self.kernel, node);
        line.push_all(&[": ", node.ty.name(), " = ", before, ";"]);
        out.end();
        out.mark(None);
    }

    /// What the next turn finds in the variables of a loop.
    fn advance(&self, out: &mut Text, variables: &[Variable]) {
        let texts = |id: fn(&Variable) -> ValueId| {
            let texts: Vec<String> = variables.iter().map(|variable| self.values.text(id(variable))).collect();
            if let [text] = texts.as_slice() { text.clone() } else { format!("({})", comma(&texts)) }
        };
        let (carried, after) = (texts(|variable| variable.carried), texts(|variable| variable.after));
        out.line(format!("{carried} = {after};"));
    }

    /// A value of an element, inside the loop.
    fn value(&mut self, out: &mut Text, pointers: &Pointers<'_>, index: usize) {
        let node = &self.body.nodes[index];
        let (safety, text) = match node.op {
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => return,
            // Their loop has written them.
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } => return,
            Op::Outcome { carried, .. } => {
                let own = self.kept.get(&carried).cloned().unwrap_or_else(|| self.values.text(carried));
                let before = self.befores.get(&carried).map(|before| self.values.text(*before));
                (None, Some(before.map_or(own.clone(), |before| format!("{before}.wrapping_add({own})"))))
            }
            Op::Load(ref access) => {
                let Tap { input, channel, dx, dy } = tap_of(access);
                let argument = &self.kernel.inputs[input.0 as usize];
                let (channels, stride) = (i64::from(argument.channels), i64::from(argument.stride().0));
                let place = scaled(channels, stride, i64::from(channel), i64::from(dx));
                let pointer = &pointers.inputs[&(input, dy)];
                let safety = "// SAFETY: `Rows` makes what the body reads around each column readable.";
                (Some(safety), Some(joined(&["unsafe { ", pointer, ".offset(", &place, ").", read(node.ty), "() }"])))
            }
            Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Cast(..) => match reading(node, self.fused, &self.values, pointers) {
                Some((safety, text)) => (safety, Some(text)),
                None => (None, None),
            },
        };
        out.mark(Some(node.span));
        if let Some(safety) = safety {
            out.line(safety);
        }
        let line = out.begin();
        self.values.declare(line, index, self.kernel, node);
        line.push_all(&[": ", node.ty.name(), " = "]);
        match text {
            Some(text) => line.push(&text),
            None => expression::push(line, self.body, node, &self.values, expression::Division::Proved),
        }
        line.push(";");
        out.end();
        out.mark(None);
    }
}

/// What is computed once for a row, and for each of its elements. A compiler finds the first but for loops, so that all is for each
/// element where there is none.
fn by_row(nodes: &[Node]) -> (Vec<Step>, Vec<Step>) {
    let all = steps(nodes);
    if !has_loops(nodes) {
        return (Vec::new(), all);
    }
    let along = along(nodes);
    all.into_iter().partition(|step| {
        let of = |id: ValueId| along[id.0 as usize];
        let axes = match step {
            Step::Value(id) => of(*id),
            Step::Loop(turns) => {
                let variables = turns.variables.iter().map(|variable| of(variable.carried));
                variables.fold(of(turns.turn), |all, axes| all | axes)
            }
        };
        !axes.has(AxisId::X)
    })
}

/// What each step reads of those before it, and stores behind the last; what is the same for the whole run is not made here.
fn uses(nodes: &[Node], stores: &[Store], steps: &[Step]) -> Uses {
    let mut uses = Uses::default();
    for (statement, step) in steps.iter().enumerate() {
        add_uses(&mut uses, nodes, statement, step);
    }
    stores.iter().for_each(|store| uses.reads(steps.len(), store.value.0 as usize));
    uses
}

fn add_uses(uses: &mut Uses, nodes: &[Node], statement: usize, step: &Step) {
    match step {
        Step::Value(id) => {
            let node = &nodes[id.0 as usize];
            if !node.op.is_word() {
                uses.makes(statement, id.0 as usize);
            }
            node.op.for_operands(|operand| uses.reads(statement, operand.0 as usize));
        }
        Step::Loop(turns) => {
            for variable in &turns.variables {
                uses.makes(statement, variable.carried.0 as usize);
                uses.reads(statement, variable.before.0 as usize);
            }
            turns.body.iter().for_each(|step| add_uses(uses, nodes, statement, step));
        }
    }
}

/// The element at column `stride · x + dx`, channel `channel` of `channels`.
fn scaled(channels: i64, stride: i64, channel: i64, dx: i64) -> String {
    let factor = channels * stride;
    let column = if factor == 1 { "x".to_owned() } else { format!("{factor} * x") };
    plus(&column, channels * dx + channel)
}
