//! The image form of a kernel's program: the same bodies, whose inputs are images that are read through samplers.
//!
//! The samplers are the border, so that a work-item computes every block alike: what it reads past an edge is what the
//! sampler finds there, and only its stores keep to the window. [`check_images`] says which kernels have the form. Outputs stay
//! buffers: an image is read or written, and a stage that follows may want either.

use super::{
    Marked, Programs, Writer,
    block::Reads,
    entry::{
        Arguments, Entry, WINDOW, aligned, alignments_of_outputs, firsts_of_outputs, has_neighbourhood, head,
        in_window, origin, place,
    },
    entry_name,
    names::Names,
    schedule::{self, Schedule},
    ways::{call, sink},
};
use std::fmt;
use windrow_dsl::ir::{BorderMode, Kernel};

/// What a program in image form is built with where a border's constant has a bit set: a sampler's own is all zeros.
pub const CONSTANT: &str = "WINDROW_CONSTANT";

/// Why a kernel has no image form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoImageForm {
    /// Nothing is read around an element.
    NoNeighbourhood,
    /// An output that is an input too.
    InPlace(
        /// The input.
        String,
    ),
    /// Elements of several channels.
    Channels {
        /// The input.
        input: String,
        /// The type of a channel.
        element: &'static str,
        /// How many there are.
        channels: u32,
    },
    /// Borders that no sampler finds.
    Borders,
}

impl fmt::Display for NoImageForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNeighbourhood => f.write_str("no input is read around an element, so that no sampler is of use"),
            Self::InPlace(input) => write!(f, "`{input}` is written where it is read, an image is one or the other"),
            Self::Channels { input, element, channels } => {
                write!(f, "`{input}` is of [{element}; {channels}], images of this form have one channel")
            }
            Self::Borders => f.write_str("none of its borders is one that a sampler finds"),
        }
    }
}

/// Whether a kernel has an image form, or why it has none.
///
/// # Errors
/// The first reason.
pub fn check_images(kernel: &Kernel) -> Result<(), NoImageForm> {
    if !kernel.inputs.iter().any(has_neighbourhood) {
        return Err(NoImageForm::NoNeighbourhood);
    }
    if let Some(input) = kernel.inputs.iter().find(|input| input.inout.is_some()) {
        return Err(NoImageForm::InPlace(input.name.clone()));
    }
    if let Some(input) = kernel.inputs.iter().find(|input| input.channels != 1) {
        let (element, channels) = (input.ty.name(), input.channels);
        return Err(NoImageForm::Channels { input: input.name.clone(), element, channels });
    }
    let is_found = |mode: &BorderMode| match mode {
        BorderMode::Undefined | BorderMode::Constant | BorderMode::Replicate => true,
        BorderMode::Reflect | BorderMode::Reflect101 | BorderMode::Wrap => false,
    };
    if kernel.borders.iter().any(is_found) { Ok(()) } else { Err(NoImageForm::Borders) }
}

impl Programs<'_> {
    /// Writes the program whose inputs are images.
    ///
    /// # Errors
    /// The kernel has no such form: see [`check_images`].
    pub(crate) fn images(&self) -> Result<Marked, NoImageForm> {
        let Self { kernel, prepared, .. } = *self;
        check_images(kernel)?;
        let mut writer = Writer::new(self, Reads::Images);
        let mut names = Names::default();
        let mut entries = Vec::new();
        for (index, body) in prepared.bodies.iter().enumerate() {
            let schedule = schedule::of_images(kernel, prepared, index, self.costs(index));
            let wanted = format!("{}_image", entry_name(kernel, body, &schedule, true));
            let name = names.claim_with(&wanted, &["_block"]);
            writer.image_entry(&schedule, &name);
            entries.push(schedule.entry_point(name));
        }
        Ok(writer.finish(entries))
    }
}

impl Writer<'_> {
    /// Writes the block function of an entry point, and the entry point.
    fn image_entry(&mut self, schedule: &Schedule<'_>, name: &str) {
        let Self { kernel, has_words, .. } = *self;
        let Schedule { unit, lanes, block, .. } = *schedule;
        let needs = &self.block_function(schedule, name);
        let arguments = &self.programs.arguments;
        let entry = Entry { kernel, name, arguments, needs, block, unit, lanes, has_words };
        let out = &mut self.functions;
        out.line("");
        head(out, &format!("__kernel void {name}"), parameters(&entry, arguments).iter());
        out.open("");
        place(out, &mut self.prelude, &entry);
        for id in &entry.needs.outputs {
            let o = &arguments.outputs[id.0 as usize];
            out.line(format!("{o} += {o}_offset;"));
        }
        firsts_of_outputs(out, &entry, arguments);
        aligned(out, &mut self.prelude, alignments_of_outputs(&entry, arguments));
        let [columns, rows] = [in_window("x", block.x), in_window("y", block.y)];
        let tests = |tests: [Option<String>; 2]| tests.into_iter().flatten().collect::<Vec<_>>().join(" && ");
        out.line(format!("const bool between = {};", tests([Some("aligned".to_owned()), columns])));
        out.line(format!("const bool whole = {};", tests([Some("between".to_owned()), rows])));
        let mut given = Vec::new();
        for id in &entry.needs.inputs {
            let a = &arguments.inputs[id.0 as usize];
            let (column, row) = origin(&kernel.inputs[id.0 as usize]);
            given.push(format!("{a}, {a}_sampler, {a}_border, (int2)({column}, {row})"));
        }
        for id in &entry.needs.outputs {
            given.push(sink(
                out,
                &entry,
                *id,
                &arguments.outputs[id.0 as usize],
                "sink",
                ".whole = whole, .between = between",
            ));
        }
        call(out, &entry, arguments, given);
        out.close("");
    }
}

/// The arguments of an entry point in the order of the calling convention, one line an argument of the author's.
fn parameters(entry: &Entry<'_>, arguments: &Arguments) -> Vec<String> {
    let image = |a: &String| format!("__read_only image2d_t {a}, const sampler_t {a}_sampler, const uint {a}_border");
    let buffer = |o: &String| format!("__global uchar *{o}, const long {o}_offset, const int {o}_stride");
    let mut list: Vec<String> = arguments.inputs.iter().map(image).collect();
    list.extend(arguments.outputs.iter().map(buffer));
    list.extend(arguments.shared_list(entry));
    list.push(WINDOW.to_owned());
    list
}
