//! Nodes that take elements from other places: by their numbers, repeated, resized, squares as channels and back.

use windrow::ElementType;

use crate::{
    array::Array,
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    model::Elements,
    operator::{Operator, Resizing},
    rows,
    shape::{dimension, resized},
    slot::{CHANNELS_LAST, Slot},
    taps::{Dimension, Taps},
    truths::chosen,
};

/// The elements along a dimension with the numbers of a tensor.
pub(crate) fn gather(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Gather { axis } = layer.node.operator else { return refused("it takes no elements by numbers") };
    let src = lowering.input(layer, 0)?;
    let Ok(axis) = dimension(axis, src.extents.len()) else { return refused("it has no such dimension") };
    let numbers = match constant_numbers(lowering, layer, src.extents[axis])? {
        None => {
            let numbers = lowering.input(layer, 1)?;
            let all = numbers.extents.iter().product();
            lowering.reshaped(layer, &numbers, &[all])
        }
        // One element: a view.
        Some(numbers) if numbers.len() == 1 => {
            let extents = lowering.analysis.extents(layer.output).to_vec();
            let part = src.part(axis, numbers[0].try_into().unwrap_or(0), 1);
            let slot = lowering.reshaped(layer, &part, &extents);
            lowering.place(layer.output, slot);
            return Ok(());
        }
        Some(numbers) => {
            let all = numbers.len();
            lowering.constant(Array::Ints(numbers.into()), &[all])
        }
    };
    let (all, rank) = (numbers.extents[0], lowering.analysis.extents(layer.output).len());
    let [outer, inner] = around(&src.extents, axis);
    let src = lowering.reshaped(layer, &src, &[outer, src.extents[axis], inner]);
    let order: Vec<usize> = (0..rank).collect();
    rows::written(lowering, layer, &order, &[outer, all, inner], src, |lowering, src, out| {
        let call = taken(src.element)?;
        lowering.compute(layer, call, vec![src, numbers], out)
    })
}

/// The elements outside and inside a dimension.
fn around(extents: &[usize], axis: usize) -> [usize; 2] {
    [&extents[..axis], &extents[axis + 1..]].map(|extents| extents.iter().product())
}

/// What takes elements of a type by their numbers.
pub(crate) fn taken(element: ElementType) -> Result<Call, Refusal> {
    match element {
        ElementType::F32 => Ok(Call::gather {}),
        ElementType::I8 => Ok(Call::gather_i8 {}),
        ElementType::I32 => Ok(Call::gather_i32 {}),
        ElementType::U8 => Ok(Call::gather_u8 {}),
        other => refused(format!("it takes elements of {other:?}")),
    }
}

/// The numbers of elements, counted from the first, where they are constants.
fn constant_numbers(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    extent: usize,
) -> Result<Option<Vec<i32>>, Refusal> {
    let Some(constant) = layer.node.input(1).and_then(|numbers| lowering.analysis.constant(numbers)) else {
        return Ok(None);
    };
    let Elements::Ints(numbers) = &constant.elements else { return refused("its numbers are no integers") };
    // They are copied once.
    lowering.budget.floats(layer.node.name(), numbers.len().saturating_mul(3))?;
    let all = i64::try_from(extent).unwrap_or(i64::MAX);
    let inside = |&number: &i64| {
        let place = if number < 0 { number.saturating_add(all) } else { number };
        i32::try_from(place).ok().filter(|_| (0..all).contains(&place)).ok_or(number)
    };
    match numbers.iter().map(inside).collect() {
        Ok(numbers) => Ok(Some(numbers)),
        Err(number) => refused(format!("it takes element {number} of {extent}")),
    }
}

/// A copy, of elements that repeat.
pub(crate) fn expand(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    let src = src.spread(&out.extents);
    lowering.copy(layer, src, out);
    Ok(())
}

/// One dimension after another has its elements again and again.
pub(crate) fn tile(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Tile(repeats) = &layer.node.operator else { return refused("it repeats nothing") };
    let src = lowering.input(layer, 0)?;
    let mut taps = Vec::new();
    for (d, (&extent, &times)) in src.extents.iter().zip(repeats).enumerate().filter(|(_, (_, times))| **times != 1) {
        let count = extent.saturating_mul(times);
        lowering.budget.floats(layer.node.name(), count)?;
        let places = (0..count).map(|at| (at % extent) as i32).collect();
        taps.push((d, Taps { places, weights: [].into(), each: 1 }));
    }
    along(lowering, layer, src, taps)
}

/// One dimension after another gets its new extent; then what lies outside the tensor is a number.
pub(crate) fn resize(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Resize(resizing) = &layer.node.operator else { return refused("it resizes nothing") };
    let src = lowering.input(layer, 0)?;
    let taps = taps(lowering, layer, resizing, &src)?;
    let Some((inside, number)) = inside(lowering, layer, resizing, &src)? else {
        return along(lowering, layer, src, taps);
    };
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    let whole = lowering.memory(src.element, &out.extents).channels_last();
    along_into(lowering, layer, src, taps, &whole)?;
    let reads = [inside, whole, number].iter().map(Slot::with_channels_last).collect();
    lowering.compute(layer, chosen(out.element)?, reads, out.with_channels_last())
}

/// Which elements lie inside a tensor of which a region is taken, and the number that is outside; `None` where all do.
fn inside(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    resizing: &Resizing,
    src: &Slot,
) -> Result<Option<(Slot, Slot)>, Refusal> {
    let Some(region) = &resizing.region else { return Ok(None) };
    let Ok(found) = resized(resizing, &src.extents) else { return refused("it has no such dimension") };
    let (mut extents, mut all) = (vec![1; found.len()], vec![1u8]);
    for (d, (&extent, resized)) in src.extents.iter().zip(found).enumerate() {
        let dimension = Dimension { resizing, extent, resized };
        if (0..resized.extent).any(|at| dimension.is_outside(at)) {
            lowering.budget.bytes(layer.node.name(), all.len().saturating_mul(resized.extent).saturating_mul(2))?;
            let own = |&truth: &u8| (0..resized.extent).map(move |at| (truth, at)).collect::<Vec<_>>();
            let truths = all.iter().flat_map(own).map(|(truth, at)| truth & u8::from(!dimension.is_outside(at)));
            (extents[d], all) = (resized.extent, truths.collect());
        }
    }
    if all.len() == 1 && all[0] == 1 {
        return Ok(None);
    }
    if src.element != ElementType::F32 {
        return refused(format!("it puts a number around elements of {:?}", src.element));
    }
    let number = lowering.constant(Array::Floats([region.outside].into()), &vec![1; extents.len()]);
    Ok(Some((lowering.constant(Array::Unsigned(all.into()), &extents), number)))
}

/// The taps of each dimension that changes.
fn taps(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    resizing: &Resizing,
    src: &Slot,
) -> Result<Vec<(usize, Taps)>, Refusal> {
    let Ok(found) = resized(resizing, &src.extents) else { return refused("it has no such dimension") };
    let mut taps = Vec::new();
    for (d, (&extent, resized)) in src.extents.iter().zip(found).enumerate() {
        if resized.extent == extent && resized.scale == 1.0 && matches!(resized.region, None | Some([0.0, 1.0])) {
            continue;
        }
        let dimension = Dimension { resizing, extent, resized };
        // A place and a weight each, one of which is copied.
        let count = resized.extent.saturating_mul(dimension.each());
        lowering.budget.clone().floats(layer.node.name(), count.saturating_mul(4))?;
        lowering.budget.floats(layer.node.name(), count.saturating_mul(2))?;
        taps.push((d, dimension.taps()));
    }
    Ok(taps)
}

/// Has each dimension made of others' elements, in order. An image's channels are its last dimension here.
pub(crate) fn along(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    src: Slot,
    taps: Vec<(usize, Taps)>,
) -> Result<(), Refusal> {
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    along_into(lowering, layer, src, taps, &out)
}

fn along_into(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    src: Slot,
    taps: Vec<(usize, Taps)>,
    out: &Slot,
) -> Result<(), Refusal> {
    let rank = src.extents.len();
    let order: Vec<usize> = if rank == 4 { CHANNELS_LAST.to_vec() } else { (0..rank).collect() };
    let (mut src, out) = (src.permuted(&order), out.permuted(&order));
    let mut left = taps.len();
    if left == 0 {
        lowering.copy(layer, src, out);
        return Ok(());
    }
    for (d, taps) in taps {
        let axis = order.iter().position(|&own| own == d).unwrap_or(d);
        let mut extents = src.extents.clone();
        extents[axis] = taps.places.len() / taps.each;
        let [outer, inner] = around(&src.extents, axis);
        let from = lowering.reshaped(layer, &src, &[outer, src.extents[axis], inner]);
        let middle = [outer, extents[axis], inner];
        // The last dimension is made where the layer writes, if that can be said.
        left -= 1;
        let own = (left == 0).then(|| out.reshaped(&middle)).flatten();
        let is_own = own.is_some();
        let to = own.unwrap_or_else(|| lowering.memory(from.element, &middle));
        compute(lowering, layer, from, taps, to.clone())?;
        src = to.like(&extents);
        if left == 0 && !is_own {
            lowering.copy(layer, src.clone(), out.clone());
        }
    }
    Ok(())
}

fn compute(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    from: Slot,
    Taps { places, weights, each }: Taps,
    to: Slot,
) -> Result<(), Refusal> {
    let count = places.len() / each;
    if weights.is_empty() {
        let places = lowering.constant(Array::Ints(places), &[count]);
        return lowering.compute(layer, taken(from.element)?, vec![from, places], to);
    }
    let extents = [count, each];
    let places = lowering.constant(Array::Ints(places), &extents);
    let weights = lowering.constant(Array::Floats(weights), &extents);
    lowering.compute(layer, Call::resample {}, vec![from, places, weights], to)
}

/// Channels as squares of elements, or squares as channels: a copy.
pub(crate) fn squares(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?;
    // Which of the two has a dimension for each row and column of the squares, where in its channels they lie, and the image without.
    let (block, is_by_channel, is_spread) = match layer.node.operator {
        Operator::DepthToSpace { block, is_by_channel } => (block, is_by_channel, true),
        Operator::SpaceToDepth { block, is_by_channel } => (block, is_by_channel, false),
        _ => return refused("it makes no squares of channels"),
    };
    let (deep, wide) = if is_spread { (&src, &out) } else { (&out, &src) };
    let (&[n, _, h, w], &[_, c, ..]) = (&deep.extents[..], &wide.extents[..]) else {
        return refused("it has another rank than four");
    };
    let split = if is_by_channel { [n, c, block, block, h, w] } else { [n, block, block, c, h, w] };
    let (Some(deep), Some(wide)) = (deep.reshaped(&split), wide.reshaped(&[n, c, h, block, w, block])) else {
        return refused("its squares lie apart");
    };
    // [image, row, row of a square, column, column of a square, channel].
    let deep = deep.permuted(if is_by_channel { &[0, 4, 2, 5, 3, 1] } else { &[0, 4, 1, 5, 2, 3] });
    let wide = wide.permuted(&[0, 2, 3, 4, 5, 1]);
    let (from, to) = if is_spread { (deep, wide) } else { (wide, deep) };
    lowering.copy(layer, from, to);
    Ok(())
}
