//! Operators of integers of 8 bits: `QuantizeLinear`, `DequantizeLinear`, and those that compute with integers, each as the operator of floats
//! with these two around it, as ONNX defines them.
//!
//! Integers without a sign are integers with a sign, 128 less. So are their zeros, and they stand for the same numbers.

use windrow::ElementType;

use super::{
    attributes::Attributes,
    import::Import,
    integers::{gemm, quantize_dynamically, sums},
    operators::operator,
    proto::{NodeProto, is_own},
    tensor::{INT8, UINT8},
    types::moves,
};
use crate::{
    error::ModelError,
    model::{Constant, Elements, Quantization, Value, ValueId},
    operator::Operator,
};

/// What becomes of a node: nothing where this crate does not know it, for which there is a reason.
pub(super) type Added<T = ()> = Result<Result<T, &'static str>, ModelError>;

/// Goes on with what there is, or returns the reason why there is nothing.
macro_rules! known {
    ($found:expr) => {
        match $found {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        }
    };
}

pub(super) use known;

/// The domain of onnxruntime's own operators.
const MICROSOFT: &str = "com.microsoft";

/// Whether a node makes integers, or computes with them.
pub(super) fn is_known(node: &NodeProto<'_>) -> bool {
    match node.operator {
        "QuantizeLinear" | "DequantizeLinear" => is_own(node.domain) || node.domain == MICROSOFT,
        "QLinearConv" | "QLinearMatMul" | "DynamicQuantizeLinear" | "MatMulInteger" | "ConvInteger" => {
            is_own(node.domain)
        }
        "QLinearAdd"
        | "QLinearMul"
        | "QLinearConcat"
        | "QLinearAveragePool"
        | "QLinearGlobalAveragePool"
        | "QLinearSigmoid"
        | "QLinearLeakyRelu"
        | "QGemm" => node.domain == MICROSOFT,
        _ => false,
    }
}

/// Adds the nodes that such a node is.
pub(super) fn add<'a>(
    import: &mut Import<'a>,
    node: &Attributes<'_, 'a>,
    inputs: Vec<Option<ValueId>>,
) -> Result<(), ModelError> {
    let added = match node.node.operator {
        "QuantizeLinear" => quantize(import, node, &inputs)?,
        "DequantizeLinear" => dequantize(import, node, &inputs)?,
        "DynamicQuantizeLinear" => quantize_dynamically(import, node, &inputs)?,
        "MatMulInteger" | "ConvInteger" => sums(import, node, &inputs)?,
        "QGemm" => gemm(import, node, &inputs)?,
        "QLinearConcat" => concatenate(import, node, &inputs)?,
        _ => compute(import, node, &inputs)?,
    };
    match added {
        Ok(()) => Ok(()),
        Err(reason) => import.push(node, Operator::Other(reason.to_owned()), inputs, None),
    }
}

/// What the integers of a tensor stand for, and whether the file has them without a sign.
pub(super) struct Integers {
    pub quantization: Quantization,
    pub is_unsigned: bool,
}

/// The scale and the zero of a tensor, which are constants. Without a zero the integers are as `is_unsigned` says.
pub(super) fn integers(
    import: &Import<'_>,
    [scale, zero]: [Option<ValueId>; 2],
    is_unsigned: impl FnOnce() -> Result<bool, &'static str>,
) -> Added<Integers> {
    let constant = |value: ValueId| import.values.get(value.0).and_then(|value| value.constant.as_ref());
    let Some((scale, Some(Constant { elements: Elements::Floats(scales), .. }))) =
        scale.map(|scale| (scale, constant(scale)))
    else {
        return Ok(Err("its scale is no constant of floats"));
    };
    let [number] = scales[..] else { return Ok(Err("it has more than one scale, and reads no constant")) };
    if !(number.is_normal() && number > 0.0) {
        let (value, found) = (import.name(scale), format!("the scale {number}"));
        return Err(ModelError::Value { value, found, rule: "scales are above zero" });
    }
    let (zero, is_unsigned) = match zero {
        None => {
            let is_unsigned = known!(is_unsigned());
            (if is_unsigned { i8::MIN } else { 0 }, is_unsigned)
        }
        Some(zero) => match constant(zero).map(|constant| &constant.elements) {
            Some(Elements::Bytes(bytes)) if bytes.len() == 1 => (bytes[0], import.unsigned.contains(&zero)),
            _ => return Ok(Err("its zero is no constant of one integer of 8 bits")),
        },
    };
    Ok(Ok(Integers { quantization: Quantization { scales: scales.clone(), zero }, is_unsigned }))
}

/// The operator that makes floats of integers, and what it reads: an activation, or a constant with scales along `axis`, which a
/// further constant may multiply.
pub(super) fn floats(
    import: &mut Import<'_>,
    x: Option<ValueId>,
    [scale, zero]: [Option<ValueId>; 2],
    factor: Option<ValueId>,
    axis: i64,
) -> Added<(Operator, Vec<Option<ValueId>>)> {
    let Some(x) = x else { return Ok(Err("an input is left out")) };
    let is_unsigned = import.unsigned.contains(&x);
    if zero.is_some_and(|zero| import.unsigned.contains(&zero) != is_unsigned) {
        return Ok(Err("its zero is of another type than what it reads"));
    }
    let value = &import.values[x.0];
    if let Some(constant) = &value.constant {
        if !matches!(constant.elements, Elements::Bytes(_) | Elements::Ints(_)) {
            return Ok(Err("what it reads is no constant of integers of 8 or 32 bits"));
        }
        let zero = if zero.is_none() && is_unsigned { Some(import.least()) } else { zero };
        return Ok(Ok((Operator::Scale { axis }, vec![Some(x), scale, zero, factor])));
    }
    if value.element != ElementType::I8 {
        return Ok(Err("what it reads is none of integers of 8 bits"));
    }
    let Integers { quantization, .. } = known!(integers(import, [scale, zero], || Ok(is_unsigned))?);
    let own = &mut import.values[x.0].quantization;
    if own.get_or_insert_with(|| quantization.clone()) != &quantization {
        return Ok(Err("what it reads was written with another scale or zero"));
    }
    Ok(Ok((Operator::Dequantize, vec![Some(x)])))
}

pub(super) fn input(inputs: &[Option<ValueId>], input: usize) -> Option<ValueId> {
    inputs.get(input).copied().flatten()
}

/// The scale at a place among the inputs, and the zero behind it.
pub(super) fn scaling(inputs: &[Option<ValueId>], at: usize) -> [Option<ValueId>; 2] {
    [input(inputs, at), input(inputs, at + 1)]
}

/// Whether the file has the integers of an operand without a sign: so is what is computed of them.
pub(super) fn is_unsigned(import: &Import<'_>, inputs: &[Option<ValueId>], operand: usize) -> bool {
    input(inputs, operand).is_some_and(|operand| import.unsigned.contains(&operand))
}

fn quantize<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    if node.int("block_size", 0) != 0 {
        return Ok(Err("it has scales for blocks of elements"));
    }
    let is_unsigned = || match node.int("output_dtype", 0) {
        0 | UINT8 => Ok(true),
        INT8 => Ok(false),
        _ => Err("what it writes is none of integers of 8 bits"),
    };
    let Some(x) = input(inputs, 0) else { return Ok(Err("an input is left out")) };
    if import.values[x.0].element != ElementType::F32 {
        return Ok(Err("what it reads is none of floats"));
    }
    let integers = known!(integers(import, scaling(inputs, 1), is_unsigned)?);
    import.push(node, Operator::Quantize { to_even: true }, vec![Some(x)], Some(integers.quantization))?;
    import.mark(node, integers.is_unsigned);
    Ok(Ok(()))
}

fn dequantize<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    if node.int("block_size", 0) != 0 {
        return Ok(Err("it has scales for blocks of elements"));
    }
    let axis = node.int("axis", 1);
    let (operator, inputs) = known!(floats(import, input(inputs, 0), scaling(inputs, 1), None, axis)?);
    import.push(node, operator, inputs, None).map(Ok)
}

/// An operator whose operands each have a scale and a zero behind them, and then its output; then there may be a bias, whose scale is the
/// product of the operands'.
fn compute<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    let node = &Attributes { kind: node.kind.trim_start_matches("QLinear"), ..*node };
    if node.is_set("channels_last") {
        return Ok(Err("its channels are the last dimension"));
    }
    let operands = if matches!(node.kind, "Conv" | "MatMul" | "Add" | "Mul") { 2 } else { 1 };
    let mut read = Vec::new();
    for operand in 0..operands {
        // Scales of weights are those of outputs: the first dimension of a convolution's, the second one of a matrix.
        let axis = if node.kind == "Conv" { 0 } else { 1 };
        read.push(known!(floats(import, input(inputs, 3 * operand), scaling(inputs, 3 * operand + 1), None, axis)?));
    }
    let behind = 3 * operands;
    if let Some(bias) = input(inputs, behind + 2).filter(|_| node.kind == "Conv") {
        if !matches!(import.values[bias.0].constant, Some(Constant { elements: Elements::Ints(_), .. })) {
            return Ok(Err("its bias is no constant of integers of 32 bits"));
        }
        read.push(known!(floats(import, Some(bias), [input(inputs, 1), None], input(inputs, 4), 0)?));
    }
    let is_unsigned = is_unsigned(import, inputs, 0);
    let written = known!(integers(import, scaling(inputs, behind), || Ok(is_unsigned))?);
    let operator = operator(node, &|_| None)?;
    let read = read.into_iter().map(|(operator, inputs)| Some(import.float(node, operator, inputs))).collect();
    let result = import.float(node, operator, read);
    import.push(node, Operator::Quantize { to_even: true }, vec![Some(result)], Some(written.quantization))?;
    import.mark(node, written.is_unsigned);
    Ok(Ok(()))
}

/// `QLinearConcat`: the scale and the zero of what is joined, and then each part with its own.
fn concatenate<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    let node = &Attributes { kind: "Concat", ..*node };
    let is_unsigned = is_unsigned(import, inputs, 2);
    let written = known!(integers(import, scaling(inputs, 0), || Ok(is_unsigned))?);
    let mut read = Vec::new();
    for part in (2..inputs.len()).step_by(3) {
        read.push(known!(floats(import, input(inputs, part), scaling(inputs, part + 1), None, 0)?));
    }
    let operator = operator(node, &|_| None)?;
    // There may be many parts: they do not have the node's name, however long it is.
    let part = |(operator, inputs)| Some(import.float_of(("a part", node.kind), operator, inputs));
    let read = read.into_iter().map(part).collect();
    let result = import.float(node, operator, read);
    import.push(node, Operator::Quantize { to_even: true }, vec![Some(result)], Some(written.quantization))?;
    import.mark(node, written.is_unsigned);
    Ok(Ok(()))
}

/// The value whose type a node's output has, of a node that only moves elements, or of which the greatest are left; `None` where it computes
/// with floats.
pub(super) fn moved(
    import: &Import<'_>,
    operator: &Operator,
    inputs: &[Option<ValueId>],
) -> Result<Option<ValueId>, &'static str> {
    let bytes = |value: &ValueId| import.values[value.0].element == ElementType::I8;
    // Numbers of one are made floats of.
    if matches!(operator, Operator::Other(_) | Operator::Cast(_)) || !inputs.iter().flatten().any(bytes) {
        return Ok(None);
    }
    let Some(first) = input(inputs, 0).filter(bytes).filter(|_| moves(operator)) else {
        return Err("no operator of the library computes it of integers of 8 bits");
    };
    let stands = |value: ValueId| (&import.values[value.0].quantization, import.unsigned.contains(&value));
    let is_joined = matches!(operator, Operator::Concatenate { .. });
    let is_alike = |value: &ValueId| bytes(value) && stands(*value) == stands(first);
    if is_joined && !inputs.iter().flatten().all(is_alike) {
        return Err("what it joins stands for numbers of several scales or zeros");
    }
    Ok(Some(first))
}

impl<'a> Import<'a> {
    /// A node that writes the first output of a node of the file, and others that nothing writes: floats, or integers that stand for something.
    pub(super) fn push(
        &mut self,
        node: &Attributes<'_, 'a>,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        quantization: Option<Quantization>,
    ) -> Result<(), ModelError> {
        let mut outputs = Vec::new();
        for &output in &node.node.outputs {
            outputs.push(self.add_output(node.name, output, None)?);
        }
        if let Some(output) = outputs.first().copied().flatten().filter(|_| quantization.is_some()) {
            let value = &mut self.values[output.0];
            (value.element, value.quantization) = (ElementType::I8, quantization);
        }
        self.nodes.push(super::import::node(node, operator, inputs, outputs));
        Ok(())
    }

    /// Keeps whether the file has the integers of a node's output without a sign.
    pub(super) fn mark(&mut self, node: &Attributes<'_, 'a>, is_unsigned: bool) {
        let output = node.node.outputs.first().and_then(|output| self.names.get(output));
        if let Some(output) = output.filter(|_| is_unsigned) {
            self.unsigned.insert(output);
        }
    }

    /// The value of floats that a node inside a node of the file writes.
    pub(super) fn float(
        &mut self,
        node: &Attributes<'_, 'a>,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
    ) -> ValueId {
        self.float_of((node.name, node.kind), operator, inputs)
    }

    fn float_of(&mut self, (name, kind): (&str, &str), operator: Operator, inputs: Vec<Option<ValueId>>) -> ValueId {
        let output = self.add_unnamed(Value::new(name));
        let (name, kind) = (name.to_owned(), kind.to_owned());
        let outputs = vec![Some(output)];
        self.nodes.push(crate::model::Node { name, kind, operator, inputs, outputs, is_added: false });
        output
    }

    /// The least integer of 8 bits: the zero of integers without a sign that have none.
    pub(super) fn least(&mut self) -> ValueId {
        if let Some(least) = self.least {
            return least;
        }
        let constant = Constant { extents: Vec::new(), elements: Elements::Bytes([i8::MIN].into()) };
        let value = Value { constant: Some(constant), element: ElementType::I8, ..Value::new("a zero") };
        let least = self.add_unnamed(value);
        self.unsigned.insert(least);
        self.least = Some(least);
        least
    }
}
