//! Sums, minima and maxima of values that lie side by side in memory: loaded as they lie, and combined pair by pair.
//!
//! A sum is taken apart into its terms, as integers wrap and may be added in any order. Of two taps that follow each other, each
//! once in the sum, one instruction widens and adds both; one that is in it twice may go with either neighbour. Taps that
//! something else needs too are left to the loads that take them apart.

use super::Neon;
use super::fuse::{Operand, accumulate};
use super::instructions::call;
use super::table;
use crate::vector::memory::LaneOrder;
use crate::vector::pattern::Term;
use crate::vector::program::{Arg, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Node, Op, Type, ValueId};

/// The first pair of a sum.
pub const LONG: &str = "vpaddlq";
/// A further one, added to the sum.
pub const ONTO: &str = "vpadalq";

/// A tap in a sum, widened, times 1 or 2.
#[derive(Clone, Copy, Debug)]
struct TapTerm {
    tap: ValueId,
    coefficient: u32,
    term: Term,
}

/// The vectors of a node that combines neighbours.
pub(super) fn binary(
    select: &mut Select<'_, Neon>,
    node: &Node,
    op: BinaryOp,
    a: ValueId,
    b: ValueId,
) -> Option<Vec<VectorId>> {
    if !select.has_twos() {
        return None;
    }
    of_taps(select, op, a, b).or_else(|| match op {
        BinaryOp::Add(Never | Wrap) | BinaryOp::Sub(Never | Wrap) if !node.ty.is_float() => {
            let terms = select.terms(node.ty, op, a, b)?;
            sum(select, node.ty, terms)
        }
        _ => None,
    })
}

/// Two taps that no other value needs, by one instruction of their own lanes.
fn of_taps(select: &mut Select<'_, Neon>, op: BinaryOp, a: ValueId, b: ValueId) -> Option<Vec<VectorId>> {
    let first = if select.is_behind(a, b) { a } else { b };
    let (second, tap) = (if first == a { b } else { a }, select.tap_of_two(first)?);
    let are_alone = [a, b].iter().all(|&tap| select.only_user(tap).is_some());
    let ty = select.body.node(first).ty;
    let row = table::pairwise_row(op, ty).filter(|_| are_alone && select.is_behind(first, second))?;
    let vectors = select.behind(tap, first, LaneOrder::Memory);
    let (lane, name) = (Lane::of(ty), select.name());
    Some(vectors.chunks(2).map(|pair| select.pack(row.intrinsic, pair, lane, &name)).collect())
}

fn sum(select: &mut Select<'_, Neon>, ty: Type, terms: Vec<Term>) -> Option<Vec<VectorId>> {
    let (mut taps, mut others): (Vec<TapTerm>, Vec<Term>) = (Vec::new(), Vec::new());
    for term in terms {
        match tap_term(select, ty, term) {
            Some(tap) => taps.push(tap),
            None => others.push(term),
        }
    }
    let (firsts, rest) = pairs(select, taps);
    if firsts.is_empty() {
        return None;
    }
    others.extend(rest);
    // A term in lanes of its own is what the first pair is added to.
    let is_start = |term: &Term| !term.is_subtracted && is_plain(select, term.value);
    let start = others.iter().position(is_start).map(|place| others.remove(place));
    let mut sum = start.map(|term| select.vectors(term.value));
    for first in firsts {
        sum = Some(add_pair(select, sum, first)?);
    }
    let rest = others.into_iter();
    Some(rest.fold(sum?, |sum, term| accumulate(select, ty, term.is_subtracted, Operand::Vectors(sum), term.value)))
}

/// Whether nothing would be gained by adding a value to a sum rather than the sum to it.
fn is_plain(select: &Select<'_, Neon>, id: ValueId) -> bool {
    !matches!(select.body.node(id).op, Op::Cast(..)) && select.product(id).is_none() && select.scaled(id).is_none()
}

/// A term as a tap of half the width that no other value needs.
fn tap_term(select: &Select<'_, Neon>, ty: Type, term: Term) -> Option<TapTerm> {
    let (widened, coefficient) = match select.scaled(term.value) {
        Some((widened, 2)) if select.only_user(term.value).is_some() => (widened, 2),
        Some(_) => return None,
        None => (term.value, 1),
    };
    let Op::Cast(CastMode::Value | CastMode::Wrapping, tap) = select.body.node(widened).op else { return None };
    select.tap_of_two(tap)?;
    let is_alone = select.only_user(widened).is_some() && select.only_user(tap).is_some();
    let from = select.body.node(tap).ty;
    let is_half = from.is_integer() && from.bits() * 2 == ty.bits();
    (is_half && is_alone && !term.is_subtracted).then_some(TapTerm { tap, coefficient, term })
}

/// The first taps of all pairs, and the terms that are in none: those without a neighbour, and those of two that have one
/// neighbour only.
fn pairs(select: &Select<'_, Neon>, mut taps: Vec<TapTerm>) -> (Vec<ValueId>, Vec<Term>) {
    taps.sort_by_key(|term| select.tap_of_two(term.tap).map(|tap| (tap.input, tap.dy, tap.dx, tap.channel)));
    let mut left: Vec<u32> = taps.iter().map(|term| term.coefficient).collect();
    let mut is_first = vec![false; taps.len()];
    for place in 1..taps.len() {
        let before = place - 1;
        if left[before] == 1 && select.is_behind(taps[before].tap, taps[place].tap) {
            (is_first[before], left[before], left[place]) = (true, 0, left[place] - 1);
        }
    }
    for place in (1..taps.len()).rev() {
        if left[place] == 1 && taps[place].coefficient == 2 {
            (is_first[place - 1], left[place - 1]) = (false, left[place - 1] + 1);
        }
    }
    let of_pairs = taps.iter().zip(&is_first).filter(|(_, is_first)| **is_first).map(|(term, _)| term.tap);
    let rest = taps.iter().zip(&left).filter(|(_, left)| **left > 0).map(|(term, _)| term.term);
    (of_pairs.collect(), rest.collect())
}

/// A sum and a pair.
fn add_pair(select: &mut Select<'_, Neon>, sum: Option<Vec<VectorId>>, first: ValueId) -> Option<Vec<VectorId>> {
    let (tap, lane) = (select.tap_of_two(first)?, Lane::of(select.body.node(first).ty));
    let pairs = select.behind(tap, first, LaneOrder::Memory);
    Some(match sum {
        None => select.each(LONG, lane, lane.wide(), &[pairs]),
        Some(sum) => select.each_call(lane.wide(), &[sum, pairs], |ids| {
            call(ONTO, lane, vec![Arg::Whole(ids[0], lane.wide()), Arg::Whole(ids[1], lane)])
        }),
    })
}
