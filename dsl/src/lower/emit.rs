//! Nodes: what a body computes, written down in evaluation order.

use super::value::{Scalar, Source, Value};
use super::{Lower, Stop};
use crate::arithmetic;
use crate::ir::*;
use crate::messages::{self, Located};
use crate::syntax::Expr;
use proc_macro2::Span;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// The node of an operation without operands: written once, however often it is asked for.
    pub(super) fn leaf(&mut self, op: Op, ty: Type, span: Span) -> Scalar {
        let number = self.numbers.of(&op, ty).0 as usize;
        let id = match self.leaves.get(number) {
            Some(id) => *id,
            None => {
                self.taps += usize::from(matches!(op, Op::Load(_)));
                let id = self.push(Node { op, ty, guard: None, name: None, span });
                self.leaves.push(id);
                id
            }
        };
        Scalar { ty, source: Source::Node(id) }
    }

    /// The node that holds a scalar's value.
    pub(super) fn materialise(&mut self, scalar: Scalar, span: Span) -> ValueId {
        let value = match scalar.source {
            Source::Node(id) => return id,
            Source::Known(value) => value,
        };
        match self.leaf(Op::Constant(value), scalar.ty, span).source {
            Source::Node(id) => id,
            Source::Known(_) => ValueId(0),
        }
    }

    /// Writes a node down; one of halves holds their bits.
    fn push(&mut self, node: Node) -> ValueId {
        self.body.nodes.push(Node { ty: node.ty.value_type(), ..node });
        ValueId(self.body.nodes.len() as u32 - 1)
    }

    pub(super) fn emit(&mut self, op: Op, ty: Type, span: Span) -> Scalar {
        let guard = self.guard;
        Scalar { ty, source: Source::Node(self.push(Node { op, ty, guard, name: None, span })) }
    }

    /// A unary operation; `ty` is the result's type.
    pub(super) fn unary_op(&mut self, op: UnaryOp, ty: Type, value: Scalar, span: Span) -> Scalar {
        if let Source::Known(known) = value.source
            && let Some(result) = arithmetic::unary(op, value.ty, known)
        {
            return Scalar::known(ty, result);
        }
        let value = self.materialise(value, span);
        self.emit(Op::Unary(op, value), ty, span)
    }

    /// A binary operation.
    pub(super) fn binary_op(&mut self, op: BinaryOp, left: Scalar, right: Scalar, span: Span) -> Scalar {
        let ty = op.result(left.ty);
        if let (Source::Known(a), Source::Known(b)) = (left.source, right.source)
            && let Some(result) = arithmetic::binary(op, left.ty, a, b)
        {
            return Scalar::known(ty, result);
        }
        let (left, right) = (self.materialise(left, span), self.materialise(right, span));
        self.emit(Op::Binary(op, left, right), ty, span)
    }

    /// `a * b + c` with one rounding.
    pub(super) fn mul_add(&mut self, a: Scalar, b: Scalar, c: Scalar, span: Span) -> Scalar {
        if let (Source::Known(a), Source::Known(b), Source::Known(c)) = (a.source, b.source, c.source)
            && let Some(result) = arithmetic::mul_add(a, b, c)
        {
            return Scalar::known(Type::F32, result);
        }
        let [a, b, c] = [a, b, c].map(|value| self.materialise(value, span));
        self.emit(Op::MulAdd(a, b, c), Type::F32, span)
    }

    /// A conversion.
    pub(super) fn cast(&mut self, mode: CastMode, to: Type, value: Scalar, span: Span) -> Scalar {
        if value.ty == to {
            return value;
        }
        if value.ty.is_half() || to.is_half() {
            return self.cast_half(to, value, span);
        }
        if let Source::Known(known) = value.source
            && let Some(result) = arithmetic::cast(mode, to, known)
        {
            return Scalar::known(to, result);
        }
        let value = self.materialise(value, span);
        self.emit(Op::Cast(mode, value), to, span)
    }

    /// An entry of a table.
    pub(super) fn lookup(&mut self, table: TableId, index: Scalar, span: Span) -> Scalar {
        let ty = self.kernel.tables[table.0 as usize].element;
        let index = self.materialise(index, span);
        self.emit(Op::Lookup { table, index }, ty, span)
    }

    /// `condition ? then : otherwise` on every part of two values.
    pub(super) fn select(
        &mut self,
        condition: ValueId,
        then: &Value<'a>,
        otherwise: &Value<'a>,
        place: &Expr,
    ) -> Result<Value<'a>, Stop> {
        self.step(1, None)?;
        if then.same(otherwise) {
            return Ok(then.clone());
        }
        match (then, otherwise) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                Ok(Value::Scalar(self.select_scalar(condition, *a, *b, place.start)))
            }
            (Value::Parts(a), Value::Parts(b)) if a.len() == b.len() => {
                let mut parts = Vec::with_capacity(a.len());
                for (a, b) in a.iter().zip(b.iter()) {
                    parts.push(self.select(condition, a, b, place)?);
                }
                Ok(Value::Parts(Rc::new(parts)))
            }
            (_, _) => {
                self.report(&messages::RUN_TIME_STORE, place, &[]);
                Err(Stop)
            }
        }
    }

    /// `condition ? then : otherwise` on scalars.
    pub(super) fn select_scalar(&mut self, condition: ValueId, then: Scalar, otherwise: Scalar, span: Span) -> Scalar {
        let ty = then.ty;
        if then == otherwise {
            return then;
        }
        let [then, otherwise] = [then, otherwise].map(|side| self.materialise(side, span));
        self.emit(Op::Select { condition, then, otherwise }, ty, span)
    }

    /// Notes a demand at a place, under the current path condition.
    pub(super) fn demand(&mut self, demand: Demand, place: impl Located) {
        let span = place.place().0;
        self.body.obligations.push(Obligation { demand, guard: self.guard, span });
    }

    /// Removes leaves that nothing uses: constants folded away, uniforms and channels not read.
    pub(super) fn drop_unused_leaves(&mut self) {
        let mut used = vec![false; self.body.nodes.len()];
        for node in &self.body.nodes {
            node.op.for_operands(|id| used[id.0 as usize] = true);
        }
        for guard in &self.body.guards {
            used[guard.condition.0 as usize] = true;
        }
        for obligation in &self.body.obligations {
            match obligation.demand {
                Demand::ClampBounds { lo: a, hi: b } | Demand::Inside { index: a, extent: b } => {
                    [a, b].into_iter().for_each(|id| used[id.0 as usize] = true);
                }
                Demand::Index { index, .. } => used[index.0 as usize] = true,
            }
        }
        self.body.measured.iter().for_each(|measured| used[measured.value.0 as usize] = true);
        self.body.stores.iter().for_each(|store| used[store.value.0 as usize] = true);
        let mut renamed = Vec::with_capacity(used.len());
        let mut kept = 0;
        for (node, used) in self.body.nodes.iter().zip(&used) {
            renamed.push(ValueId(kept));
            kept += u32::from(*used || !node.op.is_leaf());
        }
        let mut index = 0;
        self.body.nodes.retain(|node| {
            index += 1;
            used[index - 1] || !node.op.is_leaf()
        });
        rename(&mut self.body, &renamed);
    }
}

fn rename(body: &mut Body, renamed: &[ValueId]) {
    let change = |id: &mut ValueId| *id = renamed[id.0 as usize];
    body.nodes.iter_mut().for_each(|node| node.op = node.op.map_operands(|id| renamed[id.0 as usize]));
    body.guards.iter_mut().for_each(|guard| change(&mut guard.condition));
    for obligation in &mut body.obligations {
        match &mut obligation.demand {
            Demand::ClampBounds { lo: a, hi: b } | Demand::Inside { index: a, extent: b } => {
                [a, b].into_iter().for_each(change);
            }
            Demand::Index { index, .. } => change(index),
        }
    }
    body.measured.iter_mut().for_each(|measured| change(&mut measured.value));
    body.stores.iter_mut().for_each(|store| change(&mut store.value));
}
