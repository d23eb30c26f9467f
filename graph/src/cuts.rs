//! Nodes that take elements away, and that put some around.

use crate::{
    call::Call,
    fold::Layer,
    gathered,
    lower::{Lowering, Refusal, refused},
    operator::{Operator, Padding},
    shape::{dimension, elements, padded, part},
    slot::{CHANNELS_LAST, Slot},
    taps::Taps,
};

/// A view: nothing moves.
pub(crate) fn cut(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let mut slot = lowering.input(layer, 0)?;
    match &layer.node.operator {
        Operator::Slice(cuts) => {
            for cut in cuts {
                let Ok(axis) = dimension(cut.axis, slot.extents.len()) else { return refused(NO_DIMENSION) };
                let (start, count) = elements(cut, slot.extents[axis]);
                let spanned = count.saturating_sub(1) * cut.step + 1;
                slot = slot.part(axis, start, spanned).each(axis, cut.step);
            }
        }
        Operator::Part { axis, of } => {
            let Ok(axis) = dimension(*axis, slot.extents.len()) else { return refused(NO_DIMENSION) };
            let Ok((start, extent)) = part(*of, slot.extents[axis]) else { return refused("it has other parts") };
            slot = slot.part(axis, start, extent);
        }
        _ => return refused("it takes nothing away"),
    }
    lowering.place(layer.output, slot);
    Ok(())
}

const NO_DIMENSION: &str = "it has no such dimension";

/// What pads below zero take away is a view; then one dimension after another gets what is put around it.
pub(crate) fn pad(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Pad { pads, axes, with } = &layer.node.operator else { return refused("it puts nothing around") };
    let mut src = lowering.input(layer, 0)?;
    let rank = src.extents.len();
    let Ok(mut pads) = padded(pads, axes.as_deref(), rank) else { return refused("it pads other dimensions") };
    for (d, pads) in pads.iter_mut().enumerate() {
        let taken = pads.map(|pad| usize::try_from(-pad).unwrap_or(0));
        let kept = src.extents[d].saturating_sub(taken[0] + taken[1]);
        src = src.part(d, taken[0], kept);
        *pads = pads.map(|pad| pad.max(0));
    }
    match *with {
        Padding::Number(value) => of_number(lowering, layer, src, &pads, value),
        with => of_own(lowering, layer, src, &pads, with),
    }
}

/// Puts elements of the tensor itself around it, which are taken by tables of their places.
fn of_own(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    src: Slot,
    pads: &[[i64; 2]],
    with: Padding,
) -> Result<(), Refusal> {
    let mut taps = Vec::new();
    for (d, &[before, behind]) in pads.iter().enumerate().filter(|(_, pads)| **pads != [0; 2]) {
        let extent = i64::try_from(src.extents[d]).unwrap_or(i64::MAX);
        let count = usize::try_from(extent + before + behind).unwrap_or(usize::MAX);
        lowering.budget.floats(layer.node.name(), count)?;
        let places = (-before..extent + behind).map(|place| inside(place, extent, with)).collect();
        taps.push((d, Taps { places, weights: [].into(), each: 1 }));
    }
    gathered::along(lowering, layer, src, taps)
}

/// The element of a dimension that is found at a place, which may lie outside.
fn inside(place: i64, extent: i64, with: Padding) -> i32 {
    let found = match with {
        Padding::Wrap => place.rem_euclid(extent),
        Padding::Reflect if extent > 1 => {
            let turn = 2 * (extent - 1);
            let place = place.rem_euclid(turn);
            place.min(turn - place)
        }
        _ => place.clamp(0, extent - 1),
    };
    // An extent is at most 2^30.
    found as i32
}

/// Puts a number around a tensor. An image's channels are its last dimension here.
fn of_number(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    src: Slot,
    pads: &[[i64; 2]],
    value: f32,
) -> Result<(), Refusal> {
    let rank = src.extents.len();
    let order: Vec<usize> = if rank == 4 { CHANNELS_LAST.to_vec() } else { (0..rank).collect() };
    let padded: Vec<usize> = (0..rank).filter(|&d| pads[order[d]] != [0; 2]).collect();
    let mut src = src.permuted(&order);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&order);
    if padded.is_empty() {
        lowering.copy(layer, src, out);
        return Ok(());
    }
    for (number, &d) in padded.iter().enumerate() {
        let side = |pad: i64| i32::try_from(pad).or_else(|_| refused(format!("{pad} is no pad")));
        let (before, behind) = (side(pads[order[d]][0])?, side(pads[order[d]][1])?);
        let mut extents = src.extents.clone();
        extents[d] += before.unsigned_abs() as usize + behind.unsigned_abs() as usize;
        let middle =
            |extents: &[usize]| [extents[..d].iter().product(), extents[d], extents[d + 1..].iter().product::<usize>()];
        let from = lowering.reshaped(layer, &src, &middle(&src.extents));
        // The last dimension is padded where the layer writes, if that can be said.
        let is_last = number + 1 == padded.len();
        let own = is_last.then(|| out.reshaped(&middle(&extents))).flatten();
        let to = match &own {
            Some(to) => to.clone(),
            None => lowering.memory(src.element, &middle(&extents)),
        };
        let call = Call::pad_constant { before, behind, value: value.into() };
        lowering.compute(layer, call, vec![from], to.clone())?;
        src = to.like(&extents);
        if is_last && own.is_none() {
            lowering.copy(layer, src.clone(), out.clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_around_is_found_however_far_it_is() {
        let of = |extent: i64, with| (-5..extent + 5).map(|place| inside(place, extent, with)).collect::<Vec<_>>();
        assert_eq!(of(3, Padding::Edge), [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!(of(3, Padding::Reflect), [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!(of(3, Padding::Wrap), [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]);
        assert_eq!(of(1, Padding::Reflect), [0; 11]);
    }
}
