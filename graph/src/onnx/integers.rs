//! Operators whose integers have scales and zeros that are known when a network runs, and those whose sums stay integers of 32 bits:
//! `DynamicQuantizeLinear`, `MatMulInteger`, `ConvInteger`; and onnxruntime's `QGemm`.

use windrow::ElementType;

use super::{
    attributes::Attributes,
    import::Import,
    operators::operator,
    quantized::{Added, Integers, floats, input, integers, known, scaling},
};
use crate::{
    model::{Constant, Elements, Value, ValueId},
    operator::{Axes, Operator, Reduction},
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

/// Sums of products of two tensors of integers, whose zeros are behind both.
pub(super) fn sums<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
    let mut read = Vec::new();
    for operand in 0..2 {
        let Some(value) = input(inputs, operand).filter(|value| import.values[value.0].element == ElementType::I8)
        else {
            return Ok(Err("what it reads is none of integers of 8 bits"));
        };
        let zero = input(inputs, operand + 2);
        let is_unsigned = import.unsigned.contains(&value);
        if zero.is_some_and(|zero| import.unsigned.contains(&zero) != is_unsigned) {
            return Ok(Err("its zero is of another type than what it reads"));
        }
        // The zero of integers without a sign is the least of such with a sign.
        read.push((value, if zero.is_none() && is_unsigned { Some(import.least()) } else { zero }));
    }
    let found = if node.node.operator == "MatMulInteger" {
        Operator::IntegerMatrices
    } else {
        match operator(&Attributes { kind: "Conv", ..*node }, &|_| None)? {
            Operator::Convolution { window, groups } => Operator::IntegerConvolution { window, groups },
            _ => return Ok(Err("it is no convolution of two dimensions with groups")),
        }
    };
    let [(a, a_zero), (b, b_zero)] = read[..] else { return Ok(Err("an input is left out")) };
    let mut outputs = Vec::new();
    for &output in &node.node.outputs {
        let value = import.add_output(node.name, output, None)?;
        if let Some(value) = value {
            import.values[value.0].element = ElementType::I32;
        }
        outputs.push(value);
    }
    import.nodes.push(super::import::node(node, found, vec![Some(a), Some(b), a_zero, b_zero], outputs));
    Ok(Ok(()))
}

/// `QGemm`: a product between integers, whose bias is in the unit of its sums. Without a scale behind it floats are written.
pub(super) fn gemm<'a>(import: &mut Import<'a>, node: &Attributes<'_, 'a>, inputs: &[Option<ValueId>]) -> Added {
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
    let written = match input(inputs, 7) {
        Some(_) => Some(known!(integers(import, scaling(inputs, 7), || Ok(true))?)),
        None => None,
    };
    let mut found = operator(node, &|_| None)?;
    if let Operator::Product { alpha, beta, .. } = &mut found {
        // The bias is in the unit of the sums, whose factor is its own.
        *beta = *alpha;
    }
    let read = read.into_iter().map(|(operator, inputs)| Some(import.float(node, operator, inputs))).collect();
    let Some(Integers { quantization, is_unsigned }) = written else {
        return import.push(node, found, read, None).map(Ok);
    };
    let result = import.float(node, found, read);
    import.push(node, Operator::Quantize { to_even: true }, vec![Some(result)], Some(quantization))?;
    import.mark(node, is_unsigned);
    Ok(Ok(()))
}

impl<'a> Import<'a> {
    /// A node inside a node of the file, which writes a value that is there.
    fn push_to(
        &mut self,
        node: &Attributes<'_, 'a>,
        operator: Operator,
        inputs: Vec<Option<ValueId>>,
        output: ValueId,
    ) {
        let (name, kind) = (node.name.to_owned(), node.node.operator.to_owned());
        self.nodes.push(crate::model::Node { name, kind, operator, inputs, outputs: vec![Some(output)] });
    }
}
