//! Elements to a device and back, straight from and to the host's rows: nothing is packed on the way.

use super::{DeviceImage, packed, planes};
use crate::{
    element::Element,
    info::{MAX_DIMENSIONS, TensorInfo},
    opencl::{
        buffer::Buffer,
        context::Context,
        driver::{Rectangle, Waits},
        error::OpenClError,
        event::Event,
        queue::{Queue, Submission},
    },
    region::ValidRegion,
    tensor::Tensor,
    view::{AnyView, AnyViewMut},
};
use std::{
    boxed::Box,
    future::{Future, IntoFuture},
    mem::ManuallyDrop,
    pin::Pin,
    sync::Arc,
    vec,
    vec::Vec,
};

/// A transfer under way, with the host's tensor that it reads or writes. Dropped, it waits.
#[derive(Debug)]
pub struct Pending<T> {
    event: Event,
    // Forgotten rather than freed where this is never dropped: the device may still use it.
    value: ManuallyDrop<T>,
}

impl<T> Pending<T> {
    /// When it is done.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Whether it is done.
    pub fn is_done(&self) -> Result<bool, OpenClError> {
        self.event.is_done()
    }

    /// Waits, and gives the tensor back.
    pub fn wait(self) -> Result<T, OpenClError> {
        self.event.wait()?;
        Ok(self.into_value())
    }

    fn into_value(self) -> T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: both fields are taken once, and `this` is not dropped.
        unsafe {
            std::ptr::drop_in_place(&raw mut this.event);
            ManuallyDrop::take(&mut this.value)
        }
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        // A failed command no longer uses the memory.
        let _ = self.event.wait();
        // SAFETY: taken by nobody else: `into_value` doesn't drop.
        unsafe { ManuallyDrop::drop(&mut self.value) }
    }
}

impl<T: Send + 'static> IntoFuture for Pending<T> {
    type Output = Result<T, OpenClError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            self.event.clone().await?;
            Ok(self.into_value())
        })
    }
}

/// Rows of a plane, on the device and on the host.
struct Piece {
    device: usize,
    host: usize,
    /// Bytes of a row, rows.
    size: [usize; 2],
}

impl DeviceImage {
    /// A copy of `view`, without gaps.
    pub fn upload(context: &Context, view: &AnyView<'_>) -> Result<Self, OpenClError> {
        let info = packed(view.info(), view.info().shape())?;
        let buffer = Buffer::new(context, info.size_in_bytes())?;
        let image = Self::with_layout(Arc::new(buffer), 0, info)?;
        image.write(view)?;
        Ok(image)
    }

    /// Copies `view`, of the same shape and type, here, and waits. What lies between the rows stays as it is.
    pub fn write(&self, view: &AnyView<'_>) -> Result<(), OpenClError> {
        self.write_region(&ValidRegion::whole(self.info.shape()), view)
    }

    /// Copies the elements of `region` of `view`, of the same shape and type, to the same coordinates here, and waits.
    pub fn write_region(&self, region: &ValidRegion, view: &AnyView<'_>) -> Result<(), OpenClError> {
        self.expect("source", view.info())?;
        self.buffer.check_unmapped("destination", true)?;
        let queue = self.buffer.context().queue();
        // SAFETY: a view's elements are readable, and the calls wait.
        unsafe { self.write_rows(queue, region, view.as_ptr(), view.info(), true, &Waits::NONE) }
    }

    /// Copies the elements of `region` to the same coordinates of `view`, of the same shape and type, and waits; nothing
    /// else of `view` is touched.
    pub fn download(&self, region: &ValidRegion, view: &mut AnyViewMut<'_>) -> Result<(), OpenClError> {
        self.expect("destination", view.info())?;
        self.buffer.check_unmapped("source", false)?;
        let (queue, info) = (self.buffer.context().queue(), *view.info());
        // SAFETY: a view's elements are writable, and the calls wait.
        unsafe { self.read_rows(queue, region, view.as_mut_ptr(), &info, true, &Waits::NONE) }
    }

    /// Begins to copy `tensor`, of the same shape and type, here.
    pub fn submit_write<T: Element>(
        &self,
        on: &Submission<'_>,
        tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        self.expect("source", tensor.info())?;
        self.buffer.check_unmapped("destination", true)?;
        self.buffer.context().core().check_same("the queue", on.queue.core())?;
        let (waits, region) = (on.waits()?, ValidRegion::whole(self.info.shape()));
        let info = *tensor.info();
        let host: *const u8 = tensor.view().any().as_ptr();
        // SAFETY: the tensor lives in what is returned until the transfers are done, or forever.
        let begun = unsafe { self.write_rows(on.queue, &region, host, &info, false, &waits) };
        pending(on.queue, begun, tensor)
    }

    /// Begins to copy the elements of `region` to the same coordinates of `tensor`, of the same shape and type.
    pub fn submit_read<T: Element>(
        &self,
        on: &Submission<'_>,
        region: &ValidRegion,
        mut tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        self.expect("destination", tensor.info())?;
        self.buffer.check_unmapped("source", false)?;
        self.buffer.context().core().check_same("the queue", on.queue.core())?;
        let waits = on.waits()?;
        let info = *tensor.info();
        let host = tensor.view_mut().any().as_mut_ptr();
        // SAFETY: the tensor lives in what is returned until the transfers are done, or forever.
        let begun = unsafe { self.read_rows(on.queue, region, host, &info, false, &waits) };
        pending(on.queue, begun, tensor)
    }

    /// # Safety
    /// The elements of `region` at `host`, laid out as `info` says, are readable until the commands are done.
    unsafe fn write_rows(
        &self,
        queue: &Queue,
        region: &ValidRegion,
        host: *const u8,
        info: &TensorInfo,
        blocking: bool,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let (driver, memory, queue) = (queue.driver(), self.buffer.memory(), queue.handle());
        for piece in self.pieces(region, info) {
            // SAFETY: the piece lies in both tensors; the rest is the caller's contract.
            unsafe {
                let from = host.add(piece.host);
                match piece.size {
                    [length, 1] => {
                        driver.write_buffer(queue, memory, blocking, piece.device, from, length, waits, false)
                    }
                    [row, rows] => {
                        let (to, gaps) = (self.rectangle(piece.device), rectangle(0, info.stride(1)));
                        driver.write_buffer_rect(
                            queue,
                            memory,
                            blocking,
                            &to,
                            &gaps,
                            [row, rows, 1],
                            from,
                            waits,
                            false,
                        )
                    }
                }?;
            }
        }
        Ok(())
    }

    /// # Safety
    /// The elements of `region` at `host`, laid out as `info` says, are writable until the commands are done.
    unsafe fn read_rows(
        &self,
        queue: &Queue,
        region: &ValidRegion,
        host: *mut u8,
        info: &TensorInfo,
        blocking: bool,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let (driver, memory, queue) = (queue.driver(), self.buffer.memory(), queue.handle());
        for piece in self.pieces(region, info) {
            // SAFETY: the piece lies in both tensors; the rest is the caller's contract.
            unsafe {
                let to = host.add(piece.host);
                match piece.size {
                    [length, 1] => driver.read_buffer(queue, memory, blocking, piece.device, to, length, waits, false),
                    [row, rows] => {
                        let (from, gaps) = (self.rectangle(piece.device), rectangle(0, info.stride(1)));
                        driver.read_buffer_rect(queue, memory, blocking, &from, &gaps, [row, rows, 1], to, waits, false)
                    }
                }?;
            }
        }
        Ok(())
    }

    /// What a transfer of `region` moves: everything at once where both tensors lie without gaps, a plane at a time
    /// elsewhere.
    fn pieces(&self, region: &ValidRegion, host: &TensorInfo) -> Vec<Piece> {
        let shape = self.info.shape();
        let region = region.intersect(&ValidRegion::whole(shape));
        if region.is_empty() {
            return Vec::new();
        }
        let gapless = |info: &TensorInfo| info.size_in_bytes() == info.pixel_size() * extent(&shape.extents());
        if region == ValidRegion::whole(shape) && gapless(host) && gapless(&self.info) {
            return vec![Piece { device: self.offset, host: 0, size: [host.size_in_bytes(), 1] }];
        }
        let pixel = self.info.pixel_size();
        let size = [(region.end[0] - region.start[0]) * pixel, region.end[1] - region.start[1]];
        let first = |at: [usize; MAX_DIMENSIONS]| {
            let mut at = at;
            (at[0], at[1]) = (region.start[0], region.start[1]);
            region.contains(&at).then_some(at)
        };
        planes(&shape)
            .filter_map(first)
            .filter_map(|at| Some((self.offset + self.info.offset(&at)?, host.offset(&at)?)))
            .map(|(device, host)| Piece { device, host, size })
            .collect()
    }

    /// The rows of this image from byte `first` of its memory on. The library computes the place from whole rows.
    fn rectangle(&self, first: usize) -> Rectangle {
        rectangle(first, self.info.stride(1))
    }
}

fn rectangle(first: usize, row: usize) -> Rectangle {
    let row = row.max(1);
    Rectangle { origin: [first % row, first / row, 0], row, plane: 0 }
}

fn extent(extents: &[usize]) -> usize {
    extents.iter().product()
}

/// The handle of commands that were begun; where one failed, those before it are waited for.
fn pending<T>(queue: &Queue, begun: Result<(), OpenClError>, value: T) -> Result<Pending<T>, OpenClError> {
    let value = ManuallyDrop::new(value);
    let marked = begun.and_then(|()| queue.marker()).and_then(|event| queue.flush().map(|()| event));
    match marked {
        Ok(event) => Ok(Pending { event, value }),
        Err(error) => {
            // The commands before may still use the tensor.
            if queue.sync().is_ok() {
                drop(ManuallyDrop::into_inner(value));
            }
            Err(error)
        }
    }
}
