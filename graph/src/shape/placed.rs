//! The shapes of what takes elements from other places: gathered, repeated, resized, or spread by a transposed convolution.

use super::{Inputs, MAX_RANK, Wrong, at, dimension, reduced, windows::transposed};
use crate::{
    model::{Elements, count},
    operator::{Aspect, Axes, Extents, Operator, Resizing, Window},
};

/// The extents of what an operator writes that this file knows; `None` for others.
pub(super) fn infer(operator: &Operator, inputs: &Inputs<'_>) -> Option<Result<Vec<usize>, Wrong>> {
    Some(match operator {
        Operator::TransposedConvolution { window, groups, extra, extents } => {
            spread(window, *groups, (*extra, *extents), inputs)
        }
        Operator::InstanceNormalization { .. } => normalised(inputs, None),
        Operator::GroupNormalization { groups, is_scaled_by_group, .. } => {
            grouped(*groups, *is_scaled_by_group, inputs)
        }
        Operator::MeanVarianceNormalization { axes } => {
            inputs.get(0).and_then(|own| reduced(&Axes::These(axes.clone()), own.len()).map(|_| own.to_vec()))
        }
        Operator::LengthNormalization { axis } => {
            inputs.get(0).and_then(|own| dimension(*axis, own.len()).map(|_| own.to_vec()))
        }
        Operator::Place { axis, keeps, .. } => without(*axis, *keeps, inputs),
        Operator::Expand => expanded(inputs),
        Operator::Tile(repeats) => tiled(repeats, inputs),
        Operator::Gather { axis } => gathered(*axis, inputs),
        Operator::GatherAt(places) => {
            inputs.get(0).and_then(|own| at::places(*places, own, inputs.get(1)?).map(|placed| placed.extents))
        }
        Operator::ScatterAt { places, .. } => at::scattered(*places, inputs),
        Operator::Triangle { .. } => match inputs.get(0) {
            Ok([_] | []) => Err(Wrong { input: 0, rule: "matrices have two dimensions or more" }),
            own => own.map(<[usize]>::to_vec),
        },
        Operator::OneHot { axis, depth } => one_hot(*axis, *depth, inputs),
        Operator::DepthToSpace { block, .. } => inputs.image().and_then(|[n, c, h, w]| {
            let rule = "its channels are as many squares";
            let square = block.checked_mul(*block).filter(|square| c.is_multiple_of(*square));
            let square = square.ok_or(Wrong { input: 0, rule })?;
            Ok(vec![n, c / square, grown(h, *block)?, grown(w, *block)?])
        }),
        Operator::SpaceToDepth { block, .. } => inputs.image().and_then(|[n, c, h, w]| {
            if !h.is_multiple_of(*block) || !w.is_multiple_of(*block) {
                return Err(Wrong { input: 0, rule: "its rows and columns are as many squares" });
            }
            Ok(vec![n, grown(grown(c, *block)?, *block)?, h / block, w / block])
        }),
        Operator::Resize(resizing) => {
            let found = inputs.get(0).and_then(|extents| resized(resizing, extents));
            found.map(|found| found.iter().map(|dimension| dimension.extent).collect())
        }
        _ => return None,
    })
}

fn grown(extent: usize, times: usize) -> Result<usize, Wrong> {
    extent.checked_mul(times).ok_or(Wrong { input: 0, rule: "its extents can't be multiplied" })
}

fn spread(
    window: &Window,
    groups: usize,
    (extra, extents): ([usize; 2], Option<[usize; 2]>),
    inputs: &Inputs<'_>,
) -> Result<Vec<usize>, Wrong> {
    let [n, c, h, w] = inputs.image()?;
    let rule = "weights of a transposed convolution have four dimensions here: channel, output, row and column";
    let [channels, each, rows, columns] = inputs.of_rank(1, rule)?;
    if channels != c || !c.is_multiple_of(groups) {
        return Err(Wrong { input: 1, rule: "its channels are those of the image, which can be grouped" });
    }
    if window.size.is_some_and(|size| size != [rows, columns]) {
        return Err(Wrong { input: 1, rule: "its rows and columns are those of `kernel_shape`" });
    }
    let outputs = grown(each, groups)?;
    if inputs.extents.get(2).copied().flatten().is_some_and(|bias| bias != [outputs]) {
        return Err(Wrong { input: 2, rule: "there is one bias for each output" });
    }
    let laid = transposed(window, [rows, columns], [h, w], (extra, extents));
    let laid =
        laid.ok_or(Wrong { input: 0, rule: "nothing is left of what it writes, or its extents can't be counted" })?;
    Ok(vec![n, outputs, laid.windows[0], laid.windows[1]])
}

/// A scale and a bias for each channel, or for each of the groups that are said.
fn normalised(inputs: &Inputs<'_>, groups: Option<usize>) -> Result<Vec<usize>, Wrong> {
    let extents = inputs.get(0)?;
    let channels = *extents.get(1).ok_or(Wrong { input: 0, rule: "channels are its second dimension" })?;
    let rule =
        if groups.is_some() { "it has one element for each group" } else { "it has one element for each channel" };
    for input in [1, 2] {
        if inputs.get(input)? != [groups.unwrap_or(channels)] {
            return Err(Wrong { input, rule });
        }
    }
    Ok(extents.to_vec())
}

fn grouped(groups: usize, is_scaled_by_group: bool, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let extents = normalised(inputs, is_scaled_by_group.then_some(groups))?;
    if extents[1].is_multiple_of(groups) {
        Ok(extents)
    } else {
        Err(Wrong { input: 0, rule: "its channels are as many groups" })
    }
}

/// One dimension less, or one of an extent of 1.
fn without(axis: i64, keeps: bool, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let mut extents = inputs.get(0)?.to_vec();
    let axis = dimension(axis, extents.len())?;
    extents[axis] = 1;
    if !keeps {
        extents.remove(axis);
    }
    Ok(extents)
}

fn expanded(inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let wrong = |rule| Wrong { input: 1, rule };
    let constant = inputs.constants.get(1).copied().flatten().map(|constant| &constant.elements);
    let Some(Elements::Ints(dims)) = constant else { return Err(wrong("it is a constant of integers")) };
    if dims.len() > MAX_RANK {
        return Err(wrong("a tensor has at most 6 dimensions"));
    }
    let mut extents = inputs.get(0)?.to_vec();
    while extents.len() < dims.len() {
        extents.insert(0, 1);
    }
    let lacking = extents.len() - dims.len();
    for (own, &dim) in extents[lacking..].iter_mut().zip(dims.iter()) {
        *own = match (*own, usize::try_from(dim)) {
            (1, Ok(dim)) => dim,
            (own, Ok(dim)) if dim == 1 || dim == own => own,
            _ => return Err(wrong("its extents are those of the first input, or one of the two is 1")),
        };
    }
    Ok(extents)
}

fn tiled(repeats: &[usize], inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let extents = inputs.get(0)?;
    if repeats.len() != extents.len() {
        return Err(Wrong { input: 0, rule: "there is a number of copies for each of its dimensions" });
    }
    extents.iter().zip(repeats).map(|(&extent, &times)| grown(extent, times)).collect()
}

/// The dimensions of the numbers take the place of the one that they are numbers of.
fn gathered(axis: i64, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let (extents, numbers) = (inputs.get(0)?, inputs.get(1)?);
    let axis = dimension(axis, extents.len())?;
    let (outer, [_, inner @ ..]) = extents.split_at(axis) else {
        return Err(Wrong { input: 0, rule: "it has a dimension to take elements of" });
    };
    Ok([outer, numbers, inner].concat())
}

/// A dimension more, and a value for elsewhere and one for the place that is meant.
fn one_hot(axis: i64, depth: usize, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let mut extents = inputs.get(0)?.to_vec();
    if inputs.get(2)? != [2] {
        return Err(Wrong { input: 2, rule: "it has two values: for elsewhere, and for the place that is meant" });
    }
    extents.insert(dimension(axis, extents.len() + 1)?, depth);
    Ok(extents)
}

/// What a dimension becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resized {
    pub extent: usize,
    /// How many times as many it has, as it is used to map places.
    pub scale: f32,
    /// The part of it that is taken, where that is not all of it.
    pub region: Option<[f32; 2]>,
}

/// What the dimensions of a tensor become.
pub(crate) fn resized(resizing: &Resizing, extents: &[usize]) -> Result<Vec<Resized>, Wrong> {
    let wrong = |rule| Wrong { input: 0, rule };
    let axes = match &resizing.axes {
        None => (0..extents.len()).collect(),
        Some(axes) => axes.iter().map(|&axis| dimension(axis, extents.len())).collect::<Result<Vec<_>, _>>()?,
    };
    let mut result: Vec<_> = extents.iter().map(|&extent| Resized { extent, scale: 1.0, region: None }).collect();
    if let Some(region) = &resizing.region {
        if region.ends.len() != axes.len() {
            return Err(wrong("there is a start and an end for each dimension that is resized"));
        }
        axes.iter().zip(&region.ends).for_each(|(&axis, ends)| result[axis].region = Some(*ends));
    }
    let rule = "there is a scale or an extent for each dimension that is resized";
    match &resizing.extents {
        Extents::Scaled(scales) if scales.len() == axes.len() => {
            for (&axis, &scale) in axes.iter().zip(scales) {
                // Floats beyond the greatest extent are refused as extents are.
                let part = result[axis].region.map_or(1.0, |[start, end]| end - start);
                let extent = (extents[axis] as f32 * part * scale).floor() as usize;
                result[axis] = Resized { extent, scale, ..result[axis] };
            }
        }
        Extents::These { extents: own, aspect } if own.len() == axes.len() => {
            let scale = |(&axis, &own): (&usize, &usize)| own as f32 / extents[axis] as f32;
            let scales = axes.iter().zip(own).map(scale);
            let shared = match aspect {
                Aspect::Stretch => None,
                Aspect::NotLarger => scales.clone().reduce(f32::min),
                Aspect::NotSmaller => scales.clone().reduce(f32::max),
            };
            for ((&axis, &own), scale) in axes.iter().zip(own).zip(scales) {
                result[axis] = match shared {
                    None => Resized { extent: own, scale, ..result[axis] },
                    Some(scale) => {
                        let extent = (extents[axis] as f32 * scale).round() as usize;
                        Resized { extent, scale, ..result[axis] }
                    }
                };
            }
        }
        _ => return Err(wrong(rule)),
    }
    match count(&result.iter().map(|dimension| dimension.extent).collect::<Vec<_>>()) {
        Some(0) => Err(wrong("nothing is left of it")),
        _ => Ok(result),
    }
}
