//! Normal forms of stencils: a sum, a minimum or a maximum over taps is computed row by row, then across rows.
//!
//! However the author wrote it, Σ cᵢ·tapᵢ becomes Σ g(dy)·h(dy), where h is a row's sum without its common factor g, and
//! likewise for the least and the greatest. A jam of several rows then shares every row's part. Only integers, whose
//! sums wrap and so may be regrouped; never floats. Values are left alone where they are no plain function of one
//! input's taps.

use super::Builder;
use super::builder::{for_operands, map_operands, widens};
use crate::arithmetic::wrap;
use crate::ir::{BinaryOp, Body, CastMode, Constant, InputId, Node, Op, Type, ValueId};
use std::collections::BTreeMap;

/// The fewest taps that make a stencil.
const FEWEST: usize = 3;
/// The most nodes that one stencil is gathered from: beyond them it is left as it is.
const MOST: usize = 4096;

/// The body with its stencils in normal form.
pub fn separate(body: &Body) -> Body {
    let mut builder = Builder::default();
    let is_root = roots(body);
    let mut ids: Vec<ValueId> = Vec::with_capacity(body.nodes.len());
    for (index, node) in body.nodes.iter().enumerate() {
        let id = ValueId(index as u32);
        let stencil = if is_root[index] { Stencil::of(body, id) } else { None };
        let id = match stencil {
            Some(stencil) => {
                let value = stencil.build(&mut builder, node, &ids);
                builder.adopt_name(value, node.name.clone());
                value
            }
            None => {
                let op = map_operands(&node.op, |id| ids[id.0 as usize]);
                builder.push(Node { op, ..node.clone() })
            }
        };
        ids.push(id);
    }
    super::remove_dead(&builder.finish(body, &ids))
}

/// How a value is folded from taps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Sum,
    Least,
    Greatest,
}

fn fold_of(node: &Node) -> Option<Fold> {
    if matches!(node.ty, Type::F32 | Type::Bool) {
        return None;
    }
    match node.op {
        Op::Binary(op, ..) => match op {
            BinaryOp::Add | BinaryOp::WrappingAdd | BinaryOp::Sub | BinaryOp::WrappingSub => Some(Fold::Sum),
            BinaryOp::Mul | BinaryOp::WrappingMul | BinaryOp::Shl | BinaryOp::WrappingShl => Some(Fold::Sum),
            BinaryOp::Min => Some(Fold::Least),
            BinaryOp::Max => Some(Fold::Greatest),
            _ => None,
        },
        _ => None,
    }
}

/// Which nodes end a fold: someone uses them for something else, or stores them.
fn roots(body: &Body) -> Vec<bool> {
    let mut is_root = vec![false; body.nodes.len()];
    for node in &body.nodes {
        let fold = fold_of(node);
        for_operands(&node.op, |id| {
            let operand = body.node(id);
            let continues = fold.is_some() && fold_of(operand) == fold && operand.ty == node.ty;
            is_root[id.0 as usize] |= fold_of(operand).is_some() && !continues;
        });
    }
    for store in &body.stores {
        is_root[store.value.0 as usize] |= fold_of(body.node(store.value)).is_some();
    }
    is_root
}

/// A fold over taps of one input and channel: by row, then by column, the coefficient and the tap's value.
struct Stencil {
    fold: Fold,
    ty: Type,
    rows: BTreeMap<i32, BTreeMap<i32, (i64, ValueId)>>,
    constant: i64,
}

/// A stencil being gathered.
struct Gather<'a> {
    body: &'a Body,
    fold: Fold,
    ty: Type,
    terms: BTreeMap<ValueId, i64>,
    constant: i64,
    visited: usize,
}

impl Stencil {
    fn of(body: &Body, root: ValueId) -> Option<Self> {
        let node = body.node(root);
        let fold = fold_of(node)?;
        let mut gather = Gather { body, fold, ty: node.ty, terms: BTreeMap::new(), constant: 0, visited: 0 };
        gather.visit(root, 1)?;
        let mut rows: BTreeMap<i32, BTreeMap<i32, (i64, ValueId)>> = BTreeMap::new();
        let mut source = None;
        let mut count = 0;
        for (&value, &coefficient) in gather.terms.iter().filter(|&(_, &coefficient)| coefficient != 0) {
            let (input, channel, dx, dy) = tap(body, value)?;
            let from = (input, channel, body.node(value).ty);
            if *source.get_or_insert(from) != from {
                return None;
            }
            count += 1;
            rows.entry(dy).or_default().insert(dx, (coefficient, value));
        }
        let is_two_dimensional = rows.len() > 1 && rows.values().any(|row| row.len() > 1);
        (count >= FEWEST && is_two_dimensional).then_some(Stencil {
            fold,
            ty: node.ty,
            rows,
            constant: gather.constant,
        })
    }

    /// The value in normal form; `ids` says where the taps are.
    fn build(&self, builder: &mut Builder, like: &Node, ids: &[ValueId]) -> ValueId {
        let mut parts = Vec::with_capacity(self.rows.len());
        for row in self.rows.values() {
            let factor = if self.fold == Fold::Sum { common_factor(row.values().map(|&(c, _)| c)) } else { 1 };
            let terms: Vec<(i64, ValueId)> =
                row.values().map(|&(c, value)| (c / factor, ids[value.0 as usize])).collect();
            let part = self.combine(builder, like, &terms);
            if terms.len() > 1 {
                builder.adopt_name(part, Some(self.row_name().to_owned()));
            }
            parts.push((factor, part));
        }
        let value = self.combine(builder, like, &parts);
        if self.constant == 0 {
            return value;
        }
        let constant = builder.int(self.constant, self.ty);
        self.binary(builder, like, BinaryOp::WrappingAdd, value, constant)
    }

    fn row_name(&self) -> &'static str {
        match self.fold {
            Fold::Sum => "row_sum",
            Fold::Least => "row_least",
            Fold::Greatest => "row_greatest",
        }
    }

    /// Σ c·v, those with c = 1 first, as two of them are one instruction; or the least, or the greatest.
    fn combine(&self, builder: &mut Builder, like: &Node, terms: &[(i64, ValueId)]) -> ValueId {
        let fold = match self.fold {
            Fold::Sum => BinaryOp::WrappingAdd,
            Fold::Least => BinaryOp::Min,
            Fold::Greatest => BinaryOp::Max,
        };
        let mut ordered = terms.to_vec();
        ordered.sort_by_key(|&(c, _)| (c < 0, c.abs() != 1));
        let mut sum: Option<ValueId> = None;
        for (c, value) in ordered {
            let term = if c.abs() == 1 {
                value
            } else {
                let factor = builder.int(wrap(c.abs(), self.ty), self.ty);
                self.binary(builder, like, BinaryOp::WrappingMul, value, factor)
            };
            sum = Some(match sum {
                None if c < 0 => {
                    let zero = builder.int(0, self.ty);
                    self.binary(builder, like, BinaryOp::WrappingSub, zero, term)
                }
                None => term,
                Some(sum) if c < 0 => self.binary(builder, like, BinaryOp::WrappingSub, sum, term),
                Some(sum) => self.binary(builder, like, fold, sum, term),
            });
        }
        sum.unwrap_or_else(|| builder.int(0, self.ty))
    }

    fn binary(&self, builder: &mut Builder, like: &Node, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        builder.op(Op::Binary(op, a, b), self.ty, like)
    }
}

impl Gather<'_> {
    /// Adds `coefficient` times a value; `None` where it is no fold over taps.
    fn visit(&mut self, id: ValueId, coefficient: i64) -> Option<()> {
        self.visited += 1;
        if self.visited > MOST {
            return None;
        }
        let node = self.body.node(id);
        if let Op::Constant(Constant::Int(value)) = node.op
            && self.fold == Fold::Sum
        {
            self.constant = wrap(self.constant.wrapping_add(coefficient.wrapping_mul(value)), self.ty);
            return Some(());
        }
        let (Op::Binary(op, a, b), true) = (&node.op, fold_of(node) == Some(self.fold) && node.ty == self.ty) else {
            tap(self.body, id)?;
            let known = self.terms.entry(id).or_insert(0);
            *known = if self.fold == Fold::Sum { known.checked_add(coefficient)? } else { 1 };
            return Some(());
        };
        match op {
            BinaryOp::Sub | BinaryOp::WrappingSub => {
                self.visit(*a, coefficient)?;
                self.visit(*b, coefficient.checked_neg()?)
            }
            BinaryOp::Mul | BinaryOp::WrappingMul => match (self.integer(*a), self.integer(*b)) {
                (_, Some(factor)) => self.visit(*a, coefficient.checked_mul(factor)?),
                (Some(factor), None) => self.visit(*b, coefficient.checked_mul(factor)?),
                (None, None) => None,
            },
            BinaryOp::Shl | BinaryOp::WrappingShl => {
                let shift = self.integer(*b).filter(|shift| (0..32).contains(shift))?;
                self.visit(*a, coefficient.checked_mul(1 << shift)?)
            }
            _ => {
                self.visit(*a, coefficient)?;
                self.visit(*b, coefficient)
            }
        }
    }

    fn integer(&self, id: ValueId) -> Option<i64> {
        match self.body.node(id).op {
            Op::Constant(Constant::Int(value)) => Some(value),
            _ => None,
        }
    }
}

/// The tap that a value is, widened or not.
fn tap(body: &Body, id: ValueId) -> Option<(InputId, u32, i32, i32)> {
    match body.node(id).op {
        Op::Input { input, channel, dx, dy } => Some((input, channel, dx, dy)),
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) if widens(body.node(inner).ty, body.node(id).ty) => {
            match body.node(inner).op {
                Op::Input { input, channel, dx, dy } => Some((input, channel, dx, dy)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The greatest common divisor, negative where the last coefficient is.
fn common_factor(coefficients: impl Iterator<Item = i64>) -> i64 {
    let (mut factor, mut last) = (0i64, 1);
    for coefficient in coefficients {
        let (mut a, mut b) = (factor, coefficient.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (factor, last) = (a, coefficient);
    }
    if last < 0 { -factor.max(1) } else { factor.max(1) }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Raw, lines};
    use super::*;

    /// Σ weights · taps, column by column.
    fn columns(weights: [[i64; 3]; 3]) -> Body {
        let mut raw = Raw::default();
        let mut sum = None;
        for dx in 0..3 {
            for (dy, row) in weights.iter().enumerate() {
                let op = Op::Input { input: InputId(0), channel: 0, dx: dx as i32 - 1, dy: dy as i32 - 1 };
                let element = raw.raw(op, Type::U8);
                let wide = raw.raw(Op::Cast(CastMode::Value, element), Type::I16);
                let weight = raw.int(row[dx], Type::I16);
                let term = raw.raw(Op::Binary(BinaryOp::Mul, wide, weight), Type::I16);
                sum = Some(sum.map_or(term, |sum| raw.raw(Op::Binary(BinaryOp::Add, sum, term), Type::I16)));
            }
        }
        let sum = sum.unwrap_or(ValueId(0));
        raw.store(sum)
    }

    fn count(body: &Body, operation: &str) -> usize {
        lines(body).iter().filter(|line| line.split(' ').next().is_some_and(|name| name.ends_with(operation))).count()
    }

    #[test]
    fn a_separable_sum_is_rows_then_columns() {
        let body = separate(&columns([[1, 2, 1], [2, 4, 2], [1, 2, 1]]));
        // One product in each of three rows, and one across them.
        assert_eq!(count(&body, "Mul"), 4);
        assert_eq!(count(&body, "Add"), 8);
    }

    #[test]
    fn a_derivative_has_no_products_in_its_rows() {
        let body = separate(&columns([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]));
        assert_eq!((count(&body, "Mul"), count(&body, "Sub")), (1, 3));
    }

    #[test]
    fn a_single_tap_in_a_row_keeps_its_factor() {
        let body = separate(&columns([[0, 1, 0], [1, -4, 1], [0, 1, 0]]));
        assert_eq!((count(&body, "Mul"), count(&body, "Sub")), (1, 1));
    }

    #[test]
    fn what_is_no_stencil_stays() {
        let mut raw = Raw::default();
        let (a, b) = (raw.input(0, Type::U8), raw.input(1, Type::U8));
        let sum = raw.raw(Op::Binary(BinaryOp::Add, a, b), Type::U8);
        let body = raw.store(sum);
        assert_eq!(lines(&separate(&body)), lines(&body));
    }
}
