//! What a program is: its text, its entry points, and what its functions are told about memory.

use super::c::types::Floats;
use super::schedule::Schedule;
use std::collections::BTreeSet;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{InputId, Kernel, Node, Op, OutputId, Store, TableId};

/// Without it a device may round `/` and `sqrt` of floats as it likes, and law 4 of `docs/design.md` does not hold for them.
pub const CORRECTLY_ROUNDED: &str = "-cl-fp32-correctly-rounded-divide-sqrt";

/// What every program is to be built with.
pub const OPTIONS: &str = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";

/// What a program in image form is built with where a border's constant has a bit set: a sampler's own is all zeros.
pub const CONSTANT: &str = "WINDROW_CONSTANT";

/// The program of a kernel.
#[derive(Clone, Debug)]
pub struct OpenClText {
    /// The whole text.
    pub source: String,
    /// Its entry points: by index, then by schedule, the default schedule first.
    pub entries: Vec<EntryPoint>,
    /// What OpenCL C has no expression for: where there is something, no door hands out the text ([`OpenClText::accepted`]).
    pub refused: Vec<Diagnostic>,
}

impl OpenClText {
    /// The text, where it is one that may be handed out.
    ///
    /// # Errors
    /// Each operation that OpenCL C has no expression for.
    pub fn accepted(self) -> Result<Self, Vec<Diagnostic>> {
        if self.refused.is_empty() { Ok(self) } else { Err(self.refused) }
    }
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
    /// The work-items of a work-group, along rows, across rows and across planes, where it is written for groups of one size.
    pub group: Option<(u32, u32, u32)>,
    /// How it computes; the results are the same.
    pub form: OpenClForm,
}

/// How a work-item computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenClForm {
    /// Each value in a lane of its own type.
    Vectors,
    /// Two 16-bit values in a word.
    Pairs,
    /// The same, with a minimum or a maximum of pairs among the operations: few devices have those.
    ComparedPairs,
}

/// What the inputs of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Buffers.
    Buffers,
    /// Images, read through samplers.
    Images,
}

/// What a lane of a vector holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An element.
    Element,
    /// A word of two values; `cell` elements of a row fill whole words.
    Word {
        /// Elements of a cell.
        cell: u32,
    },
}

impl Unit {
    /// Elements of a row that a lane holds.
    pub fn elements(self) -> u32 {
        match self {
            Self::Element => 1,
            Self::Word { cell } => cell,
        }
    }
}

/// What a block function needs from its caller, in the order of its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The inputs that it reads.
    pub inputs: BTreeSet<InputId>,
    /// The outputs that it writes.
    pub outputs: BTreeSet<OutputId>,
    /// The tables that it reads.
    pub tables: BTreeSet<TableId>,
    /// Whether it reads uniforms or derived words.
    pub words: bool,
    /// Whether it asks where it is.
    pub coordinates: bool,
}

impl Needs {
    /// What the entry points of a kernel are given.
    pub fn of_kernel(kernel: &Kernel, words: bool) -> Self {
        Self {
            inputs: (0..kernel.inputs.len() as u32).map(InputId).collect(),
            outputs: (0..kernel.outputs.len() as u32).map(OutputId).collect(),
            tables: (0..kernel.tables.len() as u32).map(TableId).collect(),
            words,
            coordinates: false,
        }
    }

    /// What values and stores need.
    pub fn of(nodes: &[Node], stores: &[Store]) -> Self {
        let mut needs = Self { outputs: stores.iter().map(|store| store.to.tensor).collect(), ..Self::default() };
        for node in nodes {
            match node.op {
                Op::Load(ref access) => drop(needs.inputs.insert(access.tensor)),
                Op::Extent { input, .. }
                | Op::Stride { input, .. }
                | Op::Plane { input, .. }
                | Op::Gather { input, .. }
                | Op::Fetch { input, .. } => drop(needs.inputs.insert(input)),
                Op::Uniform { .. } | Op::Derived { .. } => needs.words = true,
                Op::Coordinate { .. } => needs.coordinates = true,
                Op::Lookup { table, .. } => drop(needs.tables.insert(table)),
                _ => {}
            }
        }
        needs
    }
}

/// What the functions of an entry point have in common.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// The entry point's name.
    pub name: &'a str,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What a work-item computes.
    pub schedule: &'a Schedule<'a>,
    /// What its inputs are.
    pub reads: Reads,
    /// What its block function takes.
    pub needs: &'a Needs,
    /// Whether statements say which token of the author's they are from.
    pub is_marked: bool,
    /// How its types are spelled.
    pub floats: &'a Floats,
}
