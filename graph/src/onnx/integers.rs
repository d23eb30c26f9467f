//! Operators whose integers have scales and zeros that are known when a network runs, and those whose sums stay integers of 32 bits:
//! `DynamicQuantizeLinear`, `MatMulInteger`, `ConvInteger`; and onnxruntime's `QGemm`.

use windrow::ElementType;

use super::{
    attributes::Attributes,
    import::Import,
    operators::operator,
    quantized::{Added, Integers, floats, input, integers, is_unsigned, known, scaling},
};
use crate::{
    model::{Constant, Elements, Value, ValueId},
    operator::{Axes, Operator, Reduction, Type},
};

/// The scale and the zero are nodes of their own, each of which writes an output of the file's node.
pub(super) fn quantize_dynamically<'a>(
    import: &mut Import<'a>,
    node: &Attributes<'_, 'a>,
    inputs: &[Option<ValueId>],
) -> Added {
    let Some(x) = input(inputs, 0) else { return Ok(Err("an input is left out")) };
    if import.values[x.0].element != ElementType::F32 {
        return Ok(Err("what it reads is none of floats"));
    }
    let mut outputs = Vec::new();
    for at in 0..3 {
        let name = node.node.outputs.get(at).copied().unwrap_or_default();
        let output = match import.add_output(node.name, name, None)? {
            Some(output) => output,
            None => import.add_unnamed(Value::new(node.name)),
        };
        if at != 1 {
            import.values[output.0].element = ElementType::I8;
            import.unsigned.insert(output);
        }
        outputs.push(output);
    }
    let [integers, scale, zero] = outputs[..] else { return Ok(Err("it has no three outputs")) };
    let extreme = |by| Operator::Reduction { by, axes: Axes::All, keeps: false };
    let least = import.float(node, extreme(Reduction::Least), vec![Some(x)]);
    let greatest = import.float(node, extreme(Reduction::Greatest), vec![Some(x)]);
    import.push_to(node, Operator::DynamicScale, vec![Some(least), Some(greatest)], scale);
    import.push_to(node, Operator::DynamicZero, vec![Some(least), Some(scale)], zero);
    import.push_to(node, Operator::QuantizeBy, vec![Some(x), Some(scale), Some(zero)], integers);
    Ok(Ok(()))
}

/// A tensor of integers of 8 bits, and its zero.
fn operand(
    import: &mut Import<'_>,
    value: Option<ValueId>,
    zero: Option<ValueId>,
) -> Result<[Option<ValueId>; 2], &'static str> {
    let Some(value) = value.filter(|value| import.values[value.0].element == ElementType::I8) else {
        return Err("what it reads is none of integers of 8 bits");
    };
    let is_unsigned = import.unsigned.contains(&value);
    if zero.is_some_and(|zero| import.unsigned.contains(&zero) != is_unsigned) {
        return Err("its zero is of another type than what it reads");
    }
    // The zero of integers without a sign is the least of such with a sign.
    Ok([Some(value), if zero.is_none() && is_unsigned { Some(import.least()) } else { zero }])
}

/// Sums of products of two tensors of integers, whose zeros are behind both.
pub(super) fn sums<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    let [a, a_zero] = known!(operand(import, input(inputs, 0), input(inputs, 2)));
    let [b, b_zero] = known!(operand(import, input(inputs, 1), input(inputs, 3)));
    let found = if node.node.operator == "MatMulInteger" {
        Operator::IntegerMatrices
    } else {
        match operator(&Attributes { kind: "Conv", ..*node }, &|_| None)? {
            Operator::Convolution { window, groups } => Operator::IntegerConvolution { window, groups },
            _ => return Ok(Err("it is no convolution of two dimensions with groups")),
        }
    };
    let mut outputs = Vec::new();
    for &output in &node.node.outputs {
        let value = import.add_output(node.name, output, None)?;
        if let Some(value) = value {
            import.values[value.0].element = ElementType::I32;
        }
        outputs.push(value);
    }
    import.nodes.push(super::import::node(node, found, vec![a, b, a_zero, b_zero], outputs));
    Ok(Ok(()))
}

/// `QGemm`: a product between integers, whose bias is in the unit of its sums.
pub(super) fn gemm<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    if input(inputs, 7).is_none() {
        return gemm_of_floats(import, node, inputs);
    }
    let node = &Attributes { kind: "Gemm", ..*node };
    let outputs = if node.is_set("transB") { 0 } else { 1 };
    let mut read = vec![
        known!(floats(import, input(inputs, 0), scaling(inputs, 1), None, 0)?),
        known!(floats(import, input(inputs, 3), scaling(inputs, 4), None, outputs)?),
    ];
    if let Some(bias) = input(inputs, 6) {
        if !matches!(import.values[bias.0].constant, Some(Constant { elements: Elements::Ints(_), .. })) {
            return Ok(Err("its bias is no constant of integers of 32 bits"));
        }
        read.push(known!(floats(import, Some(bias), [input(inputs, 1), None], input(inputs, 4), -1)?));
    }
    let sign = is_unsigned(import, inputs, 0);
    let Integers { quantization, is_unsigned } = known!(integers(import, scaling(inputs, 7), || Ok(sign))?);
    let mut found = operator(node, &|_| None)?;
    if let Operator::Product { alpha, beta, .. } = &mut found {
        // The bias is in the unit of the sums, whose factor is its own.
        *beta = *alpha;
    }
    let read = read.into_iter().map(|(operator, inputs)| Some(import.float(node, operator, inputs))).collect();
    let result = import.float(node, found, read);
    import.push(node, Operator::Quantize { to_even: true }, vec![Some(result)], Some(quantization))?;
    import.mark(node, is_unsigned);
    Ok(Ok(()))
}

/// `QGemm` without a scale behind it: the sums are exact, and each is multiplied by one float.
fn gemm_of_floats<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    let [a, a_zero] = known!(operand(import, input(inputs, 0), input(inputs, 2)));
    let [b, b_zero] = known!(operand(import, input(inputs, 3), input(inputs, 5)));
    let scales = |value: Option<ValueId>| match import.values[value?.0].constant.as_ref().map(|own| &own.elements) {
        Some(Elements::Floats(scales)) => Some(scales.clone()),
        _ => None,
    };
    let (Some(own), others @ Some(_)) = (scales(input(inputs, 1)), input(inputs, 4)) else {
        return Ok(Err("its scales are no constants of floats"));
    };
    let [scale] = own[..] else { return Ok(Err("it has more than one scale of its first matrix")) };
    // One for each output is made by a node: many nodes may share what they are made of.
    let factor =
        Constant { extents: Vec::new(), elements: Elements::Floats([node.float("alpha", 1.0) * scale].into()) };
    let factor = import.add_unnamed(Value { constant: Some(factor), ..Value::new(node.name) });
    let unit = import.float(node, Operator::Multiply, vec![Some(factor), others]);
    let mut turned = |name: &str, value: Option<ValueId>| match node.is_set(name) {
        true => Some(import.inner(node, Operator::Transpose(None), vec![value], ElementType::I8)),
        false => value,
    };
    let (a, b) = (turned("transA", a), turned("transB", b));
    let products = vec![a, b, a_zero, b_zero];
    let mut sums = import.inner(node, Operator::IntegerMatrices, products, ElementType::I32);
    if let Some(bias) = input(inputs, 6) {
        sums = import.inner(node, Operator::Add, vec![Some(sums), Some(bias)], ElementType::I32);
    }
    let floats = import.float(node, Operator::Cast(Type::Float), vec![Some(sums)]);
    import.push(node, Operator::Multiply, vec![Some(floats), Some(unit)], None).map(Ok)
}

impl<'a> Import<'a> {
    /// The value of a type that a node inside a node of the file writes.
    fn inner(
        &mut self,
        node: &Attributes<'_, 'a>,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        element: ElementType,
    ) -> ValueId {
        let value = self.float(node, operator, inputs);
        self.values[value.0].element = element;
        value
    }

    /// A node inside a node of the file, which writes a value that is there.
    fn push_to(
        &mut self,
        node: &Attributes<'_, 'a>,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        output: ValueId,
    ) {
        let (name, kind) = (node.name.to_owned(), node.node.operator.to_owned());
        self.nodes.push(crate::model::Node {
            name,
            kind,
            operator,
            inputs,
            outputs: vec![Some(output)],
            is_added: false,
        });
    }
}
