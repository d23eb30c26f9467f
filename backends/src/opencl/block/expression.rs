//! A value as an expression, and as an operand of others.

use super::operation;
use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, from_word};
use crate::opencl::c::types::CType;
use crate::rows::tap_of;
use std::rc::Rc;
use windrow_dsl::ir::{Axes, AxisId, Constant, Node, Op, TableId, Type, ValueId};

impl BlockWriter<'_> {
    /// A value as an operand of an operator on a type: spread over the lanes where it is scalar.
    pub fn operand(&self, id: ValueId, ty: CType) -> Expr {
        let (own, value) = (self.ty(id), self.values[id.0 as usize].clone());
        if own.ty == Type::BOOL && ty.lanes > 1 {
            return match self.constant(id) {
                Some(Constant::Bool(true)) => Expr::number(-1).cast(ty),
                Some(_) => Expr::number(0).cast(ty),
                None => value.prefix("-").cast(ty),
            };
        }
        // The type of a float's literal is not that of what the program computes in.
        let is_float =
            self.function.floats.are_chosen && own == CType::scalar(Type::F32) && self.constant(id).is_some();
        if own == ty && !is_float {
            value
        } else if own != ty && own.lanes == ty.lanes && ty.lanes > 1 {
            value.convert(ty)
        } else {
            value.cast(ty)
        }
    }

    /// A value as an argument of a built-in function, which is chosen by its type: a literal says its type.
    pub fn argument(&self, id: ValueId, ty: CType) -> Expr {
        let operand = self.operand(id, ty);
        // A literal is an int.
        let is_other = ty.ty.is_integer() && ty.ty.bits() != 32;
        if ty.lanes == 1 && is_other && self.constant(id).is_some() { operand.cast(ty) } else { operand }
    }

    /// A constant; in a body of pairs, masks are read best in hexadecimal.
    pub fn literal(&self, constant: Constant, ty: Type) -> Expr {
        match constant {
            Constant::Int(word) if self.has_pairs() && ty == Type::U32 && word > 0xffff => {
                Expr::name(format!("{word:#010x}u"))
            }
            _ => Expr::constant(constant, ty),
        }
    }

    /// What computes a value.
    pub fn expression(&mut self, id: ValueId, node: &Node) -> Expr {
        let ty = self.ty(id);
        match node.op {
            Op::Constant(constant) => self.literal(constant, node.ty),
            Op::Load(ref access) => self.tap(tap_of(access)),
            Op::Uniform { uniform, index } => self.word(uniform.0 as usize, index, node.ty),
            Op::Derived { index, .. } => self.word(self.function.kernel.uniforms.len(), index, node.ty),
            Op::Coordinate { axis, .. } if self.tiles.is_none() && !Axes::of(axis).of_group().is_empty() => {
                self.refuse(id, "Coordinate of a group", node.ty)
            }
            Op::Coordinate { axis, offset } => self.coordinate(axis, offset, ty),
            Op::Lookup { table, index } => self.lookup(table, index, ty),
            Op::Extent { input, dimension } => self.extent(input, dimension),
            Op::Stride { input, dimension } => self.distance(input, dimension),
            Op::Plane { input, dimension, outside, index } => self.plane(input, dimension, outside, index, ty),
            Op::Gather { input, channel, plane, at } => self.gathered(node, (input, channel), (plane, at), ty),
            Op::Fetch { input, channel, offset } => {
                let offset = self.operand(offset, ty.of(Type::I32));
                self.fetched((input, channel), offset, ty)
            }
            // No pass that OpenCL C goes through makes one of them.
            Op::Contiguous { .. } => self.refuse(id, "Contiguous", node.ty),
            Op::Across { .. } => self.refuse(id, "Across", node.ty),
            Op::Local { value, offset, .. } => self.local(id, value, offset, ty),
            // A loop has declared it.
            Op::Outcome { carried, .. } => self.values[carried.0 as usize].clone(),
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } => Expr::name(""),
            Op::Unary(op, a) => operation::unary(self, op, a, ty),
            Op::Binary(op, a, b) => operation::binary(self, id, op, [a, b], ty),
            Op::MulAdd(a, b, c) => Expr::call("fma", [a, b, c].map(|operand| self.operand(operand, ty))),
            Op::Select { condition, then, otherwise } => operation::select(self, condition, then, otherwise, ty),
            Op::Cast(mode, a) => operation::cast(self, mode, a, ty),
        }
    }

    /// A word: `index` words after those of the first `uniforms` uniforms.
    fn word(&self, uniforms: usize, index: u32, ty: Type) -> Expr {
        let before = self.function.kernel.uniforms[..uniforms].iter().map(|u| u.dims.iter().product::<u32>());
        from_word(Expr::name("words").at(Expr::number(i128::from(before.sum::<u32>() + index))), ty)
    }

    /// An entry of a table. The index has been bounded by its type or by a `min`.
    fn lookup(&mut self, id: TableId, index: ValueId, ty: CType) -> Expr {
        let name = Expr::Name(Rc::clone(&self.images.tables[id.0 as usize]));
        if ty.lanes == 1 {
            return name.at(self.operand(index, self.ty(index)));
        }
        let indices = self.operand(index, ty.of(Type::U32));
        let entries = CType { ty: self.function.kernel.tables[id.0 as usize].ty, lanes: ty.lanes };
        self.prelude.call(Helper::Lookup, entries, [name, indices])
    }

    /// A coordinate; past the window's edge it stays on the last element.
    fn coordinate(&self, axis: AxisId, offset: i32, ty: CType) -> Expr {
        if let Some(number) = axis.as_outer() {
            return Expr::name(format!("outer_{number}"));
        }
        if !Axes::of(axis).of_group().is_empty() {
            return self.place_in_group(axis);
        }
        if let (AxisId::X, Some(column)) = (axis, self.column_of_row()) {
            return column.plus(offset);
        }
        let (first, last, turn) = match axis {
            AxisId::X => ("block_x", "last_x", None),
            _ => ("block_y", "last_y", self.turn(1)),
        };
        let (first, last) = (Expr::name(first), Expr::name(last));
        let first = match turn {
            Some(turn) => first.infix("+", turn).plus(offset),
            None if offset == 0 => first,
            None => first.infix("+", Expr::name(offset.to_string())),
        };
        if ty.lanes == 1 {
            return Expr::call("min", [first, last]);
        }
        let lanes = Expr::Vector(ty, (0..ty.lanes).map(Expr::number).collect());
        Expr::call("min", [Expr::Vector(ty, vec![first]).infix("+", lanes), last.cast(ty)])
    }
}
