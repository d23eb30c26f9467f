//! What each operation demands, and the attempts to prove it: interval, polynomial, order.

use super::analysis::Analysis;
use super::context::{ContextId, ROOT};
use super::demand::{DemandId, Failure, How, Mode, Proof, Rule};
use super::polynomial::Polynomial;
use super::transfer::{self, Outcome, last_bit};
use crate::ir::Overflow::Never;
use crate::ir::range::{Interval, Range, limits};
use crate::ir::{BinaryOp, CastMode, Demand, Op, UnaryOp, ValueId};

/// One demand on an integer.
struct Claim<'p> {
    place: DemandId,
    rule: Rule,
    context: ContextId,
    found: Interval,
    allowed: Interval,
    polynomial: Option<&'p Polynomial>,
    /// By what `found` was found.
    means: How,
    ideal: Interval,
}

impl Analysis<'_> {
    /// Proves what a node demands; what is known about its result grows on the way. Whether all of it holds.
    pub(super) fn check(
        &mut self,
        id: ValueId,
        context: ContextId,
        outcome: &mut Outcome,
        candidate: Option<&Polynomial>,
        means: How,
    ) -> bool {
        let body = self.body;
        let node = body.node(id);
        // Of any type, what is looked up is demanded of an integer.
        if let Op::Lookup { table, index } = node.op {
            let length = self.kernel.tables.get(table.0 as usize).map_or(0, |table| table.length);
            let allowed = Interval { lo: 0, hi: i128::from(length) - 1 };
            return self.check_operand(id, Rule::TableIndex, context, index, allowed);
        }
        let Some(limits) = limits(node.ty) else { return true };
        match node.op {
            Op::Unary(UnaryOp::Neg(Never), _) => {
                self.check_result(id, Rule::Magnitude, context, outcome, candidate, means)
            }
            Op::Unary(UnaryOp::Abs(Never), x) => {
                let allowed = Interval { lo: limits.lo + 1, hi: limits.hi };
                self.check_operand(id, Rule::Magnitude, context, x, allowed)
            }
            Op::Binary(BinaryOp::Add(Never) | BinaryOp::Sub(Never) | BinaryOp::Mul(Never), ..) => {
                self.check_result(id, Rule::Overflow, context, outcome, candidate, means)
            }
            Op::Binary(BinaryOp::Shl(Never), _, amount) => {
                self.check_amount(id, context, amount)
                    && self.check_result(id, Rule::Overflow, context, outcome, candidate, means)
            }
            Op::Binary(BinaryOp::Shr | BinaryOp::RoundingShr, _, amount) => self.check_amount(id, context, amount),
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let divisor = self.check_divisor(id, context, b);
                let quotient = self.check_quotient(id, context, a, b);
                divisor && quotient
            }
            Op::Cast(CastMode::Value, x) if crate::ir::range::limits(body.node(x).ty).is_some() => {
                let proved = self.check_operand(id, Rule::Cast, context, x, limits);
                if let (true, Outcome::Int(found)) = (proved, outcome) {
                    // What the proof found about the operand holds for the result.
                    *found = self.proofs.last().map_or(*found, |proof| proof.found);
                }
                proved
            }
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. }
            | Op::Lookup { .. }
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Cast(..)
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => true,
        }
    }

    /// Proves the body's own obligations.
    pub(super) fn check_demands(&mut self) {
        let body = self.body;
        for (index, obligation) in body.obligations.iter().enumerate() {
            let context = self.context_of(obligation.guard);
            let place = DemandId::Demand(index);
            match obligation.demand {
                Demand::Index { index, length } => {
                    let allowed = Interval { lo: 0, hi: i128::from(length) - 1 };
                    self.check_value(place, Rule::ArrayIndex, context, index, allowed);
                }
                Demand::Inside { index, extent } => self.check_inside(place, context, index, extent),
                Demand::ClampBounds { lo, hi } => self.check_clamp(place, context, lo, hi),
            }
        }
    }

    fn check_result(
        &mut self,
        id: ValueId,
        rule: Rule,
        context: ContextId,
        outcome: &mut Outcome,
        candidate: Option<&Polynomial>,
        means: How,
    ) -> bool {
        let node = self.body.node(id);
        let (Outcome::Int(exact), Some(limits)) = (outcome, limits(node.ty)) else { return true };
        let narrowed = context != ROOT && node.op.operands().into_iter().any(|x| self.is_narrowed(x, context));
        let ideal = self.ideal(id, *exact);
        let claim = Claim {
            place: DemandId::Node(id),
            rule,
            context,
            found: *exact,
            allowed: limits,
            polynomial: candidate,
            means: if narrowed && means == How::Interval { How::Path } else { means },
            ideal,
        };
        let (proved, found) = self.prove(claim);
        *exact = found;
        if !proved {
            self.ideals.insert(id, ideal);
        }
        proved
    }

    fn check_operand(
        &mut self,
        id: ValueId,
        rule: Rule,
        context: ContextId,
        operand: ValueId,
        allowed: Interval,
    ) -> bool {
        self.check_value(DemandId::Node(id), rule, context, operand, allowed)
    }

    fn check_value(
        &mut self,
        place: DemandId,
        rule: Rule,
        context: ContextId,
        value: ValueId,
        allowed: Interval,
    ) -> bool {
        let found = self.interval_in(value, context);
        let polynomial = self.polynomial_of(value, context);
        let means = means(self.is_narrowed(value, context));
        let ideal = self.ideals.get(&value).copied().unwrap_or(found);
        let polynomial = Some(polynomial.as_ref());
        self.prove(Claim { place, rule, context, found, allowed, polynomial, means, ideal }).0
    }

    fn check_amount(&mut self, id: ValueId, context: ContextId, amount: ValueId) -> bool {
        let allowed = Interval { lo: 0, hi: last_bit(self.body.node(id).ty) };
        self.check_operand(id, Rule::ShiftAmount, context, amount, allowed)
    }

    fn check_divisor(&mut self, id: ValueId, context: ContextId, divisor: ValueId) -> bool {
        let found = self.interval_in(divisor, context);
        let narrowed = self.is_narrowed(divisor, context);
        let place = DemandId::Node(id);
        let how = if self.is_unreachable(context) {
            Some(How::Unreachable)
        } else if !found.holds(0) {
            Some(means(narrowed))
        } else if self.differs(divisor, 0, context) {
            Some(How::Path)
        } else {
            let polynomial = self.polynomial_of(divisor, context);
            let known = self.order_interval_towards(&polynomial, context, found, Interval { lo: 1, hi: -1 });
            (!known.holds(0)).then_some(How::Order)
        };
        self.conclude(place, Rule::Divisor, context, how, found, Interval { lo: 1, hi: i128::MAX })
    }

    fn check_quotient(&mut self, id: ValueId, context: ContextId, a: ValueId, b: ValueId) -> bool {
        let ty = self.body.node(id).ty;
        let Some(limits) = limits(ty).filter(|_| ty.is_signed()) else { return true };
        let (dividend, divisor) = (self.interval_in(a, context), self.interval_in(b, context));
        let how = if self.is_unreachable(context) {
            Some(How::Unreachable)
        } else if dividend.lo > limits.lo || !divisor.holds(-1) {
            Some(How::Interval)
        } else if self.differs(a, limits.lo, context) || self.differs(b, -1, context) {
            Some(How::Path)
        } else {
            let polynomial = self.polynomial_of(b, context);
            let known = self.order_interval_towards(&polynomial, context, divisor, Interval { lo: 0, hi: i128::MAX });
            (!known.holds(-1)).then_some(How::Order)
        };
        self.conclude(
            DemandId::Node(id),
            Rule::Quotient,
            context,
            how,
            dividend,
            Interval { lo: limits.lo + 1, hi: limits.hi },
        )
    }

    /// That an index is not below 0, and below the extent: their difference is negative.
    fn check_inside(&mut self, place: DemandId, context: ContextId, index: ValueId, extent: ValueId) {
        let from_zero = Interval { lo: 0, hi: i128::MAX };
        if !self.check_value(place, Rule::Inside, context, index, from_zero) {
            return;
        }
        let (own, end) = (self.interval_in(index, context), self.interval_in(extent, context));
        let found = Interval { lo: own.lo - end.hi, hi: own.hi - end.lo };
        let difference = self.polynomial_of(index, context).sub(&self.polynomial_of(extent, context));
        let (rule, means) = (Rule::Inside, means(self.is_narrowed(index, context)));
        let allowed = Interval { lo: i64::MIN.into(), hi: -1 };
        let polynomial = difference.as_ref();
        self.prove(Claim { place, rule, context, found, allowed, polynomial, means, ideal: found });
    }

    fn check_clamp(&mut self, place: DemandId, context: ContextId, lo: ValueId, hi: ValueId) {
        if self.body.node(lo).ty.is_float() {
            let how =
                if self.is_unreachable(context) { Some(How::Unreachable) } else { self.float_order(lo, hi, context) };
            self.conclude(place, Rule::ClampBounds, context, how, Interval::point(0), Interval::point(0));
            return;
        }
        let (least, most) = (self.interval_in(lo, context), self.interval_in(hi, context));
        let found = Interval { lo: most.lo - least.hi, hi: most.hi - least.lo };
        let difference = self.polynomial_of(hi, context).sub(&self.polynomial_of(lo, context));
        let means = means(self.is_narrowed(lo, context) || self.is_narrowed(hi, context));
        let allowed = Interval { lo: 0, hi: i128::MAX };
        let rule = Rule::ClampBounds;
        let polynomial = difference.as_ref();
        self.prove(Claim { place, rule, context, found, allowed, polynomial, means, ideal: found });
    }

    /// Whether two floats are in order, and neither is NaN.
    fn float_order(&self, lo: ValueId, hi: ValueId, context: ContextId) -> Option<How> {
        match (self.range_of(lo, context), self.range_of(hi, context)) {
            (Range::Float { hi: a, nan: false, .. }, Range::Float { lo: b, nan: false, .. }) if a <= b => {
                Some(How::Interval)
            }
            _ => self.float_le(lo, hi, context).then_some(How::Order),
        }
    }

    /// Tries the means of proof in order of their cost. What is known about the value comes back with the verdict.
    fn prove(&mut self, claim: Claim<'_>) -> (bool, Interval) {
        let Claim { place, rule, context, allowed, means, ideal, .. } = claim;
        let mut found = claim.found;
        let how = 'proof: {
            if self.is_unreachable(context) {
                break 'proof Some(How::Unreachable);
            }
            if allowed.contains(&found) {
                break 'proof Some(means);
            }
            let Some(polynomial) = claim.polynomial else { break 'proof None };
            found = found.meet(self.polynomial_interval(polynomial, context)).unwrap_or(found);
            if allowed.contains(&found) {
                break 'proof Some(How::Polynomial);
            }
            found = self.order_interval_towards(polynomial, context, found, allowed);
            allowed.contains(&found).then_some(How::Order)
        };
        match how {
            Some(how) => self.proofs.push(Proof { place, rule, how, found }),
            None => {
                let ideal = if ideal == claim.found { found } else { ideal };
                self.failures.push(Failure { place, rule, context, found, allowed, ideal });
            }
        }
        (how.is_some(), found)
    }

    fn conclude(
        &mut self,
        place: DemandId,
        rule: Rule,
        context: ContextId,
        how: Option<How>,
        found: Interval,
        allowed: Interval,
    ) -> bool {
        match how {
            Some(how) => self.proofs.push(Proof { place, rule, how, found }),
            None => self.failures.push(Failure { place, rule, context, found, allowed, ideal: found }),
        }
        how.is_some()
    }

    /// Whether the conditions around say more about `value` than was known where it was computed.
    fn is_narrowed(&self, value: ValueId, context: ContextId) -> bool {
        context != ROOT && self.range_of(value, context) != self.ranges[value.0 as usize]
    }

    /// The exact result if the operands too had kept theirs.
    fn ideal(&self, id: ValueId, exact: Interval) -> Interval {
        let node = self.body.node(id);
        if self.mode == Mode::Ranges
            || self.ideals.is_empty()
            || !node.op.operands().into_iter().any(|x| self.ideals.contains_key(&x))
        {
            return exact;
        }
        let get = |x: ValueId| self.ideals.get(&x).map_or_else(|| self.ranges[x.0 as usize], |ideal| ideal.range());
        let ty = |x: ValueId| self.body.node(x).ty;
        match transfer::outcome(node, &get, &ty, &|a, b| self.same(a, b), self.kernel.fast) {
            Outcome::Int(ideal) => ideal.hull(exact),
            Outcome::Other(_) => exact,
        }
    }
}

fn means(narrowed: bool) -> How {
    if narrowed { How::Path } else { How::Interval }
}
