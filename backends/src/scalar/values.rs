//! What the values of a body are where they are read: names, and literals.

use super::expression::Operands;
use crate::namer::{Name, Namer};
use crate::rows::literal;
use windrow_dsl::ir::{Constant, Kernel, Node, Type, ValueId};
use windrow_dsl::quick::Parts;

/// The values of a body that are written so far.
#[derive(Debug, Default)]
pub struct Values {
    /// The names of the function.
    pub names: Namer,
    list: Vec<Value>,
}

#[derive(Clone, Debug)]
enum Value {
    /// Nothing: it has not been written yet.
    Unwritten,
    Literal(String),
    Named(Name),
}

impl Values {
    /// Capacity for `count` values.
    pub fn of(count: usize) -> Self {
        Self { names: Namer::default(), list: vec![Value::Unwritten; count] }
    }

    /// A value that is a constant.
    pub fn set_constant(&mut self, index: usize, constant: Constant, ty: Type) {
        self.list[index] = Value::Literal(literal(constant, ty));
    }

    /// Gives a value its name, behind `let` in a line.
    pub fn declare(&mut self, out: &mut Parts, index: usize, kernel: &Kernel, node: &Node) {
        let name = self.names.value(kernel, node);
        out.push("let ");
        self.names.push(out, name);
        self.list[index] = Value::Named(name);
    }

    /// The same for one that changes.
    pub fn declare_mutable(&mut self, out: &mut Parts, index: usize, kernel: &Kernel, node: &Node) {
        let name = self.claim(index, kernel, node);
        out.push_all(&["let mut ", &name]);
    }

    /// Gives a value its name, which something else declares.
    pub fn claim(&mut self, index: usize, kernel: &Kernel, node: &Node) -> String {
        let name = self.names.value(kernel, node);
        self.list[index] = Value::Named(name);
        self.names.text(name)
    }

    /// The name of a value that has one.
    pub fn name(&self, id: ValueId) -> Option<String> {
        match self.list[id.0 as usize] {
            Value::Named(name) => Some(self.names.text(name)),
            Value::Literal(_) | Value::Unwritten => None,
        }
    }
}

impl Operands for Values {
    fn push(&self, out: &mut Parts, id: ValueId) {
        match &self.list.as_slice()[id.0 as usize] {
            Value::Named(name) => self.names.push(out, *name),
            Value::Literal(text) => out.push(text),
            Value::Unwritten => {}
        }
    }

    fn push_receiver(&self, out: &mut Parts, id: ValueId) {
        match &self.list.as_slice()[id.0 as usize] {
            Value::Literal(text) if text.starts_with('-') => out.push_all(&["(", text, ")"]),
            _ => self.push(out, id),
        }
    }
}
