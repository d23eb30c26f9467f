//! A value as an expression, and as an operand of others.
//!
//! Expressions are written part by part into their statement: a text for each would take longer than what stands in it.

use super::{
    block::Block,
    operation,
    prelude::{Helper, from_word},
    types::{Form, literal},
};
use crate::text::{Parts, comma};
use windrow_dsl::ir::{Axis, Constant, Node, Op, TableId, Type, UniformId, ValueId};

impl Block<'_> {
    /// Writes a value as an operand of an operator on `form`: spread over the lanes where it is scalar.
    pub fn push_operand(&self, out: &mut Parts, id: ValueId, form: Form) {
        let own = self.form(id);
        if own.ty == Type::Bool && form.lanes > 1 {
            form.push_cast_to(out);
            match self.constant(id) {
                Some(Constant::Bool(true)) => out.push("(-1)"),
                Some(_) => out.push("0"),
                None => {
                    out.push("(-");
                    self.push_read(out, id);
                    out.push(")");
                }
            }
            return;
        }
        let is_same = own.lanes == form.lanes && own.ty == form.ty;
        if is_same && !(self.has_reals && own.ty == Type::F32 && own.lanes == 1 && self.constant(id).is_some()) {
            self.push_read(out, id);
        } else if !is_same && own.lanes == form.lanes && form.lanes > 1 {
            form.push_conversion_to(out);
            out.push("(");
            self.push_read(out, id);
            out.push(")");
        } else {
            form.push_cast_to(out);
            self.push_read(out, id);
        }
    }

    /// Such an operand.
    pub fn operand(&self, id: ValueId, form: Form) -> String {
        let mut out = Parts::default();
        self.push_operand(&mut out, id, form);
        out.finish()
    }

    /// Writes a value as an argument of a built-in function, which is chosen by its type: a literal says its type.
    pub fn push_argument(&self, out: &mut Parts, id: ValueId, form: Form) {
        let narrow = matches!(form.ty, Type::U8 | Type::I8 | Type::U16 | Type::I16);
        if form.lanes == 1 && narrow && self.constant(id).is_some() {
            form.push_cast_to(out);
        }
        self.push_operand(out, id, form);
    }

    /// Such an argument.
    pub fn argument(&self, id: ValueId, form: Form) -> String {
        let mut out = Parts::default();
        self.push_argument(&mut out, id, form);
        out.finish()
    }

    /// A constant; in a body of pairs, masks are read best in hexadecimal.
    pub fn literal(&self, constant: Constant, ty: Type) -> String {
        match constant {
            Constant::Int(word) if self.has_pairs() && ty == Type::U32 && word > 0xffff => format!("{word:#010x}u"),
            Constant::Int(_) | Constant::Float(_) | Constant::Bool(_) => literal(constant, ty),
        }
    }

    /// Writes what computes a value.
    pub fn push_expression(&mut self, out: &mut Parts, id: ValueId, node: &Node) {
        let form = self.form(id);
        match node.op {
            Op::Constant(constant) => out.push(&literal(constant, node.ty)),
            Op::Input { input, channel, dx, dy } => out.push(&self.tap(input, channel, dx, dy)),
            Op::Uniform { uniform, index } => out.push(&self.uniform(uniform, index, node.ty)),
            Op::Derived { index } => {
                let before: u32 = self.function.kernel.uniforms.iter().map(|u| u.dims.iter().product::<u32>()).sum();
                out.push(&from_word(&format!("words[{}]", before + index), node.ty));
            }
            Op::Coordinate { axis, offset } => out.push(&self.coordinate(axis, offset, form)),
            Op::Lookup { table, index } => out.push(&self.lookup(table, index, form)),
            Op::Unary(op, a) => out.push(&operation::unary(self, op, a, form)),
            Op::Binary(op, a, b) => operation::binary(self, out, op, [a, b], form),
            Op::MulAdd(a, b, c) => {
                out.push("fma(");
                self.push_operand(out, a, form);
                out.push(", ");
                self.push_operand(out, b, form);
                out.push(", ");
                self.push_operand(out, c, form);
                out.push(")");
            }
            Op::Select { condition, then, otherwise } => {
                out.push(&operation::select(self, condition, then, otherwise, form));
            }
            Op::Cast(mode, a) => operation::cast(self, out, mode, a, form),
        }
    }

    /// A word of a uniform.
    pub fn uniform(&self, uniform: UniformId, index: u32, ty: Type) -> String {
        let before = self.function.kernel.uniforms[..uniform.0 as usize].iter().map(|u| u.dims.iter().product::<u32>());
        from_word(&format!("words[{}]", before.sum::<u32>() + index), ty)
    }

    /// An entry of a table. The index has been bounded by its type or by a `min`.
    fn lookup(&mut self, id: TableId, index: ValueId, form: Form) -> String {
        let table = &self.function.kernel.tables[id.0 as usize];
        let name = &self.images.tables[id.0 as usize];
        if form.lanes == 1 {
            return format!("{name}[{}]", self.operand(index, self.form(index)));
        }
        let indices = self.operand(index, form.of(Type::U32));
        self.prelude.pull(Helper::Lookup, Form { ty: table.ty, lanes: form.lanes });
        format!("lookup_{}({name}, {indices})", form.suffix())
    }

    /// A coordinate; past the window's edge it stays on the last element.
    fn coordinate(&self, axis: Axis, offset: i32, form: Form) -> String {
        let (first, last) = match axis {
            Axis::X => ("block_x", "last_x"),
            Axis::Y => ("block_y", "last_y"),
        };
        let offset = match axis {
            Axis::X => offset.to_string(),
            Axis::Y => self.row(1, offset),
        };
        let first = if offset == "0" { first.to_owned() } else { format!("{first} + {offset}") };
        if form.lanes == 1 {
            return format!("min({first}, {last})");
        }
        format!("min(({form})({first}) + ({form})({}), ({form}){last})", comma(0..form.lanes))
    }
}
