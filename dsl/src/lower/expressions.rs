//! What each form of expression evaluates to.

use super::name::words_of_call;
use super::value::{Scalar, Value};
use super::{Lower, Stop};
use crate::builtins::{Lowering, from_is_lossless};
use crate::infer::types::Ty;
use crate::ir::Overflow::Never;
use crate::ir::*;
use crate::operators;
use crate::syntax::*;

impl<'a> Lower<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Result<Value<'a>, Stop> {
        self.step(1, Some(expr))?;
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Value::Scalar(self.literal(expr, literal, false))),
            ExprKind::Path(_) => match self.types.resolutions.get(expr.id) {
                Some(resolution) => self.resolution(*resolution, expr),
                None => Err(Stop),
            },
            ExprKind::Unary(op, value) => self.unary(expr, op, value),
            ExprKind::Binary(left, syn::BinOp::And(_), right) => self.short_circuit(expr, left, right, true),
            ExprKind::Binary(left, syn::BinOp::Or(_), right) => self.short_circuit(expr, left, right, false),
            ExprKind::Binary(left, op, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.binary(expr, op, &left, &right)
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value)?;
                self.assign(place, value)?;
                Ok(self.unit_value.clone())
            }
            ExprKind::AssignOp(place, op, value) => {
                let right = self.expr(value)?;
                let left = self.expr(place)?;
                let value = self.binary(expr, op, &left, &right)?;
                self.assign(place, value)?;
                Ok(self.unit_value.clone())
            }
            ExprKind::Underscore => Err(Stop),
            ExprKind::Cast(value, ..) => {
                let value = self.scalar(value)?;
                let to = self.scalar_type(expr)?;
                Ok(Value::Scalar(self.cast(self.as_mode(value.ty, to), to, value, expr.mark())))
            }
            ExprKind::If { condition, then, otherwise } => self.choice(expr, condition, then, otherwise.as_deref()),
            ExprKind::Match(value, arms) => self.arms(expr, value, arms),
            ExprKind::Block(block) => self.block(block),
            ExprKind::For { pattern, items, body } => self.for_loop(pattern, items, body),
            ExprKind::Call(callee, arguments) => {
                let called = self.expr(callee)?;
                let arguments = self.exprs(arguments)?;
                let words = words_of_call(callee, &called, &arguments);
                let first = self.body.nodes.len();
                let value = self.call_value(expr, &called, arguments)?;
                self.note_call(&value, first, words);
                Ok(value)
            }
            ExprKind::Method { receiver, name, arguments, .. } => self.method(expr, receiver, name, arguments),
            ExprKind::Index(base, index) => self.index(expr, base, index),
            ExprKind::Field(base, member) => match (self.expr(base)?, member) {
                (Value::Parts(parts), syn::Member::Unnamed(index)) => {
                    parts.get(index.index as usize).cloned().ok_or(Stop)
                }
                _ => Err(Stop),
            },
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => Ok(Value::parts(self.exprs(parts)?)),
            ExprKind::Repeat(value, _) => {
                let value = self.expr(value)?;
                let n = self.types.lengths.get(&expr.id).copied().unwrap_or(0);
                self.step(n / 8, Some(expr))?;
                Ok(Value::parts(vec![value; n as usize]))
            }
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Range { start: Some(start), end: Some(end), limits } => self.range(expr, start, end, limits),
            ExprKind::Range { .. } => Err(Stop),
            ExprKind::Closure(_) => Ok(Value::Closure(expr)),
        }
    }

    /// What `as` does: it keeps the value, unless the author has chosen `Overflow::Wrap` here.
    fn as_mode(&self, from: Type, to: Type) -> CastMode {
        let integers = from.is_integer() && to.is_integer();
        if self.wraps && integers && !from_is_lossless(from, to) { CastMode::Wrapping } else { CastMode::Value }
    }

    pub(super) fn exprs(&mut self, exprs: &'a [Expr]) -> Result<Vec<Value<'a>>, Stop> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            values.push(self.expr(expr)?);
        }
        Ok(values)
    }

    /// Evaluates an expression that is a scalar.
    pub(super) fn scalar(&mut self, expr: &'a Expr) -> Result<Scalar, Stop> {
        match self.expr(expr)? {
            Value::Scalar(scalar) => Ok(scalar),
            _ => Err(Stop),
        }
    }

    pub(super) fn scalar_type(&self, expr: &Expr) -> Result<Type, Stop> {
        self.types.of(expr).scalar().ok_or(Stop)
    }

    fn literal(&mut self, expr: &'a Expr, literal: &Literal, negative: bool) -> Scalar {
        let ty = self.types.of(expr).scalar().unwrap_or(Type::I32);
        let value = match literal.value {
            LiteralValue::Bool(truth) => Constant::Bool(truth),
            LiteralValue::Int(value) if negative => Constant::Int(-value),
            LiteralValue::Int(value) => Constant::Int(value),
            LiteralValue::Float { double, .. } if ty == Type::F64 => {
                Constant::Double(if negative { -double } else { double }.to_bits())
            }
            LiteralValue::Float { single, .. } => Constant::Float(if negative { -single } else { single }.to_bits()),
        };
        Scalar::known(ty, value)
    }

    fn unary(&mut self, expr: &'a Expr, op: &syn::UnOp, value: &'a Expr) -> Result<Value<'a>, Stop> {
        let op = match op {
            syn::UnOp::Neg(_) => UnaryOp::Neg(Never),
            _ => UnaryOp::Not,
        };
        if let (UnaryOp::Neg(Never), ExprKind::Literal(literal)) = (op, &value.kind) {
            return Ok(Value::Scalar(self.literal(value, literal, true)));
        }
        let value = self.scalar(value)?;
        Ok(Value::Scalar(self.unary_op(op, value.ty, value, expr.mark())))
    }

    fn binary(
        &mut self,
        expr: &'a Expr,
        op: &syn::BinOp,
        left: &Value<'a>,
        right: &Value<'a>,
    ) -> Result<Value<'a>, Stop> {
        let Some(Lowering::Binary(op)) = operators::of_binary(op).map(|row| row.lowering) else { return Err(Stop) };
        match (left, right) {
            (Value::Scalar(left), Value::Scalar(right)) => {
                let right = match op {
                    BinaryOp::Shl(Never) | BinaryOp::Shr => self.cast(CastMode::Value, Type::U32, *right, expr.mark()),
                    _ => *right,
                };
                Ok(Value::Scalar(self.binary_op(op, *left, right, expr.mark())))
            }
            (Value::Enum(left), Value::Enum(right)) => {
                Ok(Value::Scalar(Scalar::bool((left == right) == (op == BinaryOp::Eq))))
            }
            (_, _) => Err(Stop),
        }
    }

    fn index(&mut self, expr: &'a Expr, base: &'a Expr, index: &'a Expr) -> Result<Value<'a>, Stop> {
        let base = self.expr(base)?;
        if let Value::View(input) = base {
            return self.view_element(expr, input, index);
        }
        let at = self.scalar(index)?;
        match base {
            Value::Parts(parts) => self.read_element(&parts, at, index),
            Value::Table(table) => Ok(Value::Scalar(self.lookup(table, at, expr.start))),
            _ => Err(Stop),
        }
    }

    /// Whether an expression is an array of a known length.
    pub(super) fn is_array(&self, expr: &Expr) -> bool {
        matches!(self.types.of(expr), Ty::Array(..))
    }
}
