//! What a node of a file means: its operator's attributes with the defaults of the file's version.

use super::attributes::Attributes;
use crate::{
    error::ModelError,
    model::{Constant, Elements},
    operator::{Operator, Pads, Window},
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
        "GlobalAveragePool" => Ok(Operator::GlobalAveragePool),
        "BatchNormalization" if node.is_set("training_mode") || node.node.outputs.len() > 1 => Err("it is in training"),
        "BatchNormalization" if node.int("spatial", 1) == 0 => Err("it normalises each place by itself"),
        "BatchNormalization" => Ok(Operator::BatchNormalization { epsilon: node.float("epsilon", epsilon) }),
        "Relu" => Ok(Operator::Relu),
        "Clip" => clip(node, constant),
        "Add" | "Sum" => Ok(Operator::Add),
        "Mul" => Ok(Operator::Multiply),
        "Concat" => Ok(Operator::Concatenate { axis: node.int("axis", 1) }),
        "Softmax" if node.version < 13 => Ok(Operator::Softmax { axis: node.int("axis", 1), joins: true }),
        "Softmax" => Ok(Operator::Softmax { axis: node.int("axis", -1), joins: false }),
        "Reshape" => Ok(Operator::Reshape { keeps_zeros: node.is_set("allowzero") }),
        "Flatten" => Ok(Operator::Flatten { axis: node.int("axis", 1) }),
        "Squeeze" => axes(node, constant).map(Operator::Squeeze),
        "Unsqueeze" => axes(node, constant).and_then(|axes| axes.map(Operator::Unsqueeze).ok_or("it has no axes")),
        "Transpose" => Ok(Operator::Transpose(node.ints("perm").map(<[i64]>::to_vec))),
        "Identity" => Ok(Operator::Identity),
        "Dropout" if node.node.inputs.get(2).is_some_and(|training| !training.is_empty()) => {
            Err("whether it is in training is an input")
        }
        "Dropout" => Ok(Operator::Identity),
        _ => Err("no operator of the library is one"),
    };
    Ok(known.unwrap_or_else(|reason| Operator::Other(reason.to_owned())))
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

/// Dimensions are an attribute at first, and an input from version 13 on.
fn axes<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Option<Vec<i64>>, &'static str> {
    if node.version < 13 {
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
