//! Products of atoms, the terms of [`super::polynomial::Polynomial`].

use super::integers::{multiply, power};
use crate::ir::ValueId;
use crate::ir::range::Interval;

/// The degree of a monomial.
const DEGREE: usize = 4;
/// No factor.
const NONE: u32 = u32::MAX;

/// A product of atoms, in order of their ids; the empty product is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Monomial([u32; DEGREE]);

impl Monomial {
    pub(super) const ONE: Self = Self([NONE; DEGREE]);

    pub(super) fn atom(atom: ValueId) -> Self {
        Self([atom.0, NONE, NONE, NONE])
    }

    /// The factors, repeated as often as they occur.
    pub(super) fn atoms(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.0.iter().take_while(|atom| **atom != NONE).map(|atom| ValueId(*atom))
    }

    pub(super) fn degree(&self) -> usize {
        self.factors().len()
    }

    pub(super) fn contains(&self, atom: ValueId) -> bool {
        self.0.contains(&atom.0)
    }

    /// One of its factors; behind them `NONE`, which is greater than all.
    fn factor(&self, place: usize) -> u32 {
        if place < DEGREE { self.0[place] } else { NONE }
    }

    /// The factors' ids in order, repeated as often as they occur.
    pub(super) fn factors(&self) -> &[u32] {
        let mut count = 0;
        while count < DEGREE && self.0[count] != NONE {
            count += 1;
        }
        &self.0[..count]
    }

    /// The greatest id of a factor; 0 where there is none.
    pub(super) fn greatest(&self) -> u32 {
        self.factors().last().copied().unwrap_or(0)
    }

    /// Whether its factors are not all the same.
    pub(super) fn has_several(&self) -> bool {
        self.greatest() != 0 && self.greatest() != self.0[0]
    }

    /// The factors with how often each occurs.
    pub(super) fn powers(&self) -> impl Iterator<Item = (ValueId, u32)> + '_ {
        let first = |i: usize| self.0[i] != NONE && (i == 0 || self.0[i - 1] != self.0[i]);
        let count = |atom: u32| self.0.iter().filter(|own| **own == atom).count() as u32;
        (0..DEGREE).filter(move |i| first(*i)).map(move |i| (ValueId(self.0[i]), count(self.0[i])))
    }

    /// The product; `None` where its degree is too great.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let (mut own, mut added) = (0, 0);
        let mut product = [NONE; DEGREE];
        for factor in &mut product {
            let (a, b) = (self.factor(own), other.factor(added));
            *factor = if a <= b { a } else { b };
            if a <= b {
                own += 1;
            } else {
                added += 1;
            }
        }
        (self.factor(own) == NONE && other.factor(added) == NONE).then_some(Self(product))
    }

    /// What remains of `self` without the factors of `divisor`.
    pub(super) fn without(&self, divisor: &Self) -> Option<Self> {
        let (mut left, mut kept, mut divided) = ([NONE; DEGREE], 0, 0);
        // Both are in order.
        for &own in self.factors() {
            if divided < DEGREE && divisor.0[divided] == own {
                divided += 1;
            } else {
                left[kept] = own;
                kept += 1;
            }
        }
        if divided < DEGREE && divisor.0[divided] != NONE { None } else { Some(Self(left)) }
    }

    /// The values of the product.
    pub(super) fn interval(&self, range: &impl Fn(ValueId) -> Interval) -> Interval {
        if let &[atom] = self.factors() {
            return range(ValueId(atom));
        }
        let factors = self.powers().map(|(atom, count)| power(range(atom), count));
        factors.reduce(|product, factor| multiply(product, factor, false)).unwrap_or(Interval::point(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_stand_in_order_and_a_product_has_so_many() {
        let of = |atoms: &[u32]| {
            atoms.iter().fold(Monomial::ONE, |product, &atom| product.times(&Monomial::atom(ValueId(atom))).unwrap())
        };
        assert_eq!(of(&[7, 2, 7, 0]), Monomial([0, 2, 7, 7]));
        assert_eq!(of(&[3, 1]).times(&of(&[2, 1])), Some(of(&[1, 1, 2, 3])));
        assert_eq!(of(&[1, 2]).times(&of(&[1, 2, 3])), None);
        assert_eq!(of(&[5]).times(&Monomial::ONE), Some(of(&[5])));
        assert_eq!(of(&[1, 1, 2, 3]).without(&of(&[1, 3])), Some(of(&[1, 2])));
        assert_eq!(of(&[1, 2]).without(&Monomial::ONE), Some(of(&[1, 2])));
        for other in [&[1, 1][..], &[3], &[0], &[1, 2, 3]] {
            assert_eq!(of(&[1, 2]).without(&of(other)), None, "{other:?}");
        }
    }
}
