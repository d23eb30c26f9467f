//! How an input that is read anywhere is read: each element by the bytes from the plane's first to it.
//!
//! A place is inside the image (its row and its column are clamped in the IR), and the bytes of a plane are counted in an
//! `int`, so that no address needs more. The channels of an element share its offset.

use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, Statement};
use crate::opencl::c::types::CType;
use crate::opencl::entry::places::size;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, Input, InputId, Node, Type, ValueId};

/// Where an element is read: its plane, where there are several, its row and its column.
pub type Gathered = (Option<ValueId>, [ValueId; 2]);

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
    pub fn plane(&self, id: InputId, dimension: u32, outside: Option<ValueId>, index: ValueId) -> Expr {
        let own = self.operand(index, self.ty(index)).infix("*", self.distance(id, dimension));
        match outside {
            Some(outside) => self.operand(outside, self.ty(outside)).infix("+", own),
            None => own,
        }
    }

    /// A channel of the elements at some rows and columns. The offsets of elements are a statement of their own, once.
    pub fn gathered(&mut self, node: &Node, (id, channel): (InputId, u32), place: Gathered, ty: CType) -> Expr {
        let offsets = match self.offsets.get(&(id, place)) {
            Some(name) => Rc::clone(name),
            None => self.declare_offsets(node, id, place, ty.of(Type::I32)),
        };
        self.fetched((id, channel), Expr::Name(offsets), ty)
    }

    fn declare_offsets(&mut self, node: &Node, id: InputId, place: Gathered, ty: CType) -> Rc<str> {
        let (plane, [row, column]) = place;
        let last = self.whole(id).0.dimensions() - 1;
        let column = self.operand(column, self.ty(column));
        let element_bytes = self.distance(id, last);
        let is_byte = matches!(&element_bytes, Expr::Name(bytes) if &**bytes == "1");
        let column = if is_byte { column } else { element_bytes.infix("*", column) };
        let name = self.names.claim(&format!("{}_at", self.function.kernel.inputs[id.0 as usize].name));
        // A tensor of one dimension has one row.
        let row = last
            .checked_sub(1)
            .map(|dimension| self.operand(row, self.ty(row)).infix("*", self.distance(id, dimension)));
        let plane = plane.map(|plane| self.operand(plane, self.ty(plane)));
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
