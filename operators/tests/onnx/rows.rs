//! Operators of ONNX along one dimension, which is the last of what the library's are given.

use windrow::{Tensor, View};
use windrow_operators::*;

use crate::{
    case::{Array, Case},
    operators::Outcome,
    tensors::{array, floats},
};

type Floats = Tensor<f32>;
type Failure = Box<dyn std::error::Error>;

/// The dimension that a test says, and how many elements are outside it, along it and inside it.
pub fn dimensions(case: &Case, axis: f64) -> [usize; 3] {
    let extents = &case.inputs[0].extents;
    let axis = (axis as i64).rem_euclid(extents.len() as i64) as usize;
    [extents[..axis].iter().product(), extents[axis], extents[axis + 1..].iter().product()]
}

/// The elements as rows along a dimension.
fn rows(array: &Array, [outer, length, inner]: [usize; 3]) -> Result<Floats, Failure> {
    let tensor = floats(&array.reshaped(&[outer, length, inner]))?;
    let elements = tensor.view().permute([0, 2, 1])?.to_vec();
    Ok(Floats::from_vec(elements, [outer * inner, length])?)
}

/// `Softmax`, `LogSoftmax` and `LpNormalization`: rows become others.
pub fn changed(case: &Case) -> Outcome {
    let of @ [outer, length, inner] = dimensions(case, case.number("axis", -1.0).into());
    let src = rows(&case.inputs[0], of)?;
    let found: Floats = match case.operator.as_str() {
        "Softmax" => softmax::apply(&src)?,
        "LogSoftmax" => log_softmax::apply(&src)?,
        _ => row_l2_normalize::apply(&src)?,
    };
    let found = Floats::from_vec(found.to_vec(), [outer, inner, length])?;
    array(found.view().permute([0, 2, 1])?, &case.outputs[0].extents)
}

/// `ReduceSumSquare`, `ReduceL1`, `ReduceL2` and `ReduceMin`: all dimensions where none is said.
pub fn reduced(case: &Case) -> Outcome {
    let of = match case.inputs.get(1) {
        Some(axes) => dimensions(case, axes.scalar()),
        None => [1, case.inputs[0].values.len(), 1],
    };
    let src = rows(&case.inputs[0], of)?;
    let found: Floats = match case.operator.as_str() {
        "ReduceSumSquare" => row_sum_of_squares::apply(&src)?,
        "ReduceL1" => row_l1::apply(&src)?,
        "ReduceL2" => row_l2::apply(&src)?,
        _ => row_least::<f32>::apply(&src)?,
    };
    array(found.view(), &case.outputs[0].extents)
}

/// `LayerNormalization` and `RMSNormalization`: rows are all dimensions from one on.
pub fn normalized(case: &Case) -> Outcome {
    let [outer, length, inner] = dimensions(case, case.number("axis", -1.0).into());
    let columns = length * inner;
    let src = floats(&case.inputs[0].reshaped(&[outer, columns]))?;
    let of_columns = |place: usize| floats(&case.inputs[place].reshaped(&[columns]));
    let (scale, epsilon) = (of_columns(1)?, case.number("epsilon", 1e-5));
    let found: Floats = match case.operator.as_str() {
        "LayerNormalization" => layer_norm::apply(&src, &scale, &of_columns(2)?, epsilon)?,
        _ => rms_norm::apply(&src, &scale, epsilon)?,
    };
    array(found.view(), &case.outputs[0].extents)
}

/// `InstanceNormalization`: a row is a channel of an image.
pub fn of_instances(case: &Case) -> Outcome {
    let extents = &case.inputs[0].extents;
    let (images, channels) = (extents[0], extents[1]);
    let src = floats(&case.inputs[0].reshaped(&[images * channels, extents[2..].iter().product()]))?;
    let of_rows = |place: usize| -> Result<Floats, Failure> {
        let channel = floats(&case.inputs[place])?.to_vec();
        Ok(Floats::from_vec(channel.repeat(images), [images * channels])?)
    };
    let found: Floats = instance_norm::apply(&src, &of_rows(1)?, &of_rows(2)?, case.number("epsilon", 1e-5))?;
    let found: View<'_, f32> = found.view();
    array(found, extents)
}
