//! Integer values as polynomials over atoms: what plain intervals lose is that one value occurs twice.
//!
//! An atom is a value whose inside the polynomial doesn't see: an element, a uniform, the result of `min`. Arithmetic
//! is checked: where a polynomial would grow beyond its limits there is none, and the caller makes the value an atom.

use super::integers::{add, multiply, power};
use super::monomial::Monomial;
use crate::ir::ValueId;
use crate::ir::range::Interval;
use std::cmp::Ordering;

/// More terms than a 15×15 window has.
const MAX_TERMS: usize = 256;
/// Products with more terms than this are atoms.
const MAX_PRODUCT: usize = 64;
/// Atoms whose extremes are tried in all combinations.
const MAX_VERTEX_ATOMS: usize = 10;
/// Terms beyond this magnitude are not summed: 256 of them still fit i128.
const MAX_MAGNITUDE: i128 = 1 << 100;
/// Says nothing.
const UNKNOWN: Interval = Interval { lo: i128::MIN, hi: i128::MAX };

/// A sum of monomials with coefficients, in order of the monomials; no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Polynomial(Vec<(Monomial, i128)>);

impl Polynomial {
    pub(super) fn constant(value: i128) -> Self {
        Self(if value == 0 { Vec::new() } else { vec![(Monomial::ONE, value)] })
    }

    pub(super) fn atom(atom: ValueId) -> Self {
        Self(vec![(Monomial::atom(atom), 1)])
    }

    pub(super) fn terms(&self) -> &[(Monomial, i128)] {
        &self.0
    }

    pub(super) fn is_linear(&self) -> bool {
        self.0.iter().all(|(monomial, _)| monomial.degree() <= 1)
    }

    /// Whether it is one term, without powers.
    pub(super) fn is_plain_product(&self) -> bool {
        matches!(self.0.as_slice(), [(monomial, _)] if monomial.powers().all(|(_, count)| count == 1))
    }

    /// The value, where there is only one.
    pub(super) fn as_constant(&self) -> Option<i128> {
        match self.0.as_slice() {
            [] => Some(0),
            [(Monomial::ONE, value)] => Some(*value),
            _ => None,
        }
    }

    /// `less, greater, c` of `k·greater − k·less + c`.
    pub(super) fn as_difference(&self) -> Option<(ValueId, ValueId, i128)> {
        let (constant, terms) = match self.0.as_slice() {
            // The empty product comes last.
            [terms @ .., (Monomial::ONE, constant)] => (*constant, terms),
            terms => (0, terms),
        };
        let [(a, k), (b, l)] = terms else { return None };
        if *k != -*l || a.degree() != 1 || b.degree() != 1 {
            return None;
        }
        let (a, b) = (a.atoms().next()?, b.atoms().next()?);
        Some(if *k > 0 { (b, a, constant) } else { (a, b, constant) })
    }

    /// The atoms, greatest id first, each once.
    pub(super) fn atoms(&self) -> Vec<ValueId> {
        let mut atoms: Vec<ValueId> = Vec::with_capacity(self.0.len());
        for (monomial, _) in &self.0 {
            for &atom in monomial.factors() {
                atoms.push(ValueId(atom));
            }
        }
        atoms.sort_unstable_by(|a, b| b.cmp(a));
        atoms.dedup();
        atoms
    }

    /// `self + factor · other`.
    pub(super) fn add_scaled(&self, other: &Self, factor: i128) -> Option<Self> {
        let (left, right) = (self.0.as_slice(), other.0.as_slice());
        let (mut own, mut added) = (0, 0);
        let mut sum = Vec::with_capacity(left.len() + right.len());
        while own < left.len() || added < right.len() {
            let order = if own == left.len() {
                Ordering::Greater
            } else if added == right.len() {
                Ordering::Less
            } else {
                left[own].0.cmp(&right[added].0)
            };
            let (monomial, mut coefficient) = if order == Ordering::Greater { (right[added].0, 0) } else { left[own] };
            if order != Ordering::Less {
                coefficient = coefficient.checked_add(right[added].1.checked_mul(factor)?)?;
                added += 1;
            }
            if order != Ordering::Greater {
                own += 1;
            }
            if coefficient != 0 {
                sum.push((monomial, coefficient));
            }
        }
        (sum.len() <= MAX_TERMS).then_some(Self(sum))
    }

    pub(super) fn add(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, 1)
    }

    pub(super) fn sub(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, -1)
    }

    pub(super) fn scale(&self, factor: i128) -> Option<Self> {
        Self::constant(0).add_scaled(self, factor)
    }

    pub(super) fn mul(&self, other: &Self) -> Option<Self> {
        if self.0.len() * other.0.len() > MAX_PRODUCT.max(self.0.len()).max(other.0.len()) {
            return None;
        }
        if let [(monomial, coefficient)] = other.0.as_slice() {
            return self.times(monomial, *coefficient);
        }
        let mut product = Self::constant(0);
        for (monomial, coefficient) in &other.0 {
            product = product.add(&self.times(monomial, *coefficient)?)?;
        }
        Some(product)
    }

    /// `coefficient · monomial · self`.
    pub(super) fn times(&self, monomial: &Monomial, coefficient: i128) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.0.len());
        for (own, c) in &self.0 {
            let term = (own.times(monomial)?, c.checked_mul(coefficient)?);
            if term.1 != 0 {
                terms.push(term);
            }
        }
        // Without a factor they are in order.
        if *monomial != Monomial::ONE && terms.len() > 1 {
            terms.sort_unstable_by_key(|term| term.0);
        }
        Some(Self(terms))
    }

    /// `self` with `value` in the place of `atom`; `None` also where `atom` occurs squared.
    pub(super) fn substitute(&self, atom: ValueId, value: &Self) -> Option<Self> {
        let single = Monomial::atom(atom);
        let kept = self.0.iter().filter(|(monomial, _)| !monomial.contains(atom)).copied().collect();
        self.0.iter().filter(|(monomial, _)| monomial.contains(atom)).try_fold(Self(kept), |sum, (monomial, c)| {
            let cofactor = monomial.without(&single).filter(|rest| !rest.contains(atom))?;
            sum.add(&value.times(&cofactor, *c)?)
        })
    }

    /// An interval that holds every value, given those of the atoms. Exact for polynomials in which no atom is squared
    /// and up to ten atoms, held fixed, leave a linear one. `work` counts what may still be spent.
    pub(super) fn interval(&self, range: &impl Fn(ValueId) -> Interval, work: &mut u32) -> Interval {
        let Some(by_terms) = self.interval_by_terms(range) else { return UNKNOWN };
        if !self.shares_factors() {
            return by_terms;
        }
        let Some(fixed) = self.vertex_atoms().filter(|fixed| !fixed.is_empty()) else { return by_terms };
        let cost = (self.0.len() as u32) << fixed.len();
        if *work < cost {
            return by_terms;
        }
        *work -= cost;
        let vertices = (0..1u32 << fixed.len()).map(|vertex| self.interval_at(&fixed, vertex, range));
        let hull = |a: Option<Interval>, b: Option<Interval>| Some(a?.hull(b?));
        vertices.reduce(hull).flatten().and_then(|exact| exact.meet(by_terms)).unwrap_or(by_terms)
    }

    /// The interval as if all terms were independent; `None` where it is too great to be summed exactly.
    fn interval_by_terms(&self, range: &impl Fn(ValueId) -> Interval) -> Option<Interval> {
        let mut sum = Interval::point(0);
        for (monomial, coefficient) in &self.0 {
            sum = add(sum, weighted(monomial.interval(range), *coefficient)?);
        }
        Some(sum)
    }

    /// Whether a product of several factors shares one with another term.
    pub(super) fn shares_factors(&self) -> bool {
        if self.0.len() < 2 || !self.0.iter().any(|(monomial, _)| monomial.has_several()) {
            return false;
        }
        // The atoms of the terms before, and those of them that are in a product of several: a bit for each.
        let greatest = self.0.iter().map(|(monomial, _)| monomial.greatest()).max().unwrap_or(0);
        let (mut seen, mut in_product) =
            (vec![0u64; greatest as usize / 64 + 1], vec![0u64; greatest as usize / 64 + 1]);
        for (monomial, _) in &self.0 {
            let is_product = monomial.has_several();
            for &atom in monomial.factors() {
                let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
                let before = seen[word] & bit != 0;
                if before && (is_product || in_product[word] & bit != 0) {
                    return true;
                }
            }
            for &atom in monomial.factors() {
                let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
                seen[word] |= bit;
                in_product[word] |= if is_product { bit } else { 0 };
            }
        }
        false
    }

    /// Factors that, held fixed, leave the polynomial linear: the most frequent first. Empty where nothing can be won:
    /// no atom occurs in two terms. `None`: too many.
    fn vertex_atoms(&self) -> Option<Vec<(ValueId, u32)>> {
        let mut nonlinear: Vec<Vec<(ValueId, u32)>> =
            self.0.iter().map(|(monomial, _)| monomial.powers().collect()).filter(|m: &Vec<_>| m.len() > 1).collect();
        let shared = |factors: &Vec<(ValueId, u32)>| {
            let elsewhere = |atom: ValueId| self.0.iter().filter(|(monomial, _)| monomial.contains(atom)).count() > 1;
            factors.iter().any(|(atom, _)| elsewhere(*atom))
        };
        nonlinear.retain(shared);
        let mut fixed = Vec::new();
        while let Some(first) = nonlinear.first() {
            let uses = |factor: &(ValueId, u32)| nonlinear.iter().filter(|factors| factors.contains(factor)).count();
            let candidates = nonlinear.iter().flatten();
            let most = candidates
                .copied()
                .max_by_key(|factor| (uses(factor), std::cmp::Reverse(factor.0)))
                .unwrap_or(first[0]);
            if fixed.len() == MAX_VERTEX_ATOMS {
                return None;
            }
            fixed.push(most);
            for factors in &mut nonlinear {
                factors.retain(|factor| *factor != most);
            }
            nonlinear.retain(|factors| factors.len() > 1);
        }
        Some(fixed)
    }

    /// The interval with each factor of `fixed` at its least (bit clear) or greatest value.
    fn interval_at(
        &self,
        fixed: &[(ValueId, u32)],
        vertex: u32,
        range: &impl Fn(ValueId) -> Interval,
    ) -> Option<Interval> {
        let extreme = |(atom, exponent): (ValueId, u32)| {
            let at = fixed.iter().position(|factor| *factor == (atom, exponent))?;
            let values = power(range(atom), exponent);
            Some(if vertex >> at & 1 == 0 { values.lo } else { values.hi })
        };
        // What is left of each term is a constant, a factor or (where nothing is shared) a product of its own.
        let mut left: Vec<(Vec<(ValueId, u32)>, i128)> = Vec::with_capacity(self.0.len());
        for (monomial, coefficient) in &self.0 {
            let mut factor = *coefficient;
            let mut rest = Vec::new();
            for power in monomial.powers() {
                match extreme(power) {
                    Some(value) => factor = factor.saturating_mul(value),
                    None => rest.push(power),
                }
            }
            left.push((rest, factor));
        }
        left.sort_unstable();
        weighted_sum(left.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let factor = same.iter().fold(0i128, |total, (_, factor)| total.saturating_add(*factor));
            let values = same[0].0.iter().fold(Interval::point(1), |product, (atom, exponent)| {
                multiply(product, power(range(*atom), *exponent), false)
            });
            (values, factor)
        }))
    }
}

/// Σ weight · values; `None` where a product is too great to be summed exactly.
pub(super) fn weighted_sum(terms: impl Iterator<Item = (Interval, i128)>) -> Option<Interval> {
    let mut sum = Interval::point(0);
    for (values, weight) in terms {
        sum = add(sum, weighted(values, weight)?);
    }
    Some(sum)
}

/// weight · values; `None` where it is too great.
fn weighted(values: Interval, weight: i128) -> Option<Interval> {
    let (lo, hi) = (values.lo.saturating_mul(weight), values.hi.saturating_mul(weight));
    let (lo, hi) = if weight < 0 { (hi, lo) } else { (lo, hi) };
    (lo >= -MAX_MAGNITUDE && hi <= MAX_MAGNITUDE).then_some(Interval { lo, hi })
}
