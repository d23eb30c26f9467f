//! Whether inputs break a demand, and how near they are to it: what the search for an example climbs.

use super::context::ROOT;
use super::counterexample::{INVALID, Score, Search};
use super::demand::{DemandId, Rule};
use super::polynomial::Polynomial;
use crate::ir::Overflow::Never;
use crate::ir::{BinaryOp, Constant, Demand, GuardId, Op, UnaryOp, UniformId, ValueId};

impl Search<'_, '_> {
    /// Whether the inputs keep what the kernel declares about its uniforms.
    pub(super) fn is_declared(&self, point: &[Constant]) -> bool {
        let given = |leaf: ValueId| self.leaves.binary_search(&leaf).ok().map(|at| point[at]);
        let root = &self.analysis.contexts[ROOT.0 as usize];
        let kept = |fact: &Polynomial| {
            let value = fact.terms().iter().try_fold(0i128, |sum, (monomial, coefficient)| {
                let product = monomial.atoms().try_fold(*coefficient, |product, atom| match given(atom)? {
                    Constant::Int(value) => Some(product * value),
                    Constant::Bool(_) | Constant::Float(_) | Constant::Double(_) => None,
                });
                Some(sum + product?)
            });
            value.is_none_or(|value| value >= 0)
        };
        let ordered = |(low, high): &(ValueId, ValueId)| match (given(*low), given(*high)) {
            (Some(Constant::Float(low)), Some(Constant::Float(high))) => f32::from_bits(low) <= f32::from_bits(high),
            _ => true,
        };
        root.facts.iter().all(|fact| kept(fact)) && root.ordered.iter().all(ordered) && self.keeps_magnitudes(point)
    }

    fn keeps_magnitudes(&self, point: &[Constant]) -> bool {
        let uniforms = self.analysis.kernel.uniforms.iter().enumerate();
        let bounded = uniforms.filter_map(|(id, uniform)| Some((UniformId(id as u32), uniform.sum_of_magnitudes?)));
        bounded.into_iter().all(|(id, most)| {
            let own = self.leaves.iter().zip(point).filter_map(|(leaf, value)| {
                match (&self.analysis.body.node(*leaf).op, value) {
                    (Op::Uniform { uniform, .. }, Constant::Int(value)) if *uniform == id => Some(value.unsigned_abs()),
                    _ => None,
                }
            });
            own.sum::<u128>() <= u128::from(most)
        })
    }

    pub(super) fn guard(&self) -> Option<GuardId> {
        match self.failure.place {
            DemandId::Node(id) => self.analysis.body.node(id).guard,
            DemandId::Demand(index) => self.analysis.body.obligations[index].guard,
        }
    }

    /// How far the path condition is from holding; 0 where it holds.
    pub(super) fn missing(&self, guard: Option<GuardId>) -> Score {
        let mut next = guard;
        let mut missing = 0;
        while let Some(id) = next {
            let guard = self.analysis.body.guards[id.0 as usize];
            if self.values[guard.condition.0 as usize] != Some(Constant::Bool(guard.polarity)) {
                missing += self.distance(guard.condition).clamp(1, 1 << 64);
            }
            next = guard.parent;
        }
        missing
    }

    /// How far a comparison is from changing its value.
    fn distance(&self, condition: ValueId) -> Score {
        match self.analysis.body.node(condition).op {
            Op::Binary(_, a, b) => match (self.integer(a), self.integer(b)) {
                (Some(a), Some(b)) => 1 + (a - b).abs(),
                _ => 1,
            },
            Op::Unary(UnaryOp::Not, x) => self.distance(x),
            _ => 1,
        }
    }

    /// By how much the demand is broken; not positive where it holds.
    pub(super) fn excess(&self) -> Score {
        let allowed = self.failure.allowed;
        let outside = |value: i128| (allowed.lo - value).max(value.saturating_sub(allowed.hi));
        let excess = match (self.failure.rule, self.failure.place) {
            (Rule::Divisor, DemandId::Node(id)) => self.operand(id, 1).map(|divisor| 1 - divisor.abs()),
            (Rule::Quotient, DemandId::Node(id)) => match (self.operand(id, 0), self.operand(id, 1)) {
                (Some(a), Some(b)) => Some(1 - (a - (allowed.lo - 1)).abs() - (b + 1).abs()),
                _ => None,
            },
            (Rule::ClampBounds, DemandId::Demand(index)) => self.clamp_excess(index),
            _ => self.offending().map(outside),
        };
        excess.unwrap_or(INVALID)
    }

    fn clamp_excess(&self, index: usize) -> Option<Score> {
        let Demand::ClampBounds { lo, hi } = self.analysis.body.obligations[index].demand else { return None };
        match (self.float(lo), self.float(hi)) {
            (Some(lo), Some(hi)) => Some(if lo <= hi { 0 } else { 1 }),
            _ => Some(self.integer(lo)? - self.integer(hi)?),
        }
    }

    fn operand(&self, id: ValueId, at: usize) -> Option<i128> {
        self.integer(self.analysis.body.node(id).op.operands().get(at).copied()?)
    }

    /// The integer that the demand is about.
    pub(super) fn offending(&self) -> Option<i128> {
        let body = self.analysis.body;
        let id = match self.failure.place {
            DemandId::Node(id) => id,
            DemandId::Demand(index) => {
                return match body.obligations[index].demand {
                    Demand::Index { index, .. } => self.integer(index),
                    Demand::Inside { index, .. } if self.failure.allowed.lo == 0 => self.integer(index),
                    Demand::Inside { index, extent } => Some(self.integer(index)? - self.integer(extent)?),
                    Demand::ClampBounds { .. } => None,
                };
            }
        };
        match (self.failure.rule, &body.node(id).op) {
            (Rule::Overflow, Op::Binary(op, a, b)) => {
                let (a, b) = (self.integer(*a)?, self.integer(*b)?);
                match op {
                    BinaryOp::Add(Never) => Some(a + b),
                    BinaryOp::Sub(Never) => Some(a - b),
                    BinaryOp::Mul(Never) => Some(a.saturating_mul(b)),
                    BinaryOp::Shl(Never) => Some(a << b.clamp(0, 31)),
                    _ => None,
                }
            }
            (Rule::Magnitude, Op::Unary(UnaryOp::Neg(Never), x)) => Some(-self.integer(*x)?),
            (Rule::Divisor | Rule::ShiftAmount, Op::Binary(_, _, b)) => self.integer(*b),
            (_, op) => self.integer(op.operands().first().copied()?),
        }
    }
}
