//! What each operation is on pairs. Sums keep their biases apart and cost what they cost on scalars; whatever else there
//! is takes both halves clean, and leaves them so.

use super::packer::Packer;
use super::pair::{MOST, ONES, Pair, Value, both};
use windrow_dsl::arithmetic::fits;
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Body, CastMode, Node, Op, Tap, Type, UnaryOp, ValueId};

impl Packer<'_> {
    /// The value of one node in a column; `None` where pairs cannot compute it.
    pub fn value(&mut self, values: &[Value], id: ValueId, node: &Node, column: i32) -> Option<Value> {
        match node.op {
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => Some(self.scalar(node, node.op.clone())),
            Op::Load(ref access) => {
                let Tap { input, dx, dy, .. } = access.tap()?;
                Some(Value::Pair(self.tap(input, column + dx, dy, node)))
            }
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::MulAdd(..) => None,
            Op::Extent { .. } | Op::Stride { .. } | Op::Plane { .. } | Op::Gather { .. } => None,
            Op::Fetch { .. } | Op::Contiguous { .. } | Op::Across { .. } | Op::Local { .. } => None,
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => None,
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. } | Op::Cast(..) => {
                if let Some(op) = scalar_operands(values, &node.op) {
                    return Some(self.scalar(node, op));
                }
                if node.ty == Type::F32 {
                    return None;
                }
                self.operation(values, id, node)
            }
        }
    }

    fn scalar(&mut self, node: &Node, op: Op) -> Value {
        Value::Scalar(self.builder.push(Node { op, ..node.clone() }))
    }

    fn operation(&mut self, values: &[Value], id: ValueId, node: &Node) -> Option<Value> {
        match node.op {
            Op::Unary(op, a) => self.unary(values, id, op, a),
            Op::Binary(op, a, b) if self.body.node(a).ty == Type::BOOL => self.logical(values, op, a, b),
            Op::Binary(op, a, b) => self.binary(values, id, op, a, b),
            Op::Select { condition, then, otherwise } => self.select(values, id, condition, then, otherwise),
            Op::Cast(mode, a) => self.cast(values, id, mode, a),
            Op::Constant(_) | Op::Load(_) | Op::Uniform { .. } => None,
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::Derived { .. } | Op::MulAdd(..) => None,
            Op::Extent { .. } | Op::Stride { .. } | Op::Plane { .. } | Op::Gather { .. } => None,
            Op::Fetch { .. } | Op::Contiguous { .. } | Op::Across { .. } | Op::Local { .. } => None,
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => None,
        }
    }

    fn unary(&mut self, values: &[Value], id: ValueId, op: UnaryOp, a: ValueId) -> Option<Value> {
        let ty = self.body.node(a).ty;
        match op {
            UnaryOp::Not if ty == Type::BOOL => {
                let mask = self.mask(values, a)?;
                Some(Value::Mask(self.not(mask)))
            }
            UnaryOp::Not => {
                let a = self.exact(values, a)?;
                let all = if ty.is_signed() { -1 } else { ty.limits().1 };
                let ones = Pair { word: self.constant(both(all)), bias: 0, range: (all, all), wraps: false };
                let rest = self.difference(ones, a);
                Some(self.result(rest, id, true))
            }
            UnaryOp::Neg(Never | Wrap) => {
                let a = self.pair(values, a)?;
                let negated = self.negated(a);
                Some(self.result(negated, id, op == UnaryOp::Neg(Never)))
            }
            UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs => {
                let a = self.exact(values, a)?;
                let negated = self.negated(a);
                let magnitude = self.extremum(BinaryOp::Max, a, negated)?;
                Some(self.result(magnitude, id, true))
            }
            UnaryOp::Abs(Saturate | Wrap) | UnaryOp::Neg(Saturate) | UnaryOp::Signum => None,
            UnaryOp::Sqrt | UnaryOp::Isqrt | UnaryOp::CountOnes | UnaryOp::LeadingZeros => None,
            UnaryOp::TrailingZeros | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc => None,
            UnaryOp::RoundTiesEven | UnaryOp::IsNan | UnaryOp::FromBits | UnaryOp::ToBits => None,
            UnaryOp::FromHalf | UnaryOp::ToHalf => None,
        }
    }

    fn binary(&mut self, values: &[Value], id: ValueId, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Value> {
        use BinaryOp::*;
        match op {
            Add(Never | Wrap) => {
                let (a, b) = (self.pair(values, a)?, self.pair(values, b)?);
                let sum = self.sum(a, b);
                Some(self.result(sum, id, op == Add(Never)))
            }
            Sub(Never | Wrap) => {
                let (a, b) = (self.pair(values, a)?, self.pair(values, b)?);
                let difference = self.difference(a, b);
                Some(self.result(difference, id, op == Sub(Never)))
            }
            Mul(Never | Wrap) => {
                let product = self.product(values, a, b)?;
                Some(self.result(product, id, op == Mul(Never)))
            }
            Shl(_) => {
                let by = self.integer(values[b.0 as usize]).filter(|by| (0..16).contains(by))?;
                let a = self.pair(values, a)?;
                let product = self.scaled(a, 1 << by);
                Some(self.result(product, id, op == Shl(Never)))
            }
            Shr | RoundingShr => {
                let by = self.integer(values[b.0 as usize]).filter(|by| (0..16).contains(by))?;
                let a = self.exact(values, a)?;
                let half = if op == RoundingShr && by > 0 { 1 << (by - 1) } else { 0 };
                let shifted = self.shifted(a.plus(half), by)?;
                Some(self.result(shifted, id, true))
            }
            HalvingAdd | RoundingHalvingAdd => {
                let (a, b) = (self.exact(values, a)?, self.exact(values, b)?);
                let sum = self.sum(a, b).plus(i128::from(op == RoundingHalvingAdd));
                let half = self.shifted(sum, 1)?;
                Some(self.result(half, id, true))
            }
            Div | Rem => {
                let divisor = self.integer(values[b.0 as usize]).filter(|&divisor| divisor > 0)?;
                let a = self.exact(values, a)?;
                let quotient = self.quotient(a, divisor)?;
                let value = if op == Div {
                    quotient
                } else {
                    let whole = self.scaled(quotient, divisor);
                    self.difference(a, whole)
                };
                Some(self.result(value, id, true))
            }
            Min | Max if let Some(three) = middle(self.body, op, a, b) => {
                let middle = self.middle(values, three)?;
                Some(self.result(middle, id, true))
            }
            Min | Max => {
                let (a, b) = (self.exact(values, a)?, self.exact(values, b)?);
                let extremum = self.extremum(op, a, b)?;
                Some(self.result(extremum, id, true))
            }
            AbsDiff => {
                let (a, b) = (self.exact(values, a)?, self.exact(values, b)?);
                let (most, least) = (self.extremum(Max, a, b)?, self.extremum(Min, a, b)?);
                let difference = self.difference(most, least);
                Some(self.result(difference, id, true))
            }
            Add(Saturate) | Sub(Saturate) | Mul(Saturate) => {
                let (x, y) = (self.exact(values, a)?, self.exact(values, b)?);
                let exact = match op {
                    Add(Saturate) => self.sum(x, y),
                    Sub(Saturate) => self.difference(x, y),
                    _ => self.product(values, a, b)?,
                };
                let saturated = self.saturated(exact, self.body.node(id).ty)?;
                Some(self.result(saturated, id, true))
            }
            And | Or | Xor => {
                let (a, b) = (self.exact(values, a)?, self.exact(values, b)?);
                let combined = self.bitwise(op, a, b)?;
                Some(self.result(combined, id, true))
            }
            Eq | Ne | Lt | Le | Gt | Ge => {
                let (a, b) = (self.exact(values, a)?, self.exact(values, b)?);
                self.comparison(op, a, b).map(Value::Mask)
            }
            MulHigh => {
                let multiplier = self.integer(values[b.0 as usize])?;
                let width = i128::from(self.body.node(a).ty.bits());
                let a = self.exact(values, a)?;
                let product = self.high_product(a, multiplier, width)?;
                Some(self.result(product, id, true))
            }
        }
    }

    fn logical(&mut self, values: &[Value], op: BinaryOp, a: ValueId, b: ValueId) -> Option<Value> {
        let (a, b) = (self.mask(values, a)?, self.mask(values, b)?);
        let mask = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.combine(op, a, b),
            BinaryOp::Ne => self.combine(BinaryOp::Xor, a, b),
            BinaryOp::Eq => {
                let differ = self.combine(BinaryOp::Xor, a, b);
                self.not(differ)
            }
            _ => return None,
        };
        Some(Value::Mask(mask))
    }

    fn select(
        &mut self,
        values: &[Value],
        id: ValueId,
        condition: ValueId,
        then: ValueId,
        otherwise: ValueId,
    ) -> Option<Value> {
        let mask = self.mask(values, condition)?;
        if self.body.node(id).ty == Type::BOOL {
            let (then, otherwise) = (self.mask(values, then)?, self.mask(values, otherwise)?);
            return Some(Value::Mask(self.chosen(mask, then, otherwise)));
        }
        let (then, otherwise) = (self.exact(values, then)?, self.exact(values, otherwise)?);
        let (then, otherwise) = self.clean_both(then, otherwise, MOST)?;
        let word = self.chosen(mask, then.word, otherwise.word);
        let range = (then.range.0.min(otherwise.range.0), then.range.1.max(otherwise.range.1));
        Some(self.result(Pair { word, range, ..then }, id, true))
    }

    fn cast(&mut self, values: &[Value], id: ValueId, mode: CastMode, a: ValueId) -> Option<Value> {
        let (from, to) = (self.body.node(a).ty, self.body.node(id).ty);
        if from == Type::BOOL {
            let mask = self.mask(values, a)?;
            let word = self.with(BinaryOp::And, mask, ONES);
            return Some(self.result(Pair { word, bias: 0, range: (0, 1), wraps: false }, id, true));
        }
        let pair = self.exact(values, a)?;
        let inside = fits(pair.range.0, to) && fits(pair.range.1, to);
        match mode {
            CastMode::Saturating if !inside => {
                let saturated = self.saturated(pair, to)?;
                Some(self.result(saturated, id, true))
            }
            CastMode::Saturating | CastMode::Value => Some(self.result(pair, id, true)),
            CastMode::Wrapping => Some(self.result(pair, id, false)),
        }
    }
}

/// The values of which `op` of `x` and `y` is the middle one, written max(min(a, b), min(max(a, b), c)) or the dual.
fn middle(body: &Body, op: BinaryOp, x: ValueId, y: ValueId) -> Option<[ValueId; 3]> {
    let dual = match op {
        BinaryOp::Max => BinaryOp::Min,
        _ => BinaryOp::Max,
    };
    let operands = |id: ValueId, wanted: BinaryOp| match body.node(id).op {
        Op::Binary(op, a, b) if op == wanted => Some((a, b)),
        _ => None,
    };
    let (x, y) = (operands(x, dual)?, operands(y, dual)?);
    let of_sides = |(a, b): (ValueId, ValueId), (p, q): (ValueId, ValueId)| {
        let is_opposite = |id: ValueId| matches!(operands(id, op), Some(pair) if pair == (a, b) || pair == (b, a));
        match () {
            () if is_opposite(p) => Some([a, b, q]),
            () if is_opposite(q) => Some([a, b, p]),
            () => None,
        }
    };
    of_sides(x, y).or_else(|| of_sides(y, x))
}

/// The operation on scalars, where all operands are.
fn scalar_operands(values: &[Value], op: &Op) -> Option<Op> {
    let mut all = true;
    let op = op.map_operands(|id| match values[id.0 as usize] {
        Value::Scalar(scalar) => scalar,
        Value::Pair(_) | Value::Mask(_) => {
            all = false;
            id
        }
    });
    all.then_some(op)
}
