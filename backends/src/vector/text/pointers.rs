//! The pointers of a function: to rows of inputs and outputs, to whole inputs and to tables.

use super::{Printer, moved};
use crate::rows::{cast_pointer, offset_name};
use crate::scopes;
use crate::text::Text;
use crate::vector::Target;
use crate::vector::program::{Arg, Base, Origin, Source};
use std::collections::BTreeSet;
use windrow_dsl::ir::{InputId, Op, TableId};

/// What a program reads.
#[derive(Debug, Default)]
struct Reads {
    /// Rows of inputs.
    rows: BTreeSet<(InputId, i32)>,
    tables: BTreeSet<TableId>,
    /// Channels of whole inputs whose elements are read one by one.
    views: BTreeSet<(InputId, u32)>,
    /// Inputs that are read, or measured, as a whole.
    whole: BTreeSet<InputId>,
}

impl<T: Target> Printer<'_, T> {
    /// What the program reads.
    fn reads(&self) -> Reads {
        let (mut reads, mut last) = (Reads::default(), None);
        let Reads { rows, tables, views, whole } = &mut reads;
        for line in self.program.lines() {
            match &line.source {
                Source::Load { place, .. } | Source::LoadLane { place, .. } => {
                    let Base::Row(input, dy) = place.base else { continue };
                    let row = (input, dy);
                    // Most loads are of the row of one before.
                    if last != Some(row) {
                        rows.insert(row);
                        last = Some(row);
                    }
                }
                Source::Gather { from: Origin::Table(table), .. } => _ = tables.insert(*table),
                Source::Gather { from: Origin::View { input, channel }, .. } => _ = views.insert((*input, *channel)),
                Source::Scalar { value, .. } => match self.body.node(*value).op {
                    Op::Lookup { table, .. } => _ = tables.insert(table),
                    Op::Extent { input, .. }
                    | Op::Stride { input, .. }
                    | Op::Plane { input, .. }
                    | Op::Gather { input, .. } => {
                        whole.insert(input);
                    }
                    _ => {}
                },
                Source::Contiguous { input, .. } => _ = whole.insert(*input),
                Source::Quad(quad) => _ = whole.insert(quad.input),
                Source::Repeated { .. } | Source::Either { .. } | Source::Across { .. } | Source::Turns(_) => {}
                Source::Call(_) if self.kernel.tables.is_empty() => {}
                Source::Call(call) => tables.extend(call.args.iter().filter_map(Arg::table)),
            }
        }
        reads
    }

    /// Declares pointers to what is read and written.
    pub(super) fn pointers(&mut self, out: &mut Text) {
        let Reads { rows, tables, views, whole } = self.reads();
        self.row_pointers(out, rows);
        for input in whole {
            // In the function's own variable: nothing that it stores changes it.
            let name = self.names.claim_text(&format!("{}_view", self.kernel.inputs[input.0 as usize].name));
            out.line(format!("let {name} = rows.views[{}];", self.kernel.whole_index(input)));
            self.whole.insert(input, name);
        }
        self.view_pointers(out, views);
        for table in tables {
            let argument = &self.kernel.tables[table.0 as usize];
            let parts: Vec<String> =
                (0..256 / self.target.machine().byte_entries).map(|part| format!("_{part}")).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let name = self.names.claim_family(&argument.name, &parts);
            out.line(format!("let {name} = rows.tables[{}]{};", table.0, cast_pointer(argument.ty)));
            self.tables.insert(table, name);
        }
        self.output_pointers(out);
    }

    /// A pointer to each row of an input that is read.
    fn row_pointers(&mut self, out: &mut Text, inputs: BTreeSet<(InputId, i32)>) {
        let mut rows = Vec::with_capacity(inputs.len());
        for (input, dy) in inputs {
            let argument = &self.kernel.inputs[input.0 as usize];
            let is_single = self.plan.rows == 1 && argument.neighbourhood.top == argument.neighbourhood.bottom;
            let wanted = if is_single { "row".to_owned() } else { format!("row_{}", offset_name(dy)) };
            let name = self.names.claim_text(&format!("{}_{wanted}", argument.name));
            let row = format!("rows.inputs[{}]{}", self.plan.input(input, dy), cast_pointer(argument.ty));
            rows.push((name.clone(), row));
            self.input_rows.insert((input, dy), name);
        }
        scopes::declare(out, &rows);
    }

    /// A pointer to each row of an output that is written.
    fn output_pointers(&mut self, out: &mut Text) {
        for store in &self.program.stores {
            if self.output_rows.contains_key(&store.row) {
                continue;
            }
            let output = &self.kernel.outputs[store.row.0.0 as usize];
            let wanted = if self.plan.rows == 1 { "row".to_owned() } else { format!("row_{}", store.row.1) };
            let name = self.names.claim_text(&format!("{}_{wanted}", output.name));
            let place = self.plan.output(store.row.0, store.row.1);
            out.line(format!("let {name} = rows.outputs[{place}]{};", cast_pointer(output.ty)));
            self.output_rows.insert(store.row, name);
        }
    }

    /// A pointer to the first element of each channel of a whole input that is read.
    fn view_pointers(&mut self, out: &mut Text, views: BTreeSet<(InputId, u32)>) {
        for (input, channel) in views {
            let argument = &self.kernel.inputs[input.0 as usize];
            let wanted = if argument.channels == 1 { "first".to_owned() } else { format!("first_{channel}") };
            let name = self.names.claim_text(&format!("{}_{wanted}", argument.name));
            let place = self.kernel.whole_index(input);
            let first = format!("rows.views[{place}].first{}", cast_pointer(argument.ty));
            out.line(format!("let {name} = {};", moved(&first, channel.into())));
            self.views.insert((input, channel), name);
        }
    }
}
