//! A value of another type than the expected one, and how to make it one.

use super::Infer;
use super::types::{Callable, Shape, Ty};
use crate::ir::{AxisId, Type};
use crate::messages::{self, Located};
use crate::syntax::*;
use quote::ToTokens;

impl Infer<'_> {
    /// Makes the type of an expression the expected one, or says that it is another.
    pub(super) fn same_value(&mut self, expr: &Expr, expected: &Ty, found: &Ty) {
        if self.unifier.unify(expected, found) {
            return;
        }
        match self.with_operands_converted(expr, expected, found) {
            Some(code) => self.other_type(expr, expected, found, Some(format!("convert the operands: `{code}`"))),
            None => self.same(expr, expected, found),
        }
    }

    /// Makes the type of something at `place` the expected one, or says that it is another.
    pub(super) fn same(&mut self, place: impl Located, expected: &Ty, found: &Ty) {
        if self.unifier.unify(expected, found) {
            return;
        }
        let callable = |ty: &Ty| matches!(self.unifier.shallow(ty), Ty::Closure(_) | Ty::Function(_));
        if callable(expected) && callable(found) {
            return self.report(messages::RUN_TIME_STORE.at(place, &[]));
        }
        self.other_type(place, expected, found, None);
    }

    fn other_type(&mut self, place: impl Located, expected: &Ty, found: &Ty, help: Option<String>) {
        let help = help.unwrap_or_else(|| self.conversion(expected, found));
        let words = (self.show(expected), self.show(found));
        self.report(messages::MISMATCH.at(place, &[&words.0, &words.1, &help]));
        self.settle_float(found);
    }

    /// How an author makes a value of one type of another's.
    fn conversion(&self, expected: &Ty, found: &Ty) -> String {
        match (self.unifier.shape(expected), self.unifier.shape(found)) {
            (Shape::Float, Shape::Float) => {
                format!("convert it: `(..).cast::<{}>()`", self.show(expected))
            }
            (Shape::Integer | Shape::Float, Shape::Integer | Shape::Float) => {
                format!("convert it: `(..) as {}`", self.show(expected))
            }
            _ if let Some(name) = self.coordinate(found) => place_help(name),
            (Shape::Bool, Shape::Integer | Shape::Float) => "compare it: `.. != 0`".to_owned(),
            (Shape::Integer | Shape::Float, Shape::Bool) => {
                format!("convert it: `(..) as {}`", self.show(expected))
            }
            _ if matches!(self.unifier.shallow(found), Ty::Neighbourhood(_)) => {
                "read an element of it: `.at(0, 0)` is the current one".to_owned()
            }
            _ if matches!(self.unifier.shallow(found), Ty::View(..)) => {
                "read an element of it: `.get([y, x])` is an `Option`, `None` outside".to_owned()
            }
            _ if matches!(self.unifier.shallow(found), Ty::Option(_)) => {
                "say what is outside: `.unwrap_or(0)`".to_owned()
            }
            _ => format!("give a value of type `{}`", self.show(expected)),
        }
    }

    /// Takes a float literal of a mistake as `f32`, so that it is no second mistake.
    pub(super) fn settle_float(&mut self, ty: &Ty) {
        if self.unifier.shape(ty) == Shape::Float {
            self.unifier.unify(ty, &Ty::Scalar(Type::F32));
        }
    }

    /// The name of a coordinate that is taken for a value.
    pub(super) fn coordinate(&self, ty: &Ty) -> Option<&'static str> {
        match self.unifier.shallow(ty) {
            Ty::Function(Callable::Coordinate(AxisId::X)) => Some("x"),
            Ty::Function(Callable::Coordinate(_)) => Some("y"),
            _ => None,
        }
    }

    /// Sums, differences and products of integers with each operand converted to a wider type: the operation may overflow in
    /// the operands' own type, and has then no value to convert.
    fn with_operands_converted(&self, expr: &Expr, expected: &Ty, found: &Ty) -> Option<String> {
        let (Ty::Scalar(to), Ty::Scalar(from)) = (self.unifier.shallow(expected), self.unifier.shallow(found)) else {
            return None;
        };
        let is_wider = match to.is_integer() {
            true => to.bits() > from.bits() || to.is_signed() && !from.is_signed() && to.bits() == from.bits(),
            false => to.is_float() && !to.is_half(),
        };
        (from.is_integer() && is_wider).then(|| converted(expr, to))?
    }
}

/// How a kernel gets the place of its element.
pub(super) fn place_help(name: &str) -> String {
    format!("take `[y, x]: At<2>` as the first parameter, or call the function: `{name}()`")
}

/// An operation with its operands converted; nothing for what is no operation that can overflow.
fn converted(expr: &Expr, ty: Type) -> Option<String> {
    match &expr.kind {
        ExprKind::Paren(inner) => Some(format!("({})", converted(inner, ty)?)),
        ExprKind::Binary(left, op @ (syn::BinOp::Add(_) | syn::BinOp::Sub(_) | syn::BinOp::Mul(_)), right) => {
            let side = |side: &Expr| converted(side, ty).unwrap_or_else(|| operand(side, ty));
            Some(format!("{} {} {}", side(left), op.to_token_stream(), side(right)))
        }
        _ => None,
    }
}

/// An operand, converted. A literal takes the type of the other one.
fn operand(expr: &Expr, ty: Type) -> String {
    match &expr.kind {
        ExprKind::Literal(Literal { value: LiteralValue::Int(value), suffix: None, .. }) if ty.is_float() => {
            format!("{value}.0")
        }
        ExprKind::Literal(Literal { value: LiteralValue::Int(value), suffix: None, .. }) => value.to_string(),
        ExprKind::Path(path) if path.len() == 1 => format!("{} as {}", path[0], ty.name()),
        _ => format!("(..) as {}", ty.name()),
    }
}
