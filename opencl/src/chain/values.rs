//! The values of a chain on a device: where they lie, and the image of each in a run.

use crate::{
    Buffer, Context, DeviceBlocks, DeviceImage, DeviceManager, FloatFormat, OpenClError,
    image::device::{element_of, packed, row_bytes},
};
use std::sync::Arc;
use windrow_runtime::{
    element::Scalar,
    function::{Chain, FunctionError, Step, ValueDef, ValueView, scalars},
    info::TensorInfo,
    memory::{Lifetime, MemoryError, MemoryPlan},
};

/// A chain, and where its values lie in a device's memory.
pub(super) struct DeviceValues {
    pub chain: Chain,
    pub manager: Arc<DeviceManager>,
    /// Of those values that have memory of their own there.
    pub plan: MemoryPlan,
    /// The number of each value in the plan.
    places: Vec<Option<usize>>,
    pub format: FloatFormat,
}

/// The device's image of each value, for one run; none of a value that is not there.
pub(super) struct ValueImages(Vec<Option<DeviceImage>>);

impl DeviceValues {
    /// Plans memory for the values that are on the device from one step to another, by `lives`.
    pub fn new(
        chain: Chain,
        manager: &Arc<DeviceManager>,
        lives: impl IntoIterator<Item = Option<(usize, usize)>>,
        format: FloatFormat,
    ) -> Result<DeviceValues, OpenClError> {
        let (mut places, mut lifetimes) = (vec![None; chain.values().len()], Vec::new());
        for (value, life) in lives.into_iter().enumerate() {
            if let Some((first, last)) = life {
                places[value] = Some(lifetimes.len());
                let info = &chain.values()[value].info;
                let size = bytes(&packed(info, info.shape())?, format);
                lifetimes.push(Lifetime { size, alignment: 1, first, last });
            }
        }
        let (plan, manager) = (manager.plan(&lifetimes), manager.clone());
        Ok(DeviceValues { chain, manager, plan, places, format })
    }

    pub fn context(&self) -> &Context {
        self.manager.memory().context()
    }

    /// The image of each value: one that is given, a view of another's, that in whose place it is computed, or one without gaps in
    /// `blocks`.
    pub fn images(
        &self,
        given: impl Fn(&ValueDef) -> Option<DeviceImage>,
        blocks: &mut DeviceBlocks<'_>,
    ) -> Result<ValueImages, FunctionError> {
        let mut images: Vec<Option<DeviceImage>> = Vec::new();
        for (value, place) in self.chain.values().iter().zip(&self.places) {
            images.push(match (given(value), value) {
                (Some(image), _) => Some(image),
                // What a value is a view of, or computed in place of, is made before it.
                (None, ValueDef { view: Some((of, view)), .. }) => {
                    images[*of].as_ref().map(|image| seen(image, view)).transpose()?
                }
                (None, ValueDef { in_place_of: Some(other), .. }) => images[*other].clone(),
                (None, ValueDef { info, .. }) => match place {
                    Some(place) => {
                        let packed = packed(info, info.shape())?;
                        let memory = blocks.part(&self.plan, *place, bytes(&packed, self.format))?;
                        Some(DeviceImage::with_layout_as(memory, 0, packed, self.format)?)
                    }
                    None => None,
                },
            });
        }
        Ok(ValueImages(images))
    }

    /// A step of a listing: a copy of a value from one memory to another.
    pub fn copy(&self, value: String, info: &TensorInfo, from: &str, to: &str) -> Step {
        Step::Copy { value, bytes: bytes(info, self.format), from: from.into(), to: to.into() }
    }
}

impl ValueImages {
    /// The image of a value, which has one wherever a stage needs it.
    pub fn of(&self, value: usize) -> Result<DeviceImage, FunctionError> {
        self.0[value].clone().ok_or(FunctionError::Memory(MemoryError::NotPopulated))
    }
}

/// A view of an image.
fn seen(image: &DeviceImage, view: &ValueView) -> Result<DeviceImage, OpenClError> {
    let (offset, info) = view.of(image.info())?;
    let offset = image.offset() + image.format().of(info.dtype()).bytes(offset.unsigned_abs());
    DeviceImage::with_layout_as(image.buffer().clone(), offset, info, image.format())
}

/// Bytes on the device of an image without gaps.
fn bytes(info: &TensorInfo, format: FloatFormat) -> usize {
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
