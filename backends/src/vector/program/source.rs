//! What a statement of a program does: a call, a load, a look-up; and what its vectors vary along.

use super::{Intrinsic, Lane, Operand, Vector, VectorId};
use std::hash::Hasher;
use windrow_dsl::ir::{Axes, AxisId, BinaryOp, InputId, TableId, ValueId};
use windrow_dsl::quick::QuickHasher;

/// An argument of a call. Where the lane asked for is not the vector's, it is reinterpreted, which costs nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A vector, read as these lanes.
    Whole(VectorId, Lane),
    /// Its lower half, read as these lanes.
    Low(VectorId, Lane),
    /// Another call.
    Call(Box<Call>),
    /// A scalar expression that is the same for all elements.
    Text(String),
    /// A scalar that a statement makes, between two texts.
    Scalar(String, VectorId, String),
    /// Two scalars of 16 bits, or up to four of 8, that statements make, as one of 32, the first in its lowest bits.
    Parts(Vec<VectorId>),
    /// Where the step's first element is along an axis, so much further on, as an i32.
    Coordinate(AxisId, i64),
    /// A constant whose value the compiler must not know, lest it choose another instruction.
    Opaque(String),
    /// A comparison whose outcome the compiler must not follow, lest it choose another instruction for what depends on it.
    Hidden(Box<Call>),
    /// The part of a table that holds 64 entries.
    Table(TableId, u32),
    /// The entry of a table at a scalar index, which is below the length by its type or as a constant; as a scalar type.
    Entry { table: TableId, index: String, scalar: &'static str },
}

impl Arg {
    /// The table that it reads.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Arg::Table(table, _) | Arg::Entry { table, .. } => Some(*table),
            Arg::Whole(..)
            | Arg::Low(..)
            | Arg::Call(_)
            | Arg::Hidden(_)
            | Arg::Text(_)
            | Arg::Scalar(..)
            | Arg::Parts(_)
            | Arg::Coordinate(..)
            | Arg::Opaque(_) => None,
        }
    }

    /// The first of coordinates that follow each other along an axis, so much further on.
    pub fn coordinate(axis: AxisId, offset: i64) -> Self {
        match axis {
            // Lanes are counted from 0.
            AxisId::LANE => Arg::Text(offset.to_string()),
            axis => Arg::Coordinate(axis, offset),
        }
    }

    /// A scalar expression between two texts.
    pub fn around(self, before: &str, after: &str) -> Self {
        match self {
            Arg::Text(text) => Arg::Text(format!("{before}{text}{after}")),
            Arg::Scalar(own, id, behind) => Arg::Scalar(format!("{before}{own}"), id, format!("{behind}{after}")),
            other => other,
        }
    }
}

/// A call of an intrinsic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The whole name.
    pub intrinsic: Intrinsic,
    /// The constant between `::<` and `>`.
    pub immediate: Option<u32>,
    /// In order.
    pub args: Vec<Arg>,
}

/// From where the elements of a place are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// The step's place in a row of an input.
    Row(InputId, i32),
    /// A pointer that a statement makes.
    Pointer(VectorId),
}

impl Base {
    fn visit(self, visit: &mut impl FnMut(VectorId)) {
        if let Self::Pointer(id) = self {
            visit(id);
        }
    }
}

/// Where a vector's lanes lie: from `factor · x + offset` elements behind an input's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The row.
    pub base: Base,
    /// Elements for one column.
    pub factor: u32,
    /// Behind its start, in elements.
    pub offset: i64,
    /// Elements from the first lane of one run of a vector to the first of the next: see [`super::machine::Lanes`].
    pub apart: i64,
    /// The lanes of the input.
    pub lane: Lane,
}

impl Place {
    fn hash(&self, other: u32, hasher: &mut QuickHasher) {
        hasher.write_u64(match self.base {
            Base::Row(input, dy) => u64::from(input.0) << 32 | u64::from(dy as u32),
            Base::Pointer(id) => u64::from(id.0) << 32,
        });
        hasher.write_u64((self.offset as u64) << 32 | u64::from(other));
    }
}

/// What a gather reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A table, by the numbers of its entries.
    Table(TableId),
    /// A channel of a whole input, by bytes from its first element.
    View { input: InputId, channel: u32 },
}

/// Four bytes that lie side by side in a row of a whole input, the first in the lowest bits of a number; or four times another byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quad {
    /// The input, whose elements are bytes.
    pub input: InputId,
    /// The plane, the row and the first column.
    pub plane: Option<Operand>,
    pub at: [Operand; 2],
    /// What must be true, and the byte that is there where it is not.
    pub choice: Option<[Operand; 2]>,
    /// The bits that are flipped.
    pub flips: u32,
    /// What it varies along.
    pub along: Axes,
}

impl Quad {
    /// Visits what it is computed from.
    fn operands(&self, visit: &mut impl FnMut(VectorId)) {
        let operands = self.at.iter().chain(&self.plane).chain(self.choice.iter().flatten());
        operands.for_each(|operand| operand.visit(visit));
    }
}

/// The quads of four rows.
#[derive(Clone, Debug)]
pub struct RowQuads {
    /// Of which input.
    pub input: InputId,
    /// The pointer to the first row's bytes, a [`Source::Contiguous`].
    pub pointer: VectorId,
    /// The vectors of the quads, in their order.
    pub made: Vec<VectorId>,
    /// The sums of their bytes, where a loop takes the four rows of each of its turns from the first row on.
    pub sums: Option<QuadSums>,
}

/// The sums of the bytes of quads, turn after turn.
#[derive(Clone, Debug)]
pub struct QuadSums {
    /// The number of the turn, and behind how many bytes of the input the rows begin.
    pub turn: VectorId,
    pub plane: Option<Operand>,
    /// The sums before a turn and behind it, in the order of the quads.
    pub before: Vec<VectorId>,
    pub after: Vec<VectorId>,
}

/// What makes vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A call.
    Call(Call),
    /// `count` interleaved vectors.
    Load { place: Place, count: u32 },
    /// One lane from memory, the others from a vector.
    LoadLane { place: Place, into: VectorId, index: u32 },
    /// A scalar: a value of the body that is the same for all lanes, computed from these, its operands in order.
    Scalar { value: ValueId, operands: Vec<Operand>, along: Axes },
    /// A pointer to this many elements of a row of a whole input: the row, the column of the first and the greatest column.
    Contiguous { input: InputId, at: [Operand; 3], count: u32, lane: Lane },
    /// A pointer to this many copies of a scalar of these lanes.
    Repeated { value: Operand, count: u32, lane: Lane },
    /// One of two pointers, by a condition that is the same for all lanes.
    Either { condition: Operand, pointers: [VectorId; 2] },
    /// Four bytes that lie side by side, as one scalar.
    Quad(Box<Quad>),
    /// What the lanes of vectors of one value have in common, a scalar, by the operation on two of them.
    Across { op: BinaryOp, lane: Lane, vectors: Vec<VectorId> },
    /// The turns of a loop, by its number.
    Turns(usize),
    /// The entries of a table, or the elements of a whole input, at the lanes of these vectors.
    Gather { from: Origin, indices: Vec<VectorId>, index_lane: Lane, entry_lane: Lane },
}

impl Source {
    /// Equal for equal ones.
    pub(super) fn hash(&self) -> u64 {
        let mut hasher = QuickHasher::default();
        match self {
            Source::Call(call) => call.hash(&mut hasher),
            Source::Load { place, count } => place.hash(*count, &mut hasher),
            Source::LoadLane { place, into, index } => place.hash(*index << 16 | into.0, &mut hasher),
            Source::Gather { indices: vectors, .. } | Source::Across { vectors, .. } => {
                vectors.iter().for_each(|id| hasher.write_u32(id.0));
            }
            Source::Scalar { value, .. } => hasher.write_u32(value.0),
            Source::Contiguous { at, .. } => at.iter().for_each(|at| at.visit(&mut |id| hasher.write_u32(id.0))),
            Source::Quad(quad) => quad.operands(&mut |id| hasher.write_u32(id.0)),
            Source::Repeated { value, .. } => value.visit(&mut |id| hasher.write_u32(id.0)),
            Source::Either { pointers, .. } => pointers.iter().for_each(|id| hasher.write_u32(id.0)),
            Source::Turns(number) => hasher.write_u32(*number as u32),
        }
        hasher.finish()
    }

    /// Visits the vectors that it reads.
    pub fn vectors(&self, visit: &mut impl FnMut(VectorId)) {
        match self {
            Source::Call(call) => call.vectors(visit),
            Source::Load { place, .. } => place.base.visit(visit),
            Source::LoadLane { into, place, .. } => {
                place.base.visit(visit);
                visit(*into);
            }
            Source::Gather { indices: vectors, .. } | Source::Across { vectors, .. } => {
                vectors.iter().for_each(|&id| visit(id));
            }
            Source::Scalar { operands, .. } => operands.iter().for_each(|operand| operand.visit(visit)),
            Source::Contiguous { at, .. } => at.iter().for_each(|operand| operand.visit(visit)),
            Source::Quad(quad) => quad.operands(visit),
            Source::Repeated { value, .. } => value.visit(visit),
            Source::Either { condition, pointers } => {
                condition.visit(visit);
                pointers.iter().for_each(|&id| visit(id));
            }
            // What its statements read is asked of the program.
            Source::Turns(_) => {}
        }
    }

    /// What it varies along: what it reads does, and where it reads.
    pub(super) fn along(&self, vectors: &[Vector]) -> Axes {
        match self {
            Source::Call(call) => call.along(vectors),
            Source::Load { place: Place { base: Base::Pointer(id), .. }, .. } => vectors[id.0 as usize].along,
            Source::Load { .. } | Source::LoadLane { .. } => Axes::of(AxisId::Y) | Axes::of(AxisId::X) | Axes::RUNS,
            Source::Gather { indices, .. } => {
                indices.iter().map(|id| vectors[id.0 as usize].along).collect::<Axes>() | Axes::RUNS
            }
            Source::Scalar { along, .. } => *along,
            Source::Quad(quad) => quad.along,
            Source::Contiguous { .. }
            | Source::Across { .. }
            | Source::Turns(_)
            | Source::Repeated { .. }
            | Source::Either { .. } => {
                let mut along = Axes::NONE;
                self.vectors(&mut |id| along = along | vectors[id.0 as usize].along);
                along
            }
        }
    }

    /// Whether it makes a scalar or a pointer.
    pub(super) fn is_scalar(&self) -> bool {
        match self {
            Source::Scalar { .. }
            | Source::Quad(_)
            | Source::Contiguous { .. }
            | Source::Repeated { .. }
            | Source::Either { .. }
            | Source::Across { .. } => true,
            Source::Call(_)
            | Source::Load { .. }
            | Source::LoadLane { .. }
            | Source::Gather { .. }
            | Source::Turns(_) => false,
        }
    }

    pub(super) fn cost(&self) -> usize {
        match self {
            Source::Call(call) => call.cost(),
            Source::Load { .. }
            | Source::LoadLane { .. }
            | Source::Scalar { .. }
            | Source::Quad(_)
            | Source::Repeated { .. }
            | Source::Either { .. }
            | Source::Contiguous { .. } => 1,
            Source::Turns(_) => 0,
            Source::Gather { indices: vectors, index_lane: lane, .. } | Source::Across { lane, vectors, .. } => {
                vectors.len() * (256 / lane.bits() as usize)
            }
        }
    }
}

impl Call {
    /// A call of this intrinsic.
    pub fn new(intrinsic: impl Into<Intrinsic>, args: Vec<Arg>) -> Self {
        Self { intrinsic: intrinsic.into(), immediate: None, args }
    }

    /// A call on whole vectors, read as these lanes.
    pub fn on(intrinsic: Intrinsic, lane: Lane, operands: &[VectorId]) -> Self {
        let args = match *operands {
            [a] => vec![Arg::Whole(a, lane)],
            [a, b] => vec![Arg::Whole(a, lane), Arg::Whole(b, lane)],
            _ => operands.iter().map(|&id| Arg::Whole(id, lane)).collect(),
        };
        Self { intrinsic, immediate: None, args }
    }

    /// The same with a constant.
    pub fn with(mut self, immediate: u32) -> Self {
        self.immediate = Some(immediate);
        self
    }

    fn hash(&self, hasher: &mut QuickHasher) {
        self.intrinsic.hash(hasher);
        hasher.write_u32(self.immediate.unwrap_or(u32::MAX));
        for arg in self.args.as_slice() {
            match arg {
                Arg::Whole(id, lane) => hasher.write_u32(id.0 << 8 | lane.ty().code() as u32),
                Arg::Low(id, lane) => hasher.write_u32(id.0 << 8 | 0x80 | lane.ty().code() as u32),
                Arg::Call(call) | Arg::Hidden(call) => call.hash(hasher),
                Arg::Text(text) | Arg::Opaque(text) => hasher.write(text.as_bytes()),
                Arg::Scalar(before, id, after) => {
                    hasher.write_u32(id.0);
                    hasher.write(before.as_bytes());
                    hasher.write(after.as_bytes());
                }
                Arg::Parts(parts) => parts.iter().for_each(|id| hasher.write_u32(id.0)),
                Arg::Coordinate(axis, offset) => hasher.write_u64((axis.0 as u64) << 32 ^ *offset as u64),
                Arg::Table(table, part) => hasher.write_u32(table.0 << 8 | part),
                Arg::Entry { table, index, .. } => {
                    hasher.write_u32(table.0);
                    hasher.write(index.as_bytes());
                }
            }
        }
    }

    fn along(&self, vectors: &[Vector]) -> Axes {
        let mut along = Axes::NONE;
        for arg in self.args.as_slice() {
            along = along
                | match arg {
                    Arg::Whole(id, _) | Arg::Low(id, _) | Arg::Scalar(_, id, _) => vectors[id.0 as usize].along,
                    Arg::Parts(parts) => parts.iter().map(|id| vectors[id.0 as usize].along).collect(),
                    Arg::Call(call) | Arg::Hidden(call) => call.along(vectors),
                    Arg::Text(_) | Arg::Opaque(_) => Axes::NONE,
                    Arg::Coordinate(axis, _) => Axes::of(*axis),
                    Arg::Table(..) | Arg::Entry { .. } => Axes::RUNS,
                };
        }
        along
    }

    fn vectors(&self, visit: &mut impl FnMut(VectorId)) {
        for arg in &self.args {
            match arg {
                Arg::Whole(id, _) | Arg::Low(id, _) | Arg::Scalar(_, id, _) => visit(*id),
                Arg::Parts(parts) => parts.iter().for_each(|&id| visit(id)),
                Arg::Call(call) | Arg::Hidden(call) => call.vectors(visit),
                Arg::Text(_) | Arg::Coordinate(..) | Arg::Opaque(_) | Arg::Table(..) | Arg::Entry { .. } => {}
            }
        }
    }

    fn cost(&self) -> usize {
        let mut cost = 1;
        self.args
            .iter()
            .for_each(|arg| cost += if let Arg::Call(call) | Arg::Hidden(call) = arg { call.cost() } else { 0 });
        cost
    }
}
