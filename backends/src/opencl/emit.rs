//! Writes the programs of a kernel: the block functions and entry points of every body's schedules, under what they use.

use super::block::writer::{self, Written};
use super::c::names::{self, Names};
use super::c::prelude::Prelude;
use super::c::types::Floats;
use super::entry::arguments::Arguments;
use super::entry::function::Entry;
use super::head;
use super::images::{NoImageForm, check_images};
use super::program::{EntryPoint, Function, Needs, OpenClForm, OpenClText, Reads};
use super::row_groups::{WHOLE_ROW, rows_first};
use super::schedule::{Schedule, schedules};
use crate::lines::{table, with_directives};
use crate::text::{Mark, Text};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{Block, Body, Kernel, Type};
use windrow_dsl::optimise::{Nested, Prepared};

/// A program, with the author's lines as pairs `program:author`: from that line of the program on, until the next pair, the
/// author's line is this one; 0 where there is none.
pub type Tabled = (OpenClText, String);

/// Writes the program of a kernel.
pub fn emit(kernel: &Kernel, prepared: &Prepared) -> OpenClText {
    emit_with_lines(kernel, prepared, None)
}

/// The same; with `file`, a `#line` before each statement leads back to the author's there.
pub fn emit_with_lines(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> OpenClText {
    directed(program(kernel, prepared, Reads::Buffers, file.is_some(), &Nests::default()), file)
}

/// Writes the image form of a kernel's program; with `file`, a `#line` before each statement leads back to the author's there.
///
/// # Errors
/// The kernel has no such form: see [`check_images`].
pub fn emit_images(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> Result<OpenClText, NoImageForm> {
    check_images(kernel)?;
    Ok(directed(program(kernel, prepared, Reads::Images, file.is_some(), &Nests::default()), file))
}

/// The program of a kernel, with marks at its statements; for images, or why there is no such form.
///
/// # Errors
/// The kernel has no image form: see [`check_images`].
pub fn emit_marked(kernel: &Kernel, prepared: &Prepared, reads: Reads) -> Result<(OpenClText, Vec<Mark>), NoImageForm> {
    if reads == Reads::Images {
        check_images(kernel)?;
    }
    Ok(program(kernel, prepared, reads, true, &Nests::default()))
}

/// The program of a kernel, and its image form or why there is none.
pub fn emit_with_tables(kernel: &Kernel, prepared: &Prepared) -> (Tabled, Result<Tabled, NoImageForm>) {
    let nests = Nests::default();
    let tabled = |reads| {
        let (text, marks) = program(kernel, prepared, reads, true, &nests);
        (text, table(&marks))
    };
    (tabled(Reads::Buffers), check_images(kernel).map(|()| tabled(Reads::Images)))
}

fn directed((mut text, marks): (OpenClText, Vec<Mark>), file: Option<&str>) -> OpenClText {
    text.source = with_directives(text.source, &marks, file.unwrap_or_default());
    text
}

/// Writes a program: what every schedule of every body computes. With `is_marked`, its statements say which token of
/// the author's they are from.
fn program<'a>(
    kernel: &'a Kernel,
    prepared: &'a Prepared,
    reads: Reads,
    is_marked: bool,
    nests: &'a Nests<'a>,
) -> (OpenClText, Vec<Mark>) {
    let prepared = prepared.for_fused(kernel);
    let mut writer = Writer {
        kernel,
        prepared,
        is_marked,
        nests,
        arguments: Arguments::of_entry(kernel),
        reads,
        floats: Floats::of(kernel),
        prelude: Prelude::default(),
        functions: Text::new(),
        names: Names::default(),
        entries: Vec::new(),
        refused: Vec::new(),
    };
    for (index, body) in prepared.bodies.iter().enumerate() {
        for (place, schedule) in schedules(kernel, prepared, index, reads).iter().enumerate() {
            let name = entry_name(kernel, body, schedule, reads == Reads::Images || place == 0);
            writer.entry_point(schedule, &if reads == Reads::Images { format!("{name}_image") } else { name });
        }
    }
    writer.finish()
}

/// The bodies of schedules in their nests: a kernel's programs have some in common.
#[derive(Default)]
struct Nests<'a> {
    known: RefCell<Vec<(Asked<'a>, Rc<Nested>)>>,
}

/// The phases of a form, lanes, and a block in vectors.
type Asked<'a> = (&'a [Body], u32, Block);

impl<'a> Nests<'a> {
    /// That of a schedule. One whose body is its own is in one program alone.
    fn of(&self, schedule: &Schedule<'a>) -> Rc<Nested> {
        let Schedule { lanes, block, unit, .. } = *schedule;
        let vectors = Block { x: block.x / (lanes * unit.elements()), y: block.y };
        let make = || Rc::new(Nested::of(&schedule.phases, lanes, vectors));
        let Cow::Borrowed(phases) = schedule.phases else { return make() };
        let is_same = |(own, own_lanes, own_block): Asked<'a>| {
            std::ptr::eq(own, phases) && own_lanes == lanes && own_block == vectors
        };
        let known = self.known.borrow().iter().find(|(asked, _)| is_same(*asked)).map(|(_, nested)| Rc::clone(nested));
        known.unwrap_or_else(|| {
            let nested = make();
            self.known.borrow_mut().push(((phases, lanes, vectors), Rc::clone(&nested)));
            nested
        })
    }
}

/// A program under construction.
struct Writer<'a> {
    kernel: &'a Kernel,
    prepared: &'a Prepared,
    is_marked: bool,
    nests: &'a Nests<'a>,
    /// The names of the arguments of entry points.
    arguments: Arguments,
    reads: Reads,
    floats: Floats,
    prelude: Prelude,
    functions: Text,
    names: Names,
    entries: Vec<EntryPoint>,
    /// What no function was written for.
    refused: Vec<Diagnostic>,
}

impl<'a> Writer<'a> {
    /// Writes the block function of an entry point, and the entry point.
    fn entry_point(&mut self, schedule: &Schedule<'a>, wanted: &str) {
        let Self { kernel, prepared, is_marked, nests, ref arguments, reads, ref floats, .. } = *self;
        let parts: &[&str] = match reads {
            Reads::Buffers if schedule.group.is_none() => &["_block", "_between", "_edge"],
            Reads::Buffers | Reads::Images => &["_block"],
        };
        let name = &*self.names.claim_with(wanted, parts);
        let mut nested = nests.of(schedule);
        if schedule.computes_rows {
            nested = Rc::new(nested.listed(&rows_first(&nested.nodes)));
        }
        let mut needs = Needs::of(&nested.nodes, &nested.stores);
        needs.coordinates |= schedule.computes_rows;
        let needs = &needs;
        let has_words = !(kernel.uniforms.is_empty() && prepared.derive.words.is_empty());
        let given = &Needs::of_kernel(kernel, has_words);
        let function = Function { name, kernel, schedule, reads, needs, is_marked, floats };
        let (out, prelude) = (&mut self.functions, &mut self.prelude);
        out.line("");
        let Block { x, y } = schedule.block;
        out.line(match schedule.computes_rows {
            true => format!("// What a work-item of {name} computes: some elements of a row."),
            false => format!("// What a work-item of {name} computes: {x} x {y} elements."),
        });
        let Written { has_runs, tiles, lanes } = match writer::emit(out, prelude, function, &nested) {
            Ok(written) => written,
            Err(refused) => return self.refused.extend(refused),
        };
        out.line("");
        let entry = Entry { out, prelude, function, has_runs, tiles, lanes, arguments, given };
        match (reads, schedule.group) {
            (Reads::Buffers, None) => entry.of_buffers(),
            (Reads::Buffers, Some(group)) if schedule.computes_rows => entry.of_rows(group),
            (Reads::Buffers, Some(group)) => entry.of_groups(group),
            (Reads::Images, _) => entry.of_images(),
        }
        let (index, form) = (schedule.index as u32, schedule.form);
        self.entries.push(EntryPoint {
            name: name.to_owned(),
            index,
            block: if schedule.computes_rows { (WHOLE_ROW, y) } else { (x, y) },
            group: schedule.group.map(|group| (group.x, group.y, group.planes)),
            form,
        });
    }

    /// Head, helpers, functions.
    fn finish(self) -> (OpenClText, Vec<Mark>) {
        let mut head = Text::new();
        let has_groups = self.entries.iter().any(|entry| entry.group.is_some());
        head::emit(&mut head, self.kernel, self.prepared, self.reads, has_groups);
        head.line("");
        head.line("#pragma OPENCL FP_CONTRACT OFF");
        let mut nodes = self.prepared.bodies.iter().flat_map(|body| &body.nodes);
        if nodes.any(|node| node.ty == Type::F64) {
            // By this, who builds the program knows that the device must have them.
            head.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
        }
        let helpers = self.prelude.text(&self.floats);
        let head = head.finish() + &self.floats.definitions() + &helpers;
        let (functions, mut marks) = self.functions.finish_marked();
        let above = if marks.is_empty() { 0 } else { head.matches('\n').count() };
        marks.iter_mut().for_each(|mark| mark.line += above);
        let source = head + &functions;
        (OpenClText { source, entries: self.entries, refused: self.refused }, marks)
    }
}

/// `sobel3x3`, `multiply__wrap`, `sobel3x3__dx`, `gaussian3x3_16x8`.
fn entry_name(kernel: &Kernel, body: &Body, schedule: &Schedule<'_>, is_default: bool) -> String {
    // Some drivers refuse an entry point with the name of a built-in function.
    let mut name =
        if names::is_reserved(&kernel.name) { format!("{}_kernel", kernel.name) } else { kernel.name.clone() };
    for (variant, &value) in kernel.variants.iter().zip(&body.choice) {
        if let Some(value) = variant.values.get(value as usize) {
            name += &format!("__{}", snake_case(value));
        }
    }
    let outputs = Needs::of(&[], &body.stores).outputs;
    if outputs.len() < kernel.outputs.len() {
        let kept: Vec<_> = outputs.iter().map(|id| kernel.outputs[id.0 as usize].name.as_str()).collect();
        name += &format!("__{}", kept.join("_"));
    }
    if schedule.form != OpenClForm::Vectors {
        name += "_pairs";
    }
    if schedule.computes_rows {
        return name + "_rows";
    }
    if !is_default {
        name += &format!("_{}x{}", schedule.block.x, schedule.block.y);
    }
    if schedule.group.is_some() {
        name += "_tiled";
    }
    name
}

/// `NearestEven` as `nearest_even`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (place, c) in name.chars().enumerate() {
        if c.is_uppercase() && place > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
