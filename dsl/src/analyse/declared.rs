//! What the kernel's declarations say: bounds of uniforms, sums of magnitudes, relations between uniforms.
//!
//! `validate` checks all of it before a run, so that here it is fact.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::context::{ContextId, ROOT};
use super::integers::magnitude;
use super::monomial::Monomial;
use super::polynomial::{Polynomial, weighted_sum};
use crate::ir::range::{Floats, Interval, Range};
use crate::ir::{BinaryOp, Bound, FloatBounds, Op, Require, RequireTerm, Type, Uniform, UniformId, ValueId};

/// `earlier ≤ later`, or `<` where strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relation {
    earlier: UniformId,
    later: UniformId,
    strict: bool,
}

impl Analysis<'_> {
    /// Puts the declarations where the walk finds them: ranges of the uniforms, facts of the root.
    pub(super) fn declare(&mut self) {
        self.declared = self.kernel.uniforms.iter().map(own_range).collect();
        let relations = closed(self.kernel.requires.iter().flat_map(relations).collect());
        // A bound that passes from one uniform to the next needs one round for each.
        for _ in 0..self.kernel.requires.len().min(16) {
            for require in &self.kernel.requires {
                self.declare_bounds(require);
            }
        }
        let mut scalars = BTreeMap::new();
        for (id, node) in self.body.nodes.iter().enumerate() {
            if let Op::Uniform { uniform, index: 0 } = node.op {
                scalars.entry(uniform).or_insert(ValueId(id as u32));
            }
        }
        for Relation { earlier, later, strict } in relations {
            if let (Some(a), Some(b)) = (scalars.get(&earlier), scalars.get(&later)) {
                self.declare_order(*a, *b, strict);
            }
        }
    }

    /// The declared range of a uniform's scalar, or what is known of a word derived from such; `None` for everything else.
    pub(super) fn declared_range(&self, op: &Op) -> Option<Range> {
        match op {
            Op::Uniform { uniform, .. } => self.declared.get(uniform.0 as usize).copied(),
            Op::Derived { bounds, .. } => bounds.map(|FloatBounds { least, greatest }| Range::Float {
                lo: f64::from_bits(least),
                hi: f64::from_bits(greatest),
                nan: false,
            }),
            Op::Constant(_)
            | Op::Load(_)
            | Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::MulAdd(..)
            | Op::Select { .. }
            | Op::Cast(..)
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => None,
        }
    }

    /// Requirements that no values within the declared bounds keep.
    pub(super) fn impossible_requirements(&self) -> impl Iterator<Item = &Require> {
        self.kernel.requires.iter().filter(|require| {
            let side = |term: RequireTerm| match term {
                RequireTerm::Uniform(id) => self.kernel.uniforms.get(id.0 as usize).map(own_range),
                RequireTerm::Constant(bound) => Some(bound_range(bound)),
            };
            let Some(op) = require.op.comparison() else { return false };
            match (side(require.left), side(require.right)) {
                (Some(Range::Int { lo, hi }), Some(Range::Int { lo: l, hi: h })) => {
                    let interval = |lo: i128, hi: i128| Interval::new(lo, hi);
                    !super::integers::compare(op, interval(lo, hi), interval(l, h), false).1
                }
                (Some(Range::Float { lo, hi, nan }), Some(Range::Float { lo: l, hi: h, nan: n })) => {
                    let (x, y) = (Floats { lo, hi, nan }, Floats { lo: l, hi: h, nan: n });
                    !super::floats::compare(op, x, y).1
                }
                _ => false,
            }
        })
    }

    fn declare_bounds(&mut self, require: &Require) {
        for (op, own, other) in [
            (require.op, require.left, require.right),
            (require.op.mirrored().unwrap_or(require.op), require.right, require.left),
        ] {
            let RequireTerm::Uniform(id) = own else { continue };
            let other = match other {
                RequireTerm::Uniform(other) => self.declared.get(other.0 as usize).copied(),
                RequireTerm::Constant(bound) => Some(bound_range(bound)),
            };
            let (Some(other), Some(own)) = (other, self.declared.get_mut(id.0 as usize)) else { continue };
            *own = narrowed(*own, op, other);
        }
    }

    fn declare_order(&mut self, a: ValueId, b: ValueId, strict: bool) {
        if self.body.node(a).ty == Type::F32 {
            self.contexts[ROOT.0 as usize].ordered.push((a, b));
            return;
        }
        let difference = Polynomial::atom(b).sub(&Polynomial::atom(a));
        let fact = difference.and_then(|d| d.sub(&Polynomial::constant(strict.into())));
        self.contexts[ROOT.0 as usize].facts.extend(fact.map(std::rc::Rc::new));
    }

    /// The interval of a polynomial from the declared sums of magnitudes: Σ kᵢ·Rᵢ with Σ|kᵢ| ≤ S is at most
    /// S · max|Rᵢ|. `None` where no array in it has such a bound.
    pub(super) fn magnitude_interval(&self, polynomial: &Polynomial, context: ContextId) -> Option<Interval> {
        let (uniform, bound) = polynomial.terms().iter().find_map(|term| self.bounded_scalar(&term.0))?;
        let range = |atom: ValueId| self.interval_of(atom, context);
        let mut cofactors: BTreeMap<ValueId, Vec<(Interval, i128)>> = BTreeMap::new();
        let mut rest = Vec::new();
        for (monomial, coefficient) in polynomial.terms() {
            let mut scalars = monomial.atoms().filter(|atom| self.uniform_of(*atom) == Some(uniform));
            if let (Some(scalar), None) = (scalars.next(), scalars.next()) {
                let cofactor = monomial.without(&Monomial::atom(scalar))?.interval(&range);
                cofactors.entry(scalar).or_default().push((cofactor, *coefficient));
            } else {
                rest.push((monomial.interval(&range), *coefficient));
            }
        }
        let mut most = 0;
        for cofactor in cofactors.into_values() {
            most = magnitude(weighted_sum(cofactor.into_iter())?).hi.max(most);
        }
        let reach = Interval { lo: -1, hi: 1 };
        weighted_sum(rest.into_iter().chain([(reach, bound.checked_mul(most)?)]))
    }

    fn bounded_scalar(&self, monomial: &Monomial) -> Option<(UniformId, i128)> {
        monomial.atoms().find_map(|atom| {
            let uniform = self.uniform_of(atom)?;
            let bound = self.kernel.uniforms.get(uniform.0 as usize)?.sum_of_magnitudes?;
            Some((uniform, bound.into()))
        })
    }

    fn uniform_of(&self, atom: ValueId) -> Option<UniformId> {
        match self.body.node(atom).op {
            Op::Uniform { uniform, .. } => Some(uniform),
            _ => None,
        }
    }
}

/// The declared bounds of a uniform, or all of its type; the sum of magnitudes bounds each scalar too.
fn own_range(uniform: &Uniform) -> Range {
    let all = Range::of_type(uniform.ty);
    let declared = match uniform.bounds {
        Some((lo, hi)) => between(lo, hi).and_then(|bounds| all.meet(bounds)).unwrap_or(all),
        None => all,
    };
    let Some(most) = uniform.sum_of_magnitudes.filter(|_| uniform.ty.is_integer()) else { return declared };
    declared.meet(Range::Int { lo: -i128::from(most), hi: most.into() }).unwrap_or(declared)
}

fn between(lo: Bound, hi: Bound) -> Option<Range> {
    match (lo, hi) {
        (Bound::Int(lo), Bound::Int(hi)) => (lo <= hi).then_some(Range::Int { lo, hi }),
        (Bound::Float(lo), Bound::Float(hi)) => {
            (lo <= hi).then_some(Range::Float { lo: lo.into(), hi: hi.into(), nan: false })
        }
        (Bound::Int(_), Bound::Float(_)) | (Bound::Float(_), Bound::Int(_)) => None,
    }
}

fn bound_range(bound: Bound) -> Range {
    match bound {
        Bound::Int(value) => Range::Int { lo: value, hi: value },
        Bound::Float(value) => Floats::point(value.into()).range(),
    }
}

/// `own` where `own op other` holds; unchanged where that is impossible.
fn narrowed(own: Range, op: BinaryOp, other: Range) -> Range {
    match (own, other) {
        (Range::Int { .. }, Range::Int { lo, hi }) => {
            let (least, most) = (i128::MIN, i128::MAX);
            let known = match op {
                BinaryOp::Lt => (least, hi.saturating_sub(1)),
                BinaryOp::Le => (least, hi),
                BinaryOp::Gt => (lo.saturating_add(1), most),
                BinaryOp::Ge => (lo, most),
                BinaryOp::Eq => (lo, hi),
                _ => (least, most),
            };
            own.meet(Range::Int { lo: known.0, hi: known.1 }).unwrap_or(own)
        }
        (Range::Float { lo, hi, nan }, Range::Float { lo: l, hi: h, nan: n }) => {
            let (own_floats, other) = (Floats { lo, hi, nan }, Floats { lo: l, hi: h, nan: n });
            super::floats::refine(op, true, Type::F32, [own_floats, other]).map_or(own, Floats::range)
        }
        (Range::Int { .. } | Range::Float { .. } | Range::Bool { .. }, _) => own,
    }
}

/// The order that a requirement between two uniforms says.
fn relations(require: &Require) -> Vec<Relation> {
    let (RequireTerm::Uniform(a), RequireTerm::Uniform(b)) = (require.left, require.right) else { return Vec::new() };
    let before = |earlier, later, strict| Relation { earlier, later, strict };
    match require.op {
        BinaryOp::Lt => vec![before(a, b, true)],
        BinaryOp::Le => vec![before(a, b, false)],
        BinaryOp::Gt => vec![before(b, a, true)],
        BinaryOp::Ge => vec![before(b, a, false)],
        BinaryOp::Eq => vec![before(a, b, false), before(b, a, false)],
        _ => Vec::new(),
    }
}

/// With what follows by transitivity: a middle uniform need not occur in the body.
fn closed(mut relations: Vec<Relation>) -> Vec<Relation> {
    const MOST: usize = 256;
    let mut next = 0;
    while next < relations.len() && relations.len() < MOST {
        let first = relations[next];
        for second in relations.clone() {
            if first.later != second.earlier && second.later != first.earlier {
                continue;
            }
            let (head, tail) = if first.later == second.earlier { (first, second) } else { (second, first) };
            let joined = Relation { earlier: head.earlier, later: tail.later, strict: head.strict || tail.strict };
            if joined.earlier != joined.later && !relations.contains(&joined) {
                relations.push(joined);
            }
        }
        next += 1;
    }
    relations
}
