//! Operators: both operands of an arithmetic operator have one type, and the result has it too.
//!
//! As in rustc, an operand that isn't known yet (a closure's parameter) makes the operator wait.

use super::types::{self, Shape, Ty};
use super::{Infer, LateCheck};
use crate::ir::Type;
use crate::messages;
use crate::operators::{self, Class};
use crate::syntax::*;
use proc_macro2::Span;
use quote::ToTokens;

/// An operator whose operands aren't known yet.
pub(super) struct Pending {
    place: (Span, Span),
    symbol: String,
    class: Class,
    shift: bool,
    left: Ty,
    right: Ty,
    result: Ty,
    /// An operand that is an integer literal, as it is written beside a float.
    float: Option<String>,
}

impl Infer<'_> {
    pub(super) fn unary(&mut self, expr: &Expr, op: &syn::UnOp, value: &Expr, hint: Option<&Ty>) -> Ty {
        let class = match op {
            syn::UnOp::Neg(_) => Class::Signed,
            _ => Class::IntegersOrBool,
        };
        let ty = match (&value.kind, class) {
            (ExprKind::Literal(literal), Class::Signed) => {
                let ty = self.literal(value, literal, hint, true);
                if let Some(slot) = self.types.expressions.get_mut(value.id.0 as usize) {
                    *slot = ty.clone();
                }
                ty
            }
            _ => self.expr(value, hint),
        };
        let symbol = op.to_token_stream().to_string();
        if self.unifier.shape(&ty) == Shape::Unknown {
            self.resolve_pending();
            if self.unifier.shape(&ty) == Shape::Unknown {
                return self.unknown_use(value, &symbol);
            }
        }
        if let Ty::Scalar(_) | Ty::Usize = self.unifier.shallow(&ty)
            && !self.check_operator((expr.start, expr.end), &symbol, class, &ty)
        {
            return Ty::Error;
        }
        self.late(expr, LateCheck::Operator(symbol, class, ty.clone()));
        ty
    }

    pub(super) fn binary(&mut self, expr: &Expr, left: &Expr, op: &syn::BinOp, right: &Expr) -> Ty {
        if matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_)) {
            self.condition(left);
            self.condition(right);
            return Ty::BOOL;
        }
        let left = self.expr(left, None);
        let right = self.expr(right, None);
        self.operator(expr, op, &left, &right)
    }

    /// The type of `left op right`.
    pub(super) fn operator(&mut self, expr: &Expr, op: &syn::BinOp, left: &Ty, right: &Ty) -> Ty {
        let class = operators::of_binary(op).map_or(Class::Comparable, |row| row.class);
        let result = if class == Class::Comparable { Ty::BOOL } else { self.fresh() };
        let symbol = op.to_token_stream().to_string();
        let shift =
            matches!(op, syn::BinOp::Shl(_) | syn::BinOp::Shr(_) | syn::BinOp::ShlAssign(_) | syn::BinOp::ShrAssign(_));
        let place = (expr.start, expr.end);
        let float = literal_operand(expr);
        let (left, right) = (left.clone(), right.clone());
        let pending = Pending { place, symbol, class, shift, left, right, result: result.clone(), float };
        if !self.try_operator(&pending) {
            self.pending.push(pending);
        }
        result
    }

    /// Looks again at the operators that wait.
    pub(super) fn resolve_pending(&mut self) {
        loop {
            let waiting = std::mem::take(&mut self.pending);
            let before = waiting.len();
            let mut still = Vec::new();
            for pending in waiting {
                if !self.try_operator(&pending) {
                    still.push(pending);
                }
            }
            self.pending = still;
            if self.pending.len() == before || self.pending.is_empty() {
                return;
            }
        }
    }

    /// Whether the operands are known well enough; then their types and the result's are made one.
    fn try_operator(&mut self, operator: &Pending) -> bool {
        let (left, right) = (self.unifier.shape(&operator.left), self.unifier.shape(&operator.right));
        if left == Shape::Unknown || right == Shape::Unknown {
            return false;
        }
        let arithmetic = operator.class != Class::Comparable;
        if !operator.shift && !self.unifier.unify(&operator.left, &operator.right) {
            self.mismatched_operands(operator);
            self.unifier.unify(&operator.result, &Ty::Error);
            return true;
        }
        if arithmetic {
            self.unifier.unify(&operator.result, &operator.left);
        }
        let check = |ty: &Ty| LateCheck::Operator(operator.symbol.clone(), operator.class, ty.clone());
        self.late(operator.place, check(&operator.left));
        if operator.shift {
            self.late(operator.place, check(&operator.right));
        }
        true
    }

    fn mismatched_operands(&mut self, operator: &Pending) {
        for side in [&operator.left, &operator.right] {
            if self.unifier.shape(side) == Shape::Bool
                && !matches!(operator.class, Class::Comparable | Class::IntegersOrBool)
            {
                self.check_operator(operator.place, &operator.symbol, operator.class, side);
                return;
            }
        }
        let (left, right) = (self.show(&operator.left), self.show(&operator.right));
        let sides = [&operator.left, &operator.right];
        let is_of_floats = sides.iter().any(|side| self.unifier.shape(side) == Shape::Float);
        let help = match self.common_type(&operator.left, &operator.right) {
            _ if let Some(name) = sides.into_iter().find_map(|side| self.coordinate(side)) => {
                super::mismatch::place_help(name)
            }
            _ if is_of_floats && let Some(float) = &operator.float => {
                format!("write `{float}`: the operands of `{}` have one type", operator.symbol)
            }
            Some((narrow, wide)) => format!("convert the {narrow}: `.. as {wide}`"),
            None => String::from("compute with operands of one type"),
        };
        self.report(messages::OPERANDS.at(operator.place, &[&operator.symbol, &left, &right, &help]));
        sides.into_iter().for_each(|side| self.settle_float(side));
    }

    /// Of two operands the one that an author may convert, and the type of the other.
    fn common_type(&self, left: &Ty, right: &Ty) -> Option<(String, String)> {
        let width = |ty: &Ty| match self.unifier.shallow(ty) {
            Ty::Scalar(Type::F64) => Some(65),
            Ty::Scalar(Type::F32) => Some(64),
            Ty::Scalar(ty) => Some(2 * ty.bits() + u32::from(types::is_signed(ty))),
            Ty::Usize => Some(63),
            Ty::Var(_) if self.unifier.shape(ty) == Shape::Float => Some(64),
            Ty::Var(_) if self.unifier.shape(ty) == Shape::Integer => Some(0),
            _ => None,
        };
        let (narrow, wide) = if width(left)? >= width(right)? { (right, left) } else { (left, right) };
        let narrow = match self.unifier.shallow(narrow) {
            Ty::Var(_) => String::from("other one"),
            known => format!("`{}`", self.show(&known)),
        };
        let is_literal = matches!(self.unifier.shallow(wide), Ty::Var(_));
        Some((narrow, if is_literal { "f32".to_owned() } else { self.show(wide) }))
    }

    /// Whether an operator has a meaning for a type that is known by now; else a report.
    pub(super) fn check_operator(&mut self, place: (Span, Span), symbol: &str, class: Class, ty: &Ty) -> bool {
        let good = match (&self.unifier.shallow(ty), class) {
            (Ty::Error, _) => true,
            (Ty::Var(_), Class::Numbers | Class::Signed | Class::Comparable) => true,
            (Ty::Scalar(Type::BOOL), Class::IntegersOrBool | Class::Comparable) => true,
            (Ty::Scalar(Type::BOOL), _) => false,
            (Ty::Scalar(Type::F32 | Type::F64), Class::Numbers | Class::Signed | Class::Comparable) => true,
            (Ty::Scalar(Type::F32 | Type::F64), _) => false,
            (Ty::Scalar(ty), _) if ty.is_half() => false,
            (Ty::Scalar(ty), Class::Signed) if !types::is_signed(*ty) => false,
            (Ty::Scalar(ty), _) => operators::lacked_by(symbol, class, *ty).is_none(),
            (Ty::Usize, Class::Numbers | Class::Integers | Class::Comparable) => true,
            (Ty::Enum(_), Class::Comparable) => symbol == "==" || symbol == "!=",
            (_, _) => false,
        };
        if !good {
            let found = self.show(ty);
            let known = self.unifier.shallow(ty);
            if let Ty::Scalar(own) = known
                && own.is_half()
            {
                let help = super::methods::half_is_stored(&own, "");
                self.report(messages::OPERATOR.at(place, &[symbol, &found, &help]));
                return false;
            }
            if let Ty::Scalar(own) = known
                && let Some(families) = operators::lacked_by(symbol, class, own)
            {
                let narrow = Type::of(own.kind(), 32).unwrap_or(Type::I32).name();
                let help = format!("{families} lack it for {}; convert first: `(.. as {narrow})`", own.name());
                self.report(messages::OPERATOR.at(place, &[symbol, &found, &help]));
                return false;
            }
            let help = match (class, &known) {
                (_, Ty::Scalar(Type::BOOL)) => "choose by it: `if .. { 255 } else { 0 }`",
                (Class::Signed, _) => "convert to a signed type first: `-(.. as i32)`",
                (Class::Integers, Ty::Scalar(Type::F32 | Type::F64)) => "convert to an integer first: `(.. as i32)`",
                (_, Ty::Array(..) | Ty::Tuple(_)) => "compute each part by itself",
                (_, _) => "use numbers",
            };
            self.report(messages::OPERATOR.at(place, &[symbol, &found, help]));
        }
        good
    }
}

/// The operand that is an integer literal, as a float: `2.0`.
fn literal_operand(expr: &Expr) -> Option<String> {
    fn as_float(expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Literal(Literal { value: LiteralValue::Int(value), suffix: None, .. }) => {
                Some(format!("{value}.0"))
            }
            ExprKind::Unary(syn::UnOp::Neg(_), value) => Some(format!("-{}", as_float(value)?)),
            ExprKind::Paren(value) => as_float(value),
            _ => None,
        }
    }
    match &expr.kind {
        ExprKind::Binary(left, _, right) => as_float(left).or_else(|| as_float(right)),
        ExprKind::AssignOp(_, _, value) => as_float(value),
        _ => None,
    }
}
