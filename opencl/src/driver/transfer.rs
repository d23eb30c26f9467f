//! Bytes to a device, from it, on it, and mapped.
//!
//! What goes both ways between a device and the host is written once: a row for each way.

use super::{
    Call, Driver, EventObject, Handle, MemoryObject, QueueObject, Waits, checked, error::DriverError, library,
};
use opencl3::types::{cl_bool, cl_int, cl_ulong};
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

type Enqueued = Result<Option<Handle<EventObject>>, DriverError>;

macro_rules! ranges {
    ($($(#[$docs:meta])* $name:ident $call:ident $function:ident $host:ty;)*) => {$(
        $(#[$docs])*
        #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
        pub(crate) unsafe fn $name(
            &self,
            queue: &Handle<QueueObject>,
            buffer: &Handle<MemoryObject>,
            blocking: bool,
            offset: usize,
            host: $host,
            length: usize,
            waits: &Waits,
            wants_event: bool,
        ) -> Enqueued {
            let (count, list) = (waits.count(), waits.pointer());
            let (queue, buffer, blocking) = (queue.raw(), buffer.raw(), cl_bool::from(blocking));
            self.enqueue(Call::$call, wants_event, |library, event| {
                library.$function(queue, buffer, blocking, offset, length, host.cast(), count, list, event)
            })
        }
    )*};
}

macro_rules! boxes {
    ($($(#[$docs:meta])* $name:ident $call:ident $function:ident $host:ty;)*) => {$(
        $(#[$docs])*
        #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
        pub(crate) unsafe fn $name(
            &self,
            queue: &Handle<QueueObject>,
            buffer: &Handle<MemoryObject>,
            blocking: bool,
            in_buffer: &Rectangle,
            on_host: &Rectangle,
            region: [usize; 3],
            host: $host,
            waits: &Waits,
            wants_event: bool,
        ) -> Enqueued {
            let (count, list) = (waits.count(), waits.pointer());
            let (queue, buffer, blocking) = (queue.raw(), buffer.raw(), cl_bool::from(blocking));
            let (from, to, region) = (in_buffer.origin.as_ptr(), on_host.origin.as_ptr(), region.as_ptr());
            let [row, plane, host_row, host_plane] = [in_buffer.row, in_buffer.plane, on_host.row, on_host.plane];
            self.enqueue(Call::$call, wants_event, |library, event| {
                library.$function(
                    queue, buffer, blocking, from, to, region, row, plane, host_row, host_plane, host.cast(), count, list,
                    event,
                )
            })
        }
    )*};
}

macro_rules! pixels {
    ($($(#[$docs:meta])* $name:ident $call:ident $function:ident $host:ty;)*) => {$(
        $(#[$docs])*
        #[allow(clippy::too_many_arguments, reason = "the library's own arguments")]
        pub(crate) unsafe fn $name(
            &self,
            queue: &Handle<QueueObject>,
            image: &Handle<MemoryObject>,
            origin: [usize; 3],
            region: [usize; 3],
            pitch: usize,
            host: $host,
            waits: &Waits,
        ) -> Result<(), DriverError> {
            let (count, list) = (waits.count(), waits.pointer());
            let (queue, image, origin, region) = (queue.raw(), image.raw(), origin.as_ptr(), region.as_ptr());
            let enqueued = self.enqueue(Call::$call, false, |library, event| {
                let host = host.cast::<c_void>() as *mut c_void;
                library.$function(queue, image, 1, origin, region, pitch, 0, host, count, list, event)
            });
            enqueued.map(drop)
        }
    )*};
}

impl Driver {
    ranges! {
        /// Writes `length` bytes from `host` to `offset`.
        ///
        /// # Safety
        /// `host` is readable for `length` bytes until the command is done, which a blocking one is when it returns.
        write_buffer WriteBuffer clEnqueueWriteBuffer *const u8;
        /// Reads `length` bytes from `offset` to `host`.
        ///
        /// # Safety
        /// `host` is writable for `length` bytes until the command is done, which a blocking one is when it returns.
        read_buffer ReadBuffer clEnqueueReadBuffer *mut u8;
    }

    boxes! {
        /// Writes a box of `region` (bytes, rows, planes) from `host`.
        ///
        /// # Safety
        /// As [`Self::write_buffer`], for the bytes of the box `on_host`.
        write_buffer_rect WriteBufferRect clEnqueueWriteBufferRect *const u8;
        /// Reads a box of `region` (bytes, rows, planes) to `host`.
        ///
        /// # Safety
        /// As [`Self::read_buffer`], for the bytes of the box `on_host`.
        read_buffer_rect ReadBufferRect clEnqueueReadBufferRect *mut u8;
    }

    pixels! {
        /// Writes a box of an image's elements from rows `pitch` bytes apart, 0 for rows without gaps, and waits.
        ///
        /// # Safety
        /// `host` is readable for the box's elements.
        write_image WriteImage clEnqueueWriteImage *const u8;
        /// Reads a box of an image's elements to such rows, and waits.
        ///
        /// # Safety
        /// `host` is writable for the box's elements.
        read_image ReadImage clEnqueueReadImage *mut u8;
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
            let (from, to) = (from.raw(), to.raw());
            library.clEnqueueCopyBuffer(queue.raw(), from, to, from_offset, to_offset, length, waits, list, event)
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
            let (waits, list) = (waits.count(), waits.pointer());
            let (queue, from, to) = (queue.raw(), buffer.raw(), image.raw());
            let (origin, region) = (origin.as_ptr(), region.as_ptr());
            library.clEnqueueCopyBufferToImage(queue, from, to, offset, origin, region, waits, list, event)
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
            let (waits, list) = (waits.count(), waits.pointer());
            let (queue, from, to) = (queue.raw(), image.raw(), buffer.raw());
            let (origin, region) = (origin.as_ptr(), region.as_ptr());
            library.clEnqueueCopyImageToBuffer(queue, from, to, origin, region, offset, waits, list, event)
        })
    }

    /// Maps bytes of a buffer, for what the bits `flags` say, and waits. They must be unmapped with [`Self::unmap`].
    pub(crate) fn map_buffer(
        &self,
        queue: &Handle<QueueObject>,
        buffer: &Handle<MemoryObject>,
        flags: cl_ulong,
        offset: usize,
        length: usize,
    ) -> Result<*mut c_void, DriverError> {
        let pointer = self.make(Call::MapBuffer, || {
            let (mut status, none): (cl_int, _) = (0, ptr::null());
            let (queue, buffer, event) = (queue.raw(), buffer.raw(), ptr::null_mut());
            let pointer =
                library()?.clEnqueueMapBuffer(queue, buffer, 1, flags, offset, length, 0, none, event, &raw mut status);
            checked(pointer.map(|_| status)).and(Ok(pointer))
        })?;
        Ok(pointer.unwrap_or(ptr::null_mut()))
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
