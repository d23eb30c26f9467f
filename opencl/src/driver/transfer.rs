//! Bytes to a device, from it, on it, and mapped.

use crate::{
    Call, DriverError,
    driver::{
        event::WaitList,
        handle::{Handle, MemoryObject, QueueObject},
    },
};
use cl3::OpenClRuntime;
use opencl3::memory::CL_MEM_SIZE;
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

/// Rows of bytes in a buffer or in host memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// Where the first begins.
    pub first: usize,
    /// Bytes from row to row.
    pub pitch: usize,
}

impl Rows {
    /// The pitch, and the first byte as the library takes it: in a row, the row, the plane.
    fn place(self) -> (usize, [usize; 3]) {
        let pitch = self.pitch.max(1);
        (pitch, [self.first % pitch, self.first / pitch, 0])
    }

    fn row(self, y: usize) -> usize {
        self.first + y * self.pitch
    }

    /// How many of `rows` rows of `length` bytes a command may take at once. NVIDIA's driver takes the last row with the gap
    /// behind it, and refuses one that begins in the memory and ends outside.
    fn at_once(self, memory: &Handle<MemoryObject>, length: usize, rows: usize) -> Result<usize, DriverError> {
        let has_room = self.pitch <= length || self.row(rows) as u64 <= memory.number(CL_MEM_SIZE)?;
        Ok(if has_room { rows } else { rows.saturating_sub(1) })
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

    /// Moves `count` rows of `length` bytes between `host` and a buffer.
    ///
    /// # Safety
    /// As [`Self::transfer`], for the rows on the host.
    pub(crate) unsafe fn transfer_rows(
        self,
        (buffer, there): (&Handle<MemoryObject>, Rows),
        (host, here): (Host, Rows),
        [length, count]: [usize; 2],
        blocking: bool,
    ) -> Result<(), DriverError> {
        let at_once = there.at_once(buffer, length, count)?;
        let (memory, region, blocks) = (buffer.raw(), [length, at_once, 1], cl_bool::from(blocking));
        let ((row, from), (host_row, to)) = (there.place(), here.place());
        let [from, to, region] = [&from, &to, &region].map(|sizes| sizes.as_ptr());
        match host {
            _ if at_once == 0 => Ok(()),
            Host::From(host) => self.command(Call::WriteBufferRect, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueWriteBufferRect(
                    queue, memory, blocks, from, to, region, row, 0, host_row, 0, host, count, list, event,
                )
            }),
            Host::To(host) => self.command(Call::ReadBufferRect, |library, Raw { queue, count, list, event }| {
                let host = host.cast();
                library.clEnqueueReadBufferRect(
                    queue, memory, blocks, from, to, region, row, 0, host_row, 0, host, count, list, event,
                )
            }),
        }?;
        for y in at_once..count {
            // SAFETY: the caller's contract holds for each row.
            unsafe { self.transfer((buffer, there.row(y)), length, host.offset(here.row(y) as isize), blocking)? };
        }
        Ok(())
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

    /// Copies `count` rows of `length` bytes between buffers.
    pub(crate) fn copy_rows(
        self,
        (from, source): (&Handle<MemoryObject>, Rows),
        (to, target): (&Handle<MemoryObject>, Rows),
        [length, count]: [usize; 2],
    ) -> Result<(), DriverError> {
        let at_once = source.at_once(from, length, count)?.min(target.at_once(to, length, count)?);
        if at_once > 0 {
            let (read, written, region) = (from.raw(), to.raw(), [length, at_once, 1]);
            let ((row, origin), (to_row, place)) = (source.place(), target.place());
            let [origin, place, region] = [&origin, &place, &region].map(|sizes| sizes.as_ptr());
            self.command(Call::CopyBufferRect, |library, Raw { queue, count, list, event }| {
                library.clEnqueueCopyBufferRect(
                    queue, read, written, origin, place, region, row, 0, to_row, 0, count, list, event,
                )
            })?;
        }
        (at_once..count).try_for_each(|y| self.copy_buffer((from, source.row(y)), (to, target.row(y)), length))
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
