//! Contexts and queues.

use crate::driver::{
    call::Call,
    error::DriverError,
    gateway::Driver,
    handle::{ContextObject, Handle, QueueObject},
    ids::DeviceId,
};
use opencl3::{
    command_queue::{
        create_command_queue, create_command_queue_with_properties, finish, flush, get_command_queue_data,
        retain_command_queue,
    },
    context::context::{create_context, get_context_data, retain_context},
    types::{cl_uint, cl_ulong},
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
        let raw = self.make(Call::CreateContext, || create_context(&[device.0], properties, None, ptr::null_mut()))?;
        Ok(Handle::new(self, raw))
    }

    /// Takes part in a caller's context.
    ///
    /// # Safety
    /// `raw` is a live context.
    pub(crate) unsafe fn retain_context(&self, raw: *mut c_void) -> Result<Handle<ContextObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.make(Call::RetainContext, || unsafe { retain_context(raw) })?;
        Ok(Handle::new(self, raw))
    }

    pub(crate) fn context_info(&self, context: &Handle<ContextObject>, name: cl_uint) -> Result<Vec<u8>, DriverError> {
        self.make(Call::GetContextInfo, || get_context_data(context.raw(), name))
    }

    /// A queue with the bits `properties`.
    pub(crate) fn create_queue(
        &self,
        context: &Handle<ContextObject>,
        device: DeviceId,
        properties: cl_ulong,
    ) -> Result<Handle<QueueObject>, DriverError> {
        // SAFETY: the context is alive, and the library checks that the device is one of it.
        let raw =
            self.make(Call::CreateQueue, || unsafe { create_command_queue(context.raw(), device.0, properties) })?;
        Ok(Handle::new(self, raw))
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
        let raw = self.make(Call::CreateQueueWithHints, || unsafe {
            create_command_queue_with_properties(context.raw(), device.0, list.as_ptr())
        })?;
        Ok(Handle::new(self, raw))
    }

    /// Takes part in a caller's queue.
    ///
    /// # Safety
    /// `raw` is a live queue.
    pub(crate) unsafe fn retain_queue(&self, raw: *mut c_void) -> Result<Handle<QueueObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.make(Call::RetainQueue, || unsafe { retain_command_queue(raw) })?;
        Ok(Handle::new(self, raw))
    }

    pub(crate) fn queue_info(&self, queue: &Handle<QueueObject>, name: cl_uint) -> Result<Vec<u8>, DriverError> {
        self.make(Call::GetQueueInfo, || get_command_queue_data(queue.raw(), name))
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
