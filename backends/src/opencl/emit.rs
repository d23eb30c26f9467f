//! Writes the programs of a kernel: the block functions and entry points of every body's schedules, under what they use.

use super::arguments::Arguments;
use super::block;
use super::entry::Entry;
use super::floats::Floats;
use super::images::{NoImageForm, check_images};
use super::names::{self, Names};
use super::prelude::Prelude;
use super::program::{EntryPoint, Form, Function, Marked, Needs, OpenClText, Reads};
use super::schedule::{self, Schedule};
use super::signature;
use super::steps::{Steps, find_steps};
use crate::lines::{table, with_directives};
use crate::text::Text;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use windrow_dsl::ir::{Block, Body, Kernel};
use windrow_dsl::optimise::Prepared;

/// A program, with the author's lines as pairs `program:author`: from that line of the program on, until the next pair, the
/// author's line is this one; 0 where there is none.
pub type Tabled = (OpenClText, String);

/// Writes the program of a kernel.
pub fn emit(kernel: &Kernel, prepared: &Prepared) -> OpenClText {
    emit_with_lines(kernel, prepared, None)
}

/// The same; with `file`, a `#line` before each statement leads back to the author's there.
pub fn emit_with_lines(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> OpenClText {
    directed(Programs::new(kernel, prepared, file.is_some()).buffers(), file)
}

/// Writes the image form of a kernel's program; with `file`, a `#line` before each statement leads back to the author's there.
///
/// # Errors
/// The kernel has no such form: see [`check_images`].
pub fn emit_images(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> Result<OpenClText, NoImageForm> {
    Ok(directed(Programs::new(kernel, prepared, file.is_some()).images()?, file))
}

/// The program of a kernel, and its image form or why there is none.
pub fn emit_with_tables(kernel: &Kernel, prepared: &Prepared) -> (Tabled, Result<Tabled, NoImageForm>) {
    let programs = Programs::new(kernel, prepared, true);
    let tabled = |(text, marks): Marked| (text, table(&marks));
    (tabled(programs.buffers()), programs.images().map(tabled))
}

fn directed((mut text, marks): Marked, file: Option<&str>) -> OpenClText {
    text.source = with_directives(text.source, &marks, file.unwrap_or_default());
    text
}

/// The number of a body, that of its form, and the block.
type Asked = (usize, usize, Block);

/// The programs of a kernel, which share what they compute.
struct Programs<'a> {
    kernel: &'a Kernel,
    prepared: &'a Prepared,
    /// Whether statements say which line of the author's they are from.
    is_marked: bool,
    /// The names of the arguments of entry points.
    arguments: Arguments,
    /// What the forms of each body cost, once a program has asked for it.
    costs: Vec<OnceCell<Vec<usize>>>,
    /// What was found for schedules of elements.
    steps: RefCell<Vec<(Asked, Rc<Steps>)>>,
}

impl<'a> Programs<'a> {
    fn new(kernel: &'a Kernel, prepared: &'a Prepared, is_marked: bool) -> Self {
        let (prepared, arguments) = (prepared.for_fused(kernel), Arguments::of_entry(kernel));
        let costs = vec![OnceCell::new(); prepared.bodies.len()];
        Self { kernel, prepared, is_marked, arguments, costs, steps: RefCell::default() }
    }

    /// What each form of a body costs.
    fn costs(&self, index: usize) -> &[usize] {
        self.costs[index].get_or_init(|| schedule::costs_of_elements(self.kernel, self.prepared, index))
    }

    /// Writes the program whose images are buffers.
    fn buffers(&self) -> Marked {
        let mut writer = Writer::new(self, Reads::Buffers);
        for (index, body) in self.prepared.bodies.iter().enumerate() {
            let schedules = schedule::schedules(self.kernel, self.prepared, index, self.costs(index));
            for (place, schedule) in schedules.iter().enumerate() {
                writer.entry_point(schedule, &entry_name(self.kernel, body, schedule, place == 0));
            }
        }
        writer.finish()
    }

    /// Writes the program whose inputs are images.
    fn images(&self) -> Result<Marked, NoImageForm> {
        check_images(self.kernel)?;
        let mut writer = Writer::new(self, Reads::Images);
        for (index, body) in self.prepared.bodies.iter().enumerate() {
            let schedule = schedule::of_images(self.kernel, self.prepared, index, self.costs(index));
            writer.entry_point(&schedule, &format!("{}_image", entry_name(self.kernel, body, &schedule, true)));
        }
        Ok(writer.finish())
    }

    /// The steps of a schedule: elements read from buffers have those of elements read from images.
    fn steps(&self, schedule: &Schedule<'_>) -> Rc<Steps> {
        let Schedule { index, place, unit, lanes, block, .. } = *schedule;
        let vectors = Block { x: block.x / (lanes * unit.elements()), y: block.y };
        let find = || Rc::new(find_steps(self.kernel, &schedule.phases, lanes, vectors));
        if schedule.form != Form::Vectors {
            return find();
        }
        let asked = (index, place, block);
        let known = self.steps.borrow().iter().find(|(own, _)| *own == asked).map(|(_, steps)| Rc::clone(steps));
        known.unwrap_or_else(|| {
            let steps = find();
            self.steps.borrow_mut().push((asked, Rc::clone(&steps)));
            steps
        })
    }
}

/// A program under construction.
struct Writer<'a> {
    programs: &'a Programs<'a>,
    reads: Reads,
    floats: Floats,
    prelude: Prelude,
    functions: Text,
    names: Names,
    entries: Vec<EntryPoint>,
}

impl<'a> Writer<'a> {
    fn new(programs: &'a Programs<'a>, reads: Reads) -> Self {
        let floats = Floats::of(programs.kernel);
        let (prelude, functions, names) = (Prelude::default(), Text::new(), Names::default());
        Self { programs, reads, floats, prelude, functions, names, entries: Vec::new() }
    }

    /// Writes the block function of an entry point, and the entry point.
    fn entry_point(&mut self, schedule: &Schedule<'_>, wanted: &str) {
        let (programs, reads) = (self.programs, self.reads);
        let Programs { kernel, prepared, ref arguments, is_marked, .. } = *programs;
        let parts: &[&str] = match reads {
            Reads::Buffers => &["_block", "_between", "_edge"],
            Reads::Images => &["_block"],
        };
        let name = &*self.names.claim_with(wanted, parts);
        let steps = programs.steps(schedule);
        let needs = &Needs::of(&steps.nodes, &steps.stores);
        let has_words = !(kernel.uniforms.is_empty() && prepared.derive.words.is_empty());
        let given = &Needs::of_kernel(kernel, has_words);
        let function = Function { name, kernel, schedule, reads, needs, is_marked, floats: &self.floats };
        let (out, prelude) = (&mut self.functions, &mut self.prelude);
        out.line("");
        let Block { x, y } = schedule.block;
        out.line(format!("// What a work-item of {name} computes: {x} x {y} elements."));
        block::emit(out, prelude, function, steps);
        out.line("");
        let entry = Entry { out, prelude, function, arguments, given };
        match reads {
            Reads::Buffers => entry.of_buffers(),
            Reads::Images => entry.of_images(),
        }
        self.entries.push(schedule.entry_point(name.to_owned()));
    }

    /// Head, helpers, functions.
    fn finish(self) -> Marked {
        let mut head = Text::new();
        signature::emit(&mut head, self.programs.kernel, self.programs.prepared, self.reads);
        head.line("");
        head.line("#pragma OPENCL FP_CONTRACT OFF");
        let helpers = self.prelude.text(&self.floats);
        let head = head.finish() + &self.floats.definitions() + &helpers;
        let (functions, mut marks) = self.functions.finish_marked();
        let above = if marks.is_empty() { 0 } else { head.matches('\n').count() };
        marks.iter_mut().for_each(|mark| mark.line += above);
        (OpenClText { source: head + &functions, entries: self.entries }, marks)
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
    if schedule.form != Form::Vectors {
        name += "_pairs";
    }
    if !is_default {
        name += &format!("_{}x{}", schedule.block.x, schedule.block.y);
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
