//! The row and table pointers of a function.

use super::Emitter;
use super::reading::{Memory, coordinate};
use crate::rows::{cast_pointer, offset_name};
use crate::scopes;
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use windrow_dsl::ir::{AxisId, InputId, Kernel, Op, OutputId, TableId, Tap};

/// The names of the pointers that a body uses.
pub(super) struct Pointers<'a> {
    pub(super) kernel: &'a Kernel,
    /// [`Emitter::group`].
    pub(super) group: Option<String>,
    pub(super) inputs: BTreeMap<(InputId, i32), String>,
    pub(super) outputs: BTreeMap<OutputId, String>,
    pub(super) tables: BTreeMap<TableId, String>,
    /// Copies of views; the others are read where they lie.
    pub(super) views: BTreeMap<InputId, String>,
}

impl<'a> Pointers<'a> {
    pub(super) fn none(kernel: &'a Kernel) -> Self {
        Pointers {
            kernel,
            group: None,
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            tables: BTreeMap::new(),
            views: BTreeMap::new(),
        }
    }
}

impl Memory for Pointers<'_> {
    fn table(&self, table: TableId) -> &str {
        &self.tables[&table]
    }

    fn view(&self, input: InputId) -> String {
        self.views.get(&input).cloned().unwrap_or_else(|| format!("rows.views[{}]", self.kernel.whole_index(input)))
    }

    fn coordinate(&self, axis: AxisId) -> String {
        match &self.group {
            Some(group) if axis == AxisId::Y => format!("rows.y + {group} as i32"),
            _ => coordinate(axis),
        }
    }

    fn dimensions(&self, input: InputId) -> u32 {
        self.kernel.inputs[input.0 as usize].dimensions()
    }
}

impl<'a> Emitter<'a> {
    /// The row and table pointers, before the loop.
    pub(super) fn pointers(&mut self, out: &mut Text) -> Pointers<'a> {
        let mut pointers = Pointers::none(self.kernel);
        self.input_rows(out, &mut pointers);
        self.tables(out, &mut pointers);
        self.output_rows(out, &mut pointers);
        pointers
    }

    pub(super) fn input_rows(&mut self, out: &mut Text, pointers: &mut Pointers<'a>) {
        let taps = self.body.nodes.iter().filter_map(|node| node.op.tap());
        let inputs: BTreeSet<_> = taps.map(|Tap { input, dy, .. }| (input, dy)).collect();
        let mut rows = Vec::with_capacity(inputs.len());
        for (input, dy) in inputs {
            let argument = &self.kernel.inputs[input.0 as usize];
            let wanted = if argument.neighbourhood.top == argument.neighbourhood.bottom {
                format!("{}_row", argument.name)
            } else {
                format!("{}_row_{}", argument.name, offset_name(dy))
            };
            let name = self.values.names.claim_text(&wanted);
            let row = self.row("inputs", self.plan.input(input, dy), 0) + &cast_pointer(argument.ty);
            rows.push((name.clone(), row));
            pointers.inputs.insert((input, dy), name);
        }
        scopes::declare(out, &rows);
    }

    pub(super) fn tables(&mut self, out: &mut Text, pointers: &mut Pointers<'a>) {
        let lookups = self.body.nodes.iter().filter_map(|node| match node.op {
            Op::Lookup { table, .. } => Some(table),
            _ => None,
        });
        for table in lookups.collect::<BTreeSet<_>>() {
            let argument = &self.kernel.tables[table.0 as usize];
            let name = self.values.names.claim_text(&argument.name);
            out.line(format!("let {name} = rows.tables[{}]{};", table.0, cast_pointer(argument.ty)));
            pointers.tables.insert(table, name);
        }
    }

    /// Copies views: a compiler keeps what it knows that no store changes.
    pub(super) fn views(&mut self, out: &mut Text, pointers: &mut Pointers<'a>) {
        for (index, argument) in self.kernel.inputs.iter().enumerate().filter(|(_, argument)| argument.is_whole) {
            let input = InputId(index as u32);
            let name = self.values.names.claim_text(&argument.name);
            out.line(format!("let {name} = {};", pointers.view(input)));
            pointers.views.insert(input, name);
        }
    }

    pub(super) fn output_rows(&mut self, out: &mut Text, pointers: &mut Pointers<'a>) {
        for id in self.body.stores.iter().map(|store| store.to.tensor).collect::<BTreeSet<_>>() {
            let output = &self.kernel.outputs[id.0 as usize];
            let name = self.values.names.claim_text(&format!("{}_row", output.name));
            let row = self.row("outputs", self.plan.output(id, 0), self.plan.input_pointers());
            out.line(format!("let {name} = {row}{};", cast_pointer(output.ty)));
            pointers.outputs.insert(id, name);
        }
    }

    /// A row pointer of the group that is computed, by the number of those before it.
    fn row(&self, of: &str, place: usize, before: usize) -> String {
        let first = format!("rows.{of}[{place}]");
        match &self.group {
            Some(group) => format!("{first}.wrapping_offset({group} as isize * rows.down[{}])", before + place),
            None => first,
        }
    }
}
