//! Dimensions by their numbers, and parts of them.

use super::{MAX_RANK, Wrong};
use crate::operator::{Axes, Cut, PartOf};

/// A dimension of a tensor, counted from the end where it is negative.
pub(crate) fn dimension(axis: i64, rank: usize) -> Result<usize, Wrong> {
    let from_start = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
    let found = from_start.and_then(|axis| usize::try_from(axis).ok()).filter(|&axis| axis < rank);
    found.ok_or(Wrong { input: 0, rule: "it lacks the dimension that an attribute names" })
}

/// The first element of a cut, and how many there are.
pub(crate) fn elements(cut: &Cut, extent: usize) -> (usize, usize) {
    let inside = |place: i64| {
        let place = if place < 0 { place.saturating_add(extent as i64).max(0) } else { place };
        usize::try_from(place).map_or(extent, |place| place.min(extent))
    };
    let (start, end) = (inside(cut.start), inside(cut.end));
    (start, end.saturating_sub(start).div_ceil(cut.step.max(1)))
}

/// The first element of a part, and how many there are.
pub(crate) fn part(of: PartOf, whole: usize) -> Result<(usize, usize), Wrong> {
    match of {
        PartOf::These { start, extent, all } if all == whole => Ok((start, extent)),
        PartOf::These { .. } => Err(Wrong { input: 0, rule: "its parts have as many elements as it" }),
        PartOf::Equal { index, count } => {
            let each = whole.div_ceil(count.max(1));
            let start = index.saturating_mul(each).min(whole);
            Ok((start, each.min(whole - start)))
        }
    }
}

/// The pads before and behind each dimension of a tensor, below zero where elements are taken away.
pub(crate) fn padded(pads: &[i64], axes: Option<&[i64]>, rank: usize) -> Result<Vec<[i64; 2]>, Wrong> {
    let wrong = |rule| Wrong { input: 0, rule };
    let axes = match axes {
        None => (0..rank).collect(),
        Some(axes) => axes.iter().map(|&axis| dimension(axis, rank)).collect::<Result<Vec<_>, _>>()?,
    };
    if pads.len() != 2 * axes.len() {
        return Err(wrong("there are pads before and behind each of its dimensions, or of those that are named"));
    }
    let (mut found, mut is_named) = (vec![[0; 2]; rank], vec![false; rank]);
    for (at, &axis) in axes.iter().enumerate() {
        if std::mem::replace(&mut is_named[axis], true) {
            return Err(wrong("dimensions that are padded are named once"));
        }
        found[axis] = [pads[at], pads[at + axes.len()]];
    }
    Ok(found)
}

/// Which dimensions of a tensor a reduction takes together.
pub(crate) fn reduced(axes: &Axes, rank: usize) -> Result<Vec<bool>, Wrong> {
    let mut goes = vec![*axes == Axes::All; rank];
    match axes {
        Axes::All => {}
        Axes::OfImage if rank == 4 => goes[2..].fill(true),
        Axes::OfImage => {
            return Err(Wrong { input: 0, rule: "images have four dimensions here: image, channel, row and column" });
        }
        Axes::These(axes) => {
            for &axis in axes {
                goes[dimension(axis, rank)?] = true;
            }
        }
    }
    Ok(goes)
}

/// The order of a transposition: dimension `d` is the input's dimension `order[d]`.
pub(crate) fn transposition(order: Option<&[i64]>, rank: usize) -> Result<Vec<usize>, Wrong> {
    let Some(order) = order else { return Ok((0..rank).rev().collect()) };
    let order = order.iter().map(|&axis| dimension(axis, rank)).collect::<Result<Vec<_>, _>>()?;
    if order.len() != rank || (0..rank).any(|d| !order.contains(&d)) {
        return Err(Wrong { input: 0, rule: "the order names each dimension once" });
    }
    Ok(order)
}

pub(super) fn squeezed(axes: Option<&[i64]>, extents: &[usize]) -> Result<Vec<usize>, Wrong> {
    let mut goes: Vec<bool> = extents.iter().map(|&extent| axes.is_none() && extent == 1).collect();
    for &axis in axes.unwrap_or_default() {
        let axis = dimension(axis, extents.len())?;
        if extents[axis] != 1 {
            return Err(Wrong { input: 0, rule: "dimensions that go have an extent of 1" });
        }
        goes[axis] = true;
    }
    Ok(extents.iter().zip(goes).filter(|(_, goes)| !goes).map(|(&extent, _)| extent).collect())
}

pub(super) fn unsqueezed(axes: &[i64], extents: &[usize]) -> Result<Vec<usize>, Wrong> {
    let rank = extents.len() + axes.len();
    if rank > MAX_RANK {
        return Err(Wrong { input: 0, rule: "a tensor has at most 6 dimensions" });
    }
    let mut comes = vec![false; rank];
    for &axis in axes {
        let axis = dimension(axis, rank)?;
        if std::mem::replace(&mut comes[axis], true) {
            return Err(Wrong { input: 0, rule: "dimensions that come are named once" });
        }
    }
    let mut extents = extents.iter().copied();
    Ok(comes.into_iter().map(|comes| if comes { 1 } else { extents.next().unwrap_or(1) }).collect())
}
