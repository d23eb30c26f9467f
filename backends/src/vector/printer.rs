//! What the printer of a program holds: names, and the pointers of rows.

use super::program::{Lane, Program, VectorId};
use crate::namer::{Name, Namer};
use crate::rows::RowPlan;
use std::collections::{BTreeMap, BTreeSet};
use windrow_dsl::ir::{Body, InputId, Kernel, OutputId, TableId};

/// Where a loop reads an element for which it has chosen a view: the names of the view and of a plane in it.
pub struct Chosen {
    pub view: String,
    pub plane: Option<String>,
}

/// The printer of one loop of a function.
pub struct Printer<'a, T> {
    /// The instruction set.
    pub target: T,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What it was selected from.
    pub(super) body: &'a Body,
    /// What is printed.
    pub program: &'a Program,
    pub(super) plan: &'a RowPlan<'a>,
    /// Elements of a step along the row.
    pub(super) lanes: u32,
    /// Names in use.
    pub names: Namer,
    /// The names of vectors that are read.
    pub(super) vectors: Vec<Option<Name>>,
    /// The start of each row, and the step's place in it.
    pub(super) input_rows: BTreeMap<(InputId, i32), String>,
    pub(super) output_rows: BTreeMap<(OutputId, i32), String>,
    pub(super) inputs: BTreeMap<(InputId, i32), String>,
    pub(super) outputs: BTreeMap<(OutputId, i32), String>,
    pub(super) tables: BTreeMap<TableId, String>,
    /// The view of a whole input.
    pub(super) whole: BTreeMap<InputId, String>,
    /// Conditions that are true wherever the loop that is being written is.
    pub(super) held: BTreeSet<VectorId>,
    /// The pointers to quads in the loop that is being written, and the lanes that are loaded from them.
    pub(super) quads: BTreeMap<VectorId, Lane>,
    /// The factors that are a lane of a vector in the turn that is being written: its name, and which.
    pub lanes_of: BTreeMap<VectorId, (String, usize)>,
    /// Where the loop that is being written reads elements for which it has chosen a view.
    pub(super) chosen: BTreeMap<VectorId, Chosen>,
    /// The first element of each channel of a whole input.
    pub(super) views: BTreeMap<(InputId, u32), String>,
}
