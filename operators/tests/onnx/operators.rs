//! Which operator computes which operator of ONNX: one row each.

use std::error::Error;

use windrow::{
    AnyView, Border, ElementType, Scalar, Tensor, TensorInfo,
    family::{Family, Value, code_of},
};
use windrow_operators::{families::*, *};

use crate::{
    case::{Array, Case, Held},
    regions, rows, tensors,
};

/// An operator of ONNX, and what computes it.
pub struct Row {
    pub operator: &'static str,
    pub compute: fn(&Case) -> Outcome,
}

pub type Outcome = Result<Array, Box<dyn Error>>;

macro_rules! rows {
    ($($operator:literal, $compute:expr;)*) => {
        &[$(Row { operator: $operator, compute: $compute }),*]
    };
}

/// A kernel that is in no family, as a family of one.
macro_rules! alone {
    ($kernel:ident) => {{
        static ALONE: Family = Family::new(stringify!($kernel), &[code_of::<$kernel>()]);
        &ALONE
    }};
}

/// Every operator that is named as ONNX' own.
#[rustfmt::skip]
pub const ROWS: &[Row] = rows! {
    "Abs",                |case| plain(case, alone!(absolute));
    "Neg",                |case| plain(case, alone!(negate));
    "Sign",               |case| plain(case, alone!(sign));
    "Floor",              |case| plain(case, alone!(floor));
    "Ceil",               |case| plain(case, alone!(ceil));
    "Round",              |case| plain(case, alone!(round));
    "Sqrt",               |case| plain(case, alone!(sqrt));
    "Reciprocal",         |case| plain(case, alone!(reciprocal));
    "Add",                |case| wrapping(case, &ADD);
    "Sub",                |case| wrapping(case, &SUBTRACT);
    "Mul",                |case| wrapping(case, &MULTIPLY);
    "Div",                |case| plain(case, alone!(divide));
    "Min",                |case| plain(case, &MINIMUM);
    "Max",                |case| plain(case, &MAXIMUM);
    "Equal",              |case| comparison(case, "Equal");
    "Greater",            |case| comparison(case, "Greater");
    "GreaterOrEqual",     |case| comparison(case, "GreaterEqual");
    "Less",               |case| comparison(case, "Less");
    "LessOrEqual",        |case| comparison(case, "LessEqual");
    "Where",              |case| plain(case, &SELECT);
    "And",                |case| plain(case, alone!(bitwise_and));
    "Or",                 |case| plain(case, alone!(bitwise_or));
    "Xor",                |case| plain(case, alone!(bitwise_xor));
    "Relu",               |case| plain(case, alone!(relu));
    "PRelu",              |case| plain(case, alone!(prelu));
    "LeakyRelu",          |case| run(alone!(leaky_relu), &case.inputs, &[("slope", case.number("alpha", 0.01).into())], None);
    "HardSigmoid",        |case| run(alone!(hard_sigmoid), &case.inputs, &[("alpha", case.number("alpha", 0.2).into()), ("beta", case.number("beta", 0.5).into())], None);
    "HardSwish",          |case| plain(case, alone!(hard_swish));
    "Clip",               clipped;
    "Shrink",             |case| run(alone!(shrink), &case.inputs, &[("level", case.number("lambd", 0.5).into()), ("bias", case.number("bias", 0.0).into())], None);
    "Softsign",           |case| plain(case, alone!(soft_sign));
    "ThresholdedRelu",    |case| run(alone!(thresholded_relu), &case.inputs, &[("level", case.number("alpha", 1.0).into())], None);
    "Exp",                |case| plain(case, alone!(exp));
    "Log",                |case| plain(case, alone!(log));
    "Sin",                |case| plain(case, alone!(sin));
    "Cos",                |case| plain(case, alone!(cos));
    "Tan",                |case| plain(case, alone!(tan));
    "Asin",               |case| plain(case, alone!(asin));
    "Acos",               |case| plain(case, alone!(acos));
    "Atan",               |case| plain(case, alone!(atan));
    "Sinh",               |case| plain(case, alone!(sinh));
    "Cosh",               |case| plain(case, alone!(cosh));
    "Tanh",               |case| plain(case, alone!(tanh));
    "Asinh",              |case| plain(case, alone!(asinh));
    "Acosh",              |case| plain(case, alone!(acosh));
    "Atanh",              |case| plain(case, alone!(atanh));
    "Pow",                |case| plain(case, alone!(power));
    "Sigmoid",            |case| plain(case, alone!(sigmoid));
    "Swish",              |case| run(alone!(swish), &case.inputs, &[("alpha", case.number("alpha", 1.0).into())], None);
    "Elu",                |case| run(alone!(elu), &case.inputs, &[("alpha", case.number("alpha", 1.0).into())], None);
    "Selu",               |case| run(alone!(selu), &case.inputs, &[("alpha", case.number("alpha", 1.673_263_2).into()), ("gamma", case.number("gamma", 1.050_701).into())], None);
    "Celu",               |case| run(alone!(celu), &case.inputs, &[("alpha", case.number("alpha", 1.0).into())], None);
    "Gelu",               gaussian;
    "Softplus",           |case| plain(case, alone!(softplus));
    "IsNaN",              |case| run(alone!(is_nan), &case.inputs, &[("truth", 1u8.into())], None);
    "IsInf",              |case| run(alone!(is_infinite), &case.inputs, &[("positive", (case.number("detect_positive", 1.0) as u8).into()), ("negative", (case.number("detect_negative", 1.0) as u8).into())], None);
    "Not",                |case| run(&COMPARE, &[case.inputs[0].clone(), Array::zero(&case.inputs[0])], &[("comparison", "Equal".into()), ("truth", 1u8.into())], None);
    "BitwiseAnd",         |case| plain(case, alone!(bitwise_and));
    "BitwiseOr",          |case| plain(case, alone!(bitwise_or));
    "BitwiseXor",         |case| plain(case, alone!(bitwise_xor));
    "BatchNormalization", normalized;
    "QuantizeLinear",     quantized;
    "DequantizeLinear",   dequantized;
    "MaxPool",            pooled;
    "AveragePool",        pooled;
    "AveragePool",        tensors::averaged;
    "Resize",             resized;
    "MatMul",             multiplied;
    "Conv",               tensors::convolved;
    "ConvTranspose",      tensors::transposed;
    "Gemm",               tensors::connected;
    "GlobalAveragePool",  tensors::pooled_globally;
    "GlobalMaxPool",      tensors::pooled_globally;
    "ReduceSum",          tensors::reduced;
    "ReduceMean",         tensors::reduced;
    "ReduceMax",          tensors::reduced;
    "ReduceMin",          tensors::reduced;
    "ReduceProd",         tensors::reduced;
    "ReduceSumSquare",    tensors::reduced;
    "ArgMax",             tensors::reduced;
    "ArgMin",             tensors::reduced;
    "ReduceMin",          rows::reduced;
    "ReduceL1",           rows::reduced;
    "ReduceL2",           rows::reduced;
    "ReduceSumSquare",    rows::reduced;
    "Softmax",            rows::changed;
    "LogSoftmax",         rows::changed;
    "LpNormalization",    rows::changed;
    "LayerNormalization", rows::normalized;
    "RMSNormalization",   rows::normalized;
    "InstanceNormalization", rows::of_instances;
    "CumSum",             tensors::summed_up;
    "DepthToSpace",       tensors::in_blocks;
    "SpaceToDepth",       tensors::in_blocks;
    "Concat",             tensors::concatenated;
    "Pad",                tensors::padded;
    "Gather",             tensors::gathered;
    "LRN",                regions::normalized;
    "GridSample",         regions::sampled;
    "RoiAlign",           regions::aligned;
};

fn plain(case: &Case, family: &Family) -> Outcome {
    run(family, &case.inputs, &[], None)
}

/// Integers wrap, as NumPy's do.
fn wrapping(case: &Case, family: &Family) -> Outcome {
    let output = case.inputs[0].held().element();
    let has_policy = output != ElementType::F32;
    let values = [("policy", Value::from("wrap")), ("shift", Value::from(0u32))];
    let is_product = family.name() == "multiply" && output != ElementType::I32;
    let count = if !has_policy { 0 } else { 1 + usize::from(is_product) };
    run(family, &case.inputs, &values[..count], Some(output))
}

fn comparison(case: &Case, comparison: &'static str) -> Outcome {
    run(&COMPARE, &case.inputs, &[("comparison", comparison.into()), ("truth", 1u8.into())], None)
}

/// By the error function, or by the hyperbolic tangent.
fn gaussian(case: &Case) -> Outcome {
    let by_tangent = case.attributes.get("approximate").is_some_and(|form| form == "tanh");
    plain(case, if by_tangent { alone!(gelu_tanh) } else { alone!(gelu) })
}

/// A bound that is missing is the type's own.
fn clipped(case: &Case) -> Outcome {
    let (least, greatest) = match case.inputs[0].element.as_str() {
        "u8" => (0.0, 255.0),
        "i8" => (-128.0, 127.0),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let bound = |index: usize, default: f64| case.inputs.get(index).map_or(default, Array::scalar);
    let values = [("lower", bound(1, least)), ("upper", bound(2, greatest))];
    let of_type = |value: f64| match case.inputs[0].element.as_str() {
        "f32" => Value::from(value as f32),
        _ => Value::from(value as i32),
    };
    run(&CLIP, &case.inputs[..1], &values.map(|(name, value)| (name, of_type(value))), None)
}

/// What belongs to a channel is a tensor of C × 1 × 1.
fn of_channels(array: &Array) -> Array {
    array.reshaped(&[array.values.len(), 1, 1])
}

/// ONNX' order: x, scale, bias, mean, variance.
fn normalized(case: &Case) -> Outcome {
    let [scale, shift, mean, variance] = [1, 2, 3, 4].map(|index| of_channels(&case.inputs[index]));
    let inputs = [case.inputs[0].clone(), mean, variance, scale, shift];
    run(alone!(batch_normalization), &inputs, &[("epsilon", case.number("epsilon", 1e-5).into())], None)
}

/// One scale and one zero for all is a uniform, one for each channel a tensor.
fn quantized(case: &Case) -> Outcome {
    let [x, scale, zero] = case.inputs.as_slice() else { return Err("a zero is missing".into()) };
    let output = zero.held().element();
    let ties = ("ties", Value::from("even"));
    if scale.values.len() > 1 {
        let inputs = [x.clone(), of_channels(scale), of_channels(&zero.widened())];
        return run(&QUANTIZE_CHANNELS, &inputs, &[ties], Some(output));
    }
    let values = [ties, ("scale", (scale.scalar() as f32).into()), ("zero", (zero.scalar() as i32).into())];
    run(&QUANTIZE, std::slice::from_ref(x), &values, Some(output))
}

/// Factors of an output's extents, which are rounded down; the places follow from the factors.
fn resized(case: &Case) -> Outcome {
    let [x, factors] = case.inputs.as_slice() else { return Err("factors are missing".into()) };
    let Held::F32(src) = x.held() else { return Err("floats are scaled".into()) };
    let ends = case.attributes.get("coordinate_transformation_mode").is_some_and(|mode| mode == "align_corners");
    let mut extents = x.extents.clone();
    let places = [2, 3].map(|dimension| {
        let (from, factor) = (x.extents[dimension] as f64, factors.values[dimension]);
        extents[dimension] = (from * factor) as usize;
        let [scale, offset] = match ends {
            true => [(from - 1.0) / (from * factor - 1.0), 0.0],
            false => [1.0 / factor, 0.5 / factor - 0.5],
        };
        [scale as f32, offset as f32]
    });
    let ([rows, columns], mut out) = (places, Tensor::<f32>::with_info(TensorInfo::of::<f32>(&extents)?)?);
    match case.attributes.get("mode").map(String::as_str) {
        Some("nearest") => scale_nearest::<f32>::apply_into(&src, rows, columns, &mut out)?,
        Some("linear") => scale_bilinear_f32::apply_into(&src, rows, columns, &mut out)?,
        mode => return Err(format!("{mode:?} is not written").into()),
    }
    Ok(Array { element: x.element.clone(), extents, values: out.to_vec().into_iter().map(f64::from).collect() })
}

/// Matrices, plane by plane.
fn multiplied(case: &Case) -> Outcome {
    let [a, b] = case.inputs.as_slice() else { return Err("two matrices are multiplied".into()) };
    let (Held::F32(a), Held::F32(b)) = (a.held(), b.held()) else { return Err("floats are multiplied".into()) };
    let extents = case.outputs[0].extents.clone();
    let mut out = Tensor::<f32>::with_info(TensorInfo::of::<f32>(&extents)?)?;
    matrix_product::apply_into(&a, &b, &mut out)?;
    Ok(Array { element: "f32".into(), extents, values: out.to_vec().into_iter().map(f64::from).collect() })
}

fn dequantized(case: &Case) -> Outcome {
    let [x, scale, zero] = case.inputs.as_slice() else { return Err("a zero is missing".into()) };
    if scale.values.len() > 1 {
        let inputs = [x.clone(), of_channels(scale), of_channels(&zero.widened())];
        return run(&DEQUANTIZE_CHANNELS, &inputs, &[], None);
    }
    let values = [("scale", (scale.scalar() as f32).into()), ("zero", (zero.scalar() as i32).into())];
    run(&DEQUANTIZE, std::slice::from_ref(x), &values, None)
}

/// Windows of 2×2 without pads, of which ONNX leaves an incomplete last one out, and windows of 3×3 around every second element.
fn pooled(case: &Case) -> Outcome {
    let size = case.attributes["kernel_shape"].as_str();
    if case.attributes.contains_key("pads") {
        return pooled_inside(case);
    }
    let pooling = if case.operator == "MaxPool" { "Max" } else { "Average" };
    let kernel = if size == "[2,2]" { alone!(pool2x2_stride2) } else { alone!(pool3x3_stride2) };
    let outside = if case.operator == "MaxPool" { f32::NEG_INFINITY } else { 0.0 };
    let held = case.inputs[0].held();
    let border = Border::Constant(Scalar::F32(outside));
    let found = kernel.call().image(held.view()).set("pooling", pooling).border(border).apply()?;
    Ok(Array::of(&found[0])?.cropped(&case.outputs[0].extents))
}

/// Windows of any size, of which pads are left out.
fn pooled_inside(case: &Case) -> Outcome {
    let numbers = |name: &str| -> Vec<i32> {
        let text = case.attributes.get(name).map_or("", String::as_str);
        text.trim_matches(['[', ']']).split(',').filter_map(|number| number.parse().ok()).collect()
    };
    let [window, stride, pad] = ["kernel_shape", "strides", "pads"].map(|name| match numbers(name)[..] {
        [rows, columns, ..] => [rows, columns],
        _ => [1, 1],
    });
    let Held::F32(src) = case.inputs[0].held() else { return Err("floats are pooled".into()) };
    let extents = case.outputs[0].extents.clone();
    let mut out = Tensor::<f32>::with_info(TensorInfo::of::<f32>(&extents)?)?;
    match case.operator.as_str() {
        "MaxPool" => max_pool::apply_into(&src, window, stride, pad, &mut out)?,
        _ => average_pool::apply_into(&src, window, stride, pad, &mut out)?,
    }
    Ok(Array { element: "f32".into(), extents, values: out.to_vec().into_iter().map(f64::from).collect() })
}

/// Calls the member that fits.
fn run(
    family: &Family,
    inputs: &[Array],
    values: &[(&'static str, Value<'_>)],
    output: Option<ElementType>,
) -> Outcome {
    let held: Vec<Held> = inputs.iter().map(Array::held).collect();
    let mut call = family.call();
    for image in &held {
        call = call.image(image.view());
    }
    for (name, value) in values {
        call = call.set(name, value.clone());
    }
    if let Some(element) = output {
        call = call.output(element);
    }
    Array::of(&call.apply()?[0])
}

impl Held {
    fn view(&self) -> AnyView<'_> {
        match self {
            Held::U8(tensor) => tensor.view().into(),
            Held::I8(tensor) => tensor.view().into(),
            Held::I16(tensor) => tensor.view().into(),
            Held::U16(tensor) => tensor.view().into(),
            Held::I32(tensor) => tensor.view().into(),
            Held::F32(tensor) => tensor.view().into(),
        }
    }

    fn element(&self) -> ElementType {
        match self {
            Held::U8(_) => ElementType::U8,
            Held::I8(_) => ElementType::I8,
            Held::I16(_) => ElementType::I16,
            Held::U16(_) => ElementType::U16,
            Held::I32(_) => ElementType::I32,
            Held::F32(_) => ElementType::F32,
        }
    }
}
