//! The shape of what each operator writes, by the shapes of what it reads.

use super::{
    Inputs, MAX_RANK, Wrong, dimension, elements, padded, part,
    parts::{squeezed, unsqueezed},
    placed, reduced, transposition,
    windows::TOO_LARGE,
};
use crate::{
    model::{Elements, count},
    operator::{Operator, Window},
};

/// The extents of what an operator writes.
pub(crate) fn infer(operator: &Operator, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    match operator {
        Operator::Convolution { window, groups } => convolved(window, *groups, inputs.extents.get(2).copied(), inputs),
        // Zeros are where a bias is of others.
        Operator::IntegerConvolution { window, groups } => convolved(window, *groups, None, inputs),
        Operator::Product { transposed, .. } => product(*transposed, inputs),
        Operator::MaxPool(window)
        | Operator::L2Pool(window)
        | Operator::NormPool { window, .. }
        | Operator::AveragePool { window, .. } => {
            let [n, c, h, w] = inputs.image()?;
            let laid = window.lay(window.size.unwrap_or([1; 2]), [h, w]).ok_or(Wrong { input: 0, rule: TOO_LARGE })?;
            Ok(vec![n, c, laid.windows[0], laid.windows[1]])
        }
        Operator::Reduction { axes, keeps, .. } => {
            let extents = inputs.get(0)?;
            let goes = reduced(axes, extents.len())?;
            let kept =
                extents.iter().zip(goes).map(|(&extent, goes)| if goes { keeps.then_some(1) } else { Some(extent) });
            Ok(kept.flatten().collect())
        }
        Operator::LayerNormalization { axis, .. } => {
            let extents = inputs.get(0)?;
            let row = &extents[dimension(*axis, extents.len())?..];
            for input in 1..inputs.extents.len().min(3) {
                if inputs.extents[input].is_some_and(|own| own != row) {
                    return Err(Wrong { input, rule: "it has the dimensions that are normalised together" });
                }
            }
            Ok(extents.to_vec())
        }
        Operator::LocalResponseNormalization { .. } if inputs.get(0)?.len() < 2 => {
            Err(Wrong { input: 0, rule: "channels are its second dimension" })
        }
        Operator::Matrices => multiplied(inputs),
        Operator::IntegerMatrices => matrices(inputs),
        Operator::BatchNormalization { .. } => normalised(inputs),
        Operator::Relu
        | Operator::Clip { .. }
        | Operator::Identity
        | Operator::Quantize { .. }
        | Operator::Dequantize
        | Operator::DynamicScale
        | Operator::DynamicZero
        | Operator::QuantizeBy
        | Operator::Scale { .. }
        | Operator::Function(_)
        | Operator::Not
        | Operator::Cast(_)
        | Operator::Signed
        | Operator::Unsigned
        | Operator::LocalResponseNormalization { .. } => Ok(inputs.get(0)?.to_vec()),
        Operator::Softmax { axis, .. } | Operator::Hardmax { axis, .. } => {
            let extents = inputs.get(0)?;
            dimension(*axis, extents.len()).map(|_| extents.to_vec())
        }
        Operator::Add
        | Operator::Multiply
        | Operator::Pair(_)
        | Operator::Compare(_)
        | Operator::Logic(_)
        | Operator::Select => broadcast(inputs),
        // Nobody asks for what nothing computes.
        _ => moved(operator, inputs)
            .or_else(|| placed::infer(operator, inputs))
            .unwrap_or(Err(Wrong { input: 0, rule: "no operator of the library takes it" })),
    }
}

/// The extents of what has the same elements in another shape, or some of them, or some more around them; `None` for other operators.
fn moved(operator: &Operator, inputs: &Inputs<'_>) -> Option<Result<Vec<usize>, Wrong>> {
    let found = || match operator {
        Operator::Concatenate { axis } => concatenated(*axis, inputs),
        Operator::Reshape { keeps_zeros } => reshaped(*keeps_zeros, inputs),
        Operator::Flatten { axis } => {
            let extents = inputs.get(0)?;
            // One past the last dimension is a place to cut, too.
            let at = if *axis == extents.len() as i64 { extents.len() } else { dimension(*axis, extents.len())? };
            let (outer, inner) = extents.split_at(at);
            let product = |extents: &[usize]| extents.iter().product();
            Ok(vec![product(outer), product(inner)])
        }
        Operator::Squeeze(axes) => squeezed(axes.as_deref(), inputs.get(0)?),
        Operator::Unsqueeze(axes) => unsqueezed(axes, inputs.get(0)?),
        Operator::Transpose(order) => {
            let extents = inputs.get(0)?;
            Ok(transposition(order.as_deref(), extents.len())?.into_iter().map(|d| extents[d]).collect())
        }
        Operator::Slice(cuts) => {
            let mut extents = inputs.get(0)?.to_vec();
            for cut in cuts {
                let axis = dimension(cut.axis, extents.len())?;
                extents[axis] = elements(cut, extents[axis]).1;
            }
            if extents.contains(&0) { Err(Wrong { input: 0, rule: "nothing is left of it" }) } else { Ok(extents) }
        }
        Operator::Part { axis, of } => {
            let mut extents = inputs.get(0)?.to_vec();
            let axis = dimension(*axis, extents.len())?;
            extents[axis] = part(*of, extents[axis])?.1;
            Ok(extents)
        }
        Operator::Pad { pads, axes, .. } => {
            let extents = inputs.get(0)?;
            let pads = padded(pads, axes.as_deref(), extents.len())?;
            let grown = |(&extent, [before, behind]): (&usize, [i64; 2])| {
                // What is taken away on both sides is there.
                let kept = i64::try_from(extent).ok()?.checked_add(before.min(0))?.checked_add(behind.min(0))?;
                let all = kept.checked_add(before.max(0))?.checked_add(behind.max(0))?;
                usize::try_from(all).ok().filter(|_| kept > 0)
            };
            let rule = "its pads leave some of each dimension, and can be added to its extents";
            extents.iter().zip(pads).map(grown).collect::<Option<_>>().ok_or(Wrong { input: 0, rule })
        }
        _ => Err(Wrong { input: 0, rule: "it moves nothing" }),
    };
    let moves = matches!(
        operator,
        Operator::Concatenate { .. }
            | Operator::Transpose(_)
            | Operator::Slice(_)
            | Operator::Part { .. }
            | Operator::Pad { .. }
    );
    (moves || crate::analysis::is_view(operator)).then(found)
}

fn convolved(
    window: &Window,
    groups: usize,
    bias: Option<Option<&[usize]>>,
    inputs: &Inputs<'_>,
) -> Result<Vec<usize>, Wrong> {
    let [n, c, h, w] = inputs.image()?;
    let rule = "weights of a convolution have four dimensions here: output, channel, row and column";
    let [outputs, inner, rows, columns] = inputs.of_rank(1, rule)?;
    if inner.checked_mul(groups) != Some(c) || !outputs.is_multiple_of(groups) {
        return Err(Wrong {
            input: 1,
            rule: "its channels are those of a group of the image, and its outputs can be grouped",
        });
    }
    if window.size.is_some_and(|size| size != [rows, columns]) {
        return Err(Wrong { input: 1, rule: "its rows and columns are those of `kernel_shape`" });
    }
    if bias.flatten().is_some_and(|bias| bias != [outputs]) {
        return Err(Wrong { input: 2, rule: "there is one bias for each output" });
    }
    let laid = window.lay([rows, columns], [h, w]).ok_or(Wrong { input: 0, rule: TOO_LARGE })?;
    Ok(vec![n, outputs, laid.windows[0], laid.windows[1]])
}

fn product([first, second]: [bool; 2], inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let turned = |[a, b]: [usize; 2], turn: bool| if turn { [b, a] } else { [a, b] };
    let ([rows, inner], [height, columns]) = (turned(inputs.matrix(0)?, first), turned(inputs.matrix(1)?, second));
    if inner != height {
        return Err(Wrong { input: 1, rule: "its rows are as many as the first matrix has columns" });
    }
    Ok(vec![rows, columns])
}

/// Planes of matrices, as many of both, or one matrix for all rows.
fn matrices(inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let (a, b) = (inputs.get(0)?, inputs.get(1)?);
    let ([planes @ .., rows, inner], [others @ .., height, columns]) = (a, b) else {
        return Err(Wrong { input: 0, rule: "matrices have two dimensions or more here" });
    };
    if inner != height {
        return Err(Wrong { input: 1, rule: "its rows are as many as the first matrix has columns" });
    }
    if !others.is_empty() && planes != others {
        return Err(Wrong { input: 1, rule: "it has as many planes as the first tensor, or it is one matrix" });
    }
    Ok([planes, &[*rows, *columns]].concat())
}

/// Planes of matrices that repeat by NumPy's rule. A tensor of one dimension is a row on the left and a column on the right, of which
/// the result has no dimension.
fn multiplied(inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let (a, b) = (inputs.get(0)?, inputs.get(1)?);
    let (planes, rows, inner) = match a {
        [] => return Err(Wrong { input: 0, rule: "a number has no rows" }),
        [inner] => (&[][..], None, inner),
        [planes @ .., rows, inner] => (planes, Some(*rows), inner),
    };
    let (others, height, columns) = match b {
        [] => return Err(Wrong { input: 1, rule: "a number has no columns" }),
        [height] => (&[][..], height, None),
        [others @ .., height, columns] => (others, height, Some(*columns)),
    };
    if inner != height {
        return Err(Wrong { input: 1, rule: "its rows are as many as the first matrix has columns" });
    }
    let planes = Inputs { extents: vec![Some(planes), Some(others)], constants: Vec::new() };
    let rule = "its planes are as many as those of the first tensor, or one of the two has 1";
    let mut extents = broadcast(&planes).map_err(|_| Wrong { input: 1, rule })?;
    extents.extend(rows);
    extents.extend(columns);
    Ok(extents)
}

fn normalised(inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let extents = inputs.get(0)?;
    let channels = extents.get(1).ok_or(Wrong { input: 0, rule: "channels are its second dimension" })?;
    for input in 1..=4 {
        if inputs.get(input)? != [*channels] {
            return Err(Wrong { input, rule: "it has one element for each channel" });
        }
    }
    Ok(extents.to_vec())
}

/// By NumPy's rule: the last dimensions are aligned, and an extent of 1 repeats.
fn broadcast(inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let mut result = inputs.get(0)?.to_vec();
    for input in 1..inputs.extents.len() {
        let extents = inputs.get(input)?;
        for _ in result.len()..extents.len() {
            result.insert(0, 1);
        }
        let lacking = result.len() - extents.len();
        for (own, &other) in result[lacking..].iter_mut().zip(extents) {
            *own = match (*own, other) {
                (1, other) => other,
                (own, other) if other == 1 || own == other => own,
                _ => return Err(Wrong { input, rule: "its extents are those of the other inputs, or 1" }),
            };
        }
    }
    Ok(result)
}

fn concatenated(axis: i64, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let mut result = inputs.get(0)?.to_vec();
    let axis = dimension(axis, result.len())?;
    for input in 1..inputs.extents.len() {
        let extents = inputs.get(input)?;
        let is_like = |d: usize| d == axis || extents.get(d) == result.get(d);
        if extents.len() != result.len() || !(0..result.len()).all(is_like) {
            return Err(Wrong {
                input,
                rule: "its extents are those of the first input, save along the dimension joined",
            });
        }
        let sum = result[axis].checked_add(extents[axis]);
        result[axis] = sum.ok_or(Wrong { input, rule: "the extents can't be added" })?;
    }
    Ok(result)
}

fn reshaped(keeps_zeros: bool, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let extents = inputs.get(0)?;
    let wrong = |rule| Wrong { input: 1, rule };
    let constant = inputs.constants.get(1).copied().flatten().map(|constant| &constant.elements);
    let Some(Elements::Ints(dims)) = constant else { return Err(wrong("it is a constant of integers")) };
    if dims.len() > MAX_RANK {
        return Err(wrong("a tensor has at most 6 dimensions"));
    }
    let rule = "it says extents, 0 for the input's and -1 once for what is left";
    let (mut result, mut left) = (Vec::new(), None);
    for (d, &dim) in dims.iter().enumerate() {
        result.push(match dim {
            0 if !keeps_zeros => *extents.get(d).ok_or(wrong(rule))?,
            -1 if left.is_none() => {
                left = Some(d);
                1
            }
            dim => usize::try_from(dim).map_err(|_| wrong(rule))?,
        });
    }
    let (all, known) = (count(extents), count(&result));
    if let (Some(d), Some(all), Some(known @ 1..)) = (left, all, known) {
        result[d] = all / known;
    }
    if all.is_none() || count(&result) != all {
        return Err(wrong("the shapes have as many elements"));
    }
    Ok(result)
}
