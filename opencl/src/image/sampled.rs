//! A plane in an image object, which kernels read through samplers.

use crate::{
    DeviceImage, DeviceMemory, Image2d, ImageChannels, ImageShape, OpenClError, Queue, Storage,
    driver::{
        event::WaitList,
        transfer::{Host, On, Pixels},
    },
    image::device::element_of,
};
use std::sync::Arc;
use windrow_runtime::{element::ElementType, family::AnyTensor, info::TensorInfo, view::AnyView};

/// A plane of elements of one channel, in an image of exactly its size. Its clones share the memory.
///
/// Floats lie there as their bits: nothing on the way to a kernel can flush or quiet them.
#[derive(Clone, Debug)]
pub struct SampledImage {
    image: Arc<Image2d>,
    element: ElementType,
}

impl SampledImage {
    /// Returns an image for `width` × `height` elements, of unknown contents.
    pub fn new(
        memory: &DeviceMemory,
        element: ElementType,
        [width, height]: [usize; 2],
        storage: Storage,
    ) -> Result<Self, OpenClError> {
        let image = memory.image(image_shape(element, [width, height]), storage)?;
        Ok(Self { image: Arc::new(image), element })
    }

    /// Returns a copy of the host's plane.
    pub fn upload(memory: &DeviceMemory, view: &AnyView<'_>, storage: Storage) -> Result<Self, OpenClError> {
        let info = view.info();
        let image = Self::new(memory, element_of(info)?, [info.width(), info.height()], storage)?;
        image.write(view)?;
        Ok(image)
    }

    /// Returns the type of an element.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the number of elements of a row, rows.
    pub fn extents(&self) -> [usize; 2] {
        let ImageShape { width, height, .. } = self.image.shape();
        [width, height]
    }

    /// Copies the host's plane, of the same type and extents, here, and waits. Its rows may have gaps.
    pub fn write(&self, view: &AnyView<'_>) -> Result<(), OpenClError> {
        self.expect("source", view.info())?;
        self.write_rows(view, 0, view.info().height())
    }

    /// Copies the rows `first .. end` of such a plane, as far as it has them.
    pub(super) fn write_rows(&self, view: &AnyView<'_>, first: usize, end: usize) -> Result<(), OpenClError> {
        self.expect("source", view.info())?;
        let (info, end) = (view.info(), end.min(view.info().height()));
        if first >= end {
            return Ok(());
        }
        let row = info.width() * info.pixel_size();
        let apart = usize::try_from(info.row_stride()).ok().filter(|&apart| apart >= row);
        let Some(apart) = apart.filter(|_| info.layout().has_contiguous_rows()) else {
            let mut dense = AnyTensor::new(info)?;
            dense.view_mut().copy_from(view)?;
            // SAFETY: as below; rows follow each other.
            return unsafe {
                let from = Host::From(dense.view().as_ptr().add(first * row));
                self.image.move_rows(first, end - first, row, from)
            };
        };
        // SAFETY: a view's elements are readable: as many in a row, and as many rows, as the image has.
        unsafe { self.image.move_rows(first, end - first, apart, Host::From(view.as_ptr().add(first * apart))) }
    }

    /// Enqueues a copy of a plane on the device, of the same type and extents, after `waits`. Without gaps between its rows
    /// that is one command, else one a row.
    pub(crate) fn copy_from(&self, queue: &Queue, waits: &WaitList, source: &DeviceImage) -> Result<(), OpenClError> {
        let [width, height] = self.extents();
        let (row, gapless) = (source.place().row as usize, width * self.element.size());
        let from = source.buffer().memory();
        let rows = if row == gapless || height == 1 { height } else { 1 };
        for y in (0..height).step_by(rows.max(1)) {
            let to = Pixels { image: self.image.handle(), origin: [0, y, 0], region: [width, rows, 1] };
            let on = On { queue: queue.handle(), waits };
            on.copy_buffer_to_image((from, source.offset() + y * row), to)?;
        }
        Ok(())
    }

    /// The image object.
    pub(crate) fn image(&self) -> &Arc<Image2d> {
        &self.image
    }

    /// Checks that it holds what `info` says, as `argument` must.
    pub(crate) fn expect(&self, argument: &'static str, info: &TensorInfo) -> Result<(), OpenClError> {
        let [width, height] = self.extents();
        let found = TensorInfo::new(self.element, 1, &[height, width])?;
        if found.is_like(info) {
            return Ok(());
        }
        let (found, found_element) = (found.shape(), self.element.dtype());
        let (expected, expected_element) = (info.shape(), info.dtype());
        Err(OpenClError::Image { argument, found, expected, found_element, expected_element })
    }
}

/// The image that holds a plane.
pub(super) fn image_shape(element: ElementType, [width, height]: [usize; 2]) -> ImageShape {
    let element = match element {
        ElementType::F32 => ElementType::U32,
        ElementType::F16 | ElementType::BF16 => ElementType::U16,
        ElementType::U8 | ElementType::I8 | ElementType::U16 | ElementType::I16 => element,
        // No image's texels have 64 bits: kernels read such elements from buffers alone.
        ElementType::U32 | ElementType::I32 | ElementType::U64 | ElementType::I64 | ElementType::F64 => element,
    };
    ImageShape { width, height, element, channels: ImageChannels::One }
}
