//! What an expression evaluates to while a kernel is lowered.

use super::items::Iter;
use crate::infer::types::Callable;
use crate::ir::{Constant, InputId, TableId, Type, ValueId};
use crate::syntax::Expr;
use std::rc::Rc;

/// A value of the author's program, known at compile time or computed by the body.
#[derive(Clone)]
pub enum Value<'a> {
    /// A scalar.
    Scalar(Scalar),
    /// An array or a tuple.
    Parts(Rc<Vec<Value<'a>>>),
    /// A closure: inlined where it is called.
    Closure(&'a Expr),
    /// A function's name.
    Function(Callable),
    /// An input with a neighbourhood.
    Neighbourhood(InputId),
    /// A whole input.
    View(InputId),
    /// A table.
    Table(TableId),
    /// The value of an enum.
    Enum(u32),
    /// An iterator.
    Iterator(Box<Iter<'a>>),
}

/// A scalar: its type, and where its value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scalar {
    /// Its type; a `usize` is U32.
    pub ty: Type,
    /// Where it comes from.
    pub source: Source,
}

/// Where a scalar comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// It is known.
    Known(Constant),
    /// The body computes it.
    Node(ValueId),
}

impl Scalar {
    /// A known scalar.
    pub fn known(ty: Type, value: Constant) -> Self {
        Self { ty, source: Source::Known(value) }
    }

    /// A known integer.
    pub fn int(ty: Type, value: i128) -> Self {
        Self::known(ty, Constant::Int(value))
    }

    /// A known truth value.
    pub fn bool(value: bool) -> Self {
        Self::known(Type::BOOL, Constant::Bool(value))
    }

    /// The value, where it is known.
    pub fn constant(self) -> Option<Constant> {
        match self.source {
            Source::Known(value) => Some(value),
            Source::Node(_) => None,
        }
    }

    /// The integer, where it is known.
    pub fn as_int(self) -> Option<i128> {
        match self.constant()? {
            Constant::Int(value) => Some(value),
            Constant::Bool(_) | Constant::Float(_) | Constant::Double(_) => None,
        }
    }

    /// The truth value, where it is known.
    pub fn as_bool(self) -> Option<bool> {
        match self.constant()? {
            Constant::Bool(value) => Some(value),
            Constant::Int(_) | Constant::Float(_) | Constant::Double(_) => None,
        }
    }
}

impl<'a> Value<'a> {
    /// `()`.
    pub fn unit() -> Self {
        Self::Parts(Rc::new(Vec::new()))
    }

    /// An array or a tuple.
    pub fn parts(parts: Vec<Value<'a>>) -> Self {
        Self::Parts(Rc::new(parts))
    }

    /// Whether two values are certainly the same.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(a), Self::Scalar(b)) => a == b,
            (Self::Parts(a), Self::Parts(b)) => {
                Rc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b)))
            }
            (Self::Closure(a), Self::Closure(b)) => a.id == b.id,
            (Self::Function(a), Self::Function(b)) => a == b,
            (Self::Neighbourhood(a), Self::Neighbourhood(b)) => a == b,
            (Self::View(a), Self::View(b)) => a == b,
            (Self::Table(a), Self::Table(b)) => a == b,
            (Self::Enum(a), Self::Enum(b)) => a == b,
            (
                Self::Scalar(_)
                | Self::Parts(_)
                | Self::Closure(_)
                | Self::Function(_)
                | Self::Neighbourhood(_)
                | Self::View(_)
                | Self::Table(_)
                | Self::Enum(_)
                | Self::Iterator(_),
                _,
            ) => false,
        }
    }
}
