//! Prints a [`Program`] as one Rust function: pointers and words, what is the same for all steps, the loop.

use super::program::{Arg, Call, Lane, Line, Program, Source, StoreLine, VectorId};
use super::select::scalar_name;
use crate::namer::Namer;
use crate::rows::{RowPlan, cast_pointer, offset_name};
use crate::text::{Text, comma};
use std::collections::{BTreeMap, BTreeSet};
use windrow_dsl::dump::type_name;
use windrow_dsl::ir::{InputId, Kernel, OutputId, TableId};

const READABLE: &str = "// SAFETY: `Rows` makes what a step reads around its columns readable.";
const WRITABLE: &str = "// SAFETY: `Rows` makes the columns of a step writable.";
const IN_TABLE: &str = "// SAFETY: each index is below the table's length, by its type or by `min`.";
const OPAQUE: &str =
    "// SAFETY: a reference to a constant; read so that its value is not known, and its instructions stay.";
const IN_ARRAY: &str = "// SAFETY: the array is as long as what is read from it or written to it.";

/// The printer of one function.
pub struct Printer<'a> {
    kernel: &'a Kernel,
    program: &'a Program,
    plan: &'a RowPlan<'a>,
    /// Elements of a step along the row.
    lanes: u32,
    names: Namer,
    vectors: Vec<String>,
    inputs: BTreeMap<(InputId, i32), String>,
    outputs: BTreeMap<(OutputId, i32), String>,
    tables: BTreeMap<TableId, String>,
}

impl<'a> Printer<'a> {
    /// A printer of `program`, whose steps are `lanes` elements wide.
    pub fn new(kernel: &'a Kernel, program: &'a Program, plan: &'a RowPlan<'a>, lanes: u32) -> Self {
        Self {
            kernel,
            program,
            plan,
            lanes,
            names: Namer::default(),
            vectors: vec!["_".to_owned(); program.vectors.len()],
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            tables: BTreeMap::new(),
        }
    }

    /// Writes the function's contents.
    pub fn write(mut self, out: &mut Text) {
        out.line("use ::core::arch::aarch64::*;");
        self.pointers(out);
        self.table_parts(out);
        self.name_vectors();
        for line in &self.program.before {
            self.line(out, line);
        }
        let lanes = self.lanes;
        out.line("let width = rows.width as isize;");
        out.line(format!("let last = width - {lanes};"));
        out.line("let mut x = 0;");
        out.open("while x < width");
        out.line("// Once for all whole steps, and once for a last one that overlaps them.");
        out.line("x = x.min(last);");
        out.open("while x <= last");
        self.step_pointers(out);
        for line in &self.program.lines {
            self.line(out, line);
        }
        for store in &self.program.stores {
            self.store(out, store);
        }
        out.line(format!("x += {lanes};"));
        out.close("");
        out.close("");
    }

    /// The step's place in each row: one address a row, from which loads and stores have constant offsets.
    fn step_pointers(&mut self, out: &mut Text) {
        let inputs = std::mem::take(&mut self.inputs);
        for ((input, dy), row) in inputs {
            let argument = &self.kernel.inputs[input.0 as usize];
            let name = self.names.claim(&row.replacen("_row", "_at", 1));
            out.line(format!("let {name} = {row}.wrapping_offset({});", scaled(argument.channels * argument.stride.0)));
            self.inputs.insert((input, dy), name);
        }
        let outputs = std::mem::take(&mut self.outputs);
        for (key, row) in outputs {
            let channels = self.kernel.outputs[key.0.0 as usize].channels;
            let name = self.names.claim(&row.replacen("_row", "_at", 1));
            out.line(format!("let {name} = {row}.wrapping_offset({});", scaled(channels)));
            self.outputs.insert(key, name);
        }
    }

    fn pointers(&mut self, out: &mut Text) {
        let (mut inputs, mut tables) = (BTreeSet::new(), BTreeSet::new());
        for line in &self.program.lines {
            match &line.source {
                Source::Load { input, dy, .. } | Source::LoadLane { input, dy, .. } => _ = inputs.insert((*input, *dy)),
                Source::Gather { table, .. } => _ = tables.insert(*table),
                Source::Call(call) => call.args.iter().for_each(|arg| {
                    if let Arg::Table(table, _) = arg {
                        tables.insert(*table);
                    }
                }),
            }
        }
        for (input, dy) in inputs {
            let argument = &self.kernel.inputs[input.0 as usize];
            let is_single = self.plan.rows == 1 && argument.neighbourhood.top == argument.neighbourhood.bottom;
            let wanted = if is_single { "row".to_owned() } else { format!("row_{}", offset_name(dy)) };
            let name = self.names.claim(&format!("{}_{wanted}", argument.name));
            out.line(format!("let {name} = rows.inputs[{}]{};", self.plan.input(input, dy), cast_pointer(argument.ty)));
            self.inputs.insert((input, dy), name);
        }
        for table in tables {
            let argument = &self.kernel.tables[table.0 as usize];
            let name = self.names.claim_family(&argument.name, &["_0", "_1", "_2", "_3"]);
            out.line(format!("let {name} = rows.tables[{}]{};", table.0, cast_pointer(argument.ty)));
            self.tables.insert(table, name);
        }
        for store in &self.program.stores {
            if self.outputs.contains_key(&store.row) {
                continue;
            }
            let output = &self.kernel.outputs[store.row.0.0 as usize];
            let wanted = if self.plan.rows == 1 { "row".to_owned() } else { format!("row_{}", store.row.1) };
            let name = self.names.claim(&format!("{}_{wanted}", output.name));
            let place = self.plan.output(store.row.0, store.row.1);
            out.line(format!("let {name} = rows.outputs[{place}]{};", cast_pointer(output.ty)));
            self.outputs.insert(store.row, name);
        }
    }

    /// Tables of bytes in registers, 64 entries a part; one whose length is no multiple of 64 is copied first.
    fn table_parts(&mut self, out: &mut Text) {
        let mut parts = BTreeSet::new();
        for line in &self.program.lines {
            let Source::Call(call) = &line.source else { continue };
            parts.extend(call.args.iter().filter_map(|arg| match arg {
                Arg::Table(table, part) => Some((*table, *part)),
                Arg::Whole(..) | Arg::Low(..) | Arg::Call(_) | Arg::Text(_) | Arg::Opaque(_) => None,
            }));
        }
        let mut copied = BTreeSet::new();
        for (table, part) in parts {
            let argument = &self.kernel.tables[table.0 as usize];
            let (name, lane, entry) = (&self.tables[&table], Lane::of(argument.ty), type_name(argument.ty));
            let mut from = format!("{name}.add({})", part * 64);
            if !argument.length.is_multiple_of(64) {
                if copied.insert(table) {
                    let (length, whole) = (argument.length, argument.length.div_ceil(64) * 64);
                    out.line(format!("let mut {name}_entries = [0{entry}; {whole}];"));
                    out.line("// SAFETY: the table has that many entries, and the array is at least as long.");
                    out.line(format!(
                        "unsafe {{ ::core::ptr::copy_nonoverlapping({name}, {name}_entries.as_mut_ptr(), {length}) }};"
                    ));
                }
                from = format!("{name}_entries.as_ptr().add({})", part * 64);
            }
            out.line("// SAFETY: 64 entries stand there.");
            out.line(format!("let {name}_{part} = unsafe {{ vld1q_{}_x4({from}) }};", lane.suffix()));
        }
    }

    fn name_vectors(&mut self) {
        let mut read = BTreeSet::new();
        for line in self.program.before.iter().chain(&self.program.lines) {
            line.source.vectors(&mut |id| _ = read.insert(id));
        }
        read.extend(self.program.stores.iter().flat_map(|store| store.vectors.iter().copied()));
        for line in self.program.before.iter().chain(&self.program.lines) {
            for id in line.results.iter().filter(|id| read.contains(id)) {
                let wanted = &self.program.vectors[id.0 as usize].1;
                self.vectors[id.0 as usize] = self.names.claim(wanted);
            }
        }
    }

    fn line(&mut self, out: &mut Text, line: &Line) {
        let name = |id: &VectorId| self.vectors[id.0 as usize].as_str();
        match &line.source {
            Source::Call(call) => {
                let text = self.call(call);
                // The one call that reads memory is that of the ascending integers.
                if call.intrinsic.starts_with("vld1q") {
                    out.line(IN_ARRAY);
                    out.line(format!("let {} = unsafe {{ {text} }};", name(&line.results[0])));
                } else {
                    if call.args.iter().any(|arg| matches!(arg, Arg::Opaque(_))) {
                        out.line(OPAQUE);
                    }
                    out.line(format!("let {} = {text};", name(&line.results[0])));
                }
            }
            Source::Load { input, dy, offset, lane, count, .. } => {
                let place = moved(&self.inputs[&(*input, *dy)], *offset);
                out.line(READABLE);
                let suffix = lane.suffix();
                if *count == 1 {
                    let name = name(&line.results[0]);
                    out.line(format!("let {name} = unsafe {{ vld1q_{suffix}({place}) }};"));
                } else {
                    let (structure, names) = (lane.structure(*count), comma(line.results.iter().map(name)));
                    out.line(format!("let {structure}({names}) = unsafe {{ vld{count}q_{suffix}({place}) }};"));
                }
            }
            Source::LoadLane { input, dy, offset, lane, into, index, .. } => {
                let place = moved(&self.inputs[&(*input, *dy)], *offset);
                let (name, into, suffix) = (name(&line.results[0]), name(into), lane.suffix());
                out.line(READABLE);
                out.line(format!("let {name} = unsafe {{ vld1q_lane_{suffix}::<{index}>({place}, {into}) }};"));
            }
            Source::Gather { table, indices, index_lane, entry_lane } => {
                self.gather(out, &line.results, *table, indices, *index_lane, *entry_lane);
            }
        }
    }

    fn gather(
        &mut self,
        out: &mut Text,
        results: &[VectorId],
        table: TableId,
        indices: &[VectorId],
        index_lane: Lane,
        entry_lane: Lane,
    ) {
        let pointer = self.tables[&table].clone();
        let at = self.names.claim(&format!("{pointer}_at"));
        let entries = self.names.claim(&format!("{pointer}_entries"));
        let in_index = 128 / index_lane.bits();
        out.line(format!("let mut {at} = [0{}; {}];", scalar_name(index_lane), in_index as usize * indices.len()));
        for (place, &index) in indices.iter().enumerate() {
            let vector = self.whole(index, index_lane);
            let to = format!("{at}.as_mut_ptr().add({})", place * in_index as usize);
            out.line(IN_ARRAY);
            out.line(format!("unsafe {{ vst1q_{}({to}, {vector}) }};", index_lane.suffix()));
        }
        out.line(IN_TABLE);
        let read = "read_unaligned";
        out.line(format!("let {entries} = {at}.map(|index| unsafe {{ {pointer}.add(index as usize).{read}() }});"));
        for (place, id) in results.iter().enumerate() {
            let from = format!("{entries}.as_ptr().add({})", place * (128 / entry_lane.bits()) as usize);
            let name = &self.vectors[id.0 as usize];
            out.line(IN_ARRAY);
            out.line(format!("let {name} = unsafe {{ vld1q_{}({from}) }};", entry_lane.suffix()));
        }
    }

    fn store(&self, out: &mut Text, store: &StoreLine) {
        let place = moved(&self.outputs[&store.row], store.offset);
        let (count, suffix) = (store.vectors.len(), store.lane.suffix());
        let vectors = comma(store.vectors.iter().map(|&id| self.whole(id, store.lane)));
        out.line(WRITABLE);
        if count == 1 {
            out.line(format!("unsafe {{ vst1q_{suffix}({place}, {vectors}) }};"));
        } else {
            let structure = store.lane.structure(count as u32);
            out.line(format!("unsafe {{ vst{count}q_{suffix}({place}, {structure}({vectors})) }};"));
        }
    }

    fn call(&self, call: &Call) -> String {
        let immediate = call.immediate.map_or(String::new(), |n| format!("::<{n}>"));
        let args = comma(call.args.iter().map(|arg| self.arg(arg)));
        format!("{}{immediate}({args})", call.intrinsic)
    }

    fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Whole(id, lane) => self.whole(*id, *lane),
            Arg::Low(id, lane) => format!("vget_low_{}({})", lane.suffix(), self.whole(*id, *lane)),
            Arg::Call(call) => self.call(call),
            Arg::Text(text) => text.clone(),
            Arg::Opaque(text) => format!("unsafe {{ ::core::ptr::read_volatile(&{text}) }}"),
            Arg::Table(table, part) => format!("{}_{part}", self.tables[table]),
        }
    }

    /// A vector read as these lanes.
    fn whole(&self, id: VectorId, lane: Lane) -> String {
        let (name, own) = (&self.vectors[id.0 as usize], self.program.lane(id));
        if own == lane { name.clone() } else { format!("vreinterpretq_{}_{}({name})", lane.suffix(), own.suffix()) }
    }
}

/// `factor · x`
fn scaled(factor: u32) -> String {
    if factor == 1 { "x".to_owned() } else { format!("{factor} * x") }
}

/// A pointer moved by a constant.
fn moved(pointer: &str, offset: i64) -> String {
    if offset == 0 { pointer.to_owned() } else { format!("{pointer}.wrapping_offset({offset})") }
}
