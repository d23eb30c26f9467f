//! Writes sums: each value with the interval of the exact sum that it stands for, so that what cannot leave its type is
//! written as a checked operation and what can, as a wrapping one.

use super::writer::FormWriter;
use crate::arithmetic::wrap;
use crate::ir::Overflow::Never;
use crate::ir::{BinaryOp, CastMode, Op, Type, ValueId};

/// A value of the sum's type, and the interval of what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub id: ValueId,
    pub interval: (i128, i128),
}

/// A coefficient and what it multiplies.
pub type Scaled = (i128, Part);

impl FormWriter<'_> {
    /// The type of the node that is replaced.
    pub fn ty(&self) -> Type {
        self.value.node.ty
    }

    /// A value of the original body, in the type of the node that is replaced.
    pub fn leaf(&mut self, value: ValueId, interval: (i128, i128)) -> Part {
        let (id, ty) = (self.value.at(value), self.ty());
        let from = self.builder.node(id).ty;
        if from == ty {
            return Part { id, interval };
        }
        if from.widens_to(ty) {
            return Part { id: self.builder.cast(CastMode::Value, ty, id), interval };
        }
        Part { id: self.builder.cast(CastMode::Wrapping, ty, id), interval: ty.limits() }
    }

    /// A constant.
    pub fn constant(&mut self, value: i128) -> Part {
        let ty = self.ty();
        Part { id: self.builder.int(wrap(value, ty), ty), interval: (value, value) }
    }

    fn binary(&mut self, op: BinaryOp, a: Part, b: Part, interval: (i128, i128)) -> Part {
        let (lo, hi) = self.ty().limits();
        let fits = |(least, greatest): (i128, i128)| lo <= least && greatest <= hi;
        // Checked only where both operands are what they stand for, too.
        let is_proved = fits(a.interval) && fits(b.interval) && fits(interval);
        let op = if is_proved { op } else { op.wrapping() };
        Part { id: self.builder.op(Op::Binary(op, a.id, b.id), self.value.node.ty, self.value.node), interval }
    }

    /// a + b
    pub fn add(&mut self, a: Part, b: Part) -> Part {
        self.binary(BinaryOp::Add(Never), a, b, (a.interval.0 + b.interval.0, a.interval.1 + b.interval.1))
    }

    /// a − b
    pub fn subtract(&mut self, a: Part, b: Part) -> Part {
        self.binary(BinaryOp::Sub(Never), a, b, (a.interval.0 - b.interval.1, a.interval.1 - b.interval.0))
    }

    /// a · factor, for a factor of at least one.
    pub fn multiply(&mut self, a: Part, factor: i128) -> Part {
        if factor == 1 {
            return a;
        }
        let by = self.constant(factor);
        self.binary(
            BinaryOp::Mul(Never),
            a,
            by,
            (a.interval.0.saturating_mul(factor), a.interval.1.saturating_mul(factor)),
        )
    }

    /// The sum of values, in order.
    pub fn chain(&mut self, parts: &[Part]) -> Option<Part> {
        let (&first, rest) = parts.split_first()?;
        Some(rest.iter().fold(first, |sum, &part| self.add(sum, part)))
    }

    /// Σ coefficient · value: values of one coefficient together, those that need no product first, as two of them are
    /// one instruction and a product is added by one more.
    pub fn grouped(&mut self, parts: &[Scaled]) -> Option<Part> {
        let mut magnitudes: Vec<i128> = parts.iter().map(|(c, _)| c.abs()).filter(|&c| c != 0).collect();
        magnitudes.sort_unstable();
        magnitudes.dedup();
        // A group is positive where it holds anything positive; one that is goes first.
        let mut groups: Vec<(bool, i128, Part)> = Vec::with_capacity(magnitudes.len());
        for magnitude in magnitudes {
            let of = |sign: i128| parts.iter().filter(move |(c, _)| *c == sign * magnitude).map(|&(_, part)| part);
            let (added, taken): (Vec<Part>, Vec<Part>) = (of(1).collect(), of(-1).collect());
            let (is_positive, sum) = match (added.split_first(), taken.split_first()) {
                (Some((&first, added)), Some((&second, taken))) => {
                    let mut sum = self.subtract(first, second);
                    sum = added.iter().fold(sum, |sum, &part| self.add(sum, part));
                    (true, taken.iter().fold(sum, |sum, &part| self.subtract(sum, part)))
                }
                (Some(_), None) => (true, self.chain(&added)?),
                (None, _) => (false, self.chain(&taken)?),
            };
            groups.push((is_positive, magnitude, sum));
        }
        groups.sort_by_key(|&(is_positive, magnitude, _)| (!is_positive, magnitude));
        let mut total: Option<Part> = None;
        for (is_positive, magnitude, sum) in groups {
            let product = self.multiply(sum, magnitude);
            total = Some(match total {
                Some(total) if is_positive => self.add(total, product),
                Some(total) => self.subtract(total, product),
                None if is_positive => product,
                None => {
                    let zero = self.constant(0);
                    self.subtract(zero, product)
                }
            });
        }
        total
    }

    /// Gives a value a name, where it has none.
    pub fn name(&mut self, part: Part, name: &str) {
        self.builder.adopt_name(part.id, Some(name.into()));
    }
}
