//! Which values of a body have a normal form, and what they are computed from.

use super::fold::Fold;
use super::rank::{self, Rank};
use super::terms::Terms;
use crate::analyse;
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::Range;
use crate::ir::{AxisId, BinaryOp, Body, Kernel, Node, Op, UnaryOp, ValueId};
use crate::optimise::build::dead::keep_needed;
use crate::optimise::build::shifted::{Member, shifted};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

/// What a value is.
#[derive(Debug)]
pub enum Plan {
    /// Σ coefficient · value.
    Sum(Terms),
    /// The least or the greatest of taps.
    Fold(Fold),
    /// The n-th of taps in order.
    Rank(Rank),
}

/// A body's plans.
#[derive(Debug)]
pub struct Survey {
    /// By node.
    pub plans: Vec<Option<Plan>>,
    /// Whether a store, or a plan, needs the node.
    pub wanted: Vec<bool>,
}

impl Survey {
    /// Finds the plans of a body, from its stores backwards, so that a plan takes in as much as it can.
    pub fn of(kernel: &Kernel, body: &Body) -> Self {
        let known = Known::of(kernel, body);
        let mut wanted = vec![false; body.nodes.len()];
        body.stores.iter().for_each(|store| wanted[store.value.0 as usize] = true);
        let mut plans: Vec<Option<Plan>> = body.nodes.iter().map(|_| None).collect();
        for index in (0..body.nodes.len()).rev().filter(|&index| !body.nodes[index].ty.is_float()) {
            let id = ValueId(index as u32);
            plans[index] = if wanted[index] { plan(body, &known, id) } else { None };
            match &plans[index] {
                Some(plan) => plan.leaves().into_iter().for_each(|leaf| wanted[leaf.0 as usize] = true),
                None if wanted[index] => body.nodes[index].op.for_operands(|id| wanted[id.0 as usize] = true),
                None => {}
            }
        }
        Self { plans, wanted }
    }

    /// Whether there is nothing to rewrite.
    pub fn is_empty(&self) -> bool {
        self.plans.iter().all(Option::is_none)
    }
}

impl Plan {
    fn leaves(&self) -> Vec<ValueId> {
        match self {
            Plan::Sum(terms) => terms.leaves(),
            Plan::Fold(fold) => fold.taps.0.values().copied().collect(),
            Plan::Rank(rank) => rank.taps.0.values().copied().collect(),
        }
    }
}

fn plan(body: &Body, known: &Known<'_>, id: ValueId) -> Option<Plan> {
    let node = body.node(id);
    if !node.ty.is_integer() {
        return None;
    }
    match node.op {
        Op::Binary(BinaryOp::Min | BinaryOp::Max, ..) => rank::find(body, known, id),
        Op::Binary(op, ..) if is_linear(op) => Terms::of(body, known, id).map(Plan::Sum),
        Op::Unary(UnaryOp::Neg(Never | Wrap), _) => Terms::of(body, known, id).map(Plan::Sum),
        _ => None,
    }
}

fn is_linear(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add(Never | Wrap) | Sub(Never | Wrap) | Mul(Never | Wrap) | Shl(_))
}

/// What is known of a body: the intervals of its integers, and who uses a value.
#[derive(Debug)]
pub struct Known<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    /// Found once a sum asks for one.
    ranges: OnceCell<Vec<Range>>,
    /// Which values are one expression at several places, found once a sum asks.
    members: OnceCell<Vec<Member<2>>>,
    users: Vec<Vec<ValueId>>,
    is_stored: Vec<bool>,
    /// Values that may still be looked at.
    work: Cell<usize>,
}

/// Values that a survey looks at, however long the chains of a body are.
const WORK: usize = 100_000;

impl<'a> Known<'a> {
    fn of(kernel: &'a Kernel, body: &'a Body) -> Self {
        let mut users = vec![Vec::new(); body.nodes.len()];
        for (index, node) in body.nodes.iter().enumerate() {
            node.op.for_operands(|id| users[id.0 as usize].push(ValueId(index as u32)));
        }
        let mut is_stored = vec![false; body.nodes.len()];
        body.stores.iter().for_each(|store| is_stored[store.value.0 as usize] = true);
        Self {
            kernel,
            body,
            ranges: OnceCell::new(),
            members: OnceCell::new(),
            users,
            is_stored,
            work: Cell::new(WORK),
        }
    }

    /// Charges for looking at `values` values; `None` where no work is left.
    pub fn charge(&self, values: usize) -> Option<()> {
        let left = self.work.get().checked_sub(values);
        self.work.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// Whether nothing but these values uses a value.
    pub fn is_private(&self, id: ValueId, inner: &BTreeSet<ValueId>) -> bool {
        !self.is_stored[id.0 as usize] && self.users[id.0 as usize].iter().all(|user| inner.contains(user))
    }

    /// Whether nothing but `user` uses a value.
    pub fn is_used_by(&self, id: ValueId, user: ValueId) -> bool {
        let place = id.0 as usize;
        !self.is_stored[place] && self.users[place].iter().all(|&own| own == user)
    }

    /// Whether anything that stands behind a user of a value uses it too.
    pub fn is_used_after(&self, id: ValueId, user: ValueId) -> bool {
        let place = id.0 as usize;
        self.is_stored[place] || self.users[place].last().is_some_and(|&last| last > user)
    }

    /// Whether only such values use a value as are marked.
    pub fn is_used_inside(&self, id: ValueId, is_inner: &[bool]) -> bool {
        let place = id.0 as usize;
        let users = self.users[place].as_slice();
        let mut inside = 0;
        while inside < users.len() && is_inner.get(users[inside].0 as usize) == Some(&true) {
            inside += 1;
        }
        !self.is_stored[place] && inside == users.len()
    }

    /// A value among those that are the same expression elsewhere, by rows and columns.
    pub fn member(&self, id: ValueId) -> Member<2> {
        let axes = [(AxisId::Y, 1), (AxisId::X, 1)];
        self.members.get_or_init(|| shifted(self.body, axes))[id.0 as usize]
    }

    /// The least and the greatest value.
    fn interval(&self, id: ValueId) -> (i128, i128) {
        let ranges = self.ranges.get_or_init(|| analyse::ranges(self.kernel, self.body).ranges);
        self.integers(ranges[id.0 as usize], id)
    }

    fn integers(&self, range: Range, id: ValueId) -> (i128, i128) {
        match range {
            Range::Int { lo, hi } => (lo, hi),
            Range::Float { .. } | Range::Bool { .. } => self.body.node(id).ty.limits(),
        }
    }

    /// The least and the greatest of each of these values, by what computes them alone: what is made of a sum's terms says
    /// nothing about them.
    pub fn intervals(&self, ids: &[ValueId]) -> Vec<(i128, i128)> {
        let is_input = |id: &ValueId| matches!(self.body.node(*id).op, Op::Load(_));
        if self.ranges.get().is_some() {
            return ids.iter().map(|&id| self.interval(id)).collect();
        }
        if ids.iter().all(is_input) {
            return ids.iter().map(|&id| self.body.node(id).ty.limits()).collect();
        }
        let (nodes, places) = keep_needed(&self.body.nodes, ids.iter().copied());
        let alone = Body::plain(self.body.choice.clone(), nodes, Vec::new());
        let ranges = analyse::ranges(self.kernel, &alone).ranges;
        ids.iter().map(|&id| self.integers(ranges[places[id.0 as usize].0 as usize], id)).collect()
    }

    /// Whether a linear operation's exact result may lie outside its type.
    pub fn wraps(&self, node: &Node) -> bool {
        let at = |id| {
            let (lo, hi) = self.interval(id);
            (lo, hi)
        };
        let hull = |corners: [i128; 4]| {
            let (lo, hi) = node.ty.limits();
            corners.iter().any(|&corner| corner < lo || corner > hi)
        };
        match node.op {
            Op::Unary(_, a) => {
                let (lo, hi) = at(a);
                hull([-lo, -hi, -lo, -hi])
            }
            Op::Binary(op, a, b) => {
                let ((a_lo, a_hi), (b_lo, b_hi)) = (at(a), at(b));
                match op {
                    BinaryOp::Add(Never | Wrap) => hull([a_lo + b_lo, a_hi + b_hi, 0, 0]),
                    BinaryOp::Sub(Never | Wrap) => hull([a_lo - b_hi, a_hi - b_lo, 0, 0]),
                    BinaryOp::Mul(Never | Wrap) => {
                        let corners = [(a_lo, b_lo), (a_lo, b_hi), (a_hi, b_lo), (a_hi, b_hi)];
                        hull(corners.map(|(a, b)| a.saturating_mul(b)))
                    }
                    BinaryOp::Shl(_) if (0..32).contains(&b_lo) && b_hi < 32 => {
                        hull([a_lo << b_hi, a_hi << b_hi, 0, 0])
                    }
                    _ => true,
                }
            }
            _ => true,
        }
    }
}
