//! OpenCL C 1.2: one program a kernel, readable, and equal to the author's function to the bit.
//!
//! [`emit`] writes the text and lists its entry points: one for each choice of variants, subset of outputs and block of
//! the schedule. The calling convention is that of `OpenClEntry` in the runtime's `code.rs`. The program is to be
//! built with [`OPTIONS`].

mod access;
mod block;
mod classes;
mod edges;
mod entry;
mod expression;
mod head;
mod images;
mod names;
mod operation;
mod pieces;
mod prelude;
mod reads;
mod reals;
mod schedule;
mod signature;
mod steps;
mod stores;
mod survey;
mod template;
mod types;
mod value_names;
mod ways;

use crate::lines::with_directives;
use crate::text::{Mark, Text};
use block::{Function, Reads};
use entry::{Arguments, Entry};
use names::Names;
use pieces::Unit;
use prelude::Prelude;
use schedule::Schedule;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use steps::{Steps, find_steps};
use survey::Needs;
use windrow_dsl::{
    ir::{Block, Body, Kernel},
    optimise::Prepared,
};

pub use images::{CONSTANT, NoImageForm, check_images};
pub use schedule::Form;
pub use signature::signature;

/// Without it a device may round `/` and `sqrt` of floats as it likes, and law 4 of `docs/design.md` does not hold for them.
const CORRECTLY_ROUNDED: &str = "-cl-fp32-correctly-rounded-divide-sqrt";

/// What every program is to be built with.
pub const OPTIONS: &str = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";

/// The program of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClText {
    /// The whole text.
    pub source: String,
    /// Its entry points: by index, then by schedule, the default schedule first.
    pub entries: Vec<EntryPoint>,
}

/// An entry point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The function's name.
    pub name: String,
    /// Which choice of variants and subset of outputs it computes.
    pub index: u32,
    /// Elements that a work-item computes, (x, y).
    pub block: (u32, u32),
    /// How it computes; the results are the same.
    pub form: Form,
}

/// Writes the program of a kernel.
pub fn emit(kernel: &Kernel, prepared: &Prepared) -> OpenClText {
    emit_with_lines(kernel, prepared, None)
}

/// The same; with `file`, a `#line` before each statement leads back to the author's there.
pub fn emit_with_lines(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> OpenClText {
    with_directives(Programs::new(kernel, prepared, file.is_some()).buffers(), file.unwrap_or_default())
}

/// Writes the image form of a kernel's program; with `file`, a `#line` before each statement leads back to the author's there.
///
/// # Errors
/// The kernel has no such form: see [`check_images`].
pub fn emit_images(kernel: &Kernel, prepared: &Prepared, file: Option<&str>) -> Result<OpenClText, NoImageForm> {
    let marked = Programs::new(kernel, prepared, file.is_some()).images()?;
    Ok(with_directives(marked, file.unwrap_or_default()))
}

/// A program, and where its statements are from.
pub(crate) type Marked = (OpenClText, Vec<Mark>);

/// The programs of a kernel, which share what they compute.
pub(crate) struct Programs<'a> {
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

/// The number of a body, that of its form, and the block.
type Asked = (usize, usize, Block);

impl<'a> Programs<'a> {
    pub(crate) fn new(kernel: &'a Kernel, prepared: &'a Prepared, is_marked: bool) -> Self {
        let (prepared, arguments) = (prepared.for_fused(kernel), Arguments::of(kernel));
        let costs = vec![OnceCell::new(); prepared.bodies.len()];
        Self { kernel, prepared, is_marked, arguments, costs, steps: RefCell::default() }
    }

    /// What each form of a body costs.
    fn costs(&self, index: usize) -> &[usize] {
        self.costs[index].get_or_init(|| schedule::costs_of_elements(self.kernel, self.prepared, index))
    }

    /// Writes the program whose images are buffers.
    pub(crate) fn buffers(&self) -> Marked {
        let Self { kernel, prepared, .. } = *self;
        let mut writer = Writer::new(self, Reads::Buffers);
        let mut names = Names::default();
        let mut entries = Vec::new();
        for (index, body) in prepared.bodies.iter().enumerate() {
            let schedules = schedule::schedules(kernel, prepared, index, self.costs(index));
            for (place, schedule) in schedules.into_iter().enumerate() {
                let wanted = entry_name(kernel, body, &schedule, place == 0);
                let name = names.claim_with(&wanted, &["_block", "_between", "_edge"]);
                writer.entry_point(&schedule, &name);
                entries.push(schedule.entry_point(name));
            }
        }
        writer.finish(entries)
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
    kernel: &'a Kernel,
    has_words: bool,
    /// Whether some function computes with floats.
    has_floats: bool,
    reads: Reads,
    prelude: Prelude,
    functions: Text,
    /// Entry points of each shape so far.
    shapes: Vec<(Shape, Text)>,
}

/// What entry points differ in, but for their names.
#[derive(PartialEq, Eq)]
struct Shape {
    needs: Needs,
    block: Block,
    unit: Unit,
    lanes: u32,
}

/// What stands for the name in an entry point's text.
const NAME: char = '\0';

impl<'a> Writer<'a> {
    fn new(programs: &'a Programs<'a>, reads: Reads) -> Self {
        let Programs { kernel, prepared, .. } = *programs;
        let has_words = !(kernel.uniforms.is_empty() && prepared.derive.words.is_empty());
        let (prelude, functions) = (Prelude::default(), Text::new());
        Self { programs, kernel, has_words, has_floats: false, reads, prelude, functions, shapes: Vec::new() }
    }

    /// Writes the block function of an entry point, and the entry point.
    fn entry_point(&mut self, schedule: &Schedule<'_>, name: &str) {
        let Schedule { unit, lanes, block, .. } = *schedule;
        let shape = Shape { needs: self.block_function(schedule, name), block, unit, lanes };
        self.functions.line("");
        let known = self.shapes.iter().position(|(own, _)| *own == shape);
        let place = known.unwrap_or_else(|| self.shape(shape));
        self.functions.lines_of(&self.shapes[place].1, NAME, name);
    }

    /// Writes an entry point of a shape that none had before, without its name; the result is its place among all.
    fn shape(&mut self, shape: Shape) -> usize {
        let Self { programs, kernel, has_words, .. } = *self;
        let Shape { ref needs, block, unit, lanes } = shape;
        let (mut text, name, arguments) = (Text::new(), &NAME.to_string(), &programs.arguments);
        let entry = Entry { kernel, name, arguments, needs, block, unit, lanes, has_words };
        entry::emit(&mut text, &mut self.prelude, &entry);
        self.shapes.push((shape, text));
        self.shapes.len() - 1
    }

    /// Writes the function that computes a block; the result is what it needs.
    fn block_function(&mut self, schedule: &Schedule<'_>, name: &str) -> Needs {
        let Self { programs, kernel, reads, .. } = *self;
        let Schedule { unit, lanes, block, .. } = *schedule;
        let steps = programs.steps(schedule);
        let needs = Needs::of(&steps.nodes, &steps.stores);
        self.has_floats |= needs.floats;
        let out = &mut self.functions;
        out.line("");
        out.line(format!("// What a work-item of {name} computes: {} x {} elements.", block.x, block.y));
        let function = Function { name, kernel, unit, lanes, size: block, reads, is_marked: programs.is_marked };
        block::emit(out, &mut self.prelude, function, &needs, steps);
        needs
    }

    /// Head, helpers, functions.
    fn finish(self, entries: Vec<EntryPoint>) -> Marked {
        let mut head = Text::new();
        signature::emit(&mut head, self.kernel, self.programs.prepared, self.reads);
        head.line("");
        head.line("#pragma OPENCL FP_CONTRACT OFF");
        let helpers = self.prelude.text(reals::has_real_images(self.kernel));
        let (functions, mut marks) = self.functions.finish_marked();
        let [helpers, functions] = reals::resolve(self.kernel, self.has_floats, [helpers, functions]);
        let head = head.finish() + &helpers;
        let above = if marks.is_empty() { 0 } else { head.matches('\n').count() };
        for mark in &mut marks {
            mark.line += above;
        }
        (OpenClText { source: head + &functions, entries }, marks)
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
