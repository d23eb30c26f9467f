//! Calls: closures and functions are inlined, builtins become operations, neighbourhoods are read.

use super::items::Iter;
use super::value::{Scalar, Value};
use super::{Lower, MAX_CALLS, MAX_OFFSET, Stop};
use crate::builtins::{self, Lowering, Method};
use crate::infer::types::Callable;
use crate::ir::Overflow::Wrap;
use crate::ir::*;
use crate::messages;
use crate::parse::too_deep;
use crate::syntax::*;
use proc_macro2::Span;
use syn::Ident;

impl<'a> Lower<'a> {
    /// Calls a closure or a function; `place` is the call.
    pub(super) fn call_value(
        &mut self,
        place: &'a Expr,
        callee: &Value<'a>,
        arguments: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Stop> {
        self.step(1, Some(place))?;
        match callee {
            Value::Closure(expr) => {
                let ExprKind::Closure(closure) = &expr.kind else { return Err(Stop) };
                for ((pattern, _), argument) in closure.parameters.iter().zip(arguments) {
                    self.pass(pattern, argument)?;
                }
                let result = self.nested(place, |lower| lower.expr(&closure.body))?;
                closure.parameters.iter().for_each(|(pattern, _)| self.forget(pattern));
                Ok(result)
            }
            Value::Function(Callable::Item(id)) => self.call_item(place, *id, arguments),
            Value::Function(Callable::Coordinate(axis)) => {
                let op = Op::Coordinate { axis: *axis, offset: 0 };
                Ok(Value::Scalar(self.leaf(op, Type::I32, place.start)))
            }
            Value::Function(Callable::Method(name, _)) => {
                let scalars = scalars(&arguments)?;
                let (receiver, rest) = scalars.split_first().ok_or(Stop)?;
                self.builtin(place, builtins::method(name).ok_or(Stop)?, *receiver, rest)
            }
            Value::Function(Callable::From(to)) => match arguments[..] {
                [Value::Scalar(value)] => Ok(Value::Scalar(self.from(*to, value, place.start))),
                _ => Err(Stop),
            },
            Value::Function(Callable::Reduction(reduction)) => match &arguments[..] {
                [range, term] => self.reduction(place, *reduction, range.clone(), term),
                _ => Err(Stop),
            },
            Value::Function(Callable::FromBits) => match arguments[..] {
                [Value::Scalar(value)] => {
                    Ok(Value::Scalar(self.unary_op(UnaryOp::FromBits, Type::F32, value, place.start)))
                }
                _ => Err(Stop),
            },
            Value::Scalar(_)
            | Value::Parts(_)
            | Value::Neighbourhood(_)
            | Value::View(_)
            | Value::Table(_)
            | Value::Enum(_)
            | Value::Iterator(_) => Err(Stop),
        }
    }

    /// `to::from(value)`; a truth value goes through an integer.
    fn from(&mut self, to: Type, value: Scalar, span: Span) -> Scalar {
        let value = match (value.ty, to) {
            (Type::BOOL, Type::F32 | Type::F64) => self.cast(CastMode::Value, Type::U8, value, span),
            (_, _) => value,
        };
        self.cast(CastMode::Value, to, value, span)
    }

    fn call_item(&mut self, place: &'a Expr, id: ItemId, arguments: Vec<Value<'a>>) -> Result<Value<'a>, Stop> {
        let item = self.unit.item(id);
        let ItemKind::Function(function) = &item.kind else { return Err(Stop) };
        if self.active.contains(&id) {
            self.report(&messages::RECURSION, place, &[&item.name.to_string()]);
            return Err(Stop);
        }
        for ((pattern, _), argument) in function.parameters.iter().zip(arguments) {
            self.pass(pattern, argument)?;
        }
        self.active.push(id);
        let result = self.nested(place, |lower| lower.block(&function.body))?;
        self.active.pop();
        function.parameters.iter().for_each(|(pattern, _)| self.forget(pattern));
        Ok(result)
    }

    /// One level of calls and constants deeper.
    pub(super) fn nested<R>(
        &mut self,
        place: &'a Expr,
        body: impl FnOnce(&mut Self) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        if self.calls >= MAX_CALLS {
            self.errors.push(too_deep(place.start));
            return Err(Stop);
        }
        self.calls += 1;
        let wraps = std::mem::take(&mut self.wraps);
        let result = body(self);
        self.wraps = wraps;
        self.calls -= 1;
        result
    }

    pub(super) fn method(
        &mut self,
        expr: &'a Expr,
        receiver: &'a Expr,
        name: &'a Ident,
        arguments: &'a [Expr],
    ) -> Result<Value<'a>, Stop> {
        let is_array = self.is_array(receiver);
        let value = self.expr(receiver)?;
        match value {
            Value::Neighbourhood(input) if name == "at" => self.at(expr, input, arguments),
            Value::Neighbourhood(input) => self.window(expr, name, input),
            Value::Scalar(scalar) => {
                let mut scalars = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    scalars.push(self.scalar(argument)?);
                }
                self.builtin(expr, self.types.methods.get(expr.id).ok_or(Stop)?, scalar, &scalars)
            }
            Value::Parts(parts) if is_array && name == "len" => {
                Ok(Value::Scalar(Scalar::int(Type::U32, parts.len() as i128)))
            }
            Value::Parts(parts) if is_array && name == "map" => {
                let [function] = arguments else { return Err(Stop) };
                let function = self.expr(function)?;
                let mut results = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    results.push(self.call_value(expr, &function, vec![part.clone()])?);
                }
                Ok(Value::parts(results))
            }
            Value::Parts(option) if self.is_option(receiver) => self.option_method(expr, &option, name, arguments),
            Value::Parts(_) | Value::Iterator(_) => self.iterator_method(expr, value, name, arguments),
            Value::View(input) => self.view_method(expr, input, name, arguments),
            Value::Closure(_) | Value::Function(_) | Value::Table(_) | Value::Enum(_) => Err(Stop),
        }
    }

    fn iterator_method(
        &mut self,
        expr: &'a Expr,
        receiver: Value<'a>,
        name: &'a Ident,
        arguments: &'a [Expr],
    ) -> Result<Value<'a>, Stop> {
        let mut iter = self.iterate(receiver)?;
        let iter = match (name.to_string().as_str(), arguments) {
            ("into_iter", []) => iter,
            ("enumerate", []) => Iter::Enumerate(Box::new(iter), 0),
            ("rev", []) => Iter::Rev(Box::new(iter)),
            ("zip", [other]) => {
                let other = self.expr(other)?;
                let other = self.iterate(other)?;
                Iter::Zip(Box::new(iter), Box::new(other))
            }
            ("skip", [n]) => Iter::Skip(Box::new(iter), self.count(n)?),
            ("take", [n]) => Iter::Take(Box::new(iter), self.count(n)?),
            ("step_by", [n]) => match self.count(n)? {
                0 => {
                    self.report(&messages::STEP_OF_ZERO, n, &[]);
                    return Err(Stop);
                }
                step => Iter::StepBy(Box::new(iter), step, true),
            },
            ("map", [function]) => Iter::Map(Box::new(iter), Box::new(self.expr(function)?), expr),
            ("fold", [start, function]) => {
                let mut total = self.expr(start)?;
                let function = self.expr(function)?;
                while let Some(item) = self.next(&mut iter)? {
                    total = self.call_value(expr, &function, vec![total, item])?;
                }
                return Ok(total);
            }
            (_, _) => return Err(Stop),
        };
        Ok(Value::Iterator(Box::new(iter)))
    }

    /// A number of items, which must be known.
    fn count(&mut self, n: &'a Expr) -> Result<u64, Stop> {
        match self.scalar(n)?.as_int().and_then(|n| u64::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => {
                self.report(&messages::LOOP_NOT_CONSTANT, n, &[]);
                Err(Stop)
            }
        }
    }

    /// A row of the builtin table, applied.
    fn builtin(
        &mut self,
        expr: &'a Expr,
        method: &Method,
        receiver: Scalar,
        arguments: &[Scalar],
    ) -> Result<Value<'a>, Stop> {
        let span = expr.mark();
        let result = match (method.lowering, arguments) {
            (Lowering::Unary(op), []) => {
                let ty = match method.result {
                    builtins::ResultType::Unsigned => receiver.ty.unsigned(),
                    builtins::ResultType::Fixed(ty) => ty,
                    builtins::ResultType::Same | builtins::ResultType::Target => receiver.ty,
                };
                self.unary_op(op, ty, receiver, span)
            }
            (Lowering::Binary(op), [other]) => self.binary_op(op, receiver, *other, span),
            (Lowering::MulAdd, [b, c]) => self.mul_add(receiver, *b, *c, span),
            (Lowering::RotateLeft, [n]) => self.rotate_left(receiver, *n, span),
            (Lowering::Clamp, [lo, hi]) => self.clamp(expr, receiver, *lo, *hi),
            (Lowering::Function(name), rest) => {
                let arguments: Vec<Scalar> = [receiver].into_iter().chain(rest.iter().copied()).collect();
                self.function(name, &arguments, span)?
            }
            (Lowering::Cast(mode), []) => {
                let to = self.scalar_type(expr)?;
                self.cast(mode, to, receiver, span)
            }
            (_, _) => return Err(Stop),
        };
        Ok(Value::Scalar(result))
    }

    /// `value.rotate_left(n)`. Without a rotation (n a multiple of the width) both halves are the value.
    fn rotate_left(&mut self, value: Scalar, n: Scalar, span: Span) -> Scalar {
        let width = i128::from(value.ty.bits());
        let pattern = self.cast(CastMode::Wrapping, value.ty.unsigned(), value, span);
        let left = self.binary_op(BinaryOp::Shl(Wrap), pattern, n, span);
        let back = self.binary_op(BinaryOp::Sub(Wrap), Scalar::int(Type::U32, width), n, span);
        let back = self.binary_op(BinaryOp::And, back, Scalar::int(Type::U32, width - 1), span);
        let right = self.binary_op(BinaryOp::Shr, pattern, back, span);
        let both = self.binary_op(BinaryOp::Or, left, right, span);
        self.cast(CastMode::Wrapping, value.ty, both, span)
    }

    /// `value.clamp(lo, hi)`: that the bounds are in order is a demand of its own.
    fn clamp(&mut self, expr: &'a Expr, value: Scalar, lo: Scalar, hi: Scalar) -> Scalar {
        let span = expr.mark();
        let in_order = self.binary_op(BinaryOp::Le, lo, hi, span);
        if in_order.as_bool() != Some(true) {
            let [lo, hi] = [lo, hi].map(|bound| self.materialise(bound, span));
            self.demand(Demand::ClampBounds { lo, hi }, span);
        }
        let above = self.binary_op(BinaryOp::Max, value, lo, span);
        self.binary_op(BinaryOp::Min, above, hi, span)
    }

    /// `src.at(dx, dy)`.
    fn at(&mut self, expr: &'a Expr, input: InputId, arguments: &'a [Expr]) -> Result<Value<'a>, Stop> {
        let [dx, dy] = arguments else { return Err(Stop) };
        let (dx, dy) = (self.offset(dx)?, self.offset(dy)?);
        let place = (arguments[0].start, arguments[1].end);
        let (Some(dx), Some(dy)) = (dx, dy) else { return Ok(self.pixel(input, 0, 0, expr.start)) };
        self.check_tap(place, dx, dy);
        Ok(self.pixel(input, dx, dy, expr.start))
    }

    /// An offset, which must be known and near; `None` after a report.
    fn offset(&mut self, offset: &'a Expr) -> Result<Option<i32>, Stop> {
        match self.scalar(offset)?.as_int() {
            Some(value) if value.abs() <= MAX_OFFSET => Ok(Some(value as i32)),
            Some(value) => {
                self.report(&messages::OFFSET_RANGE, offset, &[&value.to_string()]);
                Ok(None)
            }
            None => {
                if self.unknown_offsets.iter().all(|known| known.id != offset.id) {
                    self.unknown_offsets.push(offset);
                }
                Ok(None)
            }
        }
    }

    /// Reports the offsets that are not known as one mistake: who computes where to read does so at each place.
    pub(super) fn report_unknown_offsets(&mut self) {
        let [first, others @ ..] = self.unknown_offsets.as_slice() else { return };
        let mistake = messages::OFFSET_NOT_CONSTANT.at(*first, &[]);
        self.errors.push(match others.len() {
            0 => mistake,
            1 => mistake.note("one more offset of this kernel is not known either"),
            more => mistake.note(format!("{more} more offsets of this kernel are not known either")),
        });
    }

    /// `src.window::<W, H>()`: rows from the top, each from the left; of even sizes, one more to the left and above.
    fn window(&mut self, expr: &'a Expr, name: &'a Ident, input: InputId) -> Result<Value<'a>, Stop> {
        let (w, h) = self.types.windows.get(&expr.id).copied().ok_or(Stop)?;
        let offsets = |n: u64| (0..n as i32).map(move |index| index - n as i32 / 2);
        let mut rows = Vec::new();
        for dy in offsets(h) {
            let mut row = Vec::new();
            for dx in offsets(w) {
                self.step(1, Some(expr))?;
                self.check_tap((name.span(), name.span()), dx, dy);
                row.push(self.pixel(input, dx, dy, expr.start));
            }
            rows.push(Value::parts(row));
        }
        Ok(Value::parts(rows))
    }

    /// A tap must lie inside the declared neighbourhood.
    fn check_tap(&mut self, place: (Span, Span), dx: i32, dy: i32) {
        let Some(Declared { extent, .. }) = self.declared else { return };
        if (extent.left..=extent.right).contains(&dx) && (extent.top..=extent.bottom).contains(&dy) {
            return;
        }
        let range = |lo: i32, hi: i32| format!("{lo}..={hi}");
        let words = [
            dx.to_string(),
            dy.to_string(),
            range(extent.left, extent.right),
            range(extent.top, extent.bottom),
            range(extent.left.min(dx), extent.right.max(dx)),
            range(extent.top.min(dy), extent.bottom.max(dy)),
        ];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.report(&messages::TAP_OUTSIDE, place, &words);
    }
}

fn scalars(values: &[Value<'_>]) -> Result<Vec<Scalar>, Stop> {
    let mut scalars = Vec::with_capacity(values.len());
    for value in values {
        let Value::Scalar(scalar) = value else { return Err(Stop) };
        scalars.push(*scalar);
    }
    Ok(scalars)
}
