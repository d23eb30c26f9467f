//! Prints a [`Program`] as one Rust function: pointers and words, what is the same for all steps, the loop.

mod by_lane;
mod forms;
mod named;
mod pointers;
mod step;
mod turns;

use super::Target;
pub use super::printer::Printer;
use super::program::{Arg, Base, Call, Lane, Line, Origin, Program, Source, VectorId};
use crate::namer::Namer;
use crate::rows::{RowPlan, plus};
use crate::scalar::coordinate;
use crate::scopes;
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use windrow_dsl::ir::{Body, Kernel, OutputId, TableId};
use windrow_dsl::quick::Parts;

/// Why a load is sound.
pub const READABLE: &str = "// SAFETY: `Rows` makes what a step reads around its columns readable.";
/// Why a store is sound.
pub const WRITABLE: &str = "// SAFETY: `Rows` makes the columns of a step writable.";
/// Why a look-up is sound.
pub const IN_TABLE: &str = "// SAFETY: each index is below the table's length, by its type or by `min`.";
/// Why a read of a whole input is sound.
pub const IN_VIEW: &str = "// SAFETY: each row and column lies inside the view, by `max` and `min`.";
/// Why access to an array of the body's own is sound.
pub const IN_ARRAY: &str = "// SAFETY: the array is as long as what is read from it or written to it.";
const OPAQUE: &str = "// SAFETY: a constant, so that its value is not known, and its instructions stay.";
/// Above a comparison whose outcome is hidden.
const HIDDEN: &str = "// SAFETY: no instruction; the compiler is told that this changes the predicate.";

/// Where the loop of what whole steps left begins.
pub const REST: &str = "if x < width";

impl<'a, T: Target> Printer<'a, T> {
    /// A printer of `program`, whose steps are `lanes` elements wide.
    pub fn new(
        target: T,
        (kernel, body): (&'a Kernel, &'a Body),
        program: &'a Program,
        plan: &'a RowPlan<'a>,
        lanes: u32,
    ) -> Self {
        Self {
            target,
            kernel,
            body,
            program,
            plan,
            lanes,
            names: Namer::default(),
            vectors: vec![None; program.vectors.len()],
            input_rows: BTreeMap::new(),
            output_rows: BTreeMap::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            tables: BTreeMap::new(),
            whole: BTreeMap::new(),
            held: BTreeSet::new(),
            quads: BTreeMap::new(),
            lanes_of: BTreeMap::new(),
            chosen: BTreeMap::new(),
            views: BTreeMap::new(),
        }
    }

    /// Writes the loop of whole steps, and once more for a last step that overlaps them; whether it has a head.
    pub fn write_overlapping(mut self, out: &mut Text) -> bool {
        self.write_before(out);
        self.write_head(out);
        let lanes = self.lanes;
        out.line(format!("let last = width - {lanes};"));
        out.open("while x < width");
        out.line("// Once for all whole steps, and once for a last one that overlaps them.");
        out.line("x = x.min(last);");
        out.open("while x <= last");
        self.write_step(out, true);
        out.close("");
        out.close("");
        self.has_head()
    }

    /// Writes the loop of whole steps; whether it has a head.
    pub fn write_whole(&mut self, out: &mut Text) -> bool {
        self.write_before(out);
        self.write_head(out);
        out.open(format!("while x <= width - {}", self.lanes));
        self.write_step(out, true);
        out.close("");
        self.has_head()
    }

    /// Writes the loop of what whole steps left: shorter ones, the last of which overlaps those before.
    pub fn write_rest(mut self, out: &mut Text) {
        out.open(REST);
        self.write_before(out);
        self.write_short_steps(out);
    }

    /// The same by a part of the program that was written: what is the same for all steps was written before them.
    pub fn write_part(self, out: &mut Text, part: &'a Program, lanes: u32) {
        out.open(REST);
        Self { program: part, lanes, ..self }.write_short_steps(out);
    }

    fn write_short_steps(&mut self, out: &mut Text) {
        out.line(format!("let last = width - {};", self.lanes));
        out.open("while x < width");
        out.line("x = x.min(last);");
        self.write_step(out, false);
        out.close("");
        out.close("");
    }

    /// Pointers, tables, and what is the same for all steps.
    fn write_before(&mut self, out: &mut Text) {
        self.pointers(out);
        T::write_tables(self, out);
        self.name_vectors();
        self.write_invariant(out);
    }

    /// Writes how far the first step moves on.
    fn write_head(&self, out: &mut Text) {
        if self.has_head() {
            out.line(format!("let mut step = if rows.head > 0 {{ rows.head as isize }} else {{ {} }};", self.lanes));
        }
    }

    /// The step's place in each row: one address a row, from which loads and stores have constant offsets.
    fn step_pointers(&mut self, out: &mut Text) {
        let mut places = Vec::with_capacity(self.input_rows.len() + self.output_rows.len());
        for (key, row) in &self.input_rows {
            let argument = &self.kernel.inputs[key.0.0 as usize];
            let name =
                self.inputs.entry(*key).or_insert_with(|| self.names.claim_text(&row.replacen("_row", "_at", 1)));
            let place = format!("{row}.wrapping_offset({})", scaled(argument.channels * argument.stride().0));
            places.push((name.clone(), place));
        }
        for (key, row) in &self.output_rows {
            let channels = self.kernel.outputs[key.0.0 as usize].channels;
            let name =
                self.outputs.entry(*key).or_insert_with(|| self.names.claim_text(&row.replacen("_row", "_at", 1)));
            places.push((name.clone(), format!("{row}.wrapping_offset({})", scaled(channels))));
        }
        scopes::declare(out, &places);
    }

    fn line(&mut self, out: &mut Text, line: &Line) {
        let call = match &line.source {
            Source::Call(call) => call,
            Source::Scalar { value, operands, .. } => return self.write_scalar(out, line.results, *value, operands),
            Source::Quad(quad) => return self.write_quad(out, line.results, quad),
            Source::Repeated { value, count, lane } => {
                let (name, value) = (self.name(line.results.first()), self.operand(value));
                return out.line(format!("let {name}: [{}; {count}] = [{value}; {count}];", lane.scalar()));
            }
            Source::Either { condition, pointers: [then, otherwise] } => {
                let [name, then, otherwise] = [line.results.first(), *then, *otherwise].map(|id| self.name(id));
                let condition = self.operand(condition);
                return out.line(format!("let {name} = if {condition} {{ {then} }} else {{ {otherwise}.as_ptr() }};"));
            }
            Source::Contiguous { input, at, count, lane } => {
                return self.write_contiguous(out, line.results, *input, at, (*count, *lane));
            }
            Source::Across { op, lane, vectors } => return self.write_across(out, line.results, *op, *lane, vectors),
            Source::Turns(number) => return self.write_turns(out, *number),
            Source::Load { .. } | Source::LoadLane { .. } | Source::Gather { .. } => {
                return T::write_line(self, out, line);
            }
        };
        if T::write_call(self, out, line, call) {
            return;
        }
        let result = line.results.first();
        if self.target.reads_memory(call.intrinsic) {
            out.line(IN_ARRAY);
            let text = out.begin();
            text.push("let ");
            self.push_name(text, result);
            text.push(" = unsafe { ");
            self.push_call(text, call);
            text.push(" };");
            out.end();
            return;
        }
        if call.args.iter().any(|arg| matches!(arg, Arg::Opaque(_))) {
            out.line(OPAQUE);
        }
        if call.args.iter().any(|arg| matches!(arg, Arg::Hidden(_))) {
            out.line(HIDDEN);
        }
        if call.args.iter().any(|arg| matches!(arg, Arg::Entry { .. })) {
            out.line(IN_TABLE);
        }
        let text = out.begin();
        text.push("let ");
        self.push_name(text, result);
        text.push(" = ");
        self.push_call(text, call);
        text.push(";");
        out.end();
    }

    /// Writes the name of a vector.
    pub fn push_name(&self, text: &mut Parts, id: VectorId) {
        match self.vectors.as_slice()[id.0 as usize] {
            Some(name) => self.names.push(text, name),
            None => text.push("_"),
        }
    }

    /// The name of a vector.
    pub fn name(&self, id: VectorId) -> String {
        let mut text = Parts::default();
        self.push_name(&mut text, id);
        text.finish()
    }

    /// The pointer to a table's first entry.
    pub fn table(&self, table: TableId) -> &str {
        &self.tables[&table]
    }

    /// The pointer from which a gather reads, and why its reads are sound.
    pub fn origin(&self, from: Origin) -> (&str, &'static str) {
        match from {
            Origin::Table(table) => (self.table(table), IN_TABLE),
            Origin::View { input, channel } => (&self.views[&(input, channel)], IN_VIEW),
        }
    }

    /// What a gather reads at a scalar index.
    pub fn gathered(&self, from: Origin, index: &str) -> String {
        let (pointer, _) = self.origin(from);
        match from {
            Origin::Table(_) => format!("{pointer}.add({index} as usize).read_unaligned()"),
            Origin::View { .. } => format!("{pointer}.wrapping_byte_offset({index} as isize).read_unaligned()"),
        }
    }

    /// The start of a place, moved by a constant.
    pub fn input(&self, base: Base, offset: i64) -> String {
        let mut text = Parts::default();
        self.push_input(&mut text, base, offset);
        text.finish()
    }

    /// The same behind what is written already.
    pub fn push_input(&self, text: &mut Parts, base: Base, offset: i64) {
        match base {
            Base::Row(input, dy) => push_moved(text, &self.inputs[&(input, dy)], offset),
            Base::Pointer(id) => push_moved(text, &self.name(id), offset),
        }
    }

    /// The step's place in an output's row, moved by a constant.
    pub fn output(&self, row: (OutputId, i32), offset: i64) -> String {
        moved(&self.outputs[&row], offset)
    }

    // Part by part behind what is written already, which is quick.

    fn push_call(&self, text: &mut Parts, call: &Call) {
        call.intrinsic.push_to(text);
        if let Some(n) = call.immediate {
            text.push(&format!("::<{n}>"));
        }
        let mut before = "(";
        for arg in call.args.as_slice() {
            text.push(before);
            self.push_arg(text, arg);
            before = ", ";
        }
        text.push(if call.args.is_empty() { "()" } else { ")" });
    }

    fn push_arg(&self, text: &mut Parts, arg: &Arg) {
        match arg {
            Arg::Whole(id, lane) => self.push_whole(text, *id, *lane),
            Arg::Low(id, lane) => {
                let end = self.target.begin_low(text, *lane);
                self.push_whole(text, *id, *lane);
                text.push(end);
            }
            Arg::Call(call) => self.push_call(text, call),
            Arg::Hidden(call) => {
                text.push("{ let mut hidden = ");
                self.push_call(text, call);
                text.push(&format!("; unsafe {{ {} }}; hidden }}", self.target.hidden("hidden")));
            }
            Arg::Text(own) => text.push(own),
            Arg::Scalar(before, id, after) => {
                text.push(before);
                self.push_name(text, *id);
                text.push(after);
            }
            Arg::Parts(parts) => {
                let bits = if parts.len() == 2 { 16 } else { 8 };
                for (place, part) in parts.iter().enumerate() {
                    text.push(if place == 0 { "(" } else { " | (" });
                    self.push_name(text, *part);
                    let shift = if place == 0 { String::new() } else { format!(") << {}", place * bits) };
                    text.push(&format!(" as u{bits} as u32{shift}"));
                }
                text.push(") as i32");
            }
            Arg::Coordinate(axis, offset) => text.push(&plus(&coordinate(*axis), *offset)),
            Arg::Opaque(own) => text.push(&self.target.opaque(own)),
            Arg::Table(table, part) => text.push(&format!("{}_{part}", self.tables[table])),
            Arg::Entry { table, index, scalar } => {
                let (pointer, entry) = (self.tables[table].as_str(), self.kernel.tables[table.0 as usize].ty);
                text.push_all(&["unsafe { ", pointer, ".add((", index, ") as usize).read_unaligned() }"]);
                if entry.name() != *scalar {
                    text.push_all(&[" as ", scalar]);
                }
            }
        }
    }

    fn push_whole(&self, text: &mut Parts, id: VectorId, lane: Lane) {
        let vector = &self.program.vectors.as_slice()[id.0 as usize];
        if vector.lane == lane {
            self.push_name(text, id);
        } else {
            let end = self.target.begin_view(text, lane, vector.lane);
            self.push_name(text, id);
            text.push(end);
        }
    }

    /// A vector read as these lanes.
    pub fn whole(&self, id: VectorId, lane: Lane) -> String {
        let mut text = Parts::default();
        self.push_whole(&mut text, id, lane);
        text.finish()
    }
}

/// `factor · x`
fn scaled(factor: u32) -> String {
    if factor == 1 { "x".to_owned() } else { format!("{factor} * x") }
}

/// A pointer moved by a constant.
pub(super) fn moved(pointer: &str, offset: i64) -> String {
    let mut text = Parts::default();
    push_moved(&mut text, pointer, offset);
    text.finish()
}

fn push_moved(text: &mut Parts, pointer: &str, offset: i64) {
    text.push(pointer);
    if offset != 0 {
        text.push(".wrapping_offset(");
        text.push_number(offset);
        text.push(")");
    }
}
