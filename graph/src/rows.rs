//! Nodes whose elements are made of those along some dimensions, which the library takes as one.

use windrow::ElementType;

use crate::{
    array::Array,
    call::Call,
    choices::Comparison,
    float::Float,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    operator::{Axes, Extremum, Operator, Reduction},
    shape::{dimension, reduced},
    slot::{CHANNELS_LAST, Slot},
};

/// Has `step` read `src` and write what the layer gives in other extents: of dimensions in an order, taken together. What strides
/// can't say is copied.
pub(crate) fn written(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    order: &[usize],
    extents: &[usize],
    src: Slot,
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let out = lowering.destination(layer.output, std::slice::from_ref(&src))?.permuted(order);
    if let Some(out) = out.reshaped(extents) {
        return step(lowering, src, out);
    }
    let target = lowering.memory(out.element, extents);
    step(lowering, src, target.clone())?;
    lowering.copy(layer, target.like(&out.extents), out);
    Ok(())
}

/// Rows of the last dimension: the others are one.
pub(crate) fn softmax(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let call = match layer.node.operator {
        Operator::Softmax { is_logarithm: true, .. } => Call::log_softmax {},
        _ => Call::softmax {},
    };
    of_softmax(lowering, layer, |lowering, rows, out| lowering.compute(layer, call, vec![rows], out))
}

/// Has `step` compute the rows of a softmax.
pub(crate) fn of_softmax(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let Operator::Softmax { axis, joins, .. } = layer.node.operator else { return refused("it is no softmax") };
    joined(lowering, layer, (axis, joins), step)
}

/// Rows of 1 where the first of the greatest elements is, and of 0 elsewhere: places that are compared with each column's.
pub(crate) fn hardmax(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Hardmax { axis, joins } = layer.node.operator else { return refused("it is no hardmax") };
    joined(lowering, layer, (axis, joins), |lowering, src, out| {
        let [count, row] = src.extents[..] else { return refused("it has no rows") };
        lowering.budget.floats(layer.node.name(), row)?;
        let places = lowering.memory(ElementType::I32, &[count, 1]);
        let from = lowering.reshaped(layer, &src, &[count, row, 1]);
        lowering.compute(layer, Call::argmax {}, vec![from], places.clone())?;
        let columns = (0..row).map(|column| column as i32).collect();
        let columns = lowering.constant(Array::Ints(columns), &[1, row]);
        let truths = lowering.memory(ElementType::U8, &[count, row]);
        let call = Call::compare_i32 { comparison: Comparison::Equal, truth: 1 };
        lowering.compute(layer, call, vec![places, columns], truths.clone())?;
        lowering.compute(layer, Call::to_float_u8 {}, vec![truths], out)
    })
}

/// Has `step` compute rows, each of all elements along a dimension, or along all from it on where these are joined.
fn joined(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    (axis, joins): (i64, bool),
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    if !joins {
        return along(lowering, layer, axis, step);
    }
    let src = lowering.input(layer, 0)?;
    let Ok(axis) = dimension(axis, src.extents.len()) else { return refused("it has no such dimension") };
    let order: Vec<usize> = (0..src.extents.len()).collect();
    let row: usize = src.extents[axis..].iter().product();
    let extents = [src.extents.iter().product::<usize>() / row, row];
    let rows = lowering.reshaped(layer, &src, &extents);
    written(lowering, layer, &order, &extents, rows, step)
}

/// Has `step` compute rows, each of all elements along a dimension: the others are one.
pub(crate) fn along(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    axis: i64,
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    together(lowering, layer, &[axis], step)
}

/// Has `step` compute rows, each of all elements along some dimensions: the others are one.
pub(crate) fn together(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    axes: &[i64],
    step: impl FnOnce(&mut Lowering<'_>, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let Ok(goes) = reduced(&Axes::These(axes.to_vec()), src.extents.len()) else {
        return refused("it has no such dimension");
    };
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..src.extents.len()).partition(|&d| goes[d]);
    let row = inside.iter().map(|&d| src.extents[d]).product::<usize>();
    let order = [outside, inside].concat();
    let src = src.permuted(&order);
    let extents = [src.extents.iter().product::<usize>() / row, row];
    let rows = lowering.reshaped(layer, &src, &extents);
    written(lowering, layer, &order, &extents, rows, step)
}

/// Some dimensions that follow each other become one element. An image's channels are its last dimension here.
pub(crate) fn reduction(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    of_reduction(lowering, layer, |lowering, by, src, out| {
        // The extremes of a row are found in vectors.
        if let (&[rows, row, 1], Reduction::Greatest | Reduction::Least) = (&src.extents[..], by)
            && let (Some(from), Some(to)) = (src.reshaped(&[rows, row]), out.reshaped(&[rows, 1]))
        {
            let call = if by == Reduction::Greatest { Call::row_greatest {} } else { Call::row_least {} };
            return lowering.compute(layer, call, vec![from], to);
        }
        let [before, call, behind] = match by {
            Reduction::Sum => [None, Some(Call::reduce_sum {}), None],
            Reduction::Mean => [None, Some(Call::reduce_mean {}), None],
            Reduction::Greatest => [None, Some(Call::reduce_max {}), None],
            Reduction::Least => [None, Some(Call::reduce_min {}), None],
            Reduction::Product => [None, Some(Call::reduce_product {}), None],
            Reduction::Magnitudes => [Some(Call::absolute {}), Some(Call::reduce_sum {}), None],
            Reduction::Squares => [None, Some(Call::reduce_sum_of_squares {}), None],
            Reduction::Norm => [None, Some(Call::reduce_sum_of_squares {}), Some(Call::sqrt {})],
            Reduction::LogSum => [None, Some(Call::reduce_sum {}), Some(Call::log {})],
            Reduction::LogSumExp => return of_exponentials(lowering, layer, src, out),
        };
        chained(lowering, layer, [before, call, behind].into_iter().flatten(), src, out)
    })
}

/// One step behind the other: what is between two has the extents of the last that reads, or of what is written.
fn chained(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    calls: impl Iterator<Item = Call>,
    src: Slot,
    out: Slot,
) -> Result<(), Refusal> {
    let (mut src, mut calls) = (src, calls.peekable());
    while let Some(call) = calls.next() {
        let keeps_extents = matches!(call, Call::absolute {});
        let to = match calls.peek() {
            None => out.clone(),
            Some(_) => lowering.memory(out.element, if keeps_extents { &src.extents } else { &out.extents }),
        };
        lowering.compute(layer, call, vec![src], to.clone())?;
        src = to;
    }
    Ok(())
}

/// The elements that are taken together are the row.
fn of_exponentials(lowering: &mut Lowering<'_>, layer: &Layer<'_>, src: Slot, out: Slot) -> Result<(), Refusal> {
    let [outer, length, inner] = src.extents[..] else { return refused("it has no middle dimension") };
    let count = outer * inner;
    let rows = lowering.reshaped(layer, &src.permuted(&[0, 2, 1]), &[count, length]);
    let target = lowering.memory(out.element, &[count, 1]);
    lowering.compute(layer, Call::row_log_sum_exp {}, vec![rows], target.clone())?;
    lowering.copy(layer, target.like(&out.extents), out);
    Ok(())
}

/// Where the first of the greatest or the least elements along a dimension is.
pub(crate) fn place(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::Place { of, axis, .. } = layer.node.operator else { return refused("it finds no place") };
    let src = lowering.input(layer, 0)?;
    let Ok(axis) = dimension(axis, src.extents.len()) else { return refused("it has no such dimension") };
    let product = |extents: &[usize]| extents.iter().product::<usize>();
    let [outer, inner] = [&src.extents[..axis], &src.extents[axis + 1..]].map(product);
    let rows = lowering.reshaped(layer, &src, &[outer, src.extents[axis], inner]);
    let call = match of {
        Extremum::Greatest => Call::argmax {},
        Extremum::Least => Call::argmin {},
    };
    let order: Vec<usize> = (0..lowering.analysis.extents(layer.output).len()).collect();
    written(lowering, layer, &order, &[outer, inner], rows, |lowering, src, out| {
        lowering.compute(layer, call, vec![src], out)
    })
}

/// Has `step` take together the middle one of three dimensions.
pub(crate) fn of_reduction(
    lowering: &mut Lowering<'_>,
    layer: &Layer<'_>,
    step: impl FnOnce(&mut Lowering<'_>, Reduction, Slot, Slot) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let Operator::Reduction { by, axes, keeps } = &layer.node.operator else { return refused("it is no reduction") };
    let src = lowering.input(layer, 0)?;
    let rank = src.extents.len();
    let Ok(goes) = reduced(axes, rank) else { return refused("it has no such dimension") };
    // An image's memory has its channels last; where the dimensions follow each other in ONNX' order alone, it is copied.
    let orders = [(rank == 4).then(|| CHANNELS_LAST.to_vec()), Some((0..rank).collect())];
    let together = |order: Vec<usize>| {
        let places: Vec<usize> = (0..rank).filter(|&d| goes[order[d]]).collect();
        let (first, end) = (places.first().copied().unwrap_or(0), places.last().map_or(0, |last| last + 1));
        (end - first == places.len()).then_some((order, first, end))
    };
    let Some((order, first, end)) = orders.into_iter().flatten().find_map(together) else {
        return refused("it takes dimensions together that do not follow each other");
    };
    let src = src.permuted(&order);
    let product = |extents: &[usize]| extents.iter().product::<usize>();
    let [outer, length, inner] = [&src.extents[..first], &src.extents[first..end], &src.extents[end..]].map(product);
    let src = lowering.reshaped(layer, &src, &[outer, length, inner]);
    // The dimensions of the output in the order of the input's.
    let kept = |d: usize| *keeps || !goes[d];
    let of_output = |d: usize| (0..d).filter(|&d| kept(d)).count();
    let order: Vec<usize> = order.iter().copied().filter(|&d| kept(d)).map(of_output).collect();
    written(lowering, layer, &order, &[outer, inner], src, |lowering, src, out| step(lowering, *by, src, out))
}

/// All dimensions from one on are a row.
pub(crate) fn layer_normalization(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::LayerNormalization { axis, epsilon } = layer.node.operator else {
        return refused("it is no normalisation of rows");
    };
    let src = lowering.input(layer, 0)?;
    let Ok(axis) = dimension(axis, src.extents.len()) else { return refused("it has no such dimension") };
    let row: usize = src.extents[axis..].iter().product();
    let extents = [src.extents.iter().product::<usize>() / row, row];
    let order: Vec<usize> = (0..src.extents.len()).collect();
    let src = lowering.reshaped(layer, &src, &extents);
    let scale = lowering.input(layer, 1)?;
    let scale = lowering.reshaped(layer, &scale, &[row]);
    let bias = match layer.node.input(2) {
        Some(bias) => {
            let bias = lowering.slot(layer, bias)?;
            lowering.reshaped(layer, &bias, &[row])
        }
        None => {
            lowering.budget.floats(layer.node.name(), row)?;
            lowering.constant(Array::Floats(vec![0.0; row].into()), &[row])
        }
    };
    written(lowering, layer, &order, &extents, src, |lowering, src, out| {
        lowering.compute(layer, Call::layer_norm { epsilon: epsilon.into() }, vec![src, scale, bias], out)
    })
}

/// Channels are the middle one of three dimensions.
pub(crate) fn local_response(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let Operator::LocalResponseNormalization { size, alpha, beta, bias } = layer.node.operator else {
        return refused("it is no normalisation over channels");
    };
    let src = lowering.input(layer, 0)?;
    let order: Vec<usize> = (0..src.extents.len()).collect();
    let extents = [src.extents[0], src.extents[1], src.extents[2..].iter().product()];
    let src = lowering.reshaped(layer, &src, &extents);
    written(lowering, layer, &order, &extents, src, |lowering, src, out| {
        let (factor, beta, bias) = (Float(alpha / size as f32), beta.into(), bias.into());
        let call = Call::local_response_norm { size: size as i32, factor, beta, bias };
        lowering.compute(layer, call, vec![src], out)
    })
}
