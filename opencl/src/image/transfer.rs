//! Elements to a device and back, straight from and to the host's rows: nothing is packed on the way, except floats that
//! lie on the device in halves.

use crate::{
    Context, DeviceImage, Event, FloatFormat, OpenClError, Queue, Submission,
    driver::transfer::{Host, On, Rows},
    image::{device::row_bytes, halves::Halves},
    uses::Use,
};
use std::{
    fmt,
    future::{Future, IntoFuture},
    mem::ManuallyDrop,
    pin::Pin,
};
use windrow_runtime::{
    element::Element,
    family::AnyTensor,
    info::{MAX_DIMENSIONS, TensorInfo},
    planes::Coordinates,
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
    /// Returns the event that ends when the transfer is done.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Returns whether the transfer is done.
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
    /// The first byte on the host, counted from the tensor's first element.
    pub host: isize,
    /// The host's bytes of a row, rows.
    pub size: [usize; 2],
    /// The host's bytes from row to row.
    pub apart: usize,
}

impl DeviceImage {
    /// Returns a copy of `view`, without gaps.
    pub fn upload(context: &Context, view: &AnyView<'_>) -> Result<Self, OpenClError> {
        Self::upload_as(context, view, FloatFormat::F32)
    }

    /// Uploads an image, whose floats on the device are in the format `format`.
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
        if !view.info().layout().has_contiguous_rows() {
            self.expect("source", view.info())?;
            return self.write_region(region, &gathered(view)?.view());
        }
        // SAFETY: a view's elements are readable.
        unsafe { self.exchange(region, view.info(), Host::From(view.as_ptr())) }
    }

    /// Copies the elements of `region` to the same coordinates of `view`, of the same shape and type, and waits; nothing
    /// else of `view` is touched.
    pub fn download(&self, region: &ValidRegion, view: &mut AnyViewMut<'_>) -> Result<(), OpenClError> {
        let info = *view.info();
        if !info.layout().has_contiguous_rows() {
            self.expect("destination", &info)?;
            // What lies outside the region comes back as it was.
            let mut dense = gathered(&view.view())?;
            self.download(region, &mut dense.view_mut())?;
            return view.copy_from(&dense.view()).map_err(OpenClError::Tensor);
        }
        // SAFETY: a view's elements are writable.
        unsafe { self.exchange(region, &info, Host::To(view.as_mut_ptr())) }
    }

    /// Begins to copy `tensor`, of the same shape and type, here.
    pub fn submit_write<T: Element>(
        &self,
        on: &Submission<'_>,
        tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        let host = Host::From(tensor.view().any().as_ptr());
        self.begin_exchange(on, &ValidRegion::whole(self.info.shape()), tensor, host)
    }

    /// Begins to copy the elements of `region` to the same coordinates of `tensor`, of the same shape and type.
    pub fn submit_read<T: Element>(
        &self,
        on: &Submission<'_>,
        region: &ValidRegion,
        mut tensor: Tensor<T>,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        let host = Host::To(tensor.view_mut().any().as_mut_ptr());
        self.begin_exchange(on, region, tensor, host)
    }

    /// Announces a transfer between this image and the host's tensor of `info`.
    fn begin_transfer(&self, info: &TensorInfo, host: Host) -> Result<Use, OpenClError> {
        let (theirs, ours, writes) = match host {
            Host::From(_) => ("source", "destination", true),
            Host::To(_) => ("destination", "source", false),
        };
        self.expect(theirs, info)?;
        self.buffer.begin_use(ours, writes)
    }

    /// Moves the elements of `region`, and waits.
    ///
    /// # Safety
    /// `host` is the first element of a tensor of `info`, readable or writable.
    unsafe fn exchange(&self, region: &ValidRegion, info: &TensorInfo, host: Host) -> Result<(), OpenClError> {
        let using = self.begin_transfer(info, host)?;
        using.settle()?;
        let (queue, pieces) = (self.buffer.context().ordered_memory_queue()?, self.pieces(region, info));
        let on = On::queue(queue.handle());
        // SAFETY: the caller's contract, and the calls wait.
        unsafe {
            match (self.format, host) {
                (FloatFormat::F32, host) => self.move_rows(on, &pieces, host, true),
                (FloatFormat::F16, Host::From(host)) => {
                    let halves = Halves::narrowed(&pieces, host);
                    self.move_rows(on, halves.pieces(), Host::From(halves.as_ptr()), true)
                }
                (FloatFormat::F16, Host::To(host)) => {
                    let mut halves = Halves::new(&pieces);
                    let packed = Host::To(halves.as_mut_ptr());
                    self.move_rows(on, halves.pieces(), packed, true)?;
                    halves.widen(&pieces, host);
                    Ok(())
                }
            }
        }
    }

    /// Begins to move the elements of `region`; `host` is the first element of `tensor`.
    fn begin_exchange<T: Element>(
        &self,
        on: &Submission<'_>,
        region: &ValidRegion,
        tensor: Tensor<T>,
        host: Host,
    ) -> Result<Pending<Tensor<T>>, OpenClError> {
        expect_rows(tensor.info())?;
        let using = self.begin_transfer(tensor.info(), host)?;
        self.buffer.context().core().check_same("the queue", on.queue.core())?;
        let (waits, pieces) = (on.waits()?, self.pieces(region, tensor.info()));
        let commands = On { queue: on.queue.handle(), waits: &waits };
        let (begun, finish): (_, Option<Finish<Tensor<T>>>) = match (self.format, host) {
            // SAFETY: the tensor lives in what is returned until the transfers are done, or forever.
            (FloatFormat::F32, host) => (unsafe { self.move_rows(commands, &pieces, host, false) }, None),
            (FloatFormat::F16, Host::From(host)) => {
                // SAFETY: a tensor's elements are readable; the halves live as long as the tensor.
                unsafe {
                    let halves = Halves::narrowed(&pieces, host);
                    let begun = self.move_rows(commands, halves.pieces(), Host::From(halves.as_ptr()), false);
                    (begun, Some(Box::new(move |_| drop(halves))))
                }
            }
            (FloatFormat::F16, Host::To(_)) => {
                let mut halves = Halves::new(&pieces);
                let packed = Host::To(halves.as_mut_ptr());
                // SAFETY: as above.
                let begun = unsafe { self.move_rows(commands, halves.pieces(), packed, false) };
                let widen = move |tensor: &mut Tensor<T>| {
                    // SAFETY: the pieces are those of this tensor, which holds floats.
                    unsafe { halves.widen(&pieces, tensor.view_mut().any().as_mut_ptr()) }
                };
                (begun, Some(Box::new(widen)))
            }
        };
        pending(on.queue, &using, begun, tensor, finish)
    }

    /// # Safety
    /// The bytes of `pieces` at `host` are readable or writable until the commands are done.
    unsafe fn move_rows(&self, on: On<'_>, pieces: &[Piece], host: Host, blocking: bool) -> Result<(), OpenClError> {
        let memory = self.buffer.memory();
        for piece in pieces {
            // SAFETY: the piece lies in both tensors; the rest is the caller's contract.
            unsafe {
                let host = host.offset(piece.host);
                match piece.size {
                    [length, 1] => on.transfer((memory, piece.device), length, host, blocking),
                    [row, rows] => {
                        let there = Rows { first: piece.device, pitch: self.bytes(row_bytes(&self.info)) };
                        let here = Rows { first: 0, pitch: piece.apart };
                        on.transfer_rows((memory, there), (host, here), [row, rows], blocking)
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
        if region == ValidRegion::whole(shape) && host.is_packed() && self.info.is_packed() {
            let length = host.size_in_bytes();
            return vec![Piece { device: self.offset, host: 0, size: [length, 1], apart: length }];
        }
        let pixel = self.info.pixel_size();
        let (columns, rows) = (region.inner_range(0), region.inner_range(1));
        let row = columns.len() * pixel;
        // The host's rows may repeat, or follow each other upwards: then each is a piece.
        let apart = usize::try_from(host.row_stride()).ok().filter(|&apart| apart >= row);
        let (step, size) = if apart.is_some() { (rows.len(), [row, rows.len()]) } else { (1, [row, 1]) };
        let place = |(mut at, y): ([usize; MAX_DIMENSIONS], usize)| {
            (at[0], at[1]) = (columns.start, y);
            let inside = region.inner_contains(&at).then_some(at)?;
            let device = self.offset + self.bytes(self.info.inner_offset(&inside)?.unsigned_abs());
            Some(Piece { device, host: host.inner_offset(&inside)?, size, apart: apart.unwrap_or(row) })
        };
        let starts = |at: [usize; MAX_DIMENSIONS]| rows.clone().step_by(step).map(move |y| (at, y));
        Coordinates::of_planes(&shape).flat_map(starts).filter_map(place).collect()
    }
}

/// A copy of a tensor whose rows the library can't move, without gaps.
fn gathered(view: &AnyView<'_>) -> Result<AnyTensor, OpenClError> {
    let mut dense = AnyTensor::new(view.info())?;
    dense.view_mut().copy_from(view)?;
    Ok(dense)
}

/// The library moves a row as it lies.
fn expect_rows(info: &TensorInfo) -> Result<(), OpenClError> {
    match info.layout().has_contiguous_rows() {
        true => Ok(()),
        false => Err(OpenClError::Stride { dimension: info.shape().outer_index(0), found: info.inner_stride(0) }),
    }
}

/// Drops `held` when the command is done, or has failed; where that can't be known, never.
fn release_after<T: Send + 'static>(event: &Event, held: Held<T>) {
    if event.is_over() {
        return;
    }
    if let Err((_, kept)) = event.when_over(move || drop(held)) {
        // A call that fails keeps what the device may still use.
        std::mem::forget(kept);
    }
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
