//! Choices and loops: `if`, `match`, `&&`, `||`, `for`.

use super::items::{Ends, Iter};
use super::loops;
use super::value::{Scalar, Source, Value};
use super::{Lower, Stop};
use crate::infer::types::Ty;
use crate::ir::*;
use crate::syntax::*;
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub(super) fn block(&mut self, block: &'a CodeBlock) -> Result<Value<'a>, Stop> {
        for statement in &block.statements {
            match statement {
                Statement::Let { pattern, value: Some(value), .. } => {
                    let value = self.expr(value)?;
                    self.bind(pattern, value)?;
                }
                Statement::Let { pattern, value: None, .. } => self.forget(pattern),
                Statement::Expr(value, _) => {
                    self.expr(value)?;
                }
            }
        }
        let value = match &block.tail {
            Some(tail) => self.expr(tail)?,
            None => self.unit_value.clone(),
        };
        for statement in &block.statements {
            if let Statement::Let { pattern, .. } = statement {
                self.forget(pattern);
            }
        }
        Ok(value)
    }

    /// Evaluates both sides of a condition that isn't known, each under its path condition, and selects between what
    /// they leave in the variables.
    pub(super) fn both_sides<A, B>(
        &mut self,
        condition: ValueId,
        place: &'a Expr,
        then: impl FnOnce(&mut Self) -> Result<A, Stop>,
        otherwise: impl FnOnce(&mut Self) -> Result<B, Stop>,
    ) -> Result<(A, B), Stop> {
        self.step(1 + self.locals.len() as u64 / 8, Some(place))?;
        let before = self.locals.clone();
        let a = self.under(condition, true, then)?;
        let after_then = std::mem::replace(&mut self.locals, before);
        let b = self.under(condition, false, otherwise)?;
        for (index, then) in after_then.into_iter().enumerate() {
            self.locals[index] = match (then, self.locals[index].take()) {
                (Some(then), Some(otherwise)) => Some(self.select(condition, &then, &otherwise, place)?),
                (_, _) => None,
            };
        }
        Ok((a, b))
    }

    fn under<R>(
        &mut self,
        condition: ValueId,
        polarity: bool,
        side: impl FnOnce(&mut Self) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        let parent = self.guard;
        self.body.guards.push(Guard { parent, condition, polarity });
        self.guard = Some(GuardId(self.body.guards.len() as u32 - 1));
        let result = side(self);
        self.guard = parent;
        result
    }

    /// One of two values, by a condition.
    pub(super) fn choose(
        &mut self,
        condition: Scalar,
        place: &'a Expr,
        then: impl FnOnce(&mut Self) -> Result<Value<'a>, Stop>,
        otherwise: impl FnOnce(&mut Self) -> Result<Value<'a>, Stop>,
    ) -> Result<Value<'a>, Stop> {
        match (condition.as_bool(), condition.source) {
            (Some(true), _) => then(self),
            (Some(false), _) | (None, Source::Known(_)) => otherwise(self),
            (None, Source::Node(id)) => {
                let (then, otherwise) = self.both_sides(id, place, then, otherwise)?;
                self.select(id, &then, &otherwise, place)
            }
        }
    }

    pub(super) fn choice(
        &mut self,
        place: &'a Expr,
        condition: &'a Expr,
        then: &'a CodeBlock,
        otherwise: Option<&'a Expr>,
    ) -> Result<Value<'a>, Stop> {
        let condition = self.scalar(condition)?;
        self.choose(
            condition,
            place,
            |lower| lower.block(then),
            |lower| match otherwise {
                Some(otherwise) => lower.expr(otherwise),
                None => Ok(Value::unit()),
            },
        )
    }

    /// `a && b` (`on` is true) or `a || b`: the right side is evaluated only where the left one has the value `on`.
    pub(super) fn short_circuit(
        &mut self,
        place: &'a Expr,
        left: &'a Expr,
        right: &'a Expr,
        on: bool,
    ) -> Result<Value<'a>, Stop> {
        let left = self.scalar(left)?;
        self.short_circuit_value(place, left, on, |lower| lower.scalar(right)).map(Value::Scalar)
    }

    fn short_circuit_value(
        &mut self,
        place: &'a Expr,
        left: Scalar,
        on: bool,
        right: impl FnOnce(&mut Self) -> Result<Scalar, Stop>,
    ) -> Result<Scalar, Stop> {
        match (left.as_bool(), left.source) {
            (Some(value), _) if value == on => right(self),
            (Some(_), _) | (None, Source::Known(_)) => Ok(left),
            (None, Source::Node(id)) => {
                let right = match on {
                    true => self.both_sides(id, place, right, |_| Ok(()))?.0,
                    false => self.both_sides(id, place, |_| Ok(()), right)?.1,
                };
                let op = if on { BinaryOp::And } else { BinaryOp::Or };
                match right.as_bool() {
                    Some(value) if value == on => Ok(left),
                    Some(value) => Ok(Scalar::bool(value)),
                    None => Ok(self.binary_op(op, left, right, place.start)),
                }
            }
        }
    }

    pub(super) fn arms(&mut self, place: &'a Expr, value: &'a Expr, arms: &'a [Arm]) -> Result<Value<'a>, Stop> {
        let value = self.expr(value)?;
        self.arms_from(place, &value, arms)
    }

    fn arms_from(&mut self, place: &'a Expr, value: &Value<'a>, arms: &'a [Arm]) -> Result<Value<'a>, Stop> {
        self.step(1, Some(place))?;
        let [arm, rest @ ..] = arms else { return Ok(self.unit_value.clone()) };
        let mut condition = match rest {
            [] if arm.guard.is_none() => Scalar::bool(true),
            _ => self.test(&arm.pattern, value)?,
        };
        self.bind_tested(&arm.pattern, value)?;
        if let Some(guard) = &arm.guard {
            condition = self.short_circuit_value(place, condition, true, |lower| lower.scalar(guard))?;
        }
        let wraps = self.wraps || self.says_wrap(&arm.pattern);
        self.choose(
            condition,
            place,
            |lower| {
                let outside = std::mem::replace(&mut lower.wraps, wraps);
                let result = lower.expr(&arm.body);
                lower.wraps = outside;
                lower.forget(&arm.pattern);
                result
            },
            |lower| lower.arms_from(place, value, rest),
        )
    }

    /// Whether a pattern is `Overflow::Wrap` of the prelude.
    fn says_wrap(&self, pattern: &Pattern) -> bool {
        let PatternKind::Value(value) = &pattern.kind else { return false };
        let (Ty::Enum(which), ExprKind::Path(path)) = (self.types.of(value), &value.kind) else { return false };
        self.types.enums[*which].name == "Overflow" && path.last().is_some_and(|last| last == "Wrap")
    }

    pub(super) fn for_loop(
        &mut self,
        pattern: &'a Pattern,
        items: &'a Expr,
        body: &'a CodeBlock,
    ) -> Result<Value<'a>, Stop> {
        let items = self.expr(items)?;
        let mut iter = self.iterate(items)?;
        if let Iter::AtRunTime(ends) = &iter {
            return self.loop_at_run_time(pattern, &Rc::clone(ends), body);
        }
        while let Some(item) = self.next(&mut iter)? {
            self.bind(pattern, item)?;
            self.block(body)?;
        }
        self.forget(pattern);
        Ok(self.unit_value.clone())
    }

    /// The iterator over a value.
    pub(super) fn iterate(&mut self, value: Value<'a>) -> Result<Iter<'a>, Stop> {
        match value {
            Value::Iterator(iter) => Ok(*iter),
            Value::Parts(array) => Ok(Iter::Elements { next: 0, end: array.len(), array }),
            Value::Scalar(_)
            | Value::Closure(_)
            | Value::Function(_)
            | Value::Neighbourhood(_)
            | Value::View(_)
            | Value::Table(_)
            | Value::Enum(_) => Err(Stop),
        }
    }

    pub(super) fn range(
        &mut self,
        place: &'a Expr,
        start: &'a Expr,
        end: &'a Expr,
        limits: &syn::RangeLimits,
    ) -> Result<Value<'a>, Stop> {
        let (from, to) = (self.scalar(start)?, self.scalar(end)?);
        let ty = match self.types.of(place) {
            Ty::Iterator(item) => item.scalar().unwrap_or(from.ty),
            _ => from.ty,
        };
        let is_closed = matches!(limits, syn::RangeLimits::Closed(_));
        let (Some(next), Some(last)) = (from.as_int(), to.as_int()) else {
            let behind = if is_closed { loops::behind(self, to, end) } else { to };
            let ends = Ends { ty, start: from, end: behind, place };
            return Ok(Value::Iterator(Box::new(Iter::AtRunTime(Rc::new(ends)))));
        };
        let end = last + i128::from(is_closed);
        Ok(Value::Iterator(Box::new(Iter::Range { ty, next, end })))
    }
}
