//! Patterns: binding names to values, and testing whether a value matches.

use super::value::{Scalar, Value};
use super::{Lower, Stop};
use crate::ir::{BinaryOp, Type, UnaryOp};
use crate::messages;
use crate::syntax::*;

impl<'a> Lower<'a> {
    /// Binds the names of a pattern that every value matches.
    pub(super) fn bind(&mut self, pattern: &'a Pattern, value: Value<'a>) -> Result<(), Stop> {
        match &pattern.kind {
            PatternKind::Binding { local, .. } => {
                if !self.passing {
                    let name = self.name_of(*local);
                    self.name_value(&value, &name, self.type_of(*local));
                }
                self.locals[local.0 as usize] = Some(value);
                Ok(())
            }
            PatternKind::Tuple(patterns) | PatternKind::Array(patterns) => {
                let Value::Parts(parts) = value else { return Err(Stop) };
                for (pattern, part) in patterns.iter().zip(parts.iter()) {
                    self.bind(pattern, part.clone())?;
                }
                Ok(())
            }
            PatternKind::Wild
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::Some(_)
            | PatternKind::None => Ok(()),
        }
    }

    /// Binds a parameter: what is passed keeps its own name, since one closure may be called with many values.
    pub(super) fn pass(&mut self, pattern: &'a Pattern, value: Value<'a>) -> Result<(), Stop> {
        let outside = std::mem::replace(&mut self.passing, true);
        let result = self.bind(pattern, value);
        self.passing = outside;
        result
    }

    /// The same for a pattern of an arm, where a name may be a constant's.
    pub(super) fn bind_tested(&mut self, pattern: &'a Pattern, value: &Value<'a>) -> Result<(), Stop> {
        match &pattern.kind {
            PatternKind::Binding { local, .. } if self.types.constants.contains_key(local) => Ok(()),
            PatternKind::Binding { .. } => self.bind(pattern, value.clone()),
            PatternKind::Tuple(patterns) | PatternKind::Array(patterns) => {
                let Value::Parts(parts) = value else { return Err(Stop) };
                for (pattern, part) in patterns.iter().zip(parts.iter()) {
                    self.bind_tested(pattern, part)?;
                }
                Ok(())
            }
            PatternKind::Some(inner) => match value {
                Value::Parts(option) if option.len() == 2 => self.bind_tested(inner, &option[1]),
                _ => Err(Stop),
            },
            PatternKind::Wild
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::None => Ok(()),
        }
    }

    /// A name that is out of scope, or declared without a value, has none, whatever an earlier turn or call gave it.
    pub(super) fn forget(&mut self, pattern: &'a Pattern) {
        match &pattern.kind {
            PatternKind::Binding { local, .. } => self.locals[local.0 as usize] = None,
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => parts.iter().for_each(|part| self.forget(part)),
            PatternKind::Some(inner) => self.forget(inner),
            PatternKind::Wild
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::None => {}
        }
    }

    /// Whether a value matches a pattern.
    pub(super) fn test(&mut self, pattern: &'a Pattern, value: &Value<'a>) -> Result<Scalar, Stop> {
        self.step(1, None)?;
        match &pattern.kind {
            PatternKind::Wild => Ok(Scalar::bool(true)),
            PatternKind::Binding { local, .. } => match self.types.constants.get(local) {
                Some(crate::infer::Resolution::Constant(item)) => self.test_constant(pattern, *item, value),
                Some(_) | None => Ok(Scalar::bool(true)),
            },
            PatternKind::Value(expected) => {
                let expected = self.expr(expected)?;
                self.equal(pattern, value, &expected)
            }
            PatternKind::Range { start, end, limits } => {
                let Value::Scalar(value) = value else { return Err(Stop) };
                self.test_range(pattern, *value, start.as_deref(), end.as_deref(), limits)
            }
            PatternKind::Or(cases) => {
                let mut any = Scalar::bool(false);
                for case in cases {
                    let test = self.test(case, value)?;
                    any = self.combine(pattern, BinaryOp::Or, any, test);
                }
                Ok(any)
            }
            PatternKind::Some(inner) => self.test_some(pattern, Some(inner), value),
            PatternKind::None => self.test_some(pattern, None, value),
            PatternKind::Tuple(patterns) | PatternKind::Array(patterns) => {
                let Value::Parts(parts) = value else { return Err(Stop) };
                let mut all = Scalar::bool(true);
                for (pattern, part) in patterns.iter().zip(parts.iter()) {
                    let test = self.test(pattern, part)?;
                    all = self.combine(pattern, BinaryOp::And, all, test);
                }
                Ok(all)
            }
        }
    }

    /// Whether an option holds a value, and one that matches.
    fn test_some(
        &mut self,
        pattern: &'a Pattern,
        inner: Option<&'a Pattern>,
        value: &Value<'a>,
    ) -> Result<Scalar, Stop> {
        let Value::Parts(option) = value else { return Err(Stop) };
        let [Value::Scalar(is_some), value] = &option[..] else { return Err(Stop) };
        match inner {
            None => Ok(self.unary_op(UnaryOp::Not, Type::BOOL, *is_some, pattern.start)),
            Some(inner) => {
                let test = self.test(inner, value)?;
                Ok(self.combine(pattern, BinaryOp::And, *is_some, test))
            }
        }
    }

    fn test_constant(&mut self, pattern: &'a Pattern, item: ItemId, value: &Value<'a>) -> Result<Scalar, Stop> {
        let ItemKind::Const { value: constant, .. } = &self.unit.item(item).kind else { return Err(Stop) };
        let expected = self.constant(item, constant)?;
        self.equal(pattern, value, &expected)
    }

    fn equal(&mut self, pattern: &'a Pattern, a: &Value<'a>, b: &Value<'a>) -> Result<Scalar, Stop> {
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(self.binary_op(BinaryOp::Eq, *a, *b, pattern.start)),
            (Value::Enum(a), Value::Enum(b)) => Ok(Scalar::bool(a == b)),
            (_, _) => {
                self.report(&messages::PATTERN, pattern, &[]);
                Err(Stop)
            }
        }
    }

    fn test_range(
        &mut self,
        pattern: &'a Pattern,
        value: Scalar,
        start: Option<&'a Expr>,
        end: Option<&'a Expr>,
        limits: &syn::RangeLimits,
    ) -> Result<Scalar, Stop> {
        let mut inside = Scalar::bool(true);
        if let Some(start) = start {
            let start = self.scalar(start)?;
            let above = self.binary_op(BinaryOp::Ge, value, start, pattern.start);
            inside = self.combine(pattern, BinaryOp::And, inside, above);
        }
        if let Some(end) = end {
            let end = self.scalar(end)?;
            let op = match limits {
                syn::RangeLimits::Closed(_) => BinaryOp::Le,
                syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
            };
            let below = self.binary_op(op, value, end, pattern.start);
            inside = self.combine(pattern, BinaryOp::And, inside, below);
        }
        Ok(inside)
    }

    /// `a & b` or `a | b` of truth values, where a known one decides or disappears.
    fn combine(&mut self, pattern: &'a Pattern, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
        let deciding = op == BinaryOp::Or;
        match (a.as_bool(), b.as_bool()) {
            (Some(known), _) if known == deciding => a,
            (_, Some(known)) if known == deciding => b,
            (Some(_), _) => b,
            (_, Some(_)) => a,
            (None, None) => self.binary_op(op, a, b, pattern.start),
        }
    }
}
