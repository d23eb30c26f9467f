//! The parameters of a program's functions and what their callers give for them: a line of text for each argument of the
//! author's.

use crate::opencl::c::names::Names;
use crate::opencl::program::{Needs, Reads};
use crate::opencl::tiles::MOST_TILES;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, Input, Kernel};

/// What follows an image's name in the names that go with it.
const IMAGE_PARTS: [&str; 23] = [
    "_offset", "_stride", "_plane", "_width", "_height", "_border", "_first", "_inside", "_between", "_edge",
    "_columns", "_beside", "_rows", "_sampler", "_sink", "_outer_0", "_outer_1", "_outer_2", "_outer_3", "_tile_0",
    "_tile_1", "_tile_2", "_tile_3",
];

/// The tiles of an input in local memory.
pub const TILE_PARTS: [&str; MOST_TILES] = ["_tile_0", "_tile_1", "_tile_2", "_tile_3"];

/// The extents of a tensor outside rows and columns, counted from the innermost.
const OUTER_PARTS: [&str; AxisId::OUTER as usize] = ["_outer_0", "_outer_1", "_outer_2", "_outer_3"];

/// The same of an input that is read anywhere, in a block function.
const WHOLE_PARTS: [&str; 8] =
    ["_stride", "_width", "_height", "_plane", "_outer_0", "_outer_1", "_outer_2", "_outer_3"];

/// What goes with an input that is read anywhere, in a block function: of a plane its rows and columns.
pub fn whole_parts(input: &Input) -> &'static [&'static str] {
    match outer_parts(input).len() {
        0 => &WHOLE_PARTS[..3],
        outer => &WHOLE_PARTS[..4 + outer],
    }
}

fn outer_parts(input: &Input) -> &'static [&'static str] {
    let outer = input.rank.map_or(0, |rank| rank.saturating_sub(AxisId::COUNT));
    &OUTER_PARTS[..outer as usize]
}

/// The names of the coordinates across planes that a kernel knows, counted from the innermost.
pub fn outer_coordinates(kernel: &Kernel) -> impl Iterator<Item = String> {
    (0..kernel.rank() - AxisId::COUNT).map(|number| format!("outer_{number}"))
}

/// The names of the numbers of planes along these dimensions.
pub fn outer_extents(kernel: &Kernel) -> impl Iterator<Item = String> {
    (0..kernel.rank() - AxisId::COUNT).map(|number| format!("planes_{number}"))
}

/// The names of a kernel's arguments.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Of the inputs.
    pub inputs: Vec<Rc<str>>,
    /// Of the outputs.
    pub outputs: Vec<Rc<str>>,
    /// Of the tables.
    pub tables: Vec<Rc<str>>,
}

/// Whose parameters they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// An entry point's, in the order of the calling convention.
    Entry(Reads),
    /// A function's that computes a block at an edge: what it needs of the arguments, moved to the block.
    Edge,
    /// A block function's.
    Block(Reads),
}

/// A line of a function's head: some of its parameters, and what a caller that has the same names gives for them.
pub struct Line {
    /// In the function's head.
    pub parameters: String,
    /// In its call.
    pub values: String,
}

impl Line {
    fn of(ty: &str, name: impl AsRef<str>) -> Self {
        let name = name.as_ref();
        Self { parameters: format!("{ty}{name}"), values: name.to_owned() }
    }

    /// The same with what goes with an image.
    fn with(mut self, image: &str, parts: &[&str]) -> Self {
        for part in parts {
            let ty = match *part {
                "_offset" | "_plane" => "long",
                "_border" => "uint",
                "_sampler" => "sampler_t",
                "_first" => "int2",
                _ => "int",
            };
            self.parameters += &format!(", const {ty} {image}{part}");
            self.values += &format!(", {image}{part}");
        }
        self
    }

    /// Integers that are the same for all images.
    fn shared<S: AsRef<str>>(names: &[S]) -> Self {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let parameters: Vec<String> = names.iter().map(|name| format!("const int {name}")).collect();
        Self { parameters: parameters.join(", "), values: names.join(", ") }
    }
}

impl Arguments {
    /// The names in the scope of an entry point.
    pub fn of_entry(kernel: &Kernel) -> Self {
        Self::claim(kernel, &mut Names::default(), &IMAGE_PARTS, &IMAGE_PARTS)
    }

    /// The names in the scope of a block function, and the scope.
    pub fn of_block(kernel: &Kernel, reads: Reads) -> (Self, Names) {
        let mut names = Names::default();
        let parts: &[&str] = match reads {
            Reads::Buffers => &[],
            Reads::Images => &["_sampler", "_border", "_first"],
        };
        (Self::claim(kernel, &mut names, parts, &[]), names)
    }

    fn claim(kernel: &Kernel, names: &mut Names, of_input: &[&str], of_output: &[&str]) -> Self {
        let parts = |input: &Input| if input.is_whole && of_input.is_empty() { whole_parts(input) } else { of_input };
        Self {
            inputs: kernel.inputs.iter().map(|input| names.claim_with(&input.name, parts(input))).collect(),
            outputs: kernel.outputs.iter().map(|output| names.claim_with(&output.name, of_output)).collect(),
            tables: kernel.tables.iter().map(|table| names.claim(&table.name)).collect(),
        }
    }

    /// The parameters of a function that needs so much.
    pub fn lines(&self, kernel: &Kernel, needs: &Needs, head: Head) -> Vec<Line> {
        let mut list = Vec::new();
        for id in &needs.inputs {
            let (input, a) = (&kernel.inputs[id.0 as usize], &*self.inputs[id.0 as usize]);
            let (buffer, image) = (Line::of("__global const uchar *", a), Line::of("__read_only image2d_t ", a));
            let around: &[&str] = if input.reads_around() { &["_height", "_border"] } else { &["_height"] };
            let line = match head {
                Head::Entry(Reads::Buffers) => {
                    list.push(buffer.with(a, &["_offset", "_stride", "_plane"]));
                    Line::of("    const int ", format!("{a}_width")).with(a, around).with(a, outer_parts(input))
                }
                Head::Entry(Reads::Images) => image.with(a, &["_sampler", "_border"]),
                Head::Block(_) if input.is_whole => buffer.with(a, whole_parts(input)),
                Head::Edge if input.is_whole => buffer.with(a, whole_parts(input)),
                Head::Edge => buffer.with(a, &["_stride", "_width"]).with(a, around),
                Head::Block(Reads::Buffers) => Line::of(&format!("const Source_{} ", input.ty.name()), a),
                Head::Block(Reads::Images) => image.with(a, &["_sampler", "_border", "_first"]),
            };
            list.push(line);
        }
        for id in &needs.outputs {
            let (ty, o) = (kernel.outputs[id.0 as usize].ty, &*self.outputs[id.0 as usize]);
            let buffer = Line::of("__global uchar *", o);
            list.push(match head {
                Head::Entry(Reads::Buffers) => buffer.with(o, &["_offset", "_stride", "_plane"]),
                Head::Entry(Reads::Images) => buffer.with(o, &["_offset", "_stride"]),
                Head::Edge => Line::of("__global uchar *", format!("{o}_first")).with(o, &["_stride"]),
                Head::Block(_) => Line::of(&format!("const Sink_{} ", ty.name()), o),
            });
        }
        for id in &needs.tables {
            // Its entries are in memory as the host has them.
            let ty = kernel.tables[id.0 as usize].ty.opencl();
            list.push(Line::of(&format!("__global const {ty} *"), &self.tables[id.0 as usize]));
        }
        list.extend(needs.words.then(|| Line::of("__constant const uint *", "words")));
        let has_border = kernel.inputs.iter().any(Input::reads_around) && head != Head::Entry(Reads::Images);
        let place = ["block_x", "block_y", "last_x", "last_y"];
        let shared = |names: Vec<String>| (!names.is_empty()).then(|| Line::shared(&names));
        match head {
            Head::Block(_) if needs.coordinates => {
                list.push(Line::shared(&place));
                list.extend(shared(outer_coordinates(kernel).collect()));
            }
            Head::Block(_) => {}
            Head::Entry(_) | Head::Edge => {
                list.push(Line::shared(&["x0", "y0", "x1", "y1", "border"][..if has_border { 5 } else { 4 }]));
                if head == Head::Edge {
                    list.push(Line::shared(&place[..2]));
                    list.extend(shared(outer_coordinates(kernel).collect()));
                } else {
                    list.extend(shared(outer_extents(kernel).collect()));
                }
            }
        }
        list
    }
}
