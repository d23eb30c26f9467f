//! What the arguments of a kernel must be, one by one; requests, runs, chains and devices ask the same.

use crate::{
    arguments::AnyTable,
    element::ElementType,
    error::{InvalidConfiguration, RunError},
    info::TensorInfo,
    shape::Shape,
    spec::KernelSpec,
};

/// As many images must be given to read as the kernel reads, `#[inout]` ones left out.
pub(crate) fn check_input_count(spec: &'static KernelSpec, found: usize) -> Result<(), InvalidConfiguration> {
    match spec.read_images().count() {
        expected if expected == found => Ok(()),
        expected => Err(InvalidConfiguration::InputCount { kernel: spec.name, found, expected }),
    }
}

/// As many images must be given to write as the kernel writes, those left out included.
pub(crate) fn check_output_count(spec: &'static KernelSpec, found: usize) -> Result<(), InvalidConfiguration> {
    match spec.outputs.len() {
        expected if expected == found => Ok(()),
        expected => Err(InvalidConfiguration::OutputCount { kernel: spec.name, found, expected }),
    }
}

/// An image must be of its type, hold elements, and mean the numbers that it holds: no kernel reads scale and offset.
pub(crate) fn check_type(
    argument: &'static str,
    info: &TensorInfo,
    element: ElementType,
    channels: u32,
) -> Result<(), InvalidConfiguration> {
    if info.element() != element {
        return Err(InvalidConfiguration::ElementType { argument, found: info.element(), expected: element });
    }
    if info.channels() != channels {
        return Err(InvalidConfiguration::Channels { argument, found: info.channels(), expected: channels });
    }
    if info.shape().is_empty() {
        return Err(InvalidConfiguration::Empty { argument, shape: info.shape() });
    }
    if let Some(found) = info.quantization() {
        return Err(InvalidConfiguration::Quantization { argument, found });
    }
    Ok(())
}

/// A table must be of this type and length.
pub(crate) fn check_table(
    argument: &'static str,
    table: &AnyTable<'_>,
    expected_element: ElementType,
    expected: u32,
) -> Result<(), RunError> {
    let (found, found_element) = (table.length, table.element);
    if (found_element, found) == (expected_element, expected as usize) {
        return Ok(());
    }
    Err(RunError::Table { argument, found, found_element, expected, expected_element })
}

/// An image must be of this type and shape.
pub(crate) fn check_image(
    argument: &'static str,
    info: &TensorInfo,
    (element, channels): (ElementType, u32),
    expected: Shape,
) -> Result<(), RunError> {
    check_type(argument, info, element, channels)?;
    if info.shape() != expected {
        return Err(RunError::Shape { argument, found: info.shape(), expected });
    }
    Ok(())
}
