//! What a node of a file means: its operator's attributes with the defaults of the file's version.

use super::attributes::Attributes;
use crate::{
    error::ModelError,
    model::{Constant, Elements},
    operator::{Axes, Cut, Function, Operator, Pads, Pair, PartOf, Reduction, Window},
    shape::MAX_RANK,
};

/// The greatest size, stride and pad of a window: what is beyond is a mistake, and sums of such numbers don't overflow.
const GREATEST: i64 = 1 << 16;

/// Returns the operator of a node whose constant inputs `constant` finds by their number.
pub(super) fn operator<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Operator, ModelError> {
    let epsilon = 1e-5;
    let known = match node.kind {
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
        "Slice" => slice(node, constant).map(Operator::Slice),
        "Pad" => pad(node, constant),
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
    let lower = number(node, constant, 1, f32::NEG_INFINITY)?;
    Ok(Operator::Clip { lower, upper: number(node, constant, 2, f32::INFINITY)? })
}

/// An input of one float, which must be a constant.
fn number<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
    input: usize,
    otherwise: f32,
) -> Result<f32, &'static str> {
    if node.node.inputs.get(input).is_none_or(|name| name.is_empty()) {
        return Ok(otherwise);
    }
    match constant(input).map(|constant| &constant.elements) {
        Some(Elements::Floats(floats)) => floats.first().copied().ok_or("a number has no element"),
        Some(Elements::Filled(value)) => Ok(*value),
        _ => Err("its numbers are no constants of floats"),
    }
}

/// Numbers for each dimension, of which nodes keep a copy: no more than there are dimensions, whatever a file says that many nodes share.
fn few(numbers: Option<&[i64]>, each: usize) -> Result<Option<&[i64]>, &'static str> {
    match numbers {
        Some(numbers) if numbers.len() > each * MAX_RANK => Err("it has numbers for more dimensions than 6"),
        numbers => Ok(numbers),
    }
}

/// An input of integers, which must be a constant; `None` where it is left out.
fn ints<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
    input: usize,
) -> Result<Option<&'m [i64]>, &'static str> {
    if node.node.inputs.get(input).is_none_or(|name| name.is_empty()) {
        return Ok(None);
    }
    match constant(input).map(|constant| &constant.elements) {
        Some(Elements::Ints(ints)) => Ok(Some(ints)),
        _ => Err("its numbers are no constants of integers"),
    }
}

/// Numbers are attributes at first, and inputs from version 10 on.
fn slice<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Vec<Cut>, &'static str> {
    let numbers = |name: &str, input: usize| {
        let numbers = if node.version < 10 { node.ints(name) } else { ints(node, constant, input)? };
        few(numbers, 1).map(|numbers| numbers.map(<[i64]>::to_vec))
    };
    let (Some(starts), Some(ends)) = (numbers("starts", 1)?, numbers("ends", 2)?) else {
        return Err("its places are left out");
    };
    let axes = numbers("axes", 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = if node.version < 10 { None } else { numbers("steps", 4)? }.unwrap_or_else(|| vec![1; starts.len()]);
    if [&ends, &axes, &steps].iter().any(|numbers| numbers.len() != starts.len()) {
        return Err("it has not as many ends, axes and steps as starts");
    }
    let cut = |at: usize| {
        let step = usize::try_from(steps[at]).ok().filter(|step| (1..=1 << 30).contains(step));
        let step = step.ok_or("its steps are backwards, or none")?;
        Ok(Cut { axis: axes[at], start: starts[at], end: ends[at], step })
    };
    (0..starts.len()).map(cut).collect()
}

/// Numbers are attributes at first, and inputs from version 11 on.
fn pad<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Operator, &'static str> {
    if !matches!(node.text("mode"), None | Some(b"constant")) {
        return Err("what it puts around is no number");
    }
    let (pads, value) = if node.version < 11 {
        (node.ints("pads"), node.float("value", 0.0))
    } else if ints(node, constant, 3)?.is_some() {
        return Err("it names dimensions");
    } else {
        (ints(node, constant, 1)?, number(node, constant, 2, 0.0)?)
    };
    let pads = few(pads, 2)?.ok_or("its pads are left out")?.iter();
    let pads = pads.map(|&pad| usize::try_from(pad).ok().filter(|&pad| pad <= 4095).ok_or("its pads are 0 to 4095"));
    Ok(Operator::Pad { pads: pads.collect::<Result<_, _>>()?, value })
}

/// The parts of `Split`, as many as outputs: their sizes are an attribute at first, and an input from version 13 on.
pub(super) fn parts<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
) -> Result<Vec<PartOf>, &'static str> {
    let count = node.node.outputs.len();
    let sizes = if node.version < 13 { node.ints("split") } else { ints(node, constant, 1)? };
    let Some(sizes) = sizes else {
        return Ok((0..count).map(|index| PartOf::Equal { index, count }).collect());
    };
    let sizes = sizes.iter().map(|&size| usize::try_from(size).ok().filter(|size| (1..=1 << 30).contains(size)));
    let sizes = sizes.collect::<Option<Vec<_>>>().filter(|sizes| sizes.len() == count);
    let sizes = sizes.ok_or("it has not one size for each output")?;
    let all = sizes.iter().sum();
    let mut start = 0;
    let part = |extent: usize| {
        start += extent;
        PartOf::These { start: start - extent, extent, all }
    };
    Ok(sizes.into_iter().map(part).collect())
}

/// Dimensions are an attribute at first, and an input from one version on.
fn axes<'m>(
    node: &Attributes<'_, '_>,
    constant: &dyn Fn(usize) -> Option<&'m Constant>,
    since: i64,
) -> Result<Option<Vec<i64>>, &'static str> {
    let axes = if node.version < since { node.ints("axes") } else { ints(node, constant, 1)? };
    few(axes, 1).map(|axes| axes.map(<[i64]>::to_vec))
}
