//! What each operation is on pairs. Sums keep their biases apart and cost what they cost on scalars; whatever else there
//! is takes both halves clean, and leaves them so.

use super::Packer;
use super::pair::{MOST, MOST_COMPARED, ONES, Pair, TOPS, Value, both};
use crate::arithmetic::{bits, fits, is_signed, limits};
use crate::ir::{BinaryOp, Body, CastMode, Node, Op, Type, UnaryOp, ValueId};

/// The greatest multiplier of a quotient: its product with a half fits a word.
const MOST_MULTIPLIER: i64 = 0xffff;

impl Packer<'_> {
    /// The value of one node in a column; `None` where pairs cannot compute it.
    pub fn value(&mut self, values: &[Value], id: ValueId, node: &Node, column: i32) -> Option<Value> {
        match node.op {
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => Some(self.scalar(node, node.op.clone())),
            Op::Input { input, dx, dy, .. } => Some(Value::Pair(self.tap(input, column + dx, dy, node))),
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::MulAdd(..) => None,
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
            Op::Binary(op, a, b) if self.body.node(a).ty == Type::Bool => self.logical(values, op, a, b),
            Op::Binary(op, a, b) => self.binary(values, id, op, a, b),
            Op::Select { condition, then, otherwise } => self.select(values, id, condition, then, otherwise),
            Op::Cast(mode, a) => self.cast(values, id, mode, a),
            Op::Constant(_) | Op::Input { .. } | Op::Uniform { .. } => None,
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::Derived { .. } | Op::MulAdd(..) => None,
        }
    }

    fn unary(&mut self, values: &[Value], id: ValueId, op: UnaryOp, a: ValueId) -> Option<Value> {
        let ty = self.body.node(a).ty;
        match op {
            UnaryOp::Not if ty == Type::Bool => {
                let mask = self.mask(values, a)?;
                Some(Value::Mask(self.not(mask)))
            }
            UnaryOp::Not => {
                let a = self.exact(values, a)?;
                let all = if is_signed(ty) { -1 } else { limits(ty).1 };
                let ones = Pair { word: self.constant(both(all)), bias: 0, range: (all, all), wraps: false };
                let rest = self.difference(ones, a);
                Some(self.result(rest, id, true))
            }
            UnaryOp::Neg | UnaryOp::WrappingNeg => {
                let a = self.pair(values, a)?;
                let negated = self.negated(a);
                Some(self.result(negated, id, op == UnaryOp::Neg))
            }
            UnaryOp::Abs | UnaryOp::UnsignedAbs => {
                let a = self.exact(values, a)?;
                let negated = self.negated(a);
                let magnitude = self.extremum(BinaryOp::Max, a, negated)?;
                Some(self.result(magnitude, id, true))
            }
            UnaryOp::WrappingAbs | UnaryOp::SaturatingNeg | UnaryOp::SaturatingAbs | UnaryOp::Signum => None,
            UnaryOp::Sqrt | UnaryOp::Isqrt | UnaryOp::CountOnes | UnaryOp::LeadingZeros => None,
            UnaryOp::TrailingZeros | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc => None,
            UnaryOp::RoundTiesEven | UnaryOp::IsNan | UnaryOp::FromBits | UnaryOp::ToBits => None,
        }
    }

    fn binary(&mut self, values: &[Value], id: ValueId, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Value> {
        use BinaryOp::*;
        match op {
            Add | WrappingAdd => {
                let (a, b) = (self.pair(values, a)?, self.pair(values, b)?);
                let sum = self.sum(a, b);
                Some(self.result(sum, id, op == Add))
            }
            Sub | WrappingSub => {
                let (a, b) = (self.pair(values, a)?, self.pair(values, b)?);
                let difference = self.difference(a, b);
                Some(self.result(difference, id, op == Sub))
            }
            Mul | WrappingMul => {
                let product = self.product(values, a, b)?;
                Some(self.result(product, id, op == Mul))
            }
            Shl | WrappingShl => {
                let by = self.integer(values[b.0 as usize]).filter(|by| (0..16).contains(by))?;
                let a = self.pair(values, a)?;
                let product = self.scaled(a, 1 << by);
                Some(self.result(product, id, op == Shl))
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
                let sum = self.sum(a, b).plus(i64::from(op == RoundingHalvingAdd));
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
            SaturatingAdd | SaturatingSub | SaturatingMul => {
                let (x, y) = (self.exact(values, a)?, self.exact(values, b)?);
                let exact = match op {
                    SaturatingAdd => self.sum(x, y),
                    SaturatingSub => self.difference(x, y),
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
                let width = i64::from(bits(self.body.node(a).ty));
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
        if self.body.node(id).ty == Type::Bool {
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
        if from == Type::Bool {
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

    fn sum(&mut self, a: Pair, b: Pair) -> Pair {
        let wraps = a.wraps || b.wraps;
        if let Some(constant) = self.constant_pair(b) {
            return Pair { wraps, ..a.plus(constant) };
        }
        if let Some(constant) = self.constant_pair(a) {
            return Pair { wraps, ..b.plus(constant) };
        }
        let word = self.combine(BinaryOp::WrappingAdd, a.word, b.word);
        let range = (a.range.0 + b.range.0, a.range.1 + b.range.1);
        Pair { word, bias: a.bias + b.bias, range, wraps }
    }

    fn difference(&mut self, a: Pair, b: Pair) -> Pair {
        let wraps = a.wraps || b.wraps;
        if let Some(constant) = self.constant_pair(b) {
            return Pair { wraps, ..a.plus(-constant) };
        }
        let word = self.combine(BinaryOp::WrappingSub, a.word, b.word);
        let range = (a.range.0 - b.range.1, a.range.1 - b.range.0);
        Pair { word, bias: a.bias - b.bias, range, wraps }
    }

    fn negated(&mut self, a: Pair) -> Pair {
        let zero = self.constant(0);
        let zero = Pair { word: zero, bias: 0, range: (0, 0), wraps: false };
        self.difference(zero, a)
    }

    /// The value that both halves of a pair have, where they are constant.
    fn constant_pair(&self, pair: Pair) -> Option<i64> {
        (pair.range.0 == pair.range.1).then_some(pair.range.0)
    }

    /// `factor` times a pair.
    fn scaled(&mut self, a: Pair, factor: i64) -> Pair {
        let word = self.with(BinaryOp::WrappingMul, a.word, factor);
        let ends = (a.range.0 * factor, a.range.1 * factor);
        Pair { word, bias: a.bias * factor, range: (ends.0.min(ends.1), ends.0.max(ends.1)), wraps: a.wraps }
    }

    /// A pair times what is the same for all elements.
    fn product(&mut self, values: &[Value], a: ValueId, b: ValueId) -> Option<Pair> {
        let (pair, scalar) = match (values[a.0 as usize], values[b.0 as usize]) {
            (Value::Pair(pair), Value::Scalar(_)) => (pair, b),
            (Value::Scalar(_), Value::Pair(pair)) => (pair, a),
            _ => return None,
        };
        let Value::Scalar(id) = values[scalar.0 as usize] else { return None };
        if let Some(factor) = self.integer(Value::Scalar(id)) {
            return Some(self.scaled(pair, factor));
        }
        let (lo, hi) = self.known(scalar);
        let pair = self.rebias(pair, 0);
        let factor = self.scalar_word(id);
        let word = self.combine(BinaryOp::WrappingMul, pair.word, factor);
        let corners = [pair.range.0 * lo, pair.range.0 * hi, pair.range.1 * lo, pair.range.1 * hi];
        let range = corners.iter().fold((corners[0], corners[0]), |(lo, hi), &c| (lo.min(c), hi.max(c)));
        Some(Pair { word, range, ..pair })
    }

    /// ⌊a / 2^by⌋.
    fn shifted(&mut self, a: Pair, by: i64) -> Option<Pair> {
        let a = self.clean(a, 1 << by, MOST)?;
        let word = self.with(BinaryOp::Shr, a.word, by);
        let word = self.with(BinaryOp::And, word, both(MOST >> by));
        Some(Pair { word, bias: a.bias >> by, range: (a.range.0 >> by, a.range.1 >> by), wraps: false })
    }

    /// ⌊a / divisor⌋ of values that are not negative: the upper half of each half's product with the reciprocal.
    fn quotient(&mut self, a: Pair, divisor: i64) -> Option<Pair> {
        let (lo, hi) = a.range;
        if lo < 0 || hi > MOST {
            return None;
        }
        if divisor & (divisor - 1) == 0 {
            return self.shifted(a, i64::from(divisor.trailing_zeros()));
        }
        let (multiplier, shift) = reciprocal(divisor, hi)?;
        let quotient = self.high_product(a, multiplier, shift)?;
        Some(Pair { range: (lo / divisor, hi / divisor), ..quotient })
    }

    /// ⌊a · multiplier / 2^shift⌋ of values that are not negative: a product for each half.
    fn high_product(&mut self, a: Pair, multiplier: i64, shift: i64) -> Option<Pair> {
        let (lo, hi) = a.range;
        if lo < 0 || hi > MOST || !(0..=MOST_MULTIPLIER).contains(&multiplier) {
            return None;
        }
        let range = ((lo * multiplier) >> shift, (hi * multiplier) >> shift);
        if hi * multiplier <= MOST {
            let product = self.scaled(a, multiplier);
            return self.shifted(product, shift);
        }
        if shift < 16 {
            return None;
        }
        let a = self.rebias(a, 0);
        let low = self.with(BinaryOp::And, a.word, MOST);
        let low = self.with(BinaryOp::WrappingMul, low, multiplier);
        let low = self.with(BinaryOp::Shr, low, shift);
        let high = self.with(BinaryOp::Shr, a.word, 16);
        let high = self.with(BinaryOp::WrappingMul, high, multiplier);
        let high = if shift > 16 { self.with(BinaryOp::Shr, high, shift - 16) } else { high };
        let high = self.with(BinaryOp::And, high, MOST << 16);
        let word = self.combine(BinaryOp::Or, low, high);
        Some(Pair { word, bias: 0, range, wraps: false })
    }

    /// The lesser or the greater of two values.
    fn extremum(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<Pair> {
        let (least, most) = if op == BinaryOp::Min { (a, b) } else { (b, a) };
        if least.range.1 <= most.range.0 {
            return Some(a);
        }
        if most.range.1 <= least.range.0 {
            return Some(b);
        }
        let (a, b) = self.clean_both(a, b, MOST_COMPARED)?;
        let word = self.combine(op, a.word, b.word);
        let range = match op {
            BinaryOp::Min => (a.range.0.min(b.range.0), a.range.1.min(b.range.1)),
            _ => (a.range.0.max(b.range.0), a.range.1.max(b.range.1)),
        };
        Some(Pair { word, range, ..a })
    }

    /// The middle one of three values: what their sum leaves beside the least and the greatest.
    fn middle(&mut self, values: &[Value], three: [ValueId; 3]) -> Option<Pair> {
        let [a, b, c] = [self.exact(values, three[0])?, self.exact(values, three[1])?, self.exact(values, three[2])?];
        let sum = self.sum(a, b);
        let mut rest = self.sum(sum, c);
        for op in [BinaryOp::Min, BinaryOp::Max] {
            let extremum = self.extremum(op, a, b)?;
            let extremum = self.extremum(op, extremum, c)?;
            rest = self.difference(rest, extremum);
        }
        Some(rest)
    }

    fn saturated(&mut self, a: Pair, ty: Type) -> Option<Pair> {
        if a.wraps {
            return None;
        }
        let (lo, hi) = limits(ty);
        let mut value = a;
        for (op, bound) in [(BinaryOp::Max, lo), (BinaryOp::Min, hi)] {
            let word = self.constant(both(bound));
            let bound = Pair { word, bias: 0, range: (bound, bound), wraps: false };
            value = self.extremum(op, value, bound)?;
        }
        Some(value)
    }

    fn bitwise(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<Pair> {
        if a.range.0 < 0 || b.range.0 < 0 || a.range.1.max(b.range.1) > MOST {
            return None;
        }
        let (a, b) = (self.rebias(a, 0), self.rebias(b, 0));
        let word = self.combine(op, a.word, b.word);
        let most = match op {
            BinaryOp::And => a.range.1.min(b.range.1),
            _ => (a.range.1.max(b.range.1) as u64 + 1).next_power_of_two() as i64 - 1,
        };
        Some(Pair { word, bias: 0, range: (0, most), wraps: false })
    }

    fn comparison(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<ValueId> {
        let (a, b) = self.clean_both(a, b, MOST_COMPARED)?;
        Some(match op {
            BinaryOp::Ge => self.at_least(a.word, b.word),
            BinaryOp::Le => self.at_least(b.word, a.word),
            BinaryOp::Lt => {
                let mask = self.at_least(a.word, b.word);
                self.not(mask)
            }
            BinaryOp::Gt => {
                let mask = self.at_least(b.word, a.word);
                self.not(mask)
            }
            _ => {
                let (not_below, not_above) = (self.at_least(a.word, b.word), self.at_least(b.word, a.word));
                let equal = self.combine(BinaryOp::And, not_below, not_above);
                if op == BinaryOp::Eq { equal } else { self.not(equal) }
            }
        })
    }

    /// a ≥ b, as a mask: with a's uppermost bit set, the difference keeps it.
    fn at_least(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let above = self.with(BinaryOp::Or, a, TOPS);
        let difference = self.combine(BinaryOp::WrappingSub, above, b);
        let top = self.with(BinaryOp::And, difference, TOPS);
        let one = self.with(BinaryOp::Shr, top, 15);
        let below = self.combine(BinaryOp::WrappingSub, top, one);
        self.combine(BinaryOp::Or, top, below)
    }

    /// `then` where the mask is set, else `otherwise`.
    fn chosen(&mut self, mask: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        let then = self.combine(BinaryOp::And, then, mask);
        let unset = self.not(mask);
        let otherwise = self.combine(BinaryOp::And, otherwise, unset);
        self.combine(BinaryOp::Or, then, otherwise)
    }

    fn not(&mut self, word: ValueId) -> ValueId {
        let like = self.builder.node(word).clone();
        self.word(Op::Unary(UnaryOp::Not, word), &like)
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
    [(x, y), (y, x)].into_iter().find_map(|(inner, outer)| {
        let ((a, b), (p, q)) = (operands(inner, dual)?, operands(outer, dual)?);
        let is_opposite = |id: ValueId| matches!(operands(id, op), Some(pair) if pair == (a, b) || pair == (b, a));
        [(p, q), (q, p)].into_iter().find(|&(opposite, _)| is_opposite(opposite)).map(|(_, c)| [a, b, c])
    })
}

/// The operation on scalars, where all operands are.
fn scalar_operands(values: &[Value], op: &Op) -> Option<Op> {
    let mut all = true;
    let op = crate::optimise::map_operands(op, |id| match values[id.0 as usize] {
        Value::Scalar(scalar) => scalar,
        Value::Pair(_) | Value::Mask(_) => {
            all = false;
            id
        }
    });
    all.then_some(op)
}

/// `(m, s)` with ⌊v / d⌋ = v·m ≫ s for each v in 0..=most, and 16 ≤ s.
fn reciprocal(divisor: i64, most: i64) -> Option<(i64, i64)> {
    (16..=24).find_map(|shift| {
        let multiplier = ((1 << shift) + divisor - 1) / divisor;
        let error = multiplier * divisor - (1 << shift);
        (multiplier <= MOST_MULTIPLIER && error * most < 1 << shift).then_some((multiplier, shift))
    })
}

#[cfg(test)]
mod tests {
    use super::reciprocal;

    #[test]
    fn reciprocals_divide_exactly() {
        for divisor in 3..300 {
            for most in [255, 2295, 4095, 65535] {
                let Some((multiplier, shift)) = reciprocal(divisor, most) else { continue };
                for value in 0..=most {
                    assert_eq!((value * multiplier) >> shift, value / divisor, "{value} / {divisor}");
                }
            }
        }
    }
}
