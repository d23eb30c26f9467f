//! Reads of whole inputs: a place that is computed, whether it lies inside, and what is taken where it does not.

use super::value::{Scalar, Source, Value};
use super::{Lower, Stop};
use crate::infer::types::Ty;
use crate::ir::*;
use crate::syntax::*;
use proc_macro2::Span;
use std::rc::Rc;
use syn::Ident;

impl<'a> Lower<'a> {
    /// Whether an expression is an option: a truth value, and what is there where it is true.
    pub(super) fn is_option(&self, expr: &Expr) -> bool {
        matches!(self.types.of(expr), Ty::Option(_))
    }

    pub(super) fn view_method(
        &mut self,
        expr: &'a Expr,
        input: InputId,
        name: &'a Ident,
        arguments: &'a [Expr],
    ) -> Result<Value<'a>, Stop> {
        match (name.to_string().as_str(), arguments) {
            ("extents", []) => {
                let dimensions = 0..self.kernel.inputs[input.0 as usize].dimensions();
                let extents = dimensions.map(|dimension| Value::Scalar(self.extent(input, dimension, expr.start)));
                Ok(Value::parts(extents.collect()))
            }
            ("get", [place]) => {
                let at = self.place(place)?;
                self.get(expr, input, &at)
            }
            (_, _) => Err(Stop),
        }
    }

    /// The indices of a place, outermost first.
    fn place(&mut self, place: &'a Expr) -> Result<Vec<Scalar>, Stop> {
        let Value::Parts(place) = self.expr(place)? else { return Err(Stop) };
        let index = |part: &Value<'a>| match part {
            Value::Scalar(index) => Ok(*index),
            _ => Err(Stop),
        };
        place.iter().map(index).collect()
    }

    /// `src[[row, column]]`: that the place lies inside is a demand for each dimension.
    pub(super) fn view_element(&mut self, expr: &'a Expr, input: InputId, place: &'a Expr) -> Result<Value<'a>, Stop> {
        let at = self.place(place)?;
        for (dimension, index) in (0..).zip(&at) {
            let extent = self.extent(input, dimension, expr.start);
            let [index, extent] = [*index, extent].map(|scalar| self.materialise(scalar, expr.start));
            let own = match &place.kind {
                ExprKind::Array(parts) => parts.get(dimension as usize).unwrap_or(place),
                _ => place,
            };
            self.demand(Demand::Inside { index, extent }, own);
        }
        self.gather(expr, input, &at)
    }

    /// An extent; of those that have one name, the first.
    fn extent(&mut self, input: InputId, dimension: u32, span: Span) -> Scalar {
        let (input, dimension) = self.kernel.first_extent(input, dimension);
        self.leaf(Op::Extent { input, dimension }, Type::I32, span)
    }

    /// `src.get([row, column])`.
    fn get(&mut self, expr: &'a Expr, input: InputId, at: &[Scalar]) -> Result<Value<'a>, Stop> {
        let span = expr.start;
        let mut inside = Scalar::bool(true);
        for (dimension, index) in (0..).zip(at) {
            let between = self.is_between(*index, input, dimension, span);
            inside = if dimension == 0 { between } else { self.binary_op(BinaryOp::And, inside, between, span) };
        }
        let pixel = match (inside.as_bool(), inside.source) {
            (None, Source::Node(id)) => self.both_sides(id, expr, |lower| lower.gather(expr, input, at), |_| Ok(()))?.0,
            (_, _) => self.gather(expr, input, at)?,
        };
        Ok(Value::parts(vec![Value::Scalar(inside), pixel]))
    }

    /// Whether an index lies in a dimension.
    fn is_between(&mut self, index: Scalar, input: InputId, dimension: u32, span: Span) -> Scalar {
        let extent = self.extent(input, dimension, span);
        let from_zero = self.binary_op(BinaryOp::Ge, index, Scalar::int(Type::I32, 0), span);
        let below = self.binary_op(BinaryOp::Lt, index, extent, span);
        self.binary_op(BinaryOp::And, from_zero, below, span)
    }

    /// The element at a place, all its channels.
    fn gather(&mut self, expr: &'a Expr, input: InputId, at: &[Scalar]) -> Result<Value<'a>, Stop> {
        let (ty, channels) = {
            let input = &self.kernel.inputs[input.0 as usize];
            (input.element, input.channels)
        };
        let indices: Vec<ValueId> = at.iter().map(|index| self.materialise(*index, expr.start)).collect();
        let (outer, at) = match *indices {
            [column] => (&[][..], [self.materialise(Scalar::int(Type::I32, 0), expr.start), column]),
            [ref outer @ .., row, column] => (outer, [row, column]),
            [] => return Err(Stop),
        };
        self.step(u64::from(channels) + outer.len() as u64, Some(expr))?;
        let mut plane = None;
        for (dimension, &index) in (0..).zip(outer) {
            let found = self.emit(Op::Plane { input, dimension, outside: plane, index }, Type::I32, expr.start);
            plane = Some(self.materialise(found, expr.start));
        }
        let is_pixel = self.pixels[input.0 as usize];
        let mut channel = |channel| Value::Scalar(self.emit(Op::Gather { input, channel, plane, at }, ty, expr.start));
        Ok(match is_pixel {
            false => channel(0),
            true => Value::parts((0..channels).map(channel).collect()),
        })
    }

    pub(super) fn option_method(
        &mut self,
        expr: &'a Expr,
        option: &Rc<Vec<Value<'a>>>,
        name: &'a Ident,
        arguments: &'a [Expr],
    ) -> Result<Value<'a>, Stop> {
        let [Value::Scalar(is_some), value] = &option[..] else { return Err(Stop) };
        match (name.to_string().as_str(), arguments) {
            ("is_some", []) => Ok(Value::Scalar(*is_some)),
            ("is_none", []) => Ok(Value::Scalar(self.unary_op(UnaryOp::Not, Type::BOOL, *is_some, expr.start))),
            ("unwrap_or", [otherwise]) => {
                let otherwise = self.expr(otherwise)?;
                self.choose(*is_some, expr, |_| Ok(value.clone()), |_| Ok(otherwise))
            }
            ("map_or", [otherwise, function]) => {
                let (otherwise, function) = (self.expr(otherwise)?, self.expr(function)?);
                let then = |lower: &mut Self| lower.call_value(expr, &function, vec![value.clone()]);
                self.choose(*is_some, expr, then, |_| Ok(otherwise))
            }
            (_, _) => Err(Stop),
        }
    }
}
