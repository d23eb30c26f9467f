//! Contexts and queues.

use crate::{
    Call, Driver, DriverError,
    driver::{
        handle::{ContextObject, Handle, QueueObject},
        ids::DeviceId,
    },
};
use opencl3::{
    command_queue::{create_command_queue, create_command_queue_with_properties, finish, flush, retain_command_queue},
    context::context::{create_context, retain_context},
    types::cl_ulong,
};
use std::{ffi::c_void, ptr};

impl Driver {
    /// A context of one device; `properties` are pairs, without the zero at their end.
    pub(crate) fn create_context(
        &self,
        device: DeviceId,
        properties: &[isize],
    ) -> Result<Handle<ContextObject>, DriverError> {
        let list = ended(properties);
        let properties = if properties.is_empty() { ptr::null() } else { list.as_ptr() };
        self.create(Call::CreateContext, || create_context(&[device.0], properties, None, ptr::null_mut()))
    }

    /// Takes part in a caller's context.
    ///
    /// # Safety
    /// `raw` is a live context.
    pub(crate) unsafe fn retain_context(&self, raw: *mut c_void) -> Result<Handle<ContextObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.create(Call::RetainContext, || unsafe { retain_context(raw) }.map(|()| raw))
    }

    /// A queue with the bits `properties`.
    pub(crate) fn create_queue(
        &self,
        context: &Handle<ContextObject>,
        device: DeviceId,
        properties: cl_ulong,
    ) -> Result<Handle<QueueObject>, DriverError> {
        // SAFETY: the context is alive, and the library checks that the device is one of it.
        self.create(Call::CreateQueue, || unsafe { create_command_queue(context.raw(), device.0, properties) })
    }

    /// A queue with `properties` in pairs, without the zero at their end. Needs OpenCL 2.0.
    pub(crate) fn create_queue_with_hints(
        &self,
        context: &Handle<ContextObject>,
        device: DeviceId,
        properties: &[cl_ulong],
    ) -> Result<Handle<QueueObject>, DriverError> {
        let list = ended(properties);
        // SAFETY: as for `create_queue`; the list ends with zero.
        self.create(Call::CreateQueueWithHints, || unsafe {
            create_command_queue_with_properties(context.raw(), device.0, list.as_ptr())
        })
    }

    /// Takes part in a caller's queue.
    ///
    /// # Safety
    /// `raw` is a live queue.
    pub(crate) unsafe fn retain_queue(&self, raw: *mut c_void) -> Result<Handle<QueueObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.create(Call::RetainQueue, || unsafe { retain_command_queue(raw) }.map(|()| raw))
    }

    /// Hands what was enqueued to the device.
    pub(crate) fn flush(&self, queue: &Handle<QueueObject>) -> Result<(), DriverError> {
        self.make(Call::Flush, || flush(queue.raw()))
    }

    /// Waits until everything that was enqueued is done.
    pub(crate) fn finish(&self, queue: &Handle<QueueObject>) -> Result<(), DriverError> {
        self.make(Call::Finish, || finish(queue.raw()))
    }
}

fn ended<T: Copy + Default>(properties: &[T]) -> Vec<T> {
    properties.iter().copied().chain([T::default()]).collect()
}
