//! The device's image of each value of a chain, for one run.

use crate::{
    Buffer, DeviceImage, FloatFormat, OpenClError,
    image::device::{element_of, packed, row_bytes},
};
use std::sync::Arc;
use windrow_runtime::{
    element::Scalar,
    function::{Chain, FunctionError, ValueDef, ValueView, scalars},
    info::TensorInfo,
    memory::{Lifetime, MemoryError},
};

/// The image of each value: one that is given, a view of another's, that in whose place it is computed, or one without gaps in memory
/// that `part` gives by the value's number and its bytes; `None` where it gives none.
pub(super) fn images(
    chain: &Chain,
    format: FloatFormat,
    given: impl Fn(&ValueDef) -> Option<DeviceImage>,
    mut part: impl FnMut(usize, usize) -> Result<Option<Arc<Buffer>>, FunctionError>,
) -> Result<Vec<Option<DeviceImage>>, FunctionError> {
    let mut images: Vec<Option<DeviceImage>> = Vec::new();
    for (index, value) in chain.values().iter().enumerate() {
        images.push(match (given(value), value) {
            (Some(image), _) => Some(image),
            // What a value is a view of, or computed in place of, is made before it.
            (None, ValueDef { view: Some((of, view)), .. }) => {
                images[*of].as_ref().map(|image| seen(image, view)).transpose()?
            }
            (None, ValueDef { in_place_of: Some(other), .. }) => images[*other].clone(),
            (None, ValueDef { info, .. }) => {
                let packed = packed(info, info.shape())?;
                let memory = part(index, bytes(&packed, format))?;
                memory.map(|memory| DeviceImage::with_layout_as(memory, 0, packed, format)).transpose()?
            }
        });
    }
    Ok(images)
}

/// For each value, its number among those that have memory of their own on the device, and the lifetimes of these.
pub(super) fn lifetimes(
    chain: &Chain,
    lives: impl IntoIterator<Item = Option<(usize, usize)>>,
    format: FloatFormat,
) -> Result<(Vec<Option<usize>>, Vec<Lifetime>), OpenClError> {
    let (mut places, mut lifetimes) = (vec![None; chain.values().len()], Vec::new());
    for (value, life) in lives.into_iter().enumerate() {
        if let Some((first, last)) = life {
            places[value] = Some(lifetimes.len());
            let info = &chain.values()[value].info;
            let size = bytes(&packed(info, info.shape())?, format);
            lifetimes.push(Lifetime { size, alignment: 1, first, last });
        }
    }
    Ok((places, lifetimes))
}

/// The image of a value, which has one wherever a stage needs it.
pub(super) fn of(images: &[Option<DeviceImage>], value: usize) -> Result<DeviceImage, FunctionError> {
    images[value].clone().ok_or(FunctionError::Memory(MemoryError::NotPopulated))
}

/// A view of an image.
fn seen(image: &DeviceImage, view: &ValueView) -> Result<DeviceImage, OpenClError> {
    let (offset, info) = view.of(image.info())?;
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
    Ok(image.buffer().part(image.offset(), image.size_in_bytes())?)
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
