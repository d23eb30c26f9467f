//! Floats from constants of integers, made once, while a model is planned.

use crate::{
    analysis::Analysis,
    budget::Budget,
    error::PlanError,
    model::{Constant, Elements, Node, ValueId, count},
    shape::dimension,
};

/// Why a constant can't be scaled.
pub(crate) enum Unscaled {
    /// Its numbers are none that are computed with.
    Refused(&'static str),
    Failed(PlanError),
}

/// What a node makes of a constant of integers.
pub(crate) fn scaled(
    analysis: &Analysis<'_>,
    node: &Node,
    axis: i64,
    budget: &mut Budget,
) -> Result<Constant, Unscaled> {
    let refused = |reason| Err(Unscaled::Refused(reason));
    let constant = |input: usize| node.input(input).map(|value| analysis.constant(value).ok_or(value));
    let Some(Ok(integers)) = constant(0) else { return refused("what it reads is no constant") };
    let Some(count) = count(&integers.extents).filter(|&count| count > 0) else {
        return refused("its constant has no element");
    };
    let places = Places::new(&integers.extents, axis);
    let (scales, factors) = match (floats(constant(1)), floats(constant(3))) {
        (Some(scales), Some(factors)) => (scales, factors),
        _ => return refused("its scales are no constants of floats"),
    };
    let Some(scales) = scales else { return refused("its scales are left out") };
    let zeros = match constant(2) {
        None => None,
        Some(Ok(zeros)) => Some(&zeros.elements),
        Some(Err(_)) => return refused("its zeros are no constants"),
    };
    let lengths = [Some(scales.len()), factors.map(<[f32]>::len), zeros.map(length)];
    if lengths.into_iter().flatten().any(|length| length != 1 && Some(length) != places.extent) {
        return refused("it has neither one scale and zero, nor one for each element of the dimension that it names");
    }
    let name = node.outputs.first().copied().flatten().map_or(node.name(), |output| analysis.name(output));
    // While they are collected there are two of each.
    budget.clone().floats(name, count.saturating_mul(2)).map_err(Unscaled::Failed)?;
    budget.floats(name, count).map_err(Unscaled::Failed)?;
    let float = |place: usize| {
        let channel = places.channel(place);
        let scale = each(scales, channel)? * factors.map_or(Some(1.0), |factors| each(factors, channel))?;
        let zero = zeros.map_or(Some(0), |zeros| integer(zeros, if length(zeros) == 1 { 0 } else { channel }))?;
        Some(integer(&integers.elements, place)?.saturating_sub(zero) as f32 * scale)
    };
    let mut floats = Vec::with_capacity(count);
    floats.extend((0..count).map_while(float));
    if floats.len() != count {
        return refused("its constant is none of integers");
    }
    Ok(Constant { extents: integers.extents.clone(), elements: Elements::Floats(floats.into()) })
}

/// Where a place lies along one dimension.
struct Places {
    /// The dimension's extent; `None` where there is no such dimension.
    extent: Option<usize>,
    inner: usize,
}

impl Places {
    fn new(extents: &[usize], axis: i64) -> Places {
        match dimension(axis, extents.len()) {
            Ok(axis) => Places {
                extent: extents.get(axis).copied(),
                inner: extents.iter().skip(axis + 1).product::<usize>().max(1),
            },
            Err(_) => Places { extent: None, inner: 1 },
        }
    }

    fn channel(&self, place: usize) -> usize {
        self.extent.map_or(0, |extent| place / self.inner % extent.max(1))
    }
}

/// `Some(None)` where they are left out, and `None` where they can't be read.
fn floats(found: Option<Result<&Constant, ValueId>>) -> Option<Option<&[f32]>> {
    match found {
        None => Some(None),
        Some(Ok(Constant { elements: Elements::Floats(floats), .. })) => Some(Some(floats)),
        Some(_) => None,
    }
}

/// One number for all, or one for each.
pub(crate) fn each(numbers: &[f32], place: usize) -> Option<f32> {
    if numbers.len() == 1 { numbers.first().copied() } else { numbers.get(place).copied() }
}

fn length(elements: &Elements) -> usize {
    match elements {
        Elements::Bytes(bytes) => bytes.len(),
        Elements::Ints(ints) => ints.len(),
        Elements::Floats(_) | Elements::Filled(_) | Elements::Absent | Elements::Unread(_) => 0,
    }
}

fn integer(elements: &Elements, place: usize) -> Option<i64> {
    match elements {
        Elements::Bytes(bytes) => bytes.get(place).map(|&byte| byte.into()),
        Elements::Ints(ints) => ints.get(place).copied(),
        Elements::Floats(_) | Elements::Filled(_) | Elements::Absent | Elements::Unread(_) => None,
    }
}
