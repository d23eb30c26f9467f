//! The arithmetic of pairs: sums that keep their biases apart, and what takes both halves clean.

use super::packer::Packer;
use super::pair::{MOST, MOST_COMPARED, Pair, TOPS, Value, both};
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::{BinaryOp, Op, Type, UnaryOp, ValueId};

/// The greatest multiplier of a quotient: its product with a half fits a word.
const MOST_MULTIPLIER: i128 = 0xffff;

impl Packer<'_> {
    pub(super) fn sum(&mut self, a: Pair, b: Pair) -> Pair {
        let wraps = a.wraps || b.wraps;
        if let Some(constant) = self.constant_pair(b) {
            return Pair { wraps, ..a.plus(constant) };
        }
        if let Some(constant) = self.constant_pair(a) {
            return Pair { wraps, ..b.plus(constant) };
        }
        let word = self.combine(BinaryOp::Add(Wrap), a.word, b.word);
        let range = (a.range.0 + b.range.0, a.range.1 + b.range.1);
        Pair { word, bias: a.bias + b.bias, range, wraps }
    }

    pub(super) fn difference(&mut self, a: Pair, b: Pair) -> Pair {
        let wraps = a.wraps || b.wraps;
        if let Some(constant) = self.constant_pair(b) {
            return Pair { wraps, ..a.plus(-constant) };
        }
        let word = self.combine(BinaryOp::Sub(Wrap), a.word, b.word);
        let range = (a.range.0 - b.range.1, a.range.1 - b.range.0);
        Pair { word, bias: a.bias - b.bias, range, wraps }
    }

    pub(super) fn negated(&mut self, a: Pair) -> Pair {
        let zero = self.constant(0);
        let zero = Pair { word: zero, bias: 0, range: (0, 0), wraps: false };
        self.difference(zero, a)
    }

    /// The value that both halves of a pair have, where they are constant.
    pub(super) fn constant_pair(&self, pair: Pair) -> Option<i128> {
        (pair.range.0 == pair.range.1).then_some(pair.range.0)
    }

    /// `factor` times a pair.
    pub(super) fn scaled(&mut self, a: Pair, factor: i128) -> Pair {
        let word = self.with(BinaryOp::Mul(Wrap), a.word, factor);
        let ends = (a.range.0 * factor, a.range.1 * factor);
        Pair { word, bias: a.bias * factor, range: (ends.0.min(ends.1), ends.0.max(ends.1)), wraps: a.wraps }
    }

    /// A pair times what is the same for all elements.
    pub(super) fn product(&mut self, values: &[Value], a: ValueId, b: ValueId) -> Option<Pair> {
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
        let word = self.combine(BinaryOp::Mul(Wrap), pair.word, factor);
        let corners = [pair.range.0 * lo, pair.range.0 * hi, pair.range.1 * lo, pair.range.1 * hi];
        let range = corners.iter().fold((corners[0], corners[0]), |(lo, hi), &c| (lo.min(c), hi.max(c)));
        Some(Pair { word, range, ..pair })
    }

    /// ⌊a / 2^by⌋.
    pub(super) fn shifted(&mut self, a: Pair, by: i128) -> Option<Pair> {
        let a = self.clean(a, 1 << by, MOST)?;
        let word = self.with(BinaryOp::Shr, a.word, by);
        let word = self.with(BinaryOp::And, word, both(MOST >> by));
        Some(Pair { word, bias: a.bias >> by, range: (a.range.0 >> by, a.range.1 >> by), wraps: false })
    }

    /// ⌊a / divisor⌋ of values that are not negative: the upper half of each half's product with the reciprocal.
    pub(super) fn quotient(&mut self, a: Pair, divisor: i128) -> Option<Pair> {
        let (lo, hi) = a.range;
        if lo < 0 || hi > MOST {
            return None;
        }
        if divisor & (divisor - 1) == 0 {
            return self.shifted(a, i128::from(divisor.trailing_zeros()));
        }
        let (multiplier, shift) = reciprocal(divisor, hi)?;
        let quotient = self.high_product(a, multiplier, shift)?;
        Some(Pair { range: (lo / divisor, hi / divisor), ..quotient })
    }

    /// ⌊a · multiplier / 2^shift⌋ of values that are not negative: a product for each half.
    pub(super) fn high_product(&mut self, a: Pair, multiplier: i128, shift: i128) -> Option<Pair> {
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
        let low = self.with(BinaryOp::Mul(Wrap), low, multiplier);
        let low = self.with(BinaryOp::Shr, low, shift);
        let high = self.with(BinaryOp::Shr, a.word, 16);
        let high = self.with(BinaryOp::Mul(Wrap), high, multiplier);
        let high = if shift > 16 { self.with(BinaryOp::Shr, high, shift - 16) } else { high };
        let high = self.with(BinaryOp::And, high, MOST << 16);
        let word = self.combine(BinaryOp::Or, low, high);
        Some(Pair { word, bias: 0, range, wraps: false })
    }

    /// The lesser or the greater of two values.
    pub(super) fn extremum(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<Pair> {
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

    /// The middle one of three values: what their sum leaves besides the least and the greatest.
    pub(super) fn middle(&mut self, values: &[Value], three: [ValueId; 3]) -> Option<Pair> {
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

    pub(super) fn saturated(&mut self, a: Pair, ty: Type) -> Option<Pair> {
        if a.wraps {
            return None;
        }
        let (lo, hi) = ty.limits();
        let mut value = a;
        for (op, bound) in [(BinaryOp::Max, lo), (BinaryOp::Min, hi)] {
            let word = self.constant(both(bound));
            let bound = Pair { word, bias: 0, range: (bound, bound), wraps: false };
            value = self.extremum(op, value, bound)?;
        }
        Some(value)
    }

    pub(super) fn bitwise(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<Pair> {
        if a.range.0 < 0 || b.range.0 < 0 || a.range.1.max(b.range.1) > MOST {
            return None;
        }
        let (a, b) = (self.rebias(a, 0), self.rebias(b, 0));
        let word = self.combine(op, a.word, b.word);
        let most = match op {
            BinaryOp::And => a.range.1.min(b.range.1),
            _ => (a.range.1.max(b.range.1) as u64 + 1).next_power_of_two() as i128 - 1,
        };
        Some(Pair { word, bias: 0, range: (0, most), wraps: false })
    }

    pub(super) fn comparison(&mut self, op: BinaryOp, a: Pair, b: Pair) -> Option<ValueId> {
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
    pub(super) fn at_least(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let above = self.with(BinaryOp::Or, a, TOPS);
        let difference = self.combine(BinaryOp::Sub(Wrap), above, b);
        let top = self.with(BinaryOp::And, difference, TOPS);
        let one = self.with(BinaryOp::Shr, top, 15);
        let below = self.combine(BinaryOp::Sub(Wrap), top, one);
        self.combine(BinaryOp::Or, top, below)
    }

    /// `then` where the mask is set, else `otherwise`.
    pub(super) fn chosen(&mut self, mask: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        let then = self.combine(BinaryOp::And, then, mask);
        let unset = self.not(mask);
        let otherwise = self.combine(BinaryOp::And, otherwise, unset);
        self.combine(BinaryOp::Or, then, otherwise)
    }

    pub(super) fn not(&mut self, word: ValueId) -> ValueId {
        let like = self.builder.node(word).clone();
        self.word(Op::Unary(UnaryOp::Not, word), &like)
    }
}

/// `(m, s)` with ⌊v / d⌋ = v·m ≫ s for each v in 0..=most, and 16 ≤ s.
fn reciprocal(divisor: i128, most: i128) -> Option<(i128, i128)> {
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
