//! Bytes to a device, from it, on it, and mapped.

use super::{Call, Driver, EventObject, Handle, MemoryObject, QueueObject, Waits, checked, library};
use crate::opencl::error::OpenClError;
use opencl3::types::{cl_bool, cl_event, cl_int, cl_ulong};
use std::{ffi::c_void, ptr};

/// A box of bytes in a buffer or in host memory: where its rows and planes lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    /// The first byte in a row, the first row, the first plane.
    pub origin: [usize; 3],
    /// Bytes from row to row.
    pub row: usize,
    /// Bytes from plane to plane.
    pub plane: usize,
}

/// Mapped memory, and the event of its being there.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub pointer: *mut c_void,
    pub event: Option<Handle<EventObject>>,
}

type Enqueued = Result<Option<Handle<EventObject>>, OpenClError>;

impl Driver {
    /// Writes `length` bytes from `host` to `offset`.
    ///
    /// # Safety
    /// `host` is readable for `length` bytes until the command is done, which a blocking one is when it returns.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) unsafe fn write_buffer(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        blocking: bool,
        offset: usize,
        host: *const u8,
        length: usize,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::WriteBuffer, wants_event, |library, event| {
            library.clEnqueueWriteBuffer(
                queue.raw(),
                buffer.raw(),
                cl_bool::from(blocking),
                offset,
                length,
                host.cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Reads `length` bytes from `offset` to `host`.
    ///
    /// # Safety
    /// `host` is writable for `length` bytes until the command is done, which a blocking one is when it returns.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) unsafe fn read_buffer(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        blocking: bool,
        offset: usize,
        host: *mut u8,
        length: usize,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::ReadBuffer, wants_event, |library, event| {
            library.clEnqueueReadBuffer(
                queue.raw(),
                buffer.raw(),
                cl_bool::from(blocking),
                offset,
                length,
                host.cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Writes a box of `region` (bytes, rows, planes) from `host`.
    ///
    /// # Safety
    /// As [`Self::write_buffer`], for the bytes of the box in `from`.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) unsafe fn write_buffer_rect(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        blocking: bool,
        to: &Rectangle,
        from: &Rectangle,
        region: [usize; 3],
        host: *const u8,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::WriteBufferRect, wants_event, |library, event| {
            library.clEnqueueWriteBufferRect(
                queue.raw(),
                buffer.raw(),
                cl_bool::from(blocking),
                to.origin.as_ptr(),
                from.origin.as_ptr(),
                region.as_ptr(),
                to.row,
                to.plane,
                from.row,
                from.plane,
                host.cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Reads a box of `region` (bytes, rows, planes) to `host`.
    ///
    /// # Safety
    /// As [`Self::read_buffer`], for the bytes of the box in `to`.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) unsafe fn read_buffer_rect(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        blocking: bool,
        from: &Rectangle,
        to: &Rectangle,
        region: [usize; 3],
        host: *mut u8,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::ReadBufferRect, wants_event, |library, event| {
            library.clEnqueueReadBufferRect(
                queue.raw(),
                buffer.raw(),
                cl_bool::from(blocking),
                from.origin.as_ptr(),
                to.origin.as_ptr(),
                region.as_ptr(),
                from.row,
                from.plane,
                to.row,
                to.plane,
                host.cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Copies between buffers. The library refuses ranges that overlap or lie outside.
    pub(crate) fn copy_buffer(
        &self,
        queue: &Handle<QueueObject>,
        (from, from_offset): (&Handle<MemoryObject>, usize),
        (to, to_offset): (&Handle<MemoryObject>, usize),
        length: usize,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::CopyBuffer, wants_event, |library, event| {
            let (waits, list) = (waits.count(), waits.pointer());
            library.clEnqueueCopyBuffer(
                queue.raw(),
                from.raw(),
                to.raw(),
                from_offset,
                to_offset,
                length,
                waits,
                list,
                event,
            )
        })
    }

    /// Copies a box of `region` (bytes, rows, planes) between buffers.
    pub(crate) fn copy_buffer_rect(
        &self,
        queue: &Handle<QueueObject>,
        (from, from_box): (&Handle<MemoryObject>, &Rectangle),
        (to, to_box): (&Handle<MemoryObject>, &Rectangle),
        region: [usize; 3],
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::CopyBufferRect, wants_event, |library, event| {
            library.clEnqueueCopyBufferRect(
                queue.raw(),
                from.raw(),
                to.raw(),
                from_box.origin.as_ptr(),
                to_box.origin.as_ptr(),
                region.as_ptr(),
                from_box.row,
                from_box.plane,
                to_box.row,
                to_box.plane,
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Fills bytes of a buffer with copies of `pattern`, whose length is a power of two.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) fn fill_buffer(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        pattern: &[u8],
        offset: usize,
        length: usize,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::FillBuffer, wants_event, |library, event| {
            library.clEnqueueFillBuffer(
                queue.raw(),
                buffer.raw(),
                pattern.as_ptr().cast(),
                pattern.len(),
                offset,
                length,
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Writes a box of an image's elements from rows without gaps, and waits.
    ///
    /// # Safety
    /// `host` is readable for the box's elements.
    pub(crate) unsafe fn write_image(
        &self,
        queue: &Handle<QueueObject>,
        image: &Handle<MemoryObject>,
        origin: [usize; 3],
        region: [usize; 3],
        host: *const u8,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let enqueued = self.enqueue(Call::WriteImage, false, |library, event| {
            library.clEnqueueWriteImage(
                queue.raw(),
                image.raw(),
                1,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                host.cast_mut().cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        });
        enqueued.map(drop)
    }

    /// Reads a box of an image's elements to rows without gaps, and waits.
    ///
    /// # Safety
    /// `host` is writable for the box's elements.
    pub(crate) unsafe fn read_image(
        &self,
        queue: &Handle<QueueObject>,
        image: &Handle<MemoryObject>,
        origin: [usize; 3],
        region: [usize; 3],
        host: *mut u8,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let enqueued = self.enqueue(Call::ReadImage, false, |library, event| {
            library.clEnqueueReadImage(
                queue.raw(),
                image.raw(),
                1,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                host.cast(),
                waits.count(),
                waits.pointer(),
                event,
            )
        });
        enqueued.map(drop)
    }

    /// Copies a buffer's bytes from `offset` on to a box of an image.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) fn copy_buffer_to_image(
        &self,
        queue: &Handle<QueueObject>,
        (buffer, offset): (&Handle<MemoryObject>, usize),
        image: &Handle<MemoryObject>,
        origin: [usize; 3],
        region: [usize; 3],
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::CopyBufferToImage, wants_event, |library, event| {
            library.clEnqueueCopyBufferToImage(
                queue.raw(),
                buffer.raw(),
                image.raw(),
                offset,
                origin.as_ptr(),
                region.as_ptr(),
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Copies a box of an image to a buffer, from `offset` on.
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) fn copy_image_to_buffer(
        &self,
        queue: &Handle<QueueObject>,
        image: &Handle<MemoryObject>,
        origin: [usize; 3],
        region: [usize; 3],
        (buffer, offset): (&Handle<MemoryObject>, usize),
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::CopyImageToBuffer, wants_event, |library, event| {
            library.clEnqueueCopyImageToBuffer(
                queue.raw(),
                image.raw(),
                buffer.raw(),
                origin.as_ptr(),
                region.as_ptr(),
                offset,
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// Maps bytes of a buffer, for what the bits `flags` say. They must be unmapped with [`Self::unmap`].
    #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
    pub(crate) fn map_buffer(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        blocking: bool,
        flags: cl_ulong,
        offset: usize,
        length: usize,
        waits: &Waits,
        wants_event: bool,
    ) -> Result<Mapping, OpenClError> {
        let mut event: cl_event = ptr::null_mut();
        let place = if wants_event { &raw mut event } else { ptr::null_mut() };
        let pointer = self.make(Call::MapBuffer, || {
            let mut status: cl_int = 0;
            let pointer = library()?.clEnqueueMapBuffer(
                queue.raw(),
                buffer.raw(),
                cl_bool::from(blocking),
                flags,
                offset,
                length,
                waits.count(),
                waits.pointer(),
                place,
                &raw mut status,
            );
            checked(pointer.map(|_| status)).and(Ok(pointer))
        })?;
        let event = (!event.is_null()).then(|| Handle::new(self, event));
        Ok(Mapping { pointer: pointer.unwrap_or(ptr::null_mut()), event })
    }

    /// Ends a mapping. Its bytes may not be touched any more.
    ///
    /// # Safety
    /// `pointer` was mapped from this memory, and is unmapped once.
    pub(crate) unsafe fn unmap(
        &self,
        queue: &Handle<QueueObject>,
        memory: &Handle<MemoryObject>,
        pointer: *mut c_void,
        waits: &Waits,
        wants_event: bool,
    ) -> Enqueued {
        self.enqueue(Call::UnmapMemory, wants_event, |library, event| {
            let (waits, list) = (waits.count(), waits.pointer());
            library.clEnqueueUnmapMemObject(queue.raw(), memory.raw(), pointer, waits, list, event)
        })
    }
}
