//! An image object: pixels that kernels read through samplers.

use super::{pool::Pooled, shape::ImageShape, source::Images};
use crate::{
    buffer::Buffer,
    context::Context,
    driver::{Handle, MemoryObject, Waits},
    error::OpenClError,
};

/// An image in two dimensions, in a pool's memory. Transfers wait until they are done.
#[derive(Debug)]
pub struct Image2d {
    shape: ImageShape,
    memory: Pooled<Images>,
    // Released after the memory.
    context: Context,
}

impl Image2d {
    pub(super) fn new(context: &Context, shape: ImageShape, memory: Pooled<Images>) -> Image2d {
        Image2d { shape, memory, context: context.clone() }
    }

    /// Its size and the type of its channels.
    pub fn shape(&self) -> ImageShape {
        self.shape
    }

    /// Copies pixels to the device, row after row without gaps.
    pub fn write(&self, pixels: &[u8]) -> Result<(), OpenClError> {
        let region = self.whole(pixels.len())?;
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        // SAFETY: as many bytes as the box has.
        Ok(unsafe { driver.write_image(queue, &self.memory, [0; 3], region, 0, pixels.as_ptr(), &Waits::NONE) }?)
    }

    /// Copies rows of pixels, `stride` bytes apart, to the rows `first .. first + rows`.
    ///
    /// # Safety
    /// So many rows are readable from `pixels` on, and the image has them.
    pub(crate) unsafe fn write_rows(
        &self,
        first: usize,
        rows: usize,
        pixels: *const u8,
        stride: usize,
    ) -> Result<(), OpenClError> {
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        // A pitch matters between rows alone, and the driver refuses one that is shorter than a row.
        let pitch = if rows > 1 { stride } else { 0 };
        let region = [self.shape.width, rows, 1];
        // SAFETY: the caller's contract.
        Ok(unsafe { driver.write_image(queue, &self.memory, [0, first, 0], region, pitch, pixels, &Waits::NONE) }?)
    }

    /// Copies pixels from the device, row after row without gaps.
    pub fn read(&self, pixels: &mut [u8]) -> Result<(), OpenClError> {
        let region = self.whole(pixels.len())?;
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        // SAFETY: as many bytes as the box has.
        Ok(unsafe { driver.read_image(queue, &self.memory, [0; 3], region, 0, pixels.as_mut_ptr(), &Waits::NONE) }?)
    }

    /// Copies a box of pixels from `buffer`, where they lie without gaps from `offset` on. Only enqueued: what follows on
    /// the context's queue finds them.
    pub fn copy_from(
        &self,
        place: [usize; 2],
        size: [usize; 2],
        buffer: &Buffer,
        offset: usize,
    ) -> Result<(), OpenClError> {
        self.check(place, size, buffer, offset)?;
        let using = buffer.begin_use("the buffer", false)?;
        using.settle()?;
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        let ([x, y], [width, height]) = (place, size);
        let (from, region) = ((&***buffer.memory(), offset), [width, height, 1]);
        driver.copy_buffer_to_image(queue, from, &self.memory, [x, y, 0], region, &Waits::NONE, false)?;
        Ok(())
    }

    /// Copies a box of pixels to `buffer`, without gaps from `offset` on. Only enqueued.
    pub fn copy_to(
        &self,
        place: [usize; 2],
        size: [usize; 2],
        buffer: &Buffer,
        offset: usize,
    ) -> Result<(), OpenClError> {
        self.check(place, size, buffer, offset)?;
        let using = buffer.begin_use("the buffer", true)?;
        using.settle()?;
        let (driver, queue) = (self.context.driver(), self.context.queue().handle());
        let ([x, y], [width, height]) = (place, size);
        let (to, region) = ((&***buffer.memory(), offset), [width, height, 1]);
        driver.copy_image_to_buffer(queue, &self.memory, [x, y, 0], region, to, &Waits::NONE, false)?;
        Ok(())
    }

    /// Where it lies.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The object, for kernels' arguments.
    pub(crate) fn handle(&self) -> &Handle<MemoryObject> {
        &self.memory
    }

    /// The whole image as a box, for a transfer of so many bytes.
    fn whole(&self, length: usize) -> Result<[usize; 3], OpenClError> {
        let ImageShape { width, height, .. } = self.shape;
        if length as u64 == self.shape.bytes() && length > 0 {
            return Ok([width, height, 1]);
        }
        Err(OpenClError::OutOfRange { offset: 0, length, capacity: self.shape.bytes() as usize })
    }

    fn check(&self, place: [usize; 2], size: [usize; 2], buffer: &Buffer, offset: usize) -> Result<(), OpenClError> {
        self.context.core().check_same("the buffer", buffer.context().core())?;
        let ImageShape { width, height, .. } = self.shape;
        let inside =
            |place: usize, size: usize, extent: usize| place.checked_add(size).is_some_and(|end| end <= extent);
        if !inside(place[0], size[0], width) || !inside(place[1], size[1], height) {
            let [x, y] = place;
            return Err(OpenClError::OutsideImage { x, y, width: size[0], height: size[1], image: self.shape });
        }
        let length = size[0] * size[1] * self.shape.pixel();
        if offset.checked_add(length).is_none_or(|end| end > buffer.len()) {
            return Err(OpenClError::OutOfRange { offset, length, capacity: buffer.len() });
        }
        Ok(())
    }
}
