//! Nodes that read or write by places that are tensors: elements and slices, as those of one long dimension.

use windrow::ElementType;

use crate::{
    array::Array,
    call::Call,
    choices::{Comparison, Overflow},
    fold::Layer,
    gathered::taken,
    lower::{Lowering, Refusal, refused},
    model::Elements,
    operator::{Operator, Update},
    rows,
    shape::{self, Placed},
    slot::Slot,
    truths::chosen,
};

/// What lies at the places of the second input.
pub(crate) fn gather(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::GatherAt(places) = layer.node.operator else { return refused("it takes nothing by places") };
    let src = lowering.input(layer, 0)?;
    let numbers = layer.node.input(1).map(|numbers| lowering.analysis.extents(numbers)).unwrap_or_default();
    let Ok(placed) = shape::places(places, &src.extents, numbers) else { return refused("its places lie elsewhere") };
    let (all, count) = (placed.all, placed.count());
    let numbers = match known(lowering, layer, &placed)? {
        Some(numbers) => lowering.constant(Array::Ints(numbers.into()), &[count]),
        None => computed(lowering, layer, &placed)?,
    };
    let from = lowering.reshaped(layer, &src, &[1, all, placed.inner]);
    let order: Vec<usize> = (0..placed.extents.len()).collect();
    rows::written(lowering, layer, &order, &[1, count, placed.inner], from, |lowering, src, out| {
        lowering.compute(layer, taken(src.element)?, vec![src, numbers], out)
    })
}

/// The places along the long dimension, where they are constants.
fn known(lowering: &mut Lowering<'_>, layer: &Layer<'_>, placed: &Placed) -> Result<Option<Vec<i32>>, Refusal> {
    if i32::try_from(placed.all).is_err() {
        return refused("it has more than 2^31 places");
    }
    let Some(constant) = layer.node.input(1).and_then(|numbers| lowering.analysis.constant(numbers)) else {
        return Ok(None);
    };
    let Elements::Ints(numbers) = &constant.elements else { return refused("its places are no integers") };
    let numbers = numbers.clone();
    // They are copied once.
    lowering.budget.floats(layer.node.name(), placed.count().saturating_mul(2))?;
    let of_place = |(base, numbers): (usize, &[i64])| {
        let mut place = base;
        for (&number, &(extent, stride)) in numbers.iter().zip(&placed.numbers) {
            let all = i64::try_from(extent).unwrap_or(i64::MAX);
            let at = if number < 0 { number.saturating_add(all) } else { number };
            let at = usize::try_from(at).ok().filter(|&at| at < extent).ok_or((number, extent))?;
            place += at * stride;
        }
        // Less than there are places in all.
        Ok(place as i32)
    };
    match placed.bases.places().zip(numbers.chunks(placed.numbers.len())).map(of_place).collect() {
        Ok(places) => Ok(Some(places)),
        Err((number, extent)) => refused(format!("it has place {number} of {extent}")),
    }
}

/// The places along the long dimension, of numbers that the network computes.
fn computed(lowering: &mut Lowering<'_>, layer: &Layer<'_>, placed: &Placed) -> Result<Slot, Refusal> {
    let (count, each) = (placed.count(), placed.numbers.len());
    let numbers = lowering.input(layer, 1)?;
    let numbers = lowering.reshaped(layer, &numbers, &[count, each]);
    let pair = |lowering: &mut Lowering<'_>, call: Call, reads: Vec<Slot>| {
        let to = lowering.memory(ElementType::I32, &[count, 1]);
        lowering.compute(layer, call, reads, to.clone()).map(|()| to)
    };
    let (policy, mut sum) = (Overflow::Wrap, None);
    for (column, &(extent, stride)) in placed.numbers.iter().enumerate() {
        let own = numbers.part(1, column, 1);
        let mut number = |number: usize| lowering.constant(Array::Ints([number as i32].into()), &[1, 1]);
        let (zero, extent, stride) = (number(0), number(extent), number(stride));
        // Those below zero are counted from the end.
        let is_from_end = lowering.memory(ElementType::U8, &[count, 1]);
        let call = Call::compare_i32 { comparison: Comparison::Less, truth: 1 };
        lowering.compute(layer, call, vec![own.clone(), zero], is_from_end.clone())?;
        let from_end = pair(lowering, Call::add_i32 { policy }, vec![own.clone(), extent])?;
        let place = pair(lowering, Call::select_i32 {}, vec![is_from_end, from_end, own])?;
        let place = pair(lowering, Call::multiply_i32 { policy }, vec![place, stride])?;
        sum = Some(match sum {
            None => place,
            Some(sum) => pair(lowering, Call::add_i32 { policy }, vec![sum, place])?,
        });
    }
    let Some(mut sum) = sum else { return refused("its places have no numbers") };
    if placed.bases.strides.iter().any(|&stride| stride != 0) {
        lowering.budget.floats(layer.node.name(), count)?;
        let bases = placed.bases.places().map(|base| base as i32).collect();
        let bases = lowering.constant(Array::Ints(bases), &[count, 1]);
        sum = pair(lowering, Call::add_i32 { policy }, vec![sum, bases])?;
    }
    Ok(sum.like(&[count]))
}

/// Updates of one element, at most: each is a few steps.
const MOST_UPDATES: usize = 16;

/// What is written where is known, and so which element each element of the result is: all of these are taken by their numbers.
pub(crate) fn scatter(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::ScatterAt { places, update } = layer.node.operator else { return refused("it writes to no places") };
    let (src, own) = (lowering.input(layer, 0)?, lowering.input(layer, 2)?);
    let numbers = layer.node.input(1).map(|numbers| lowering.analysis.extents(numbers)).unwrap_or_default();
    let Ok(placed) = shape::places(places, &src.extents, numbers) else { return refused("its places lie elsewhere") };
    let Some(places) = known(lowering, layer, &placed)? else {
        return refused("its places are not known before the network runs");
    };
    let (all, count, inner) = (placed.all, placed.count(), placed.inner);
    let src = lowering.reshaped(layer, &src, &[1, all, inner]);
    let own = lowering.reshaped(layer, &own, &[1, count, inner]);
    let order: Vec<usize> = (0..lowering.analysis.extents(layer.output).len()).collect();
    if update != Update::Replace {
        return rows::written(lowering, layer, &order, &[1, all, inner], src, |lowering, src, out| {
            updated(lowering, layer, (src, own), &places, update, out)
        });
    }
    lowering.budget.floats(layer.node.name(), all.saturating_mul(2))?;
    let Ok(end) = i32::try_from(all + count) else { return refused("it has more than 2^31 places") };
    let mut table: Vec<i32> = (0..all as i32).collect();
    for (&place, update) in places.iter().zip(all as i32..end) {
        table[place as usize] = update;
    }
    let table = lowering.constant(Array::Ints(table.into()), &[all]);
    let joined = lowering.memory(src.element, &[1, all + count, inner]);
    lowering.copy(layer, src, joined.part(1, 0, all));
    lowering.copy(layer, own, joined.part(1, all, count));
    rows::written(lowering, layer, &order, &[1, all, inner], joined, |lowering, src, out| {
        lowering.compute(layer, taken(src.element)?, vec![src, table], out)
    })
}

/// The first update of each element, then the second, and so on: elements without one stay as they are.
fn updated(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    (src, own): (Slot, Slot),
    places: &[i32],
    update: Update,
    out: Slot,
) -> Result<(), Refusal> {
    let (all, count) = (src.extents[1], own.extents[1]);
    // Two numbers of 64 bits.
    lowering.budget.floats(layer.node.name(), all.saturating_add(count).saturating_mul(2))?;
    let mut seen = vec![0usize; all];
    let round = |&place: &i32| {
        let next = &mut seen[place as usize];
        *next += 1;
        *next - 1
    };
    let rounds: Vec<usize> = places.iter().map(round).collect();
    let last = rounds.iter().max().map_or(0, |round| round + 1);
    if last > MOST_UPDATES {
        return refused(format!("{last} updates are of one element; {MOST_UPDATES} are computed"));
    }
    let mut sum = src;
    for round in 0..last {
        lowering.budget.floats(layer.node.name(), all.saturating_mul(3))?;
        let (mut table, mut is_updated) = (vec![0; all], vec![0; all]);
        for (number, (&place, _)) in places.iter().zip(&rounds).enumerate().filter(|(_, (_, own))| **own == round) {
            (table[place as usize], is_updated[place as usize]) = (number as i32, 1);
        }
        let table = lowering.constant(Array::Ints(table.into()), &[all]);
        let is_updated = lowering.constant(Array::Unsigned(is_updated.into()), &[1, all, 1]);
        let comes = lowering.memory(sum.element, &sum.extents);
        lowering.compute(layer, taken(own.element)?, vec![own.clone(), table], comes.clone())?;
        let made = lowering.memory(sum.element, &sum.extents);
        lowering.compute(layer, combined(sum.element, update)?, vec![sum.clone(), comes], made.clone())?;
        let to = if round + 1 == last { out.clone() } else { lowering.memory(sum.element, &sum.extents) };
        lowering.compute(layer, chosen(sum.element)?, vec![is_updated, made, sum], to.clone())?;
        sum = to;
    }
    Ok(())
}

/// What makes one element of two.
fn combined(element: ElementType, update: Update) -> Result<Call, Refusal> {
    let policy = Overflow::Wrap;
    Ok(match (element, update) {
        (ElementType::F32, Update::Add) => Call::add_f32 {},
        (ElementType::F32, Update::Multiply) => Call::multiply_f32 {},
        (ElementType::F32, Update::Greatest) => Call::maximum {},
        (ElementType::F32, Update::Least) => Call::minimum {},
        (ElementType::I32, Update::Add) => Call::add_i32 { policy },
        (ElementType::I32, Update::Multiply) => Call::multiply_i32 { policy },
        (ElementType::I32, Update::Greatest) => Call::maximum_i32 {},
        (ElementType::I32, Update::Least) => Call::minimum_i32 {},
        (other, _) => return refused(format!("it makes one of two elements of {other:?}")),
    })
}
