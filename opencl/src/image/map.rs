//! The host's use of an image where it lies.
//!
//! A [`MappedImage`] is the only way to a view of an image's elements: a kernel on the processor can't be given an image
//! that is not mapped. The other way round, a device refuses an image while it is mapped, with
//! [`OpenClError::Mapped`].

use crate::{DeviceImage, FloatFormat, MissingFeature, OpenClError, driver::transfer::On};
use opencl3::memory::{CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION};
use std::ptr::NonNull;
use windrow_runtime::view::{AnyView, AnyViewMut};

/// What the host does with a mapped image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapAccess {
    /// It reads.
    Read,
    /// It reads and writes.
    Write,
    /// It writes every element, and reads none before: nothing need be copied from the device.
    Overwrite,
}

impl MapAccess {
    fn flags(self) -> u64 {
        match self {
            Self::Read => CL_MAP_READ,
            Self::Write => CL_MAP_READ | CL_MAP_WRITE,
            Self::Overwrite => CL_MAP_WRITE_INVALIDATE_REGION,
        }
    }

    fn writes(self) -> bool {
        match self {
            Self::Read => false,
            Self::Write | Self::Overwrite => true,
        }
    }
}

/// An image that the host uses. It goes back to the device when this is dropped, or by [`MappedImage::unmap`].
#[derive(Debug)]
pub struct MappedImage {
    image: DeviceImage,
    base: NonNull<u8>,
    access: MapAccess,
    is_mapped: bool,
}

// SAFETY: the pointer leads to plain data that this object borrows from the driver.
unsafe impl Send for MappedImage {}
// SAFETY: shared, it gives views to read only.
unsafe impl Sync for MappedImage {}

impl DeviceImage {
    /// Lets the host use the elements, and waits until it may: until the commands that use them are done, on whichever
    /// queue. Where the device and the host share memory nothing is copied.
    ///
    /// # Errors
    /// [`OpenClError::Mapped`] where the host uses them otherwise already; [`OpenClError::FloatFormat`] for floats that lie
    /// in halves: a view of them would be another type's.
    pub fn map(&self, access: MapAccess) -> Result<MappedImage, OpenClError> {
        self.expect_format("the mapped image", FloatFormat::F32)?;
        self.buffer.uses().begin_map("the image", access.writes())?;
        let mapped = self.map_bytes(access);
        if mapped.is_err() {
            self.buffer.uses().end_map(access.writes());
        }
        mapped
    }

    fn map_bytes(&self, access: MapAccess) -> Result<MappedImage, OpenClError> {
        let (context, image) = (self.buffer.context(), self.clone());
        let length = self.info.size_in_bytes();
        if length == 0 {
            return Ok(MappedImage { image, base: NonNull::<u64>::dangling().cast(), access, is_mapped: false });
        }
        let on = On::queue(context.ordered_memory_queue()?.handle());
        let pointer = on.map_buffer(self.buffer.memory(), access.flags(), self.offset, length)?;
        let missing = || MissingFeature::new(&*context.device().name, "mapped memory");
        let base = NonNull::new(pointer.cast::<u8>()).ok_or_else(missing)?;
        Ok(MappedImage { image, base, access, is_mapped: true })
    }
}

impl MappedImage {
    /// Returns the elements, to read. (Of an image mapped to be overwritten: those written since.)
    pub fn view(&self) -> AnyView<'_> {
        // SAFETY: mapped, and lent as long as this is; who writes is refused meanwhile.
        unsafe { AnyView::from_raw(self.base, self.image.info) }
    }

    /// Returns the elements, to write; none where the image is mapped to be read.
    pub fn view_mut(&mut self) -> Option<AnyViewMut<'_>> {
        // SAFETY: mapped to be written, and lent exclusively; every other user is refused meanwhile.
        self.access.writes().then(|| unsafe { AnyViewMut::from_raw(self.base, self.image.info) })
    }

    /// Returns the image.
    pub fn image(&self) -> &DeviceImage {
        &self.image
    }

    /// Gives the elements back to the device.
    pub fn unmap(mut self) -> Result<(), OpenClError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), OpenClError> {
        if !std::mem::replace(&mut self.is_mapped, false) {
            return Ok(());
        }
        let buffer = &self.image.buffer;
        let (context, pointer) = (buffer.context(), self.base.as_ptr().cast());
        let on = On::queue(context.memory_queue().handle());
        // SAFETY: mapped by `map_bytes`, unmapped once; the views end with the borrow of this object.
        unsafe { on.unmap(buffer.memory(), pointer) }?;
        context.memory_queue().sync()
    }
}

impl Drop for MappedImage {
    fn drop(&mut self) {
        // `drop` can return no error; `unmap` does.
        let _ = self.end();
        self.image.buffer.uses().end_map(self.access.writes());
    }
}
