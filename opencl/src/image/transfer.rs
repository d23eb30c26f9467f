//! Elements to a device and back, straight from and to the host's rows: nothing is packed on the way, except floats that
//! lie on the device in halves.

use super::{DeviceImage, halves::Halves, planes};
use crate::{
    context::Context,
    driver::{Rectangle, Waits},
    error::OpenClError,
    event::Event,
    format::FloatFormat,
    queue::{Queue, Submission},
    uses::Use,
};
use std::{
    boxed::Box,
    fmt,
    future::{Future, IntoFuture},
    mem::ManuallyDrop,
    pin::Pin,
    vec,
    vec::Vec,
};
use windrow_runtime::{
    element::Element,
    info::{MAX_DIMENSIONS, TensorInfo},
    region::ValidRegion,
    tensor::Tensor,
    view::{AnyView, AnyViewMut},
};

/// A transfer under way, with the host's tensor that it reads or writes.
///
/// Dropped, it waits for nothing: the transfer goes on, and the tensor lives until it is done.
pub struct Pending<T: Send + 'static> {
    event: Event,
    // Forgotten rather than freed where this is never dropped: the device may still use it.
    held: ManuallyDrop<Held<T>>,
}

/// What a transfer uses.
struct Held<T> {
    value: T,
    /// What is done with the value when the transfer is done. It holds the memory that a conversion uses.
    finish: Option<Finish<T>>,
}

type Finish<T> = Box<dyn FnOnce(&mut T) + Send + Sync>;

impl<T: Send + 'static> Pending<T> {
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

    /// The transfer is done.
    fn into_value(self) -> T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: both fields are taken once, and `this` is not dropped.
        let Held { mut value, finish } = unsafe {
            std::ptr::drop_in_place(&raw mut this.event);
            ManuallyDrop::take(&mut this.held)
        };
        if let Some(finish) = finish {
            finish(&mut value);
        }
        value
    }
}

impl<T: Send + 'static> Drop for Pending<T> {
    fn drop(&mut self) {
        // SAFETY: taken by nobody else: `into_value` doesn't drop.
        let held = unsafe { ManuallyDrop::take(&mut self.held) };
        release_after(&self.event, held);
    }
}

impl<T: Send + 'static> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("event", &self.event).finish_non_exhaustive()
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The first byte on the device.
    pub device: usize,
    /// The first byte on the host.
    pub host: usize,
    /// The host's bytes of a row, rows.
    pub size: [usize; 2],
    /// The host's bytes from row to row.
    pub apart: usize,
}

impl DeviceImage {
    /// A copy of `view`, without gaps.
    pub fn upload(context: &Context, view: &AnyView<'_>) -> Result<Self, OpenClError> {
        Self::upload_as(context, view, FloatFormat::F32)
    }

    /// The same; floats lie in it as `format` says.
    pub fn upload_as(context: &Context, view: &AnyView<'_>, format: FloatFormat) -> Result<Self, OpenClError> {
        let image = Self::new_as(context, view.info(), format)?;
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
        let using = self.buffer.begin_use("destination", true)?;
        using.settle()?;
        let (queue, pieces) = (self.buffer.context().queue(), self.pieces(region, view.info()));
        // SAFETY: a view's elements are readable, and the calls wait.
        unsafe {
            match self.format {
                FloatFormat::F32 => self.write_rows(queue, &pieces, view.as_ptr(), true, &Waits::NONE),
                FloatFormat::F16 => {
                    let halves = Halves::narrowed(&pieces, view.as_ptr());
                    self.write_rows(queue, halves.pieces(), halves.as_ptr(), true, &Waits::NONE)
                }
            }
        }
    }

    /// Copies the elements of `region` to the same coordinates of `view`, of the same shape and type, and waits; nothing
    /// else of `view` is touched.
    pub fn download(&self, region: &ValidRegion, view: &mut AnyViewMut<'_>) -> Result<(), OpenClError> {
        self.expect("destination", view.info())?;
        let using = self.buffer.begin_use("source", false)?;
        using.settle()?;
        let (queue, pieces) = (self.buffer.context().queue(), self.pieces(region, view.info()));
        // SAFETY: a view's elements are writable, and the calls wait.
        unsafe {
            match self.format {
                FloatFormat::F32 => self.read_rows(queue, &pieces, view.as_mut_ptr(), true, &Waits::NONE),
                FloatFormat::F16 => {
                    let mut halves = Halves::new(&pieces);
                    let host = halves.as_mut_ptr();
                    self.read_rows(queue, halves.pieces(), host, true, &Waits::NONE)?;
                    halves.widen(&pieces, view.as_mut_ptr());
                    Ok(())
                }
            }
        }
    }

    /// Begins to copy `tensor`, of the same shape and type, here.
    pub fn submit_write<T: Element>(
        &self,
        on: &Submission<'_>,
        tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        self.expect("source", tensor.info())?;
        let using = self.buffer.begin_use("destination", true)?;
        self.buffer.context().core().check_same("the queue", on.queue.core())?;
        let pieces = self.pieces(&ValidRegion::whole(self.info.shape()), tensor.info());
        let (waits, host) = (on.waits()?, tensor.view().any().as_ptr());
        match self.format {
            FloatFormat::F32 => {
                // SAFETY: the tensor lives in what is returned until the transfers are done, or forever.
                let begun = unsafe { self.write_rows(on.queue, &pieces, host, false, &waits) };
                pending(on.queue, &using, begun, tensor, None)
            }
            FloatFormat::F16 => {
                // SAFETY: a tensor's elements are readable.
                let halves = unsafe { Halves::narrowed(&pieces, host) };
                // SAFETY: the halves live in what is returned until the transfers are done, or forever.
                let begun = unsafe { self.write_rows(on.queue, halves.pieces(), halves.as_ptr(), false, &waits) };
                pending(on.queue, &using, begun, tensor, Some(Box::new(move |_| drop(halves))))
            }
        }
    }

    /// Begins to copy the elements of `region` to the same coordinates of `tensor`, of the same shape and type.
    pub fn submit_read<T: Element>(
        &self,
        on: &Submission<'_>,
        region: &ValidRegion,
        mut tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        self.expect("destination", tensor.info())?;
        let using = self.buffer.begin_use("source", false)?;
        self.buffer.context().core().check_same("the queue", on.queue.core())?;
        let (waits, pieces) = (on.waits()?, self.pieces(region, tensor.info()));
        match self.format {
            FloatFormat::F32 => {
                let host = tensor.view_mut().any().as_mut_ptr();
                // SAFETY: the tensor lives in what is returned until the transfers are done, or forever.
                let begun = unsafe { self.read_rows(on.queue, &pieces, host, false, &waits) };
                pending(on.queue, &using, begun, tensor, None)
            }
            FloatFormat::F16 => {
                let mut halves = Halves::new(&pieces);
                let host = halves.as_mut_ptr();
                // SAFETY: the halves live in what is returned until the transfers are done, or forever.
                let begun = unsafe { self.read_rows(on.queue, halves.pieces(), host, false, &waits) };
                let finish = move |tensor: &mut Tensor<T>| {
                    // SAFETY: the pieces are those of this tensor, which holds floats.
                    unsafe { halves.widen(&pieces, tensor.view_mut().any().as_mut_ptr()) }
                };
                pending(on.queue, &using, begun, tensor, Some(Box::new(finish)))
            }
        }
    }

    /// # Safety
    /// The bytes of `pieces` at `host` are readable until the commands are done.
    unsafe fn write_rows(
        &self,
        queue: &Queue,
        pieces: &[Piece],
        host: *const u8,
        blocking: bool,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let (driver, memory, queue) = (queue.driver(), self.buffer.memory(), queue.handle());
        for piece in pieces {
            // SAFETY: the piece lies in both tensors; the rest is the caller's contract.
            unsafe {
                let from = host.add(piece.host);
                match piece.size {
                    [length, 1] => {
                        driver.write_buffer(queue, memory, blocking, piece.device, from, length, waits, false)
                    }
                    [row, rows] => {
                        let (to, gaps) = (self.rectangle(piece.device), rectangle(0, piece.apart));
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
    /// The bytes of `pieces` at `host` are writable until the commands are done.
    unsafe fn read_rows(
        &self,
        queue: &Queue,
        pieces: &[Piece],
        host: *mut u8,
        blocking: bool,
        waits: &Waits,
    ) -> Result<(), OpenClError> {
        let (driver, memory, queue) = (queue.driver(), self.buffer.memory(), queue.handle());
        for piece in pieces {
            // SAFETY: the piece lies in both tensors; the rest is the caller's contract.
            unsafe {
                let to = host.add(piece.host);
                match piece.size {
                    [length, 1] => driver.read_buffer(queue, memory, blocking, piece.device, to, length, waits, false),
                    [row, rows] => {
                        let (from, gaps) = (self.rectangle(piece.device), rectangle(0, piece.apart));
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
        let gapless =
            |info: &TensorInfo| info.size_in_bytes() == info.pixel_size() * shape.extents().iter().product::<usize>();
        if region == ValidRegion::whole(shape) && gapless(host) && gapless(&self.info) {
            let length = host.size_in_bytes();
            return vec![Piece { device: self.offset, host: 0, size: [length, 1], apart: length }];
        }
        let pixel = self.info.pixel_size();
        let (columns, rows) = (region.inner_range(0), region.inner_range(1));
        let size = [columns.len() * pixel, rows.len()];
        let first = |at: [usize; MAX_DIMENSIONS]| {
            let mut at = at;
            (at[0], at[1]) = (columns.start, rows.start);
            region.inner_contains(&at).then_some(at)
        };
        planes(&shape)
            .filter_map(first)
            .filter_map(|at| Some((self.offset + self.bytes(self.info.inner_offset(&at)?), host.inner_offset(&at)?)))
            .map(|(device, first)| Piece { device, host: first, size, apart: host.row_stride() })
            .collect()
    }

    /// The rows of this image from byte `first` of its memory on. The library computes the place from whole rows.
    fn rectangle(&self, first: usize) -> Rectangle {
        rectangle(first, self.bytes(self.info.row_stride()))
    }
}

fn rectangle(first: usize, row: usize) -> Rectangle {
    let row = row.max(1);
    Rectangle { origin: [first % row, first / row, 0], row, plane: 0 }
}

/// Drops `held` when the command is done, or has failed; where that can't be known, never.
fn release_after<T: Send + 'static>(event: &Event, held: Held<T>) {
    if event.is_over() {
        return;
    }
    // A call that fails keeps what the device may still use.
    let _ = event.when_over(move || drop(held));
}

/// The handle of commands that were begun; where one failed, those before it keep the memory that they use.
fn pending<T: Send + 'static>(
    queue: &Queue,
    using: &Use,
    begun: Result<(), OpenClError>,
    value: T,
    finish: Option<Finish<T>>,
) -> Result<Pending<T>, OpenClError> {
    let held = ManuallyDrop::new(Held { value, finish });
    let marked = queue.marker().and_then(|event| queue.flush().map(|()| event));
    let event = marked.inspect(|event| using.enqueued(event));
    match (begun, event) {
        (Ok(()), Ok(event)) => Ok(Pending { event, held }),
        (Err(error), Ok(event)) => {
            release_after(&event, ManuallyDrop::into_inner(held));
            Err(error)
        }
        // Nothing tells when the commands are done.
        (Err(error), Err(_)) | (Ok(()), Err(error)) => Err(error),
    }
}
