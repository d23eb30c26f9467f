//! The device's image of each value of a chain, for one run.

use crate::{
    buffer::Buffer,
    error::OpenClError,
    format::FloatFormat,
    image::device::{DeviceImage, element_of, row_bytes},
};
use std::sync::Arc;
use windrow_runtime::{
    element::Scalar,
    function::{Chain, FunctionError, ValueDef, ValueView, scalars},
    info::TensorInfo,
};

/// The image of each value: the caller's, one in memory that `part` gives by the value's number and its bytes, or a view of these.
pub(super) fn images(
    chain: &Chain,
    format: FloatFormat,
    inputs: &[DeviceImage],
    outputs: &[DeviceImage],
    mut part: impl FnMut(usize, usize) -> Result<Arc<Buffer>, FunctionError>,
) -> Result<Vec<DeviceImage>, FunctionError> {
    let mut images: Vec<DeviceImage> = Vec::new();
    for (index, value) in chain.values().iter().enumerate() {
        let given = value.input.and_then(|index| inputs.get(index));
        let given = given.or_else(|| value.output.and_then(|index| outputs.get(index)));
        images.push(match (given, value) {
            (Some(image), _) => image.clone(),
            // What a value is a view of, or computed in place of, is made before it.
            (None, ValueDef { view: Some((of, view)), .. }) => seen(&images[*of], view)?,
            (None, ValueDef { in_place_of: Some(other), .. }) => images[*other].clone(),
            (None, _) => DeviceImage::with_layout_as(part(index, bytes(&value.info, format))?, 0, value.info, format)?,
        });
    }
    Ok(images)
}

/// A view of an image.
pub(super) fn seen(image: &DeviceImage, view: &ValueView) -> Result<DeviceImage, OpenClError> {
    let (offset, info) = view.of(image.info()).map_err(OpenClError::Tensor)?;
    let offset = image.offset() + image.format().of(info.dtype()).bytes(offset.unsigned_abs());
    DeviceImage::with_layout_as(image.buffer().clone(), offset, info, image.format())
}

/// Bytes on the device of an image without gaps.
pub(super) fn bytes(info: &TensorInfo, format: FloatFormat) -> usize {
    format.of(info.dtype()).bytes(info.size_in_bytes())
}

/// A value as a table: a buffer of its elements alone.
pub(super) fn table(image: &DeviceImage) -> Result<Buffer, OpenClError> {
    check_packed(image)?;
    if image.offset() == 0 {
        return Ok(image.buffer().share());
    }
    image.buffer().part(image.offset(), image.size_in_bytes())
}

/// A value's elements, brought to the host.
pub(super) fn scalars_of(image: &DeviceImage) -> Result<Vec<Scalar>, OpenClError> {
    check_packed(image)?;
    let mut bytes = vec![0; image.size_in_bytes()];
    image.buffer().read(image.offset(), &mut bytes)?;
    Ok(scalars(element_of(image.info())?, &bytes))
}

/// Its elements lie side by side, and as on the host.
fn check_packed(image: &DeviceImage) -> Result<(), OpenClError> {
    let expected = FloatFormat::F32.of(image.info().dtype());
    image.expect_format("a table or uniform", expected)?;
    if image.info().is_packed() {
        return Ok(());
    }
    Err(OpenClError::RowStride { found: row_bytes(image.info()) })
}

/// Copies the region that is computed to the image in whose place it is computed.
pub(super) fn copy_region(
    value: &ValueDef,
    from: &DeviceImage,
    to: &DeviceImage,
    queue: &crate::queue::Queue,
) -> Result<(), OpenClError> {
    let ranges = value.info.valid_region().ranges();
    let (start, extents): (Vec<_>, Vec<_>) = ranges.map(|range| (range.start, range.len())).unzip();
    if extents.contains(&0) {
        return Ok(());
    }
    let (from, to) = (from.region(&start, &extents)?, to.region(&start, &extents)?);
    from.copy_into(queue, &to)
}
