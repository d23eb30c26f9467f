//! An image object: pixels that kernels read through samplers.

use crate::{
    Buffer, Context, DeviceMemoryError, ImageShape, OpenClError,
    driver::{
        handle::{Handle, MemoryObject},
        transfer::{Host, On, Pixels},
    },
    memory::{pool::Pooled, source::Blocks},
    uses::{Use, note_last},
};

/// An image in two dimensions, in a pool's memory. Transfers wait until they are done.
#[derive(Debug)]
pub struct Image2d {
    shape: ImageShape,
    memory: Pooled<Blocks>,
    // Released after the memory.
    context: Context,
}

impl Image2d {
    pub(super) fn new(context: &Context, shape: ImageShape, memory: Pooled<Blocks>) -> Image2d {
        Image2d { shape, memory, context: context.clone() }
    }

    /// Returns the size and the type of its channels.
    pub fn shape(&self) -> ImageShape {
        self.shape
    }

    /// Copies pixels to the device, row after row without gaps.
    pub fn write(&self, pixels: &[u8]) -> Result<(), OpenClError> {
        // SAFETY: as many bytes as are readable.
        unsafe { self.exchange(pixels.len(), Host::From(pixels.as_ptr())) }
    }

    /// Copies pixels from the device, row after row without gaps.
    pub fn read(&self, pixels: &mut [u8]) -> Result<(), OpenClError> {
        // SAFETY: as many bytes as are writable.
        unsafe { self.exchange(pixels.len(), Host::To(pixels.as_mut_ptr())) }
    }

    /// # Safety
    /// So many bytes are readable or writable at `host`.
    unsafe fn exchange(&self, length: usize, host: Host) -> Result<(), OpenClError> {
        if length as u64 != self.shape.bytes() || length == 0 {
            return Err(
                DeviceMemoryError::OutOfRange { offset: 0, length, capacity: self.shape.bytes() as usize }.into()
            );
        }
        // SAFETY: as many bytes as the image has.
        unsafe { self.move_rows(0, self.shape.height, 0, host) }
    }

    /// Moves the rows `first .. first + rows` from or to rows of the host's, `stride` bytes apart.
    ///
    /// # Safety
    /// So many rows are readable or writable at `host`, and the image has them.
    pub(crate) unsafe fn move_rows(
        &self,
        first: usize,
        rows: usize,
        stride: usize,
        host: Host,
    ) -> Result<(), OpenClError> {
        let on = On::queue(self.context.queue().handle());
        // A pitch matters between rows alone, and the driver refuses one that is shorter than a row.
        let pitch = if rows > 1 { stride } else { 0 };
        let pixels = self.pixels([0, first], [self.shape.width, rows]);
        // SAFETY: the caller's contract.
        Ok(unsafe { on.transfer_pixels(pixels, pitch, host) }?)
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
        let using = self.begin_copy(place, size, (buffer, offset), false)?;
        let (queue, from) = (self.context.queue(), (&***buffer.memory(), offset));
        On::queue(queue.handle()).copy_buffer_to_image(from, self.pixels(place, size))?;
        note_last(&[using], queue)
    }

    /// Copies a box of pixels to `buffer`, without gaps from `offset` on. Only enqueued.
    pub fn copy_to(
        &self,
        place: [usize; 2],
        size: [usize; 2],
        buffer: &Buffer,
        offset: usize,
    ) -> Result<(), OpenClError> {
        let using = self.begin_copy(place, size, (buffer, offset), true)?;
        let (queue, to) = (self.context.queue(), (&***buffer.memory(), offset));
        On::queue(queue.handle()).copy_image_to_buffer(self.pixels(place, size), to)?;
        note_last(&[using], queue)
    }

    /// Checks a copy between a box of pixels and a buffer, which it writes where `writes` says so.
    fn begin_copy(
        &self,
        place: [usize; 2],
        size: [usize; 2],
        (buffer, offset): (&Buffer, usize),
        writes: bool,
    ) -> Result<Use, OpenClError> {
        self.check(place, size, buffer, offset)?;
        let using = buffer.begin_use("the buffer", writes)?;
        using.settle()?;
        Ok(using)
    }

    fn pixels(&self, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> Pixels<'_> {
        Pixels { image: &self.memory, origin: [x, y, 0], region: [width, height, 1] }
    }

    /// Returns the context of the image.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The object, for kernels' arguments.
    pub(crate) fn handle(&self) -> &Handle<MemoryObject> {
        &self.memory
    }

    fn check(&self, place: [usize; 2], size: [usize; 2], buffer: &Buffer, offset: usize) -> Result<(), OpenClError> {
        self.context.core().check_same("the buffer", buffer.context().core())?;
        let ImageShape { width, height, .. } = self.shape;
        let inside =
            |place: usize, size: usize, extent: usize| place.checked_add(size).is_some_and(|end| end <= extent);
        if !inside(place[0], size[0], width) || !inside(place[1], size[1], height) {
            let [x, y] = place;
            return Err(
                DeviceMemoryError::OutsideImage { x, y, width: size[0], height: size[1], image: self.shape }.into()
            );
        }
        let length = size[0] * size[1] * self.shape.pixel();
        if offset.checked_add(length).is_none_or(|end| end > buffer.len()) {
            return Err(DeviceMemoryError::OutOfRange { offset, length, capacity: buffer.len() }.into());
        }
        Ok(())
    }
}
