//! Bytes to a device, from it, on it, and mapped.

use crate::{
    Call, DriverError,
    driver::{
        event::WaitList,
        handle::{Handle, MemoryObject, QueueObject},
    },
};
use cl3::OpenClRuntime;
use opencl3::types::{cl_bool, cl_event, cl_int, cl_uint, cl_ulong};
use std::{ffi::c_void, ptr};

/// The queue of a command, and what it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct On<'a> {
    pub queue: &'a Handle<QueueObject>,
    pub waits: &'a WaitList,
}

impl<'a> On<'a> {
    /// After everything that is on the queue already.
    pub(crate) fn queue(queue: &'a Handle<QueueObject>) -> Self {
        static NONE: WaitList = WaitList::NONE;
        Self { queue, waits: &NONE }
    }
}

/// The host's side of a transfer, and the way that the bytes go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Host {
    /// They are read from here, and written to the device.
    From(*const u8),
    /// They are read from the device, and written here.
    To(*mut u8),
}

impl Host {
    /// The same, `bytes` bytes further on, or back where that is negative.
    ///
    /// # Safety
    /// Both places lie in one allocation.
    pub(crate) unsafe fn offset(self, bytes: isize) -> Self {
        // SAFETY: the caller's contract.
        unsafe {
            match self {
                Self::From(host) => Self::From(host.offset(bytes)),
                Self::To(host) => Self::To(host.offset(bytes)),
            }
        }
    }
}

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

impl Rectangle {
    /// Rows `row` bytes apart, from byte `first` of the memory on. The library computes the place from whole rows.
    pub(crate) fn rows(first: usize, row: usize) -> Self {
        let row = row.max(1);
        Self { origin: [first % row, first / row, 0], row, plane: 0 }
    }
}

/// A box of an image's elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pixels<'a> {
    pub image: &'a Handle<MemoryObject>,
    pub origin: [usize; 3],
    pub region: [usize; 3],
}

/// The raw objects that a command is given first and last: its queue, what it waits for, and no place for an event.
struct Raw {
    queue: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
}

impl On<'_> {
    /// Enqueues a command without an event.
    fn command(
        self,
        call: Call,
        enqueue: impl FnOnce(&OpenClRuntime, Raw) -> Option<cl_int>,
    ) -> Result<(), DriverError> {
        let (queue, count, list) = (self.queue.raw(), self.waits.count(), self.waits.pointer());
        let enqueued = self
            .queue
            .driver()
            .enqueue(call, false, |library, event| enqueue(library, Raw { queue, count, list, event }));
        enqueued.map(drop)
    }

    /// Moves `length` bytes between `host` and a buffer, from `offset` on there.
    ///
    /// # Safety
    /// `host` is readable or writable for `length` bytes until the command is done, which a blocking one is when it returns.
    pub(crate) unsafe fn transfer(
        self,
        (buffer, offset): (&Handle<MemoryObject>, usize),
        length: usize,
        host: Host,
        blocking: bool,
    ) -> Result<(), DriverError> {
        let (buffer, blocking) = (buffer.raw(), cl_bool::from(blocking));
        match host {
            Host::From(host) => self.command(Call::WriteBuffer, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueWriteBuffer(queue, buffer, blocking, offset, length, host, count, list, event)
            }),
            Host::To(host) => self.command(Call::ReadBuffer, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueReadBuffer(queue, buffer, blocking, offset, length, host, count, list, event)
            }),
        }
    }

    /// Moves a box of `region` (bytes, rows, planes) between `host` and a buffer.
    ///
    /// # Safety
    /// As [`Self::transfer`], for the bytes of the box on the host.
    pub(crate) unsafe fn transfer_box(
        self,
        (buffer, there): (&Handle<MemoryObject>, &Rectangle),
        (host, here): (Host, &Rectangle),
        region: [usize; 3],
        blocking: bool,
    ) -> Result<(), DriverError> {
        let (buffer, blocking) = (buffer.raw(), cl_bool::from(blocking));
        let (from, to, region) = (there.origin.as_ptr(), here.origin.as_ptr(), region.as_ptr());
        let [row, plane, host_row, host_plane] = [there.row, there.plane, here.row, here.plane];
        match host {
            Host::From(host) => self.command(Call::WriteBufferRect, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueWriteBufferRect(
                    queue, buffer, blocking, from, to, region, row, plane, host_row, host_plane, host, count, list,
                    event,
                )
            }),
            Host::To(host) => self.command(Call::ReadBufferRect, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueReadBufferRect(
                    queue, buffer, blocking, from, to, region, row, plane, host_row, host_plane, host, count, list,
                    event,
                )
            }),
        }
    }

    /// Moves elements of an image from or to rows `pitch` bytes apart, 0 for rows without gaps, and waits.
    ///
    /// # Safety
    /// `host` is readable or writable for the box's elements.
    pub(crate) unsafe fn transfer_pixels(
        self,
        pixels: Pixels<'_>,
        pitch: usize,
        host: Host,
    ) -> Result<(), DriverError> {
        let (image, origin, region) = (pixels.image.raw(), pixels.origin.as_ptr(), pixels.region.as_ptr());
        match host {
            Host::From(host) => self.command(Call::WriteImage, |library, Raw { queue, count, list, event }| {
                let host = host.cast_mut().cast();
                library.clEnqueueWriteImage(queue, image, 1, origin, region, pitch, 0, host, count, list, event)
            }),
            Host::To(host) => self.command(Call::ReadImage, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueReadImage(queue, image, 1, origin, region, pitch, 0, host, count, list, event)
            }),
        }
    }

    /// Copies between buffers. The library refuses ranges that overlap or lie outside.
    pub(crate) fn copy_buffer(
        self,
        (from, first): (&Handle<MemoryObject>, usize),
        (to, place): (&Handle<MemoryObject>, usize),
        length: usize,
    ) -> Result<(), DriverError> {
        self.command(Call::CopyBuffer, |library, Raw { queue, count, list, event }| {
            library.clEnqueueCopyBuffer(queue, from.raw(), to.raw(), first, place, length, count, list, event)
        })
    }

    /// Copies a box of `region` (bytes, rows, planes) between buffers.
    pub(crate) fn copy_buffer_rect(
        self,
        (from, first): (&Handle<MemoryObject>, &Rectangle),
        (to, place): (&Handle<MemoryObject>, &Rectangle),
        region: [usize; 3],
    ) -> Result<(), DriverError> {
        let (from, to) = (from.raw(), to.raw());
        let [origin, target, region] = [&first.origin, &place.origin, &region].map(|sizes| sizes.as_ptr());
        let [row, plane, to_row, to_plane] = [first.row, first.plane, place.row, place.plane];
        self.command(Call::CopyBufferRect, |library, Raw { queue, count, list, event }| {
            library.clEnqueueCopyBufferRect(
                queue, from, to, origin, target, region, row, plane, to_row, to_plane, count, list, event,
            )
        })
    }

    /// Copies a buffer's bytes from `offset` on to a box of an image.
    pub(crate) fn copy_buffer_to_image(
        self,
        (buffer, offset): (&Handle<MemoryObject>, usize),
        to: Pixels<'_>,
    ) -> Result<(), DriverError> {
        let (image, origin, region) = (to.image.raw(), to.origin.as_ptr(), to.region.as_ptr());
        self.command(Call::CopyBufferToImage, |library, Raw { queue, count, list, event }| {
            library.clEnqueueCopyBufferToImage(queue, buffer.raw(), image, offset, origin, region, count, list, event)
        })
    }

    /// Copies a box of an image to a buffer, from `offset` on.
    pub(crate) fn copy_image_to_buffer(
        self,
        from: Pixels<'_>,
        (buffer, offset): (&Handle<MemoryObject>, usize),
    ) -> Result<(), DriverError> {
        let (image, origin, region) = (from.image.raw(), from.origin.as_ptr(), from.region.as_ptr());
        self.command(Call::CopyImageToBuffer, |library, Raw { queue, count, list, event }| {
            library.clEnqueueCopyImageToBuffer(queue, image, buffer.raw(), origin, region, offset, count, list, event)
        })
    }

    /// Maps bytes of a buffer, for what the bits `flags` say, and waits. They must be unmapped with [`Self::unmap`].
    pub(crate) fn map_buffer(
        self,
        buffer: &Handle<MemoryObject>,
        flags: cl_ulong,
        offset: usize,
        length: usize,
    ) -> Result<*mut c_void, DriverError> {
        let mut pointer = None;
        self.command(Call::MapBuffer, |library, Raw { queue, count, list, event }| {
            let (buffer, mut status) = (buffer.raw(), 0);
            let told = &raw mut status;
            pointer = library.clEnqueueMapBuffer(queue, buffer, 1, flags, offset, length, count, list, event, told);
            pointer.map(|_| status)
        })?;
        Ok(pointer.unwrap_or(ptr::null_mut()))
    }

    /// Ends a mapping. Its bytes may not be touched any more.
    ///
    /// # Safety
    /// `pointer` was mapped from this memory, and is unmapped once.
    pub(crate) unsafe fn unmap(self, memory: &Handle<MemoryObject>, pointer: *mut c_void) -> Result<(), DriverError> {
        self.command(Call::UnmapMemory, |library, Raw { queue, count, list, event }| {
            library.clEnqueueUnmapMemObject(queue, memory.raw(), pointer, count, list, event)
        })
    }
}
