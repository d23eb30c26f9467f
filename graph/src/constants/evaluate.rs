//! What a node makes of constants.

use super::numbers::{Binary, Numbers, pairs};
use crate::{
    analysis::is_view,
    model::{Constant, Elements, count},
    operator::{Axes, Number, Operator, Reduction},
    shape::{self, Inputs, dimension, elements, part, transposition},
    slot::{Root, Slot},
};

/// Numbers of a constant that is computed with here, at most: shapes and places have few. What has more is computed when the network runs.
pub(super) const MOST: usize = 4096;

/// What a node writes first, where that is known before the network runs.
pub(super) fn evaluated(operator: &Operator, inputs: &Inputs<'_>) -> Option<Constant> {
    match operator {
        Operator::Shape { start, end } => {
            let extents = inputs.get(0).ok()?;
            let (start, end) = (place(*start, extents.len()), place(*end, extents.len()));
            let own = extents.get(start..end.max(start))?.iter().map(|&extent| i64::try_from(extent).ok());
            Some(row(own.collect::<Option<Vec<_>>>()?))
        }
        Operator::Size => {
            let all = i64::try_from(count(inputs.get(0).ok()?)?).ok()?;
            Some(Constant { extents: Vec::new(), elements: Elements::Ints([all].into()) })
        }
        Operator::Fill(number) => filled(*number, ints(inputs, 0)?),
        Operator::Range => ranged(inputs),
        _ => {
            let extents = match operator {
                // Elements of a list may be none: `infer` refuses that, since a tensor has some.
                Operator::Concatenate { .. } if inputs.extents.len() == 1 => inputs.get(0).ok()?.to_vec(),
                _ => shape::infer(operator, inputs).ok()?,
            };
            let all = count(&extents).filter(|&all| all <= MOST)?;
            let numbers = numbers(operator, inputs, &extents)?;
            (numbers.len() == all).then(|| Constant { extents, elements: numbers.elements() })
        }
    }
}

fn row(ints: Vec<i64>) -> Constant {
    Constant { extents: vec![ints.len()], elements: Elements::Ints(ints.into()) }
}

/// A place from the end where it is negative, inside what there is.
fn place(at: i64, rank: usize) -> usize {
    let at = if at < 0 { at.saturating_add(rank as i64) } else { at };
    usize::try_from(at).unwrap_or(0).min(rank)
}

fn own(inputs: &Inputs<'_>, input: usize) -> Option<Numbers> {
    Numbers::of(inputs.constants.get(input).copied().flatten()?, MOST)
}

fn ints<'a>(inputs: &Inputs<'a>, input: usize) -> Option<&'a [i64]> {
    match &inputs.constants.get(input).copied().flatten()?.elements {
        Elements::Ints(ints) => Some(ints),
        _ => None,
    }
}

fn filled(number: Number, dims: &[i64]) -> Option<Constant> {
    let extents = dims.iter().map(|&dim| usize::try_from(dim).ok()).collect::<Option<Vec<_>>>()?;
    let elements = match number {
        Number::Float(float) => Elements::Filled(float),
        Number::Integer(int) => Elements::Ints(vec![int; count(&extents).filter(|&all| all <= MOST)?].into()),
    };
    Some(Constant { extents, elements })
}

fn ranged(inputs: &Inputs<'_>) -> Option<Constant> {
    let ([start], [limit], [step]) = (ints(inputs, 0)?, ints(inputs, 1)?, ints(inputs, 2)?) else { return None };
    let (distance, step) = (i128::from(*limit) - i128::from(*start), i128::from(*step));
    if step == 0 {
        return None;
    }
    let all = usize::try_from((distance + step - step.signum()).div_euclid(step).max(0)).ok()?;
    let number = |at: usize| i64::try_from(i128::from(*start) + at as i128 * step).ok();
    (all <= MOST).then(|| (0..all).map(number).collect::<Option<Vec<_>>>().map(row)).flatten()
}

/// The elements of what is written, of these extents.
fn numbers(operator: &Operator, inputs: &Inputs<'_>, extents: &[usize]) -> Option<Numbers> {
    let spread = |input: usize| own(inputs, input)?.spread(inputs.get(input).ok()?, extents);
    let of_pair = |binary: Binary| match inputs.extents.len() {
        2 => pairs(&spread(0)?, &spread(1)?, binary),
        _ => None,
    };
    match operator {
        operator if is_view(operator) => own(inputs, 0),
        Operator::Concatenate { axis } => concatenated(*axis, inputs),
        Operator::Gather { axis } => gathered(*axis, inputs),
        Operator::Expand => spread(0),
        Operator::Slice(_) | Operator::Part { .. } | Operator::Transpose(_) => {
            own(inputs, 0)?.at(placed(operator, inputs.get(0).ok()?)?.places())
        }
        Operator::Cast(to) => Some(own(inputs, 0)?.cast(*to)),
        Operator::Function(function) => own(inputs, 0)?.map(*function),
        Operator::Not => Some(own(inputs, 0)?.cast(crate::operator::Type::Truth).flipped()?),
        Operator::Reduction { by, axes, .. } => reduced(*by, axes, inputs),
        Operator::Add => of_pair(Binary::Add),
        Operator::Multiply => of_pair(Binary::Multiply),
        Operator::Pair(pair) => of_pair(Binary::Pair(*pair)),
        Operator::Compare(comparison) => of_pair(Binary::Compare(*comparison)),
        Operator::Logic(logic) => of_pair(Binary::Logic(*logic)),
        Operator::Select => spread(0)?.select(&spread(1)?, &spread(2)?),
        _ => None,
    }
}

/// All of a constant's elements as one.
fn reduced(by: Reduction, axes: &Axes, inputs: &Inputs<'_>) -> Option<Numbers> {
    let rank = inputs.get(0).ok()?.len();
    let goes = shape::reduced(axes, rank).ok()?;
    goes.iter().all(|goes| *goes).then(|| own(inputs, 0)?.reduced(by)).flatten()
}

/// A view of a tensor.
fn placed(operator: &Operator, extents: &[usize]) -> Option<Slot> {
    let mut slot = Slot::packed(Root::Constant(0), extents);
    match operator {
        Operator::Slice(cuts) => {
            for cut in cuts {
                let axis = dimension(cut.axis, extents.len()).ok()?;
                let (start, count) = elements(cut, slot.extents[axis]);
                slot = slot.part(axis, start, count.saturating_sub(1) * cut.step + 1).each(axis, cut.step);
            }
            Some(slot)
        }
        Operator::Part { axis, of } => {
            let axis = dimension(*axis, extents.len()).ok()?;
            let (start, extent) = part(*of, extents[axis]).ok()?;
            Some(slot.part(axis, start, extent))
        }
        Operator::Transpose(order) => Some(slot.permuted(&transposition(order.as_deref(), extents.len()).ok()?)),
        _ => None,
    }
}

fn gathered(axis: i64, inputs: &Inputs<'_>) -> Option<Numbers> {
    let extents = inputs.get(0).ok()?;
    let axis = dimension(axis, extents.len()).ok()?;
    let all = i64::try_from(extents[axis]).ok()?;
    let inside = |&number: &i64| {
        let number = if number < 0 { number.saturating_add(all) } else { number };
        usize::try_from(number).ok().filter(|_| number < all)
    };
    let numbers = ints(inputs, 1)?.iter().map(inside).collect::<Option<Vec<_>>>()?;
    let inner: usize = extents[axis + 1..].iter().product();
    let outer: usize = extents[..axis].iter().product();
    let places = (0..outer).flat_map(|o| {
        let numbers = &numbers;
        numbers.iter().flat_map(move |&number| (0..inner).map(move |i| (o * extents[axis] + number) * inner + i))
    });
    own(inputs, 0)?.at(places)
}

fn concatenated(axis: i64, inputs: &Inputs<'_>) -> Option<Numbers> {
    let extents = inputs.get(0).ok()?;
    let axis = dimension(axis, extents.len()).ok()?;
    let outer: usize = extents[..axis].iter().product();
    let mut parts = Vec::new();
    for input in 0..inputs.extents.len() {
        parts.push(own(inputs, input)?);
    }
    let rows = (0..outer).flat_map(|o| parts.iter().map(move |part| (part, o)));
    let mut found: Option<Numbers> = None;
    for (part, o) in rows {
        let row = part.len() / outer;
        let own = part.at(o * row..(o + 1) * row)?;
        found = Some(match found {
            None => own,
            Some(before) => before.then(own)?,
        });
    }
    found
}
