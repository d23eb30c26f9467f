//! Sums of 32 bits whose terms lie side by side in memory: taps of 8 or 16 bits, widened and times factors.
//!
//! Two that follow each other are multiplied and added by one instruction (`madd`), which takes them in turn: as they lie.

use super::X86;
use crate::vector::memory::LaneOrder;
use crate::vector::pattern::Term;
use crate::vector::program::{Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::arithmetic::fits;
use windrow_dsl::ir::{CastMode, Op, Type, ValueId};

/// A tap times a factor of 16 bits.
struct TapTerm {
    tap: ValueId,
    /// A scalar expression of 32 bits, its upper half zero.
    factor: String,
    term: Term,
}

/// The sum of the terms that have a neighbour among the others, and those that have none.
pub fn sum(select: &mut Select<'_, X86>, lane: Lane, terms: Vec<Term>) -> (Option<Vec<VectorId>>, Vec<Term>) {
    if !select.has_twos() {
        return (None, terms);
    }
    let (mut taps, mut others): (Vec<TapTerm>, Vec<Term>) = (Vec::new(), Vec::new());
    for term in terms {
        match tap_term(select, term) {
            Some(tap) => taps.push(tap),
            None => others.push(term),
        }
    }
    let mut sum: Option<Vec<VectorId>> = None;
    while let Some(first) = taps.pop() {
        let beside = taps
            .iter()
            .position(|second| select.is_behind(first.tap, second.tap) || select.is_behind(second.tap, first.tap));
        let Some(second) = beside.map(|place| taps.remove(place)) else {
            others.push(first.term);
            continue;
        };
        let [first, second] = if select.is_behind(first.tap, second.tap) { [first, second] } else { [second, first] };
        let products = pair(select, lane, &first, &second);
        sum = Some(match sum {
            None => products,
            Some(sum) => select.map2(sum, products, |select, a, b| select.op("add_epi32", lane, &[a, b])),
        });
    }
    (sum, others)
}

/// Both taps times their factors, added.
fn pair(select: &mut Select<'_, X86>, lane: Lane, first: &TapTerm, second: &TapTerm) -> Vec<VectorId> {
    let name = format!("{}_factors", select.name());
    let factors = select.splat_text(&format!("({} | {} << 16)", first.factor, second.factor), Lane::U32, &name);
    let Some(tap) = select.tap_of_two(first.tap) else { return Vec::new() };
    let from = Lane::of(select.body.node(first.tap).ty);
    let (values, order) = match from.bits() {
        8 => {
            let bytes = select.behind(tap, first.tap, LaneOrder::Runs);
            (bytes.into_iter().flat_map(|bytes| select.widen(bytes, from)).collect(), LaneOrder::Runs)
        }
        _ => (select.behind(tap, first.tap, LaneOrder::Memory), LaneOrder::Memory),
    };
    let products = select.map(values, |select, values| select.op("madd_epi16", lane, &[values, factors]));
    if order == LaneOrder::Memory { select.in_runs(products, lane) } else { products }
}

/// A term as a tap that 16 bits hold, signed, times what they hold too.
fn tap_term(select: &Select<'_, X86>, term: Term) -> Option<TapTerm> {
    let sign = if term.is_subtracted { -1 } else { 1 };
    let constant = |value: i128| fits(sign * value, Type::I16).then(|| format!("{}u32", (sign * value) as u16));
    let word = |id: ValueId| match select.word(id) {
        Some(text) if sign == 1 && select.are_narrow(&[id], Type::I16) => Some(format!("({text} as u16 as u32)")),
        _ => None,
    };
    let is_tap = |id: ValueId| tap(select, id).is_some();
    let (widened, factor) = match (select.scaled(term.value), select.product(term.value)) {
        (Some((x, factor)), _) if is_tap(x) => (x, constant(factor)?),
        (_, Some((x, y))) if is_tap(x) => (x, word(y)?),
        (_, Some((x, y))) if is_tap(y) => (y, word(x)?),
        _ => (term.value, constant(1)?),
    };
    Some(TapTerm { tap: tap(select, widened)?, factor, term })
}

/// The tap that a value was widened from.
fn tap(select: &Select<'_, X86>, widened: ValueId) -> Option<ValueId> {
    let inner = |id: ValueId| match select.body.node(id).op {
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) => Some(inner),
        _ => None,
    };
    let half = inner(widened)?;
    let (tap, types) = match inner(half) {
        None => (half, [Type::I16, Type::I16]),
        Some(tap) => (tap, [Type::U8, Type::I8]),
    };
    (select.tap_of_two(tap).is_some() && types.contains(&select.body.node(tap).ty)).then_some(tap)
}
