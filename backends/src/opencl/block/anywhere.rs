//! How an input that is read anywhere is read: each element by the bytes from the plane's first to it.
//!
//! A place is inside the image (its row and its column are clamped in the IR), and no plane has more bytes than an `int` counts.
//! The channels of an element share its offset.

use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, Statement};
use crate::opencl::c::types::CType;
use crate::opencl::entry::places::size;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, BinaryOp, Input, InputId, Node, Op, Type, ValueId};

/// Where an element is read: its plane, where there are several, its row and its column.
pub type Gathered = (Option<ValueId>, [ValueId; 2]);

/// What an operation reads anywhere, and where.
pub fn gathered(op: &Op) -> Option<(InputId, Gathered)> {
    if let Op::Gather { input, plane, at, .. } = *op { Some((input, (plane, at))) } else { None }
}

impl BlockWriter<'_> {
    fn whole(&self, id: InputId) -> (&Input, Rc<str>) {
        (&self.function.kernel.inputs[id.0 as usize], Rc::clone(&self.images.inputs[id.0 as usize]))
    }

    /// How long an input is along a dimension.
    pub fn extent(&self, id: InputId, dimension: u32) -> Expr {
        let (input, a) = self.whole(id);
        Expr::name(match input.dimensions() - 1 - dimension {
            0 => format!("{a}_width"),
            1 => format!("{a}_height"),
            inner => format!("{a}_outer_{}", inner - AxisId::COUNT),
        })
    }

    /// Bytes from one element to the next along a dimension. Planes follow each other equally far apart.
    pub fn distance(&self, id: InputId, dimension: u32) -> Expr {
        let (input, a) = self.whole(id);
        match input.dimensions() - 1 - dimension {
            0 => Expr::name(size(input.ty, input.channels)),
            1 => Expr::name(format!("{a}_stride")),
            inner => {
                let plane = Expr::name(format!("(int){a}_plane"));
                let extents = (0..inner - AxisId::COUNT).map(|number| Expr::name(format!("{a}_outer_{number}")));
                extents.fold(plane, |bytes, extent| bytes.infix("*", extent))
            }
        }
    }

    /// The bytes from an input's first element to a plane's: those of the dimensions outside, and of the index along one.
    pub fn plane(&mut self, id: InputId, dimension: u32, outside: Option<ValueId>, index: ValueId, ty: CType) -> Expr {
        let own = self.counted(index, ty).infix("*", self.distance(id, dimension));
        match outside {
            Some(outside) => self.counted(outside, ty).infix("+", own),
            None => own,
        }
    }

    /// A value as a part of distances of a type, which are vectors where this is one.
    fn counted(&mut self, id: ValueId, ty: CType) -> Expr {
        let value = self.operand(id, CType { lanes: self.ty(id).lanes, ..ty });
        self.bounded(id, value)
    }

    /// A scalar value: where loops step on from there, how it is bounded is kept from compilers.
    pub fn bounded(&mut self, id: ValueId, value: Expr) -> Expr {
        if self.ty(id).lanes == 1 { self.unknown(id, value) } else { value }
    }

    /// A scalar that is a value, or a lane of it, of which a compiler does not know how it is bounded.
    fn unknown(&mut self, id: ValueId, integer: Expr) -> Expr {
        let is_bound = matches!(self.node(id).op, Op::Binary(BinaryOp::Min | BinaryOp::Max, ..));
        if is_bound && self.has_loops() {
            return self.prelude.call(Helper::Unknown, CType::scalar(Type::I32), [integer]);
        }
        integer
    }

    /// A channel of the elements at some rows and columns. The offsets of elements are a statement of their own, once.
    pub fn gathered(&mut self, node: &Node, (id, channel): (InputId, u32), place: Gathered, ty: CType) -> Expr {
        if self.is_run(id, place) {
            self.expect_run(id, place);
            let columns = self.operand(place.1[1], ty.of(Type::I32));
            let first = Expr::Lanes(Box::new(columns.clone().grouped()), "s0".to_owned());
            let first = self.unknown(place.1[1], first);
            let at = self.declared_offsets(node, id, place, CType::scalar(Type::I32), first);
            let (input, a) = self.whole(id);
            let (element, by_runs) = (ty.of(input.ty), Expr::Name(Rc::clone(&self.by_runs)));
            return self.prelude.call(Helper::Run, element, [Expr::Name(a), Expr::Name(at), columns, by_runs]);
        }
        let column = self.operand(place.1[1], self.ty(place.1[1]));
        let column = self.bounded(place.1[1], column);
        let at = self.declared_offsets(node, id, place, ty.of(Type::I32), column);
        self.fetched((id, channel), Expr::Name(at), ty)
    }

    /// Whether the lanes of a vector read neighbours of one row, the same columns in all turns, save where those are bounded.
    pub fn is_run(&self, id: InputId, (plane, [row, column]): Gathered) -> bool {
        let is_one = |id: ValueId| self.ty(id).lanes == 1;
        let is_row = self.whole(id).0.channels == 1 && is_one(row) && plane.is_none_or(is_one);
        // Whoever reads for a group reads on whatever lies side by side.
        is_row && self.tiles.is_none() && !is_one(column) && self.is_before_loops(column) && self.steps_by_one(column)
    }

    /// Has the block left, where it is computed by runs, if some columns are none: before anything is read there.
    pub fn expect_run(&mut self, id: InputId, place: Gathered) {
        let column = place.1[1];
        if self.runs.contains(&(id, column)) {
            return;
        }
        self.runs.push((id, column));
        let (input, a) = self.whole(id);
        let (ty, last) = (self.ty(column).of(input.ty), input.dimensions() - 1);
        let apart = match last {
            0 => Expr::number(0),
            1 => self.distance(id, 0),
            _ => self.distance(id, last - 1).infix("|", Expr::name(format!("{a}_plane"))),
        };
        let column = self.operand(column, ty.of(Type::I32));
        let holds = self.prelude.call(Helper::IsRun, ty, [Expr::Name(a), apart, column]);
        self.statements.push((None, Statement::LeaveUnless(Expr::Name(Rc::clone(&self.by_runs)), holds)));
    }

    /// Whether a value is one more from lane to lane, save where it is bounded by what all lanes share.
    fn steps_by_one(&self, id: ValueId) -> bool {
        let is_one = |id: ValueId| self.ty(id).lanes == 1;
        match self.node(id).op {
            Op::Coordinate { axis: AxisId::X, .. } => true,
            Op::Binary(BinaryOp::Add(_) | BinaryOp::Min | BinaryOp::Max, a, b) => {
                is_one(a) && self.steps_by_one(b) || is_one(b) && self.steps_by_one(a)
            }
            Op::Binary(BinaryOp::Sub(_), a, b) => is_one(b) && self.steps_by_one(a),
            _ => false,
        }
    }

    /// The bytes from an input's first element to those at a place, whose columns are given: a statement of its own, once.
    fn declared_offsets(&mut self, node: &Node, id: InputId, place: Gathered, ty: CType, column: Expr) -> Rc<str> {
        if let Some(name) = self.offsets.get(&(id, place)) {
            return Rc::clone(name);
        }
        let (plane, [row, _]) = place;
        let last = self.whole(id).0.dimensions() - 1;
        let element_bytes = self.distance(id, last);
        let is_byte = matches!(&element_bytes, Expr::Name(bytes) if &**bytes == "1");
        let column = if is_byte { column } else { element_bytes.infix("*", column) };
        let name = self.names.claim(&format!("{}_at", self.function.kernel.inputs[id.0 as usize].name));
        // A tensor of one dimension has one row.
        let row = last.checked_sub(1).map(|dimension| self.counted(row, ty).infix("*", self.distance(id, dimension)));
        let plane = plane.map(|plane| self.counted(plane, ty));
        let value = [plane, row].into_iter().flatten().rev().fold(column, |rest, part| part.infix("+", rest));
        let author = self.function.is_marked.then_some(node.span);
        self.statements.push((author, Statement::Declare(ty, Rc::clone(&name), value)));
        self.offsets.insert((id, place), Rc::clone(&name));
        name
    }

    /// A channel of the elements at offsets in bytes.
    pub fn fetched(&mut self, (id, channel): (InputId, u32), offsets: Expr, ty: CType) -> Expr {
        let (input, a) = self.whole(id);
        let (element, first) = (input.ty, Expr::Name(a));
        let first = if channel == 0 { first } else { first.infix("+", Expr::name(size(element, channel))) };
        self.prelude.call(Helper::Fetch, ty.of(element), [first, offsets])
    }
}
