//! The walk over a body: each value's range, polynomial and proof, in evaluation order.
//!
//! Values that are computed twice are one (`canon`). What a value is holds wherever its path condition does; inside
//! further conditions it is narrowed again on demand ([`Analysis::range_in`]). An operation whose obligation is proved
//! is *exact*: only then do polynomials see through it. Where a proof fails, the walk goes on as if the author had
//! mended it ([`Mode::Prove`]), or with everything that the type holds ([`Mode::Ranges`]). A body whose proof stands is
//! walked without proving it again ([`Mode::Proved`]).

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::apart::Reach;
use super::context::{Context, ContextId, ROOT};
use super::demand::{Failure, How, Mode, Proof};
use super::integers;
use super::invariants::{Assumed, walk_in_turns};
use super::limits::{CONDITION_WORK, LATTICE_WORK, ORDER_WORK, REPEAT_DEPTH, VERTEX_WORK};
use super::polynomial::Polynomial;
use super::transfer::{self, Outcome};
use crate::ir::Numbers;
use crate::ir::Overflow::Never;
use crate::ir::range::{Interval, Range, limits};
use crate::ir::{BinaryOp, Body, Constant, Kernel, Measured, Node, Op, ValueId};
use crate::quick::QuickMap;

/// What is known about a body, value by value.
pub(super) struct Analysis<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) body: &'a Body,
    pub(super) mode: Mode,
    /// The first value that is computed from the same operands, visible from here.
    pub(super) canon: Vec<ValueId>,
    /// Where a value is known: the context of its path condition; the root for what is read rather than computed.
    pub(super) homes: Vec<ContextId>,
    pub(super) ranges: Vec<Range>,
    /// What each value is over atoms; none: the atom of its first value.
    polynomials: Vec<Option<Rc<Polynomial>>>,
    /// Whether the operation gives the exact integer, because its obligation is proved or it has none.
    pub(super) exact: Vec<bool>,
    /// What values that could leave their type would be without it.
    pub(super) ideals: BTreeMap<ValueId, Interval>,
    pub(super) contexts: Vec<Context>,
    pub(super) children: QuickMap<(ContextId, ValueId, bool), ContextId>,
    pub(super) guard_contexts: Vec<Option<ContextId>>,
    pub(super) vertex_work: Cell<u32>,
    pub(super) order_work: u32,
    pub(super) condition_work: u32,
    pub(super) lattice_work: u32,
    /// Pairs that `min` and `max` were asked about, and whether the first is never above the second.
    pub(super) in_order: QuickMap<(ValueId, ValueId, ContextId), bool>,
    /// What order says of values alone, and which values have something to do with each other.
    pub(super) glances: QuickMap<(ValueId, ContextId), Interval>,
    pub(super) reach: Reach,
    pub(super) failures: Vec<Failure>,
    pub(super) proofs: Vec<Proof>,
    /// What the kernel declares about each uniform's scalars.
    pub(super) declared: Vec<Range>,
    repeated: QuickMap<(ValueId, ContextId), Range>,
    /// The operations so far, on first values; and the values that each computes: the first, and the others.
    numbers: Numbers,
    twins: Vec<(ValueId, Vec<ValueId>)>,
}

/// Walks over the whole body.
pub(super) fn analyse<'a>(kernel: &'a Kernel, body: &'a Body, mode: Mode) -> Analysis<'a> {
    analyse_known(kernel, body, mode, &[])
}

/// The same, where something is known of values already: by another walk, whose conditions need not hold here.
pub(super) fn analyse_known<'a>(
    kernel: &'a Kernel,
    body: &'a Body,
    mode: Mode,
    known: &[Option<Range>],
) -> Analysis<'a> {
    let mut analysis = walk_in_turns(kernel, body, mode, known);
    analysis.check_demands();
    analysis
}

/// The same under what is assumed of the variables of loops; no demand is checked that belongs to no value.
pub(super) fn walk<'a>(kernel: &'a Kernel, body: &'a Body, mode: Mode, assumed: &Assumed) -> Analysis<'a> {
    let count = body.nodes.len();
    let mut analysis = Analysis {
        kernel,
        body,
        mode,
        canon: (0..count as u32).map(ValueId).collect(),
        homes: vec![ROOT; count],
        ranges: body.nodes.iter().map(|node| Range::of_type(node.ty)).collect(),
        polynomials: vec![None; count],
        exact: vec![false; count],
        ideals: BTreeMap::new(),
        contexts: vec![Context::default()],
        children: QuickMap::default(),
        guard_contexts: vec![None; body.guards.len()],
        vertex_work: Cell::new(VERTEX_WORK),
        order_work: ORDER_WORK,
        condition_work: CONDITION_WORK,
        lattice_work: LATTICE_WORK,
        in_order: QuickMap::default(),
        glances: QuickMap::default(),
        reach: Reach::default(),
        failures: Vec::new(),
        proofs: Vec::new(),
        declared: Vec::new(),
        repeated: QuickMap::default(),
        numbers: Numbers::default(),
        twins: Vec::new(),
    };
    analysis.declare();
    let mut measured = body.measured.iter().filter(|_| !kernel.fast).peekable();
    for id in (0..count as u32).map(ValueId) {
        analysis.visit(id, assumed);
        while let Some(measured) = measured.next_if(|measured| measured.value == id) {
            analysis.learn(measured);
        }
    }
    analysis
}

impl Analysis<'_> {
    /// The range of `value` in `context`: its own, and what the conditions say about it directly.
    pub(super) fn range_of(&self, value: ValueId, context: ContextId) -> Range {
        if context == ROOT && self.homes[value.0 as usize] == ROOT && self.contexts[0].refined.is_empty() {
            return self.ranges[value.0 as usize];
        }
        if !self.holds(value, context) {
            return Range::of_type(self.body.node(value).ty);
        }
        let own = self.ranges[value.0 as usize];
        let canon = self.canon[value.0 as usize];
        let refined = self.ancestors(context).filter_map(|context| context.refined.get(&canon));
        refined.fold(own, |range, refined| range.meet(*refined).unwrap_or(range))
    }

    /// The range of `value` in `context`, its operands looked at again under the conditions there.
    pub(super) fn range_in(&mut self, value: ValueId, context: ContextId) -> Range {
        self.repeat(value, context, REPEAT_DEPTH)
    }

    /// The same as an interval.
    pub(super) fn interval_in(&mut self, value: ValueId, context: ContextId) -> Interval {
        match self.range_in(value, context) {
            Range::Int { lo, hi } => Interval::new(lo, hi),
            Range::Bool { .. } | Range::Float { .. } => self.interval_of(value, context),
        }
    }

    /// The value as a polynomial over atoms, in `context`.
    pub(super) fn polynomial_of(&self, value: ValueId, context: ContextId) -> Rc<Polynomial> {
        if self.holds(value, context) { self.polynomial(value) } else { Rc::new(Polynomial::atom(value)) }
    }

    fn polynomial(&self, value: ValueId) -> Rc<Polynomial> {
        let index = value.0 as usize;
        match &self.polynomials[index] {
            Some(known) => Rc::clone(known),
            None => Rc::new(Polynomial::atom(self.canon[index])),
        }
    }

    /// Whether two operands are one value.
    pub(super) fn same(&self, a: ValueId, b: ValueId) -> bool {
        self.canon[a.0 as usize] == self.canon[b.0 as usize]
    }

    fn repeat(&mut self, value: ValueId, context: ContextId, depth: u32) -> Range {
        let direct = self.range_of(value, context);
        let id = value.0 as usize;
        let node = &self.body.nodes[id];
        if depth == 0
            || context == ROOT
            || self.homes[id] == context
            || node.op.is_leaf()
            || node.op.is_of_loop()
            || !self.holds(value, context)
        {
            return direct;
        }
        if let Some(range) = self.repeated.get(&(value, context)) {
            return *range;
        }
        let parts: Vec<(ValueId, Range)> =
            node.op.operands().into_iter().map(|operand| (operand, self.repeat(operand, context, depth - 1))).collect();
        let get = |operand: ValueId| {
            let found = parts.iter().find(|part| part.0 == operand);
            found.map_or_else(|| self.range_of(operand, context), |part| part.1)
        };
        let again = self.outcome_with(value, &get);
        let range = match again {
            // An inexact result may have wrapped; its operands say nothing about it.
            Outcome::Int(_) if !self.exact[id] => direct,
            Outcome::Int(_) | Outcome::Other(_) => direct.meet(again.range(node.ty)).unwrap_or(direct),
        };
        let range = self.tighten_difference(value, context, range);
        self.repeated.insert((value, context), range);
        range
    }

    /// A difference inside a condition: what the order of its sides says.
    fn tighten_difference(&mut self, value: ValueId, context: ContextId, range: Range) -> Range {
        let (Op::Binary(BinaryOp::Sub(Never), ..), Range::Int { lo, hi }) = (&self.body.node(value).op, range) else {
            return range;
        };
        let polynomial = self.polynomial_of(value, context);
        let found = self.order_interval(&polynomial, context, Interval::new(lo, hi));
        found.range().meet(range).unwrap_or(range)
    }

    fn outcome_with(&self, value: ValueId, get: &impl Fn(ValueId) -> Range) -> Outcome {
        let ty = |operand: ValueId| self.body.node(operand).ty;
        transfer::outcome(self.body.node(value), get, &ty, &|a, b| self.same(a, b), self.kernel.fast)
    }

    /// What was measured of a value. In a kernel that is `fast` it does not hold: rounded otherwise, the value may lie just
    /// outside.
    fn learn(&mut self, measured: &Measured) {
        let range = &mut self.ranges[measured.value.0 as usize];
        let (lo, hi) = (f64::from_bits(measured.bounds.least), f64::from_bits(measured.bounds.greatest));
        *range = range.meet(Range::Float { lo, hi, nan: true }).unwrap_or(*range);
    }

    fn visit(&mut self, id: ValueId, assumed: &Assumed) {
        let body = self.body;
        let (index, node) = (id.0 as usize, &body.nodes[id.0 as usize]);
        let context = self.context_of(node.guard);
        if node.op.is_leaf() {
            return self.visit_leaf(id);
        }
        self.homes[index] = context;
        if node.op.is_of_loop() {
            return self.visit_loop(id, context, assumed);
        }
        if let Some(twin) = self.find_twin(id, context) {
            self.canon[index] = self.canon[twin.0 as usize];
            if self.exact[twin.0 as usize] {
                self.ranges[index] = self.range_in(twin, context);
                self.polynomials[index] = self.polynomials[twin.0 as usize].clone();
                self.exact[index] = true;
                return;
            }
        }
        if let Op::Select { condition, then, otherwise } = node.op {
            return self.visit_select(id, context, condition, [then, otherwise]);
        }
        self.compute(id, node, context);
    }

    /// What belongs to a loop at run time: nothing is demanded of it.
    fn visit_loop(&mut self, id: ValueId, context: ContextId, assumed: &Assumed) {
        let index = id.0 as usize;
        self.exact[index] = true;
        match self.body.node(id).op {
            Op::Turn { start, end, .. } => {
                let (first, last) = (self.interval_in(start, context), self.interval_in(end, context));
                self.ranges[index] = Range::Int { lo: first.lo, hi: first.lo.max(last.hi - 1) };
            }
            Op::Carried { .. } => {
                if let Some(known) = assumed.get(&id) {
                    self.ranges[index] = *known;
                }
            }
            Op::Outcome { end, carried } => self.ranges[index] = self.outcome_of(end, carried),
            _ => {}
        }
    }

    /// An operation other than a select: its range, its obligations, its polynomial.
    fn compute(&mut self, id: ValueId, node: &Node, context: ContextId) {
        let index = id.0 as usize;
        let operands = node.op.operands();
        let mut ranges = [Range::Bool { can_be_false: true, can_be_true: true }; 3];
        for (range, &operand) in ranges.iter_mut().zip(operands.iter()) {
            *range = self.range_in(operand, context);
        }
        let get = |operand: ValueId| match operands.iter().position(|own| *own == operand) {
            Some(place) => ranges[place],
            None => self.range_of(operand, context),
        };
        if let Op::Binary(BinaryOp::Min | BinaryOp::Max, ..) = node.op
            && let Range::Int { lo, hi } = ranges[0]
            && ranges[0] == ranges[1]
            && lo < hi
        {
            // As medians have it: either can be the result, which demands nothing and says nothing new.
            self.exact[index] = true;
            self.ranges[index] = ranges[0];
            return;
        }
        let mut outcome = self.outcome_with(id, &get);
        let candidate = self.candidate(id, context, &get);
        let mut means = How::Interval;
        if let (Outcome::Int(exact), Some(polynomial)) = (&mut outcome, &candidate) {
            (*exact, means) = self.tighten(node, polynomial, *exact, context);
        }
        if let Outcome::Other(Range::Bool { can_be_false: true, can_be_true: true }) = outcome {
            outcome = self.decide(node, context).unwrap_or(outcome);
        }
        let proved = self.mode == Mode::Proved || self.check(id, context, &mut outcome, candidate.as_deref(), means);
        self.exact[index] = proved;
        self.ranges[index] = match (proved, self.mode) {
            (true, _) | (false, Mode::Prove | Mode::Proved) => outcome.range(node.ty),
            (false, Mode::Ranges) => Range::of_type(node.ty),
        };
        self.polynomials[index] = candidate.filter(|_| proved);
    }

    fn visit_leaf(&mut self, id: ValueId) {
        let index = id.0 as usize;
        let node = &self.body.nodes[index];
        self.exact[index] = true;
        if let Some(first) = self.find_twin(id, ROOT) {
            self.canon[index] = self.canon[first.0 as usize];
            self.ranges[index] = self.ranges[first.0 as usize];
            self.polynomials[index] = self.polynomials[first.0 as usize].clone();
            return;
        }
        let outcome = self.outcome_with(id, &|_| Range::of_type(node.ty));
        let said = self.declared_range(&node.op).or_else(|| self.window_range(&node.op));
        self.ranges[index] = said.unwrap_or_else(|| outcome.range(node.ty));
        if let Op::Constant(Constant::Int(value)) = node.op {
            self.polynomials[index] = Some(Rc::new(Polynomial::constant(value)));
        }
    }

    fn visit_select(&mut self, id: ValueId, context: ContextId, condition: ValueId, sides: [ValueId; 2]) {
        let index = id.0 as usize;
        if self.says_nothing(condition, sides, context) {
            self.ranges[index] = self.range_of(sides[0], context).hull(self.range_of(sides[1], context));
            self.exact[index] = true;
            return;
        }
        let inside = [true, false].map(|truth| self.child(context, condition, truth));
        let ranges = [self.range_in(sides[0], inside[0]), self.range_in(sides[1], inside[1])];
        let only = |analysis: &mut Self, side: usize| {
            analysis.ranges[index] = ranges[side];
            if analysis.holds(sides[side], context) {
                analysis.polynomials[index] = Some(analysis.polynomial(sides[side]));
            }
        };
        match inside.map(|side| self.is_unreachable(side)) {
            [true, false] => only(self, 1),
            [false, true] => only(self, 0),
            [true, true] | [false, false] => self.ranges[index] = ranges[0].hull(ranges[1]),
        }
        self.exact[index] = true;
    }

    /// A comparison that intervals leave open, decided by what is known of the difference of its sides.
    fn decide(&mut self, node: &Node, context: ContextId) -> Option<Outcome> {
        let Op::Binary(op, a, b) = node.op else { return None };
        let op = op.comparison()?;
        limits(self.body.node(a).ty)?;
        let difference = self.polynomial_of(a, context).sub(&self.polynomial_of(b, context))?;
        let compared = |difference| integers::compare(op, difference, Interval::point(0), false);
        let known = self.polynomial_interval(&difference, context);
        let (can_be_false, can_be_true) = match compared(known) {
            (true, true) => compared(self.order_interval(&difference, context, known)),
            decided => decided,
        };
        Some(Outcome::Other(Range::Bool { can_be_false, can_be_true }))
    }

    /// What the polynomial knows better than the operands' intervals, and what of it made the result fit its type.
    fn tighten(
        &mut self,
        node: &Node,
        polynomial: &Polynomial,
        exact: Interval,
        context: ContextId,
    ) -> (Interval, How) {
        let fits = |interval: &Interval| limits(node.ty).is_some_and(|limits| limits.contains(interval));
        let terms_of = |id: ValueId| self.polynomials[id.0 as usize].as_ref().map_or(1, |known| known.terms().len());
        let terms: usize = node.op.operands().into_iter().map(terms_of).sum();
        // A product of different atoms is one term, and no less than its operands' intervals say.
        let merged = terms > polynomial.terms().len() && !(context == ROOT && polynomial.is_plain_product());
        let declared = self.kernel.uniforms.iter().any(|uniform| uniform.sum_of_magnitudes.is_some());
        let mut known = exact;
        // Terms that have nothing to do with each other add up as the operands do.
        if merged || declared || polynomial.shares_factors() {
            known = known.meet(self.polynomial_interval(polynomial, context)).unwrap_or(known);
        }
        let ordered = match node.op {
            Op::Binary(BinaryOp::Sub(Never), ..) => self.order_interval(polynomial, context, known),
            _ => known,
        };
        let means = match (fits(&exact), fits(&known)) {
            (true, _) => How::Interval,
            (false, true) => How::Polynomial,
            (false, false) => How::Order,
        };
        (ordered, means)
    }

    fn find_twin(&mut self, id: ValueId, context: ContextId) -> Option<ValueId> {
        let node = self.body.node(id);
        let op = node.op.map_operands(|operand| self.canon[operand.0 as usize]);
        let number = self.numbers.of(&op, node.ty).0 as usize;
        let Some((first, others)) = self.twins.get(number) else {
            self.twins.push((id, Vec::new()));
            return None;
        };
        let found = if self.holds(*first, context) {
            Some(*first)
        } else {
            others.iter().take(7).copied().find(|twin| self.holds(*twin, context))
        };
        self.twins[number].1.push(id);
        found
    }
}
