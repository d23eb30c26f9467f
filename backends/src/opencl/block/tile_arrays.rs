//! The tiles of a block function: the arrays in local memory, what only their filling needs, and what the text calls things.

use crate::opencl::c::names::Names;
use crate::opencl::c::text::Expr;
use crate::opencl::c::types::{CType, bytes};
use crate::opencl::entry::arguments::outer_extents;
use crate::opencl::program::Function;
use crate::opencl::tiles::{Group, PADDING, TURNS, pitch};
use crate::text::comma;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::loops::{Loop, Step, steps};
use windrow_dsl::ir::{Axes, AxisId, Block, InputId, Kernel, Op, ValueId};
use windrow_dsl::optimise::Nested;

/// Elements of a column of a group that are read from a tile at once.
pub const ROWS_AT_ONCE: u32 = 4;

/// An array in local memory, which an entry point declares and hands to its block function.
#[derive(Clone, Debug)]
pub struct TileArray {
    /// Its element's type.
    pub ty: CType,
    /// The input whose elements it holds.
    pub input: InputId,
    /// Which of that input's tiles it is.
    pub number: usize,
    /// How many elements.
    pub length: u32,
    /// Its name in the block function.
    pub name: Rc<str>,
    /// What it holds, an [`Op::Gather`].
    pub value: ValueId,
    /// Along which axis the group's elements lie in it.
    pub axis: AxisId,
    /// The elements from one turn to the next.
    pub pitch: u32,
    /// The loop, an [`Op::Turn`].
    pub turn: ValueId,
}

impl TileArray {
    /// The bytes at whose multiples its vectors begin.
    pub fn alignment(&self) -> u32 {
        ROWS_AT_ONCE * bytes(self.ty.ty)
    }

    /// The elements of a turn.
    pub fn elements(&self) -> u32 {
        self.pitch - if self.axis == AxisId::Y { PADDING } else { 0 }
    }
}

/// The tiles of a block function.
#[derive(Debug)]
pub struct Tiles {
    /// The arrays, in the order of the values.
    pub arrays: Vec<TileArray>,
    /// Which values something else than the filling of tiles needs, and which of all are computed where a tile is filled alone.
    pub is_needed: Vec<bool>,
    pub is_of_filling: Vec<bool>,
    /// The elements of a work-item, and the work-items of a group.
    pub block: Block,
    pub group: Group,
    /// What its text calls things.
    pub names: TileNames,
    /// What is known of the places that tiles are filled from before the loop in which it is asked for, by part: of those in which
    /// neighbours are turns, and of those in which they are places.
    pub known: BTreeMap<(ValueId, bool), Expr>,
    /// The vectors of rows that the turn has read.
    pub read: BTreeMap<(ValueId, i32), Rc<str>>,
}

/// What the text of tiles calls things.
#[derive(Debug)]
pub struct TileNames {
    /// The place of a work-item in its group, across its rows and along them, and its number.
    pub local: [Rc<str>; 2],
    pub item: Rc<str>,
    /// The first row and the first column of the group, and where it has several planes, the first of them and the output's last.
    pub first: [Rc<str>; 2],
    pub planes: [Rc<str>; 2],
    /// The numbers of planes along the dimensions outside rows and columns, from the innermost on.
    pub extents: Vec<Rc<str>>,
    /// Which of the elements is read that a work-item reads for a tile, whose turn of the chunk it is of, and its place in the group.
    pub part: Rc<str>,
    pub turn: Rc<str>,
    pub place: Rc<str>,
}

impl TileNames {
    fn claim(kernel: &Kernel, names: &mut Names) -> Self {
        let mut claim = |name: &str| names.claim(name);
        Self {
            local: ["local_row", "local_x"].map(&mut claim),
            item: claim("item"),
            first: ["first_y", "first_x"].map(&mut claim),
            planes: ["first_plane", "last_plane"].map(&mut claim),
            extents: outer_extents(kernel).enumerate().map(|(number, _)| claim(&format!("extent_{number}"))).collect(),
            part: claim("part"),
            turn: claim("turn"),
            place: claim("place"),
        }
    }
}

impl Tiles {
    /// Those of a function's values, which vary along these axes.
    pub fn of(function: Function<'_>, nested: &Nested, along: &[Axes], names: &mut Names) -> Option<Self> {
        let (group, block, nodes) = (function.schedule.group?, function.schedule.block, &nested.nodes);
        let mut arrays: Vec<TileArray> = Vec::new();
        for_each_loop(&steps(nodes), &mut |turns| {
            for step in &turns.body {
                let Step::Value(id) = step else { continue };
                let Op::Local { value, axis, .. } = nodes[id.0 as usize].op else { continue };
                let Op::Gather { input, .. } = nodes[value.0 as usize].op else { continue };
                if arrays.iter().any(|array| array.value == value) {
                    continue;
                }
                let number = arrays.iter().filter(|array| array.input == input).count();
                let name = names.claim(&format!("{}_tile_{number}", function.kernel.inputs[input.0 as usize].name));
                let (ty, pitch) = (CType::scalar(nodes[value.0 as usize].ty), pitch(axis, block, group));
                let (length, turn) = (TURNS * pitch, turns.turn);
                arrays.push(TileArray { ty, input, number, length, name, value, axis, pitch, turn });
            }
        });
        let is_needed = needed_apart(nested);
        let axis = |array: &TileArray| match nodes[array.turn.0 as usize].op {
            Op::Turn { axis, .. } => Axes::of(axis),
            _ => Axes::NONE,
        };
        let loops: Axes = arrays.iter().map(axis).collect();
        let is_of_filling = |(axes, is_needed): (&Axes, &bool)| {
            !axes.of_group().is_empty() || !is_needed && !(*axes & loops).is_empty()
        };
        let is_of_filling = along.iter().zip(&is_needed).map(is_of_filling).collect();
        let names = TileNames::claim(function.kernel, names);
        Some(Self {
            arrays,
            is_needed,
            is_of_filling,
            block,
            group,
            names,
            known: BTreeMap::new(),
            read: BTreeMap::new(),
        })
    }

    /// The work-items of a group.
    pub fn items(&self) -> u32 {
        self.group.x * self.group.rows()
    }

    /// The parameters of a block function whose groups have several planes: the first of them, the output's last, and its numbers of planes.
    pub fn parameters(&self) -> Option<String> {
        let names = self.names.planes.iter().chain(&self.names.extents);
        (self.group.planes > 1).then(|| comma(names.map(|name| format!("const int {name}"))))
    }
}

/// Which values something else than the filling of tiles needs in an expression.
fn needed_apart(nested: &Nested) -> Vec<bool> {
    let mut needed = vec![false; nested.nodes.len()];
    for store in &nested.stores {
        needed[store.value.0 as usize] = true;
    }
    for (index, node) in nested.nodes.iter().enumerate().rev() {
        match node.op {
            Op::Local { .. } | Op::Outcome { .. } => {}
            Op::Carried { before, .. } => needed[before.0 as usize] = true,
            Op::Advance { after, .. } => needed[after.0 as usize] = true,
            Op::Turn { start, end, .. } => [start, end].into_iter().for_each(|id| needed[id.0 as usize] = true),
            _ if needed[index] => node.op.for_operands(|id| needed[id.0 as usize] = true),
            _ => {}
        }
    }
    needed
}

/// Visits loops, an outer one before those inside it.
pub fn for_each_loop(list: &[Step], visit: &mut impl FnMut(&Loop)) {
    for turns in list.iter().filter_map(|step| if let Step::Loop(turns) = step { Some(turns) } else { None }) {
        visit(turns);
        for_each_loop(&turns.body, visit);
    }
}
