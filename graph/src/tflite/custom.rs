//! Operators of a file that are custom operators here.

use windrow::ElementType;

use super::{
    flexbuffer,
    import::Import,
    schema::{OperatorTable, data_type},
};
use crate::{
    custom::{Custom, CustomNodeError, CustomOperator},
    error::ModelError,
    model::ValueId,
    operator::Operator,
};

/// Adds the node of an operator, whose inputs are there. Images are a model's own, which the kernel has with their channels last.
pub(super) fn add(
    import: &mut Import<'_, '_>,
    operator: &CustomOperator,
    table: &OperatorTable<'_>,
    inputs: &[Option<usize>],
) -> Result<(), ModelError> {
    let outputs = table.outputs.iter().map(|&output| import.index(output)).collect::<Result<Vec<_>, _>>()?;
    let Some(&first) = outputs.first() else { return Ok(()) };
    let name = import.name(first);
    let custom = custom(import, operator, table, inputs, first).map_err(|error| ModelError::Custom {
        node: name.clone(),
        operator: operator.name().to_owned(),
        error: Box::new(error),
    })?;
    let is_image = import.tensor(first).shape.len() == 4;
    let mut read = Vec::new();
    for &index in inputs.iter().flatten() {
        let is_image_too = import.tensor(index).shape.len() == 4;
        let value = match (operator.is_element_wise() && is_image, is_image_too) {
            (true, _) => import.beside_image(index, &name)?,
            (false, true) => import.draft.as_image(index)?,
            (false, false) => import.draft.in_file(index)?,
        };
        import.draft.values[value.0].element = element(import, index).unwrap_or(ElementType::F32);
        read.push(Some(value));
    }
    let mut written: Vec<Option<ValueId>> = Vec::new();
    for (place, &output) in outputs.iter().enumerate() {
        let value = import.written(output, place == 0 && is_image)?;
        if place == 0 {
            import.draft.values[value.0].element = operator.output();
        }
        written.push(Some(value));
    }
    import.draft.push((&name, operator.name()), Operator::Custom(custom), read, written, false);
    Ok(())
}

/// The operator with what the file tells it.
fn custom(
    import: &Import<'_, '_>,
    operator: &CustomOperator,
    table: &OperatorTable<'_>,
    inputs: &[Option<usize>],
    output: usize,
) -> Result<Custom, CustomNodeError> {
    operator.check_inputs(inputs, |input| element(import, input))?;
    let found = match import.tensor(output).data_type {
        data_type::UINT8 => Some(ElementType::U8),
        data_type::INT32 => Some(ElementType::I32),
        _ => element(import, output),
    };
    if found != Some(operator.output()) {
        let (kernel, expected) = (operator.spec().name, operator.output());
        return Err(CustomNodeError::OutputType { kernel, found, expected });
    }
    let attributes = flexbuffer::attributes(table.custom_options.unwrap_or_default());
    Custom::new(operator, attributes.map_err(|reason| CustomNodeError::Attributes { reason })?, false)
}

/// The type of a tensor's elements, where it is one that is computed with. Integers of 32 and 64 bits are those of constants.
fn element(import: &Import<'_, '_>, index: usize) -> Option<ElementType> {
    match import.tensor(index).data_type {
        data_type::FLOAT32 => Some(ElementType::F32),
        data_type::INT8 => Some(ElementType::I8),
        data_type::INT32 | data_type::INT64 => import.is_constant(index).then_some(ElementType::I32),
        _ => None,
    }
}
