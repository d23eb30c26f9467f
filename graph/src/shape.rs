//! The shape of what each operator writes, by the shapes of what it reads.

use crate::{
    model::{Constant, Elements, count},
    operator::{Axes, Cut, Operator, Pads, PartOf, Window},
};

/// Dimensions of a tensor, at most.
pub(crate) const MAX_RANK: usize = 6;

/// An extent, at most: as the library's tensors have it.
const MAX_EXTENT: usize = 1 << 30;

/// An input whose shape breaks a rule of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub input: usize,
    pub rule: &'static str,
}

/// What is known of the inputs of a node.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    /// Extents; `None` for an input that is left out.
    pub extents: Vec<Option<&'a [usize]>>,
    /// Of `Reshape`, the constant that says the shape.
    pub constants: Vec<Option<&'a Constant>>,
}

impl<'a> Inputs<'a> {
    pub fn get(&self, input: usize) -> Result<&'a [usize], Wrong> {
        self.extents.get(input).copied().flatten().ok_or(Wrong { input, rule: "it is left out, and needed" })
    }

    /// The extents of an input of a certain rank.
    fn of_rank<const N: usize>(&self, input: usize, rule: &'static str) -> Result<[usize; N], Wrong> {
        self.get(input)?.try_into().map_err(|_| Wrong { input, rule })
    }

    /// `[image, channel, row, column]`.
    pub fn image(&self) -> Result<[usize; 4], Wrong> {
        self.of_rank(0, "images have four dimensions here: image, channel, row and column")
    }

    pub fn matrix(&self, input: usize) -> Result<[usize; 2], Wrong> {
        self.of_rank(input, "a matrix has two dimensions")
    }
}

/// Checks the extents of a value that the library is to hold.
pub(crate) fn check(extents: &[usize]) -> Result<(), &'static str> {
    if extents.len() > MAX_RANK {
        return Err("a tensor has at most 6 dimensions");
    }
    if extents.contains(&0) {
        return Err("no extent may be 0");
    }
    if extents.iter().any(|&extent| extent > MAX_EXTENT) {
        return Err("the greatest extent is 2^30");
    }
    let bytes = count(extents).and_then(|count| count.checked_mul(size_of::<f32>()));
    bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).map(|_| ()).ok_or("its bytes can't be counted")
}

/// The extents of what an operator writes.
pub(crate) fn infer(operator: &Operator, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    match operator {
        Operator::Convolution { window, groups } => convolved(window, *groups, inputs),
        Operator::Product { transposed, .. } => product(*transposed, inputs),
        Operator::MaxPool(window) | Operator::L2Pool(window) | Operator::AveragePool { window, .. } => {
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
        Operator::Matrices => matrices(inputs),
        Operator::BatchNormalization { .. } => normalised(inputs),
        Operator::Relu
        | Operator::Clip { .. }
        | Operator::Identity
        | Operator::Quantize { .. }
        | Operator::Dequantize
        | Operator::Scale { .. }
        | Operator::Function(_)
        | Operator::LocalResponseNormalization { .. } => Ok(inputs.get(0)?.to_vec()),
        Operator::Softmax { axis, .. } => {
            let extents = inputs.get(0)?;
            dimension(*axis, extents.len()).map(|_| extents.to_vec())
        }
        Operator::Add | Operator::Multiply | Operator::Pair(_) => broadcast(inputs),
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
        Operator::Pad { pads, .. } => {
            let extents = inputs.get(0)?;
            if pads.len() != 2 * extents.len() {
                return Err(Wrong { input: 0, rule: "there are pads before and behind each of its dimensions" });
            }
            let (before, behind) = pads.split_at(extents.len());
            let padded = extents
                .iter()
                .zip(before)
                .zip(behind)
                .map(|((extent, before), behind)| extent.checked_add(*before)?.checked_add(*behind));
            padded.collect::<Option<_>>().ok_or(Wrong { input: 0, rule: "its extents and pads can't be added" })
        }
        // Nobody asks for what nothing computes.
        Operator::Other(_) => Err(Wrong { input: 0, rule: "no operator of the library takes it" }),
    }
}

const TOO_LARGE: &str = "the window is larger than the image with its pads";

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

/// Windows over an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Laid {
    /// Rows and columns of windows.
    pub windows: [usize; 2],
    /// What is around the image: above, on the left, below, on the right.
    pub pads: [usize; 4],
}

impl Window {
    /// Lays windows of `size` over an image of these rows and columns; `None` where not one fits.
    pub(crate) fn lay(&self, size: [usize; 2], image: [usize; 2]) -> Option<Laid> {
        let mut laid = Laid { windows: [0; 2], pads: [0; 4] };
        for d in 0..2 {
            let (stride, span) =
                (self.stride[d], self.dilation[d].checked_mul(size[d].checked_sub(1)?)?.checked_add(1)?);
            let [before, behind] = match self.pads {
                Pads::Explicit(pads) => [pads[d], pads[d + 2]],
                Pads::Same { before } => {
                    let steps = image[d].div_ceil(stride).checked_sub(1)?;
                    let all = (steps.checked_mul(stride)?.checked_add(span)?).saturating_sub(image[d]);
                    let (half, rest) = (all / 2, all - all / 2);
                    if before { [rest, half] } else { [half, rest] }
                }
            };
            let steps = image[d].checked_add(before)?.checked_add(behind)?.checked_sub(span)?;
            let mut windows = if self.is_ceiled { steps.div_ceil(stride) } else { steps / stride } + 1;
            // A window that begins in the pads behind the image is none.
            if self.is_ceiled && (windows - 1).checked_mul(stride)? >= image[d] + before {
                windows -= 1;
            }
            (laid.windows[d], laid.pads[d], laid.pads[d + 2]) = (windows, before, behind);
        }
        Some(laid)
    }
}

fn convolved(window: &Window, groups: usize, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
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
    if inputs.extents.get(2).copied().flatten().is_some_and(|bias| bias != [outputs]) {
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

fn squeezed(axes: Option<&[i64]>, extents: &[usize]) -> Result<Vec<usize>, Wrong> {
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

fn unsqueezed(axes: &[i64], extents: &[usize]) -> Result<Vec<usize>, Wrong> {
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
