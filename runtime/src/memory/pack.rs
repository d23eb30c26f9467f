//! Packs intervals: gives each lifetime an offset, so that none overlaps and little height is used.
//!
//! The problem is that of dynamic storage allocation, which is NP-hard. Tensors are placed one after the other, each at the
//! lowest gap or at the one that it fills best; what matters is the order. Several orders are tried, then the best one is
//! improved: the tensors that reach the top are moved forward, until the lower bound or the budget is reached. The search
//! draws from a generator with a fixed seed: the same lifetimes give the same plan.

use core::cmp::Reverse;
use std::vec::Vec;

use super::lifetime::{Lifetime, lower_bound, sum};

/// Offsets, and the height that they reach.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    pub offsets: Vec<usize>,
    pub size: usize,
}

impl Packing {
    const NONE: Packing = Packing { offsets: Vec::new(), size: 0 };
}

/// Which gap a tensor takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The lowest one that is large enough.
    First,
    /// The smallest one that is large enough.
    Best,
}

/// Packings that a search tries at most, and comparisons of two tensors that it may take: some tens of milliseconds.
const ROUNDS: usize = 500;
const COMPARISONS: usize = 1 << 24;

/// The best packing found. It is never above that of greedy-by-size, which is one of those tried.
pub(super) fn pack(lifetimes: &[Lifetime]) -> Packing {
    let least = lower_bound(lifetimes);
    let mut best: Option<Search> = None;
    for order in orders(lifetimes) {
        for fit in [Fit::Best, Fit::First] {
            let packing = place(lifetimes, &order, fit);
            if packing.size <= least {
                return packing;
            }
            if best.as_ref().is_none_or(|best| packing.size < best.packing.size) {
                best = Some(Search { order: order.clone(), fit, packing });
            }
        }
    }
    best.map_or(Packing::NONE, |best| improve(lifetimes, best, least))
}

/// An order, and the packing that it leads to.
struct Search {
    order: Vec<usize>,
    fit: Fit,
    packing: Packing,
}

/// Orders worth trying: by size, by area, by length of life, by when a life begins, by what lives beside it; ties by size.
fn orders(lifetimes: &[Lifetime]) -> Vec<Vec<usize>> {
    let length = |life: &Lifetime| life.last.saturating_sub(life.first).saturating_add(1);
    let beside = |life: &Lifetime| -> usize {
        lifetimes.iter().filter(|other| other.overlaps(life)).map(|other| other.size).max().unwrap_or(0)
    };
    let breadth = |life: &Lifetime| -> usize {
        let alive = |step: usize| lifetimes.iter().filter(move |other| other.first <= step && step <= other.last);
        let needed = |step| sum(alive(step).map(|other| other.size));
        needed(life.first).max(needed(life.last))
    };
    let by = |key: &dyn Fn(&Lifetime) -> usize| {
        let mut order: Vec<usize> = (0..lifetimes.len()).collect();
        order.sort_by_key(|&index| Reverse((key(&lifetimes[index]), lifetimes[index].size)));
        order
    };
    vec![
        by(&|life| life.size),
        by(&|life| life.size.saturating_mul(length(life))),
        by(&length),
        by(&|life| usize::MAX - life.first),
        by(&beside),
        by(&breadth),
    ]
}

/// Moves tensors that reach the top before some of those that were in their way, as long as that does not raise it.
fn improve(lifetimes: &[Lifetime], mut best: Search, least: usize) -> Packing {
    let rounds = ROUNDS.min(COMPARISONS / (lifetimes.len() * lifetimes.len()).max(1));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..rounds {
        if best.packing.size <= least {
            break;
        }
        let top = |&at: &usize| {
            let index = best.order[at];
            best.packing.offsets[index].saturating_add(lifetimes[index].size) == best.packing.size
        };
        let tops: Vec<usize> = (0..best.order.len()).filter(top).collect();
        let Some(&from) = tops.get(random.below(tops.len())) else { break };
        let moved = best.order[from];
        let rivals: Vec<usize> =
            (0..from).filter(|&at| lifetimes[best.order[at]].overlaps(&lifetimes[moved])).collect();
        let Some(&to) = rivals.get(random.below(rivals.len())) else { continue };
        let mut order = best.order.clone();
        order.remove(from);
        order.insert(to, moved);
        let packing = place(lifetimes, &order, best.fit);
        if packing.size <= best.packing.size {
            best = Search { order, fit: best.fit, packing };
        }
    }
    best.packing
}

/// Places the tensors in this order. Where they take more than `usize` counts, the size is `usize::MAX`.
fn place(lifetimes: &[Lifetime], order: &[usize], fit: Fit) -> Packing {
    let mut packing = Packing { offsets: vec![0; lifetimes.len()], size: 0 };
    // Those placed, by offset.
    let mut placed: Vec<usize> = Vec::with_capacity(order.len());
    for &index in order {
        let life = &lifetimes[index];
        let (mut behind, mut chosen) = (0usize, None);
        for &other in placed.iter().filter(|&&other| lifetimes[other].overlaps(life)) {
            let (start, offset) = (aligned(behind, life), packing.offsets[other]);
            if offset >= start.saturating_add(life.size) && chosen.is_none_or(|(gap, _)| offset - start < gap) {
                chosen = Some((offset - start, start));
                if fit == Fit::First {
                    break;
                }
            }
            behind = behind.max(offset.saturating_add(lifetimes[other].size));
        }
        let offset = chosen.map_or(aligned(behind, life), |(_, start)| start);
        packing.offsets[index] = offset;
        packing.size = packing.size.max(offset.saturating_add(life.size));
        let at = placed.partition_point(|&other| packing.offsets[other] <= offset);
        placed.insert(at, index);
    }
    packing
}

/// The first offset from `at` on that the tensor may have, at most `usize::MAX`.
fn aligned(at: usize, life: &Lifetime) -> usize {
    at.checked_next_multiple_of(life.alignment.max(1)).unwrap_or(usize::MAX)
}

/// A small generator (xorshift).
struct Random(u64);

impl Random {
    /// A number below `end`; 0 where there is none.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % (end as u64).max(1)) as usize
    }
}
