//! What a node of a file means: its operator's attributes with the defaults of the file's version.

use super::attributes::Attributes;
use crate::{
    error::ModelError,
    model::{Constant, Elements},
    operator::{Axes, Function, Operator, Pads, Pair, Reduction, Window},
};

/// The greatest size, stride and pad of a window: what is beyond is a mistake, and sums of such numbers don't overflow.
const GREATEST: i64 = 1 << 16;

/// Returns the operator of a node whose constant inputs `constant` finds by their number.
pub(super) fn operator<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Operator, ModelError> {
    let epsilon = 1e-5;
    let known = match node.node.operator {
        "Conv" => window(node)?.and_then(|window| {
            let groups = usize::try_from(node.int("group", 1)).ok().filter(|&groups| groups > 0);
            groups.map(|groups| Operator::Convolution { window, groups }).ok_or("it has no group")
        }),
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
        "GlobalAveragePool" => Ok(Operator::Reduction { by: Reduction::Mean, axes: Axes::OfImage, keeps: true }),
        "GlobalMaxPool" => Ok(Operator::Reduction { by: Reduction::Greatest, axes: Axes::OfImage, keeps: true }),
        "ReduceSum" => reduction(node, constant, Reduction::Sum, 13),
        "ReduceMean" => reduction(node, constant, Reduction::Mean, 18),
        "ReduceMax" => reduction(node, constant, Reduction::Greatest, 18),
        "ReduceMin" => reduction(node, constant, Reduction::Least, 18),
        "BatchNormalization" if node.is_set("training_mode") || node.node.outputs.len() > 1 => Err("it is in training"),
        "BatchNormalization" if node.int("spatial", 1) == 0 => Err("it normalises each place by itself"),
        "BatchNormalization" => Ok(Operator::BatchNormalization { epsilon: node.float("epsilon", epsilon) }),
        "LayerNormalization" if node.node.outputs.len() > 1 => Err("it writes means"),
        "LayerNormalization" => {
            Ok(Operator::LayerNormalization { axis: node.int("axis", -1), epsilon: node.float("epsilon", epsilon) })
        }
        "LRN" => match usize::try_from(node.int("size", 0)).ok().filter(|size| (1..=255).contains(size)) {
            Some(size) => Ok(Operator::LocalResponseNormalization {
                size,
                alpha: node.float("alpha", 1e-4),
                beta: node.float("beta", 0.75),
                bias: node.float("bias", 1.0),
            }),
            None => Err("its sums are of 1 to 255 channels"),
        },
        "MatMul" => Ok(Operator::Matrices),
        "Relu" => Ok(Operator::Relu),
        "Clip" => clip(node, constant),
        "Add" | "Sum" => Ok(Operator::Add),
        "Mul" => Ok(Operator::Multiply),
        "Concat" => Ok(Operator::Concatenate { axis: node.int("axis", 1) }),
        "Softmax" if node.version < 13 => Ok(Operator::Softmax { axis: node.int("axis", 1), joins: true }),
        "Softmax" => Ok(Operator::Softmax { axis: node.int("axis", -1), joins: false }),
        "Reshape" => Ok(Operator::Reshape { keeps_zeros: node.is_set("allowzero") }),
        "Flatten" => Ok(Operator::Flatten { axis: node.int("axis", 1) }),
        "Squeeze" => axes(node, constant, 13).map(Operator::Squeeze),
        "Unsqueeze" => axes(node, constant, 13).and_then(|axes| axes.map(Operator::Unsqueeze).ok_or("it has no axes")),
        "Transpose" => Ok(Operator::Transpose(node.ints("perm").map(<[i64]>::to_vec))),
        "Identity" => Ok(Operator::Identity),
        "Dropout" if node.node.inputs.get(2).is_some_and(|training| !training.is_empty()) => {
            Err("whether it is in training is an input")
        }
        "Dropout" => Ok(Operator::Identity),
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

/// The function of each element that a node is, with its attributes.
fn function(node: &Attributes<'_, '_>) -> Option<Function> {
    let alpha = |otherwise: f32| node.float("alpha", otherwise);
    Some(match node.node.operator {
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
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
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

/// Windows whose size no weights say.
fn sized(window: Result<Window, &'static str>) -> Result<Window, &'static str> {
    window.and_then(|window| if window.size.is_some() { Ok(window) } else { Err("its windows have no size") })
}

/// The bounds are attributes at first, and inputs from version 11 on.
fn clip<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Operator, &'static str> {
    if node.version < 11 {
        let (lower, upper) = (node.float("min", f32::MIN), node.float("max", f32::MAX));
        return Ok(Operator::Clip { lower, upper });
    }
    let bound = |input: usize, otherwise: f32| {
        if node.node.inputs.get(input).is_none_or(|name| name.is_empty()) {
            return Ok(otherwise);
        }
        match constant(input).map(|constant| &constant.elements) {
            Some(Elements::Floats(floats)) => floats.first().copied().ok_or("a bound has no element"),
            Some(Elements::Filled(value)) => Ok(*value),
            _ => Err("its bounds are no constants of floats"),
        }
    };
    Ok(Operator::Clip { lower: bound(1, f32::NEG_INFINITY)?, upper: bound(2, f32::INFINITY)? })
}

/// Dimensions are an attribute at first, and an input from one version on.
fn axes<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
    since: i64,
) -> Result<Option<Vec<i64>>, &'static str> {
    if node.version < since {
        return Ok(node.ints("axes").map(<[i64]>::to_vec));
    }
    if node.node.inputs.get(1).is_none_or(|name| name.is_empty()) {
        return Ok(None);
    }
    match constant(1).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) => Ok(Some(ints.to_vec())),
        _ => Err("its axes are no constant of integers"),
    }
}
