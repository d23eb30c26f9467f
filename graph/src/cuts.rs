//! Nodes that take elements away, and that put some around.

use crate::{
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::Operator,
    shape::{dimension, elements, part},
    slot::CHANNELS_LAST,
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

/// One dimension after another. An image's channels are its last dimension here.
pub(crate) fn pad(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Pad { pads, value } = &layer.node.operator else { return refused("it puts nothing around") };
    let src = lowering.input(layer, 0)?;
    let rank = src.extents.len();
    let order: Vec<usize> = if rank == 4 { CHANNELS_LAST.to_vec() } else { (0..rank).collect() };
    let padded: Vec<usize> = (0..rank).filter(|&d| pads[order[d]] + pads[rank + order[d]] > 0).collect();
    let mut src = src.permuted(&order);
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(&order);
    if padded.is_empty() {
        lowering.copy(layer, src, out);
        return Ok(());
    }
    for (number, &d) in padded.iter().enumerate() {
        let side = |at: usize| i32::try_from(pads[at]).or_else(|_| refused(format!("{} is no pad", pads[at])));
        let (before, behind) = (side(order[d])?, side(rank + order[d])?);
        let mut extents = src.extents.clone();
        extents[d] += pads[order[d]] + pads[rank + order[d]];
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
        let call = Call::pad_constant { before, behind, value: (*value).into() };
        lowering.compute(layer, call, vec![from], to.clone())?;
        src = to.like(&extents);
        if is_last && own.is_none() {
            lowering.copy(layer, src.clone(), out.clone());
        }
    }
    Ok(())
}
