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
use windrow_dsl::ir::{Input, InputId, Node, Type, ValueId};

impl BlockWriter<'_> {
    fn whole(&self, id: InputId) -> (&Input, Rc<str>) {
        (&self.function.kernel.inputs[id.0 as usize], Rc::clone(&self.images.inputs[id.0 as usize]))
    }

    /// Rows or columns of an input.
    pub fn extent(&self, id: InputId, dimension: u32) -> Expr {
        let part = if dimension == 0 { "height" } else { "width" };
        Expr::name(format!("{}_{part}", self.whole(id).1))
    }

    /// Bytes from row to row, or from element to element of a row.
    pub fn distance(&self, id: InputId, dimension: u32) -> Expr {
        let (input, a) = self.whole(id);
        match dimension {
            0 => Expr::name(format!("{a}_stride")),
            _ => Expr::name(size(input.ty, input.channels)),
        }
    }

    /// A channel of the elements at some rows and columns. The offsets of elements are a statement of their own, once.
    pub fn gathered(&mut self, node: &Node, (id, channel): (InputId, u32), at: [ValueId; 2], ty: CType) -> Expr {
        let offsets = match self.offsets.get(&(id, at)) {
            Some(name) => Rc::clone(name),
            None => self.declare_offsets(node, id, at, ty.of(Type::I32)),
        };
        self.fetched((id, channel), Expr::Name(offsets), ty)
    }

    fn declare_offsets(&mut self, node: &Node, id: InputId, at: [ValueId; 2], ty: CType) -> Rc<str> {
        let [row, column] = at.map(|index| self.operand(index, self.ty(index)));
        let [row_bytes, element_bytes] = [0, 1].map(|dimension| self.distance(id, dimension));
        let is_byte = matches!(&element_bytes, Expr::Name(bytes) if &**bytes == "1");
        let column = if is_byte { column } else { element_bytes.infix("*", column) };
        let name = self.names.claim(&format!("{}_at", self.function.kernel.inputs[id.0 as usize].name));
        let value = row.infix("*", row_bytes).infix("+", column);
        let author = self.function.is_marked.then_some(node.span);
        self.statements.push((author, Statement::Declare(ty, Rc::clone(&name), value)));
        self.offsets.insert((id, at), Rc::clone(&name));
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
