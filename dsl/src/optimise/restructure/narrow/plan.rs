//! The width of every value: the narrowest first, then whatever saves conversions.
//!
//! The cost is counted in 128-bit instructions for 16 elements: a value of w bits takes w / 8 of them, a conversion one
//! for each vector of the wider side (halved where it narrows), except where an instruction widens by itself. Any
//! vector machine has the same proportions.

use super::demand::{Need, Role, Subject};
use crate::ir::{Op, Type, ValueId};

/// How often the widths are gone through again: each time is cheaper than the one before.
const PASSES: usize = 6;

/// The width in which each value is computed: of its mask, for a truth value.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each node, in order.
    pub widths: Vec<u32>,
}

impl Plan {
    /// Chooses the widths.
    pub fn of(subject: &Subject<'_>) -> Self {
        let mut search = Search::new(subject);
        search.narrowest();
        for _ in 0..PASSES {
            if !search.improve() {
                break;
            }
        }
        Self { widths: search.widths }
    }
}

struct Search<'a> {
    subject: &'a Subject<'a>,
    widths: Vec<u32>,
    operands: Vec<Vec<(ValueId, Need)>>,
    /// Who reads a value, and what it needs; `None` is a store.
    users: Vec<Vec<(Option<ValueId>, Need)>>,
}

impl<'a> Search<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let count = subject.body.nodes.len();
        let mut users: Vec<Vec<(Option<ValueId>, Need)>> = vec![Vec::new(); count];
        let mut operands = Vec::with_capacity(count);
        for id in (0..count as u32).map(ValueId) {
            let read = subject.operands(id);
            read.iter().for_each(|&(operand, need)| users[operand.0 as usize].push((Some(id), need)));
            operands.push(read);
        }
        for store in &subject.body.stores {
            let need = match subject.ty(store.value).bits() {
                1 => Need::Mask,
                width => Need::Width(width),
            };
            users[subject.source(store.value).0 as usize].push((None, need));
        }
        let widths = subject.body.nodes.iter().map(|node| node.ty.bits().max(8)).collect();
        Self { subject, widths, operands, users }
    }

    fn is_free(&self, id: ValueId) -> bool {
        matches!(self.subject.role_of(id), Role::LowBits | Role::Whole)
    }

    /// The least width for each value, from those who read it.
    fn narrowest(&mut self) {
        for id in (0..self.widths.len() as u32).rev().map(ValueId) {
            if !self.is_free(id) {
                continue;
            }
            let own = self.subject.least_width(id);
            let width = match self.subject.role_of(id) {
                Role::LowBits => {
                    let asked = self.users[id.0 as usize].iter().map(|&(user, need)| self.asked(id, user, need));
                    own.max(self.subject.exact_width(id).min(asked.max().unwrap_or(8)))
                }
                _ => own,
            };
            self.widths[id.0 as usize] = width.min(self.most(id));
        }
        self.resize_masks();
    }

    /// The author's own width.
    fn most(&self, id: ValueId) -> u32 {
        match (&self.subject.body.node(id).op, self.subject.ty(id)) {
            (Op::Binary(_, a, _), Type::BOOL) => self.subject.ty(*a).bits(),
            (_, ty) => ty.bits().max(8),
        }
    }

    /// How many bits of `id` a reader asks for.
    fn asked(&self, id: ValueId, user: Option<ValueId>, need: Need) -> u32 {
        match (need, user) {
            (Need::Own, Some(user)) => self.widths[user.0 as usize],
            (Need::Own | Need::Mask, _) => 8,
            (Need::Width(width), _) => width,
            (Need::Any(_), _) => self.subject.exact_width(id),
        }
    }

    /// A truth value made of others is as wide as the narrowest of them.
    fn resize_masks(&mut self) {
        for index in 0..self.widths.len() {
            if self.subject.roles[index] == Role::Truth {
                let masks = self.operands[index].iter().map(|(operand, need)| match need {
                    Need::Mask => self.widths[operand.0 as usize],
                    Need::Own | Need::Width(_) | Need::Any(_) => 32,
                });
                self.widths[index] = masks.min().unwrap_or(8);
            }
        }
    }

    /// Tries other widths for each value; whether one was cheaper.
    fn improve(&mut self) -> bool {
        let mut improved = false;
        for id in (0..self.widths.len() as u32).map(ValueId).filter(|&id| self.is_free(id)).collect::<Vec<_>>() {
            let index = id.0 as usize;
            let (own, most) = (self.widths[index], self.most(id));
            let least = self.subject.least_width(id);
            let mut best = (self.cost(id), own);
            for width in Type::WIDTHS.into_iter().filter(|&width| width != own && (least..=most).contains(&width)) {
                self.widths[index] = width;
                if self.is_possible(id) {
                    let cost = self.cost(id);
                    best = if cost < best.0 { (cost, width) } else { best };
                }
            }
            self.widths[index] = best.1;
            improved |= best.1 != own;
        }
        self.resize_masks();
        improved
    }

    /// Whether all readers of `id`, and it itself, get the bits that they ask for.
    fn is_possible(&self, id: ValueId) -> bool {
        let gets = |operand: ValueId, asked: u32| {
            let width = self.widths[operand.0 as usize];
            width >= asked || self.subject.holds(operand, width)
        };
        let users = &self.users[id.0 as usize];
        users.iter().all(|&(user, need)| need == Need::Mask || gets(id, self.asked(id, user, need)))
            && self.operands[id.0 as usize]
                .iter()
                .all(|&(operand, need)| need == Need::Mask || gets(operand, self.asked(operand, Some(id), need)))
    }

    /// What depends on the width of `id`.
    fn cost(&self, id: ValueId) -> u32 {
        let own = self.subject.effort(id) * self.widths[id.0 as usize] / 8;
        let operands = self.operands[id.0 as usize].iter().map(|&(operand, need)| self.edge(operand, Some(id), need));
        let users = self.users[id.0 as usize].iter().map(|&(user, need)| self.edge(id, user, need));
        own + operands.sum::<u32>() + users.sum::<u32>()
    }

    /// What it costs to bring a value to a reader.
    fn edge(&self, operand: ValueId, user: Option<ValueId>, need: Need) -> u32 {
        let from = self.widths[operand.0 as usize];
        let (to, effort) = match (need, user) {
            (Need::Own | Need::Mask, Some(user)) => (self.widths[user.0 as usize], 1),
            (Need::Own | Need::Mask, None) => (from, 1),
            (Need::Width(width), _) => (width, 1),
            (Need::Any(width), _) => (width, if width < from { 2 } else { 1 }),
        };
        let widens_by_itself = user.is_some_and(|user| self.subject.widens_by_itself(user));
        effort * conversion(from, to, widens_by_itself)
    }
}

/// Instructions that bring 16 elements from one width to another.
fn conversion(from: u32, to: u32, free_step: bool) -> u32 {
    let mut cost = 0;
    let mut width = from;
    while width < to {
        width *= 2;
        cost += if width == to && free_step { 0 } else { width / 8 };
    }
    while width > to {
        width /= 2;
        cost += width / 8;
    }
    cost
}
