//! Operators of ONNX over tensors: its layout is `[image, channel, row, column]`, the library's `[image, row, column, channel]`, and
//! permuted views are either.

use windrow::{Element, Tensor, TensorInfo, View};
use windrow_operators::*;

use crate::{
    case::{Array, Case, Held},
    operators::Outcome,
    rows::dimensions,
};

type Floats = Tensor<f32>;

pub fn floats(array: &Array) -> Result<Floats, Box<dyn std::error::Error>> {
    match array.held() {
        Held::F32(tensor) => Ok(tensor),
        _ => Err("floats are expected".into()),
    }
}

/// What a view holds, in these extents.
pub fn array<T: Element + Into<f64>>(found: View<'_, T>, extents: &[usize]) -> Outcome {
    let element = found.info().dtype().to_string();
    let values = found.to_vec().into_iter().map(Into::into).collect();
    Ok(Array { element, extents: extents.to_vec(), values })
}

/// An attribute that is a list of numbers.
fn numbers(case: &Case, name: &str, default: &[i32]) -> Vec<i32> {
    let Some(text) = case.attributes.get(name) else { return default.to_vec() };
    text.trim_matches(['[', ']']).split(',').filter_map(|number| number.parse().ok()).collect()
}

fn pair(numbers: &[i32]) -> [i32; 2] {
    [numbers[0], numbers[1]]
}

/// Channels last.
fn channels_last<'a>(tensor: &'a Floats) -> Result<View<'a, f32>, windrow::InvalidTensor> {
    tensor.view().permute([0, 2, 3, 1])
}

/// `Conv`: weights are `[output, channel, row, column]`.
pub fn convolved(case: &Case) -> Outcome {
    let (src, weights) = (floats(&case.inputs[0])?, floats(&case.inputs[1])?);
    let (stride, dilation) = (numbers(case, "strides", &[1, 1]), numbers(case, "dilations", &[1, 1]));
    let bias = match case.inputs.get(2) {
        Some(bias) => floats(bias)?,
        None => Floats::new([case.inputs[1].extents[0]])?,
    };
    let mut pads = numbers(case, "pads", &[0, 0, 0, 0]);
    if case.attributes.get("auto_pad").is_some_and(|pad| pad == "SAME_LOWER") {
        // As many outputs as elements at strides, and the odd one above and on the left.
        for axis in 0..2 {
            let (extent, size) = (case.inputs[0].extents[2 + axis] as i32, case.inputs[1].extents[2 + axis] as i32);
            let outputs = (extent + stride[axis] - 1) / stride[axis];
            let all = ((outputs - 1) * stride[axis] + size - extent).max(0);
            (pads[axis], pads[2 + axis]) = (all - all / 2, all / 2);
        }
    }
    let pads = [pads[0], pads[1], pads[2], pads[3]];
    let weights = weights.view().permute([2, 3, 1, 0])?;
    let found = conv2d::apply(channels_last(&src)?, weights, &bias, pair(&stride), pair(&dilation), pads)?;
    array(found.view().permute([0, 3, 1, 2])?, &case.outputs[0].extents)
}

/// `ConvTranspose`: weights are `[channel, output, row, column]`.
pub fn transposed(case: &Case) -> Outcome {
    let (src, weights) = (floats(&case.inputs[0])?, floats(&case.inputs[1])?);
    let [stride, dilation, extra] = [("strides", 1), ("dilations", 1), ("output_padding", 0)]
        .map(|(name, usual)| pair(&numbers(case, name, &[usual; 2])));
    let pads = numbers(case, "pads", &[0; 4]);
    let bias = Floats::new([case.inputs[1].extents[1]])?;
    let weights = weights.view().permute([2, 3, 0, 1])?;
    let pads = [pads[0], pads[1], pads[2], pads[3]];
    let found = transposed_conv2d::apply(channels_last(&src)?, weights, &bias, stride, dilation, pads, extra)?;
    array(found.view().permute([0, 3, 1, 2])?, &case.outputs[0].extents)
}

/// `Gemm` without factors; a bias of one element is that of every output.
pub fn connected(case: &Case) -> Outcome {
    let (a, b) = (floats(&case.inputs[0])?, floats(&case.inputs[1])?);
    let is_transposed = |name: &str| case.number(name, 0.0) == 1.0;
    let a = if is_transposed("transA") { a.view().permute([1, 0])? } else { a.view() };
    let b = if is_transposed("transB") { b.view().permute([1, 0])? } else { b.view() };
    let outputs = b.info().width();
    let bias = match case.inputs.get(2) {
        Some(bias) => floats(&bias.reshaped(&[bias.values.len()]))?,
        None => Floats::new([1])?,
    };
    let found = dense::apply(a, b, bias.view().broadcast_to([outputs])?)?;
    array(found.view(), &case.outputs[0].extents)
}

/// `GlobalAveragePool` and `GlobalMaxPool`: reductions of all rows and columns.
pub fn pooled_globally(case: &Case) -> Outcome {
    let [images, channels, rows, columns] = case.inputs[0].extents[..] else { return Err("images are pooled".into()) };
    let src = floats(&case.inputs[0].reshaped(&[images * channels, rows * columns, 1]))?;
    let found =
        if case.operator == "GlobalMaxPool" { reduce_max::<f32>::apply(&src)? } else { reduce_mean::apply(&src)? };
    array(found.view(), &case.outputs[0].extents)
}

/// `AveragePool` with channels last.
pub fn averaged(case: &Case) -> Outcome {
    let src = floats(&case.inputs[0])?;
    let [window, stride] = ["kernel_shape", "strides"].map(|name| pair(&numbers(case, name, &[1, 1])));
    let pads = numbers(case, "pads", &[0; 4]);
    let (pads, count_pad) = ([pads[0], pads[1], pads[2], pads[3]], case.number("count_include_pad", 0.0) as i32);
    let found = average_pool2d::apply(channels_last(&src)?, window, stride, pads, count_pad)?;
    array(found.view().permute([0, 3, 1, 2])?, &case.outputs[0].extents)
}

/// `ReduceSum` and its like, `ArgMax` and `ArgMin` along one dimension, or all of them where none is said.
pub fn reduced(case: &Case) -> Outcome {
    let of = match case.inputs.get(1) {
        Some(axes) => dimensions(case, axes.scalar()),
        None if case.operator.starts_with("Arg") => dimensions(case, case.number("axis", 0.0).into()),
        None => [1, case.inputs[0].values.len(), 1],
    };
    let src = floats(&case.inputs[0].reshaped(&of))?;
    let expected = &case.outputs[0].extents;
    match case.operator.as_str() {
        "ReduceSum" => array(reduce_sum::apply(&src)?.view(), expected),
        "ReduceMean" => array(reduce_mean::apply(&src)?.view(), expected),
        "ReduceMax" => array(reduce_max::<f32>::apply(&src)?.view(), expected),
        "ReduceMin" => array(reduce_min::<f32>::apply(&src)?.view(), expected),
        "ReduceProd" => array(reduce_product::apply(&src)?.view(), expected),
        "ReduceSumSquare" => array(reduce_sum_of_squares::apply(&src)?.view(), expected),
        "ArgMin" => array(argmin::apply(&src)?.view(), expected),
        _ => array(argmax::apply(&src)?.view(), expected),
    }
}

/// `CumSum`: in reverse, of views and into views whose elements are in reverse order.
pub fn summed_up(case: &Case) -> Outcome {
    let extents = &case.inputs[0].extents;
    let axis = (case.inputs[1].scalar() as i64).rem_euclid(extents.len() as i64) as usize;
    let middle = [extents[..axis].iter().product(), extents[axis], extents[axis + 1..].iter().product()];
    let own = 1 - case.number("exclusive", 0.0) as i32;
    let is_reversed = case.number("reverse", 0.0) != 0.0;
    match case.inputs[0].reshaped(&middle).held() {
        Held::I32(src) if !is_reversed => array(cumulative_sum_i32::apply(&src, own)?.view(), extents),
        Held::F32(src) if !is_reversed => array(cumulative_sum::apply(&src, own)?.view(), extents),
        Held::F32(src) => {
            let mut found = Floats::new(middle)?;
            cumulative_sum::apply_into(src.view().flip(1)?, own, found.view_mut().flip(1)?)?;
            array(found.view(), extents)
        }
        _ => Err("floats or integers are expected".into()),
    }
}

/// `DepthToSpace` in both modes, `SpaceToDepth` in its own.
pub fn in_blocks(case: &Case) -> Outcome {
    let (src, block) = (floats(&case.inputs[0])?, case.number("blocksize", 1.0) as i32);
    let src = channels_last(&src)?;
    let is_crd = case.attributes.get("mode").is_some_and(|mode| mode == "CRD");
    let found = match (case.operator.as_str(), is_crd) {
        ("SpaceToDepth", _) => space_to_depth::<f32>::apply(src, block)?,
        (_, false) => depth_to_space::<f32>::apply(src, block)?,
        (_, true) => pixel_shuffle::<f32>::apply(src, block)?,
    };
    array(found.view().permute([0, 3, 1, 2])?, &case.outputs[0].extents)
}

/// `Concat` of two tensors.
pub fn concatenated(case: &Case) -> Outcome {
    let extents = &case.inputs[0].extents;
    let axis = (case.number("axis", 0.0) as i64).rem_euclid(extents.len() as i64) as usize;
    let whole = |array: &Array| {
        let (outer, inner) = (array.extents[..axis].iter().product(), array.extents[axis + 1..].iter().product());
        floats(&array.reshaped(&[outer, array.extents[axis], inner]))
    };
    let found = concatenate::<f32>::apply(&whole(&case.inputs[0])?, &whole(&case.inputs[1])?)?;
    array(found.view(), &case.outputs[0].extents)
}

/// `Pad` with a constant.
pub fn padded(case: &Case) -> Outcome {
    let src = floats(&case.inputs[0])?;
    let pads: Vec<i32> = case.inputs[1].values.iter().map(|pad| *pad as i32).collect();
    let value = case.inputs.get(2).map_or(0.0, |value| value.scalar() as f32);
    // One dimension after the other.
    let (mut extents, mut padded) = (case.inputs[0].extents.clone(), src.to_vec());
    for axis in 0..extents.len() {
        let (outer, inner) = (extents[..axis].iter().product(), extents[axis + 1..].iter().product());
        let whole = Floats::from_vec(padded, [outer, extents[axis], inner])?;
        let found = pad_constant::<f32>::apply(&whole, pads[axis], pads[axis + extents.len()], value)?;
        (extents[axis], padded) = (found.info().shape().extents()[1], found.to_vec());
    }
    array(View::from_slice(&padded, [padded.len()])?, &extents)
}

/// `Gather` along the first dimension.
pub fn gathered(case: &Case) -> Outcome {
    let count = case.inputs[0].extents[0];
    let table = floats(&case.inputs[0].reshaped(&[count, case.inputs[0].values.len() / count]))?;
    let Held::I32(rows) = case.inputs[1].held() else { return Err("numbers of rows are integers".into()) };
    let rows =
        Tensor::with_info(TensorInfo::of::<i32>(&[case.inputs[1].values.len()])?).map(|mut flat: Tensor<i32>| {
            flat.storage_mut().copy_from_slice(&rows.to_vec());
            flat
        })?;
    array(gather_rows::<f32>::apply(&table, &rows)?.view(), &case.outputs[0].extents)
}
