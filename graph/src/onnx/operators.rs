//! What a node of a file means: its operator's attributes with the defaults of the file's version.

use super::{
    attributes::Attributes,
    cuts::{pad, slice, tile},
    numbers::{Constants, axes, few, number},
    places, resizing, tensor,
    types::made,
};
use crate::{
    error::ModelError,
    model::Elements,
    operator::{Axes, Comparison, Extremum, Function, Logic, Number, Operator, Pads, Pair, Reduction, Window},
};

/// The greatest size, stride and pad of a window: what is beyond is a mistake, and sums of such numbers don't overflow.
const GREATEST: i64 = 1 << 16;

/// The greatest power of a norm: magnitudes to a power are floats.
const MOST_POWER: u32 = 64;

/// Returns the operator of a node whose constant inputs `constant` finds by their number.
pub(super) fn operator<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Operator, ModelError> {
    if let Some(known) = elsewhere(node, constant)
        .or_else(|| places::placed(node, constant))
        .or_else(|| reductions(node, constant))
        .or_else(|| normalisations(node))
        .or_else(|| numbers(node))
    {
        return Ok(known.unwrap_or_else(|reason| Operator::Other(reason.to_owned())));
    }
    let known = match node.kind {
        "Conv" => window(node)?.and_then(|window| {
            let groups = usize::try_from(node.int("group", 1)).ok().filter(|&groups| groups > 0);
            groups.map(|groups| Operator::Convolution { window, groups }).ok_or("it has no group")
        }),
        "ConvTranspose" => transposed(node)?,
        "Gemm" => Ok(Operator::Product {
            alpha: node.float("alpha", 1.0),
            beta: node.float("beta", 1.0),
            transposed: [node.is_set("transA"), node.is_set("transB")],
        }),
        "MaxPool" if node.node.outputs.get(1).is_some_and(|indices| !indices.is_empty()) => {
            Err("it writes the places of the greatest elements")
        }
        "MaxPool" => sized(window(node)?).map(Operator::MaxPool),
        "AveragePool" => {
            let counts_pads = node.is_set("count_include_pad");
            sized(window(node)?).map(|window| Operator::AveragePool { window, counts_pads })
        }
        "LpPool" => match u32::try_from(node.int("p", 2)) {
            Ok(power @ 1..=MOST_POWER) => sized(window(node)?).map(|window| Operator::NormPool { window, power }),
            _ => Err("its norm is of none of the powers 1 to 64"),
        },
        "MatMul" => Ok(Operator::Matrices),
        "Relu" => Ok(Operator::Relu),
        "Clip" => clip(node, constant),
        "Add" | "Sum" => Ok(Operator::Add),
        "Mul" => Ok(Operator::Multiply),
        "Sub" => Ok(Operator::Pair(Pair::Subtract)),
        "Div" => Ok(Operator::Pair(Pair::Divide)),
        "Pow" => Ok(Operator::Pair(Pair::Power)),
        "PRelu" => Ok(Operator::Pair(Pair::Prelu)),
        "Min" => Ok(Operator::Pair(Pair::Minimum)),
        "Max" => Ok(Operator::Pair(Pair::Maximum)),
        _ => function(node).map(Operator::Function).ok_or("no operator of the library is one"),
    };
    Ok(known.unwrap_or_else(|reason| Operator::Other(reason.to_owned())))
}

/// An operator, or why it is none that is known; `None` for a node of another kind.
type Known = Option<Result<Operator, &'static str>>;

/// Nodes that write elements of what they read, in other places.
fn elsewhere<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Known {
    Some(match node.kind {
        "Concat" => Ok(Operator::Concatenate { axis: node.int("axis", 1) }),
        "Reshape" => Ok(Operator::Reshape { keeps_zeros: node.is_set("allowzero") }),
        "Flatten" => Ok(Operator::Flatten { axis: node.int("axis", 1) }),
        "Squeeze" => axes(node, constant, 13).map(Operator::Squeeze),
        "Unsqueeze" => axes(node, constant, 13).and_then(|axes| axes.map(Operator::Unsqueeze).ok_or("it has no axes")),
        "Transpose" => Ok(Operator::Transpose(node.ints("perm").map(<[i64]>::to_vec))),
        "Slice" => slice(node, constant).map(Operator::Slice),
        "Pad" => pad(node, constant),
        "Expand" => Ok(Operator::Expand),
        "Tile" => tile(node, constant),
        "Gather" => Ok(Operator::Gather { axis: node.int("axis", 0) }),
        "DepthToSpace" => squares(node).map(|(block, is_by_channel)| Operator::DepthToSpace { block, is_by_channel }),
        "SpaceToDepth" => squares(node).map(|(block, is_by_channel)| Operator::SpaceToDepth { block, is_by_channel }),
        "Resize" | "Upsample" => resizing::resizing(node, constant).map(Operator::Resize),
        "Identity" => Ok(Operator::Identity),
        "Dropout" if node.node.inputs.get(2).is_some_and(|training| !training.is_empty()) => {
            Err("whether it is in training is an input")
        }
        "Dropout" => Ok(Operator::Identity),
        _ => return None,
    })
}

/// Nodes that make one element of several.
fn reductions<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Known {
    Some(match node.kind {
        "GlobalAveragePool" => Ok(Operator::Reduction { by: Reduction::Mean, axes: Axes::OfImage, keeps: true }),
        "GlobalMaxPool" => Ok(Operator::Reduction { by: Reduction::Greatest, axes: Axes::OfImage, keeps: true }),
        "ReduceSum" => reduction(node, constant, Reduction::Sum, 13),
        "ReduceMean" => reduction(node, constant, Reduction::Mean, 18),
        "ReduceMax" => reduction(node, constant, Reduction::Greatest, 18),
        "ReduceMin" => reduction(node, constant, Reduction::Least, 18),
        "ReduceProd" => reduction(node, constant, Reduction::Product, 18),
        "ReduceL1" => reduction(node, constant, Reduction::Magnitudes, 18),
        "ReduceL2" => reduction(node, constant, Reduction::Norm, 18),
        "ReduceSumSquare" => reduction(node, constant, Reduction::Squares, 18),
        "ReduceLogSum" => reduction(node, constant, Reduction::LogSum, 18),
        "ReduceLogSumExp" => reduction(node, constant, Reduction::LogSumExp, 18),
        "GlobalLpPool" if node.int("p", 2) == 1 => {
            Ok(Operator::Reduction { by: Reduction::Magnitudes, axes: Axes::OfImage, keeps: true })
        }
        "GlobalLpPool" if node.int("p", 2) == 2 => {
            Ok(Operator::Reduction { by: Reduction::Norm, axes: Axes::OfImage, keeps: true })
        }
        "GlobalLpPool" => Err("its norm is neither of the power 1 nor of 2"),
        "ArgMax" | "ArgMin" if node.is_set("select_last_index") => Err("it finds the last of equal elements"),
        "ArgMax" => Ok(place(node, Extremum::Greatest)),
        "ArgMin" => Ok(place(node, Extremum::Least)),
        _ => return None,
    })
}

/// Nodes whose elements are in terms of others of the same tensor.
fn normalisations(node: &Attributes<'_, '_>) -> Known {
    let epsilon = 1e-5;
    Some(match node.kind {
        "BatchNormalization" if node.is_set("training_mode") || node.node.outputs.len() > 1 => Err("it is in training"),
        "BatchNormalization" if node.int("spatial", 1) == 0 => Err("it normalises each place by itself"),
        "BatchNormalization" => Ok(Operator::BatchNormalization { epsilon: node.float("epsilon", epsilon) }),
        "LayerNormalization" if node.node.outputs.len() > 1 => Err("it writes means"),
        "LayerNormalization" => {
            Ok(Operator::LayerNormalization { axis: node.int("axis", -1), epsilon: node.float("epsilon", epsilon) })
        }
        "InstanceNormalization" => Ok(Operator::InstanceNormalization { epsilon: node.float("epsilon", epsilon) }),
        "GroupNormalization" => match usize::try_from(node.int("num_groups", 0)) {
            Ok(groups @ 1..) => Ok(Operator::GroupNormalization {
                groups,
                epsilon: node.float("epsilon", epsilon),
                is_scaled_by_group: node.version < 21,
            }),
            _ => Err("it has no group"),
        },
        "MeanVarianceNormalization" => few(node.ints("axes"), 1)
            .map(|axes| Operator::MeanVarianceNormalization { axes: axes.unwrap_or(&[0, 2, 3]).to_vec() }),
        "LpNormalization" if node.int("p", 2) == 2 => Ok(Operator::LengthNormalization { axis: node.int("axis", -1) }),
        "LpNormalization" => Err("its norm is not of the power 2"),
        "LRN" => match usize::try_from(node.int("size", 0)).ok().filter(|size| (1..=255).contains(size)) {
            Some(size) => Ok(Operator::LocalResponseNormalization {
                size,
                alpha: node.float("alpha", 1e-4),
                beta: node.float("beta", 0.75),
                bias: node.float("bias", 1.0),
            }),
            None => Err("its sums are of 1 to 255 channels"),
        },
        "Softmax" | "LogSoftmax" => {
            let (joins, is_logarithm) = (node.version < 13, node.kind == "LogSoftmax");
            Ok(Operator::Softmax { axis: node.int("axis", if joins { 1 } else { -1 }), joins, is_logarithm })
        }
        "Hardmax" => {
            let joins = node.version < 13;
            Ok(Operator::Hardmax { axis: node.int("axis", if joins { 1 } else { -1 }), joins })
        }
        _ => return None,
    })
}

/// Truth values, types, and what is made of shapes.
fn numbers(node: &Attributes<'_, '_>) -> Known {
    Some(match node.kind {
        "Shape" => Ok(Operator::Shape { start: node.int("start", 0), end: node.int("end", i64::MAX) }),
        "Size" => Ok(Operator::Size),
        "ConstantOfShape" => filling(node).map(Operator::Fill),
        "Range" => Ok(Operator::Range),
        "Equal" => Ok(Operator::Compare(Comparison::Equal)),
        "Greater" => Ok(Operator::Compare(Comparison::Greater)),
        "GreaterOrEqual" => Ok(Operator::Compare(Comparison::GreaterOrEqual)),
        "Less" => Ok(Operator::Compare(Comparison::Less)),
        "LessOrEqual" => Ok(Operator::Compare(Comparison::LessOrEqual)),
        "And" => Ok(Operator::Logic(Logic::And)),
        "Or" => Ok(Operator::Logic(Logic::Or)),
        "Xor" => Ok(Operator::Logic(Logic::Xor)),
        "Not" => Ok(Operator::Not),
        "Where" => Ok(Operator::Select),
        "Cast" => made(node.int("to", 0)).map(Operator::Cast).ok_or("it makes elements that are not computed with"),
        _ => return None,
    })
}

/// The function of each element that a node is, with its attributes.
fn function(node: &Attributes<'_, '_>) -> Option<Function> {
    let alpha = |otherwise: f32| node.float("alpha", otherwise);
    Some(match node.kind {
        "Abs" => Function::Abs,
        "Neg" => Function::Neg,
        "Exp" => Function::Exp,
        "Log" => Function::Log,
        "Sqrt" => Function::Sqrt,
        "Reciprocal" => Function::Reciprocal,
        "Erf" => Function::Erf,
        "Floor" => Function::Floor,
        "Ceil" => Function::Ceil,
        "Round" => Function::Round,
        "Sign" => Function::Sign,
        "Sin" => Function::Sin,
        "Cos" => Function::Cos,
        "Tan" => Function::Tan,
        "Asin" => Function::Asin,
        "Acos" => Function::Acos,
        "Atan" => Function::Atan,
        "Sinh" => Function::Sinh,
        "Cosh" => Function::Cosh,
        "Asinh" => Function::Asinh,
        "Acosh" => Function::Acosh,
        "Atanh" => Function::Atanh,
        "Shrink" => Function::Shrink { level: node.float("lambd", 0.5), bias: node.float("bias", 0.0) },
        "ThresholdedRelu" => Function::ThresholdedRelu { level: alpha(1.0) },
        "Sigmoid" => Function::Sigmoid,
        "Tanh" => Function::Tanh,
        "Softplus" => Function::Softplus,
        "Softsign" => Function::Softsign,
        "Mish" => Function::Mish,
        "HardSwish" => Function::HardSwish,
        "Gelu" if node.text("approximate") == Some(b"tanh") => Function::GeluTanh,
        "Gelu" => Function::Gelu,
        "LeakyRelu" => Function::LeakyRelu { slope: alpha(0.01) },
        "HardSigmoid" => Function::HardSigmoid { alpha: alpha(0.2), beta: node.float("beta", 0.5) },
        "Elu" => Function::Elu { alpha: alpha(1.0) },
        "Selu" => Function::Selu { alpha: alpha(1.673_263_2), gamma: node.float("gamma", 1.050_701) },
        "Celu" => Function::Celu { alpha: alpha(1.0) },
        "Swish" => Function::Swish { alpha: alpha(1.0) },
        _ => return None,
    })
}

/// Dimensions that become one element; all of them where none is said.
fn reduction<'m>(
    node: &Attributes<'_, '_>,
    constant: Constants<'_, 'm>,
    by: Reduction,
    since: i64,
) -> Result<Operator, &'static str> {
    let axes = axes(node, constant, since)?.filter(|axes| !axes.is_empty());
    if axes.is_none() && node.is_set("noop_with_empty_axes") {
        return Ok(Operator::Identity);
    }
    Ok(Operator::Reduction { by, axes: axes.map_or(Axes::All, Axes::These), keeps: node.int("keepdims", 1) != 0 })
}

/// The windows of a convolution or of a pooling; why not, where they are none of two dimensions.
fn window(node: &Attributes<'_, '_>) -> Result<Result<Window, &'static str>, ModelError> {
    let names = ["kernel_shape", "strides", "dilations"];
    let of_two = names.iter().all(|name| node.ints(name).is_none_or(|ints| ints.len() == 2));
    if !of_two || node.ints("pads").is_some_and(|pads| pads.len() != 4) {
        return Ok(Err("its windows have another number of dimensions than two"));
    }
    let pads = match node.text("auto_pad") {
        None | Some(b"NOTSET" | b"") => Pads::Explicit(node.sizes("pads", 0..=GREATEST)?.unwrap_or([0; 4])),
        Some(b"VALID") => Pads::Explicit([0; 4]),
        Some(b"SAME_UPPER") => Pads::Same { before: false },
        Some(b"SAME_LOWER") => Pads::Same { before: true },
        Some(other) => {
            let found = String::from_utf8_lossy(other).into_owned();
            return Err(node.refused("auto_pad", found, "it is NOTSET, VALID, SAME_UPPER or SAME_LOWER"));
        }
    };
    Ok(Ok(Window {
        size: node.sizes("kernel_shape", 1..=GREATEST)?,
        stride: node.sizes("strides", 1..=GREATEST)?.unwrap_or([1; 2]),
        dilation: node.sizes("dilations", 1..=GREATEST)?.unwrap_or([1; 2]),
        pads,
        is_ceiled: node.is_set("ceil_mode"),
    }))
}

/// The parts, pads and extents of a transposed convolution.
fn transposed(node: &Attributes<'_, '_>) -> Result<Result<Operator, &'static str>, ModelError> {
    let window = match window(node)? {
        Ok(window) => window,
        Err(reason) => return Ok(Err(reason)),
    };
    let is_pair = |name: &str| node.ints(name).is_none_or(|ints| ints.len() == 2);
    if !is_pair("output_padding") || !is_pair("output_shape") {
        return Ok(Err("its windows have another number of dimensions than two"));
    }
    let extra = node.sizes("output_padding", 0..=GREATEST)?.unwrap_or([0; 2]);
    let extents = node.sizes("output_shape", 1..=1 << 30)?;
    let groups = usize::try_from(node.int("group", 1)).ok().filter(|&groups| groups > 0);
    let operator = |groups| Operator::TransposedConvolution { window, groups, extra, extents };
    Ok(groups.map(operator).ok_or("it has no group"))
}

/// What `ConstantOfShape` fills a tensor with.
fn filling(node: &Attributes<'_, '_>) -> Result<Number, &'static str> {
    let Some(value) = node.get("value").and_then(|attribute| attribute.tensor.as_ref()) else {
        return Ok(Number::Float(0.0));
    };
    match tensor::constant(node.name, value).map(|constant| constant.elements) {
        Ok(Elements::Floats(floats)) if floats.len() == 1 => Ok(Number::Float(floats[0])),
        Ok(Elements::Ints(ints)) if ints.len() == 1 => Ok(Number::Integer(ints[0])),
        _ => Err("it is filled with something else than one float or integer"),
    }
}

fn place(node: &Attributes<'_, '_>, of: Extremum) -> Operator {
    Operator::Place { of, axis: node.int("axis", 0), keeps: node.int("keepdims", 1) != 0 }
}

/// The rows and columns of a square of elements, and whether the squares of one channel follow each other.
fn squares(node: &Attributes<'_, '_>) -> Result<(usize, bool), &'static str> {
    let is_by_channel = match node.text("mode") {
        None | Some(b"DCR") => false,
        Some(b"CRD") => true,
        Some(_) => return Err("its channels are in an order that is neither DCR nor CRD"),
    };
    let block = usize::try_from(node.int("blocksize", 0)).ok().filter(|block| (1..=1 << 15).contains(block));
    Ok((block.ok_or("its squares have no rows")?, is_by_channel))
}

/// Windows whose size no weights say.
fn sized(window: Result<Window, &'static str>) -> Result<Window, &'static str> {
    window.and_then(|window| if window.size.is_some() { Ok(window) } else { Err("its windows have no size") })
}

/// The bounds are attributes at first, and inputs from version 11 on.
fn clip<'m>(node: &Attributes<'_, '_>, constant: Constants<'_, 'm>) -> Result<Operator, &'static str> {
    if node.version < 11 {
        let (lower, upper) = (node.float("min", f32::MIN), node.float("max", f32::MAX));
        return Ok(Operator::Clip { lower, upper });
    }
    let lower = number(node, constant, 1, f32::NEG_INFINITY)?;
    Ok(Operator::Clip { lower, upper: number(node, constant, 2, f32::INFINITY)? })
}
