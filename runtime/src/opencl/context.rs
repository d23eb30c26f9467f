//! One device, ready for work: a context with an in-order queue.

use super::{
    device::{Device, Devices},
    driver::{self, Object},
    error::OpenClError,
};
use opencl3::command_queue::CommandQueue;
use std::sync::Arc;

/// A device with its context and its queue. Cheap to clone: the clones share them.
#[derive(Clone, Debug)]
pub struct Context {
    shared: Arc<Shared>,
}

// The queue is released before its context: fields are dropped in order of declaration.
#[derive(Debug)]
struct Shared {
    queue: Object<CommandQueue>,
    context: Object<opencl3::context::Context>,
    device: Device,
}

impl Context {
    /// Opens `device`.
    pub fn new(device: &Device) -> Result<Self, OpenClError> {
        let turn = driver::turn();
        let context =
            opencl3::context::Context::from_device(&device.handle).map_err(OpenClError::call("clCreateContext"))?;
        // Outside an `Object` an error path releases the context within this turn.
        let queue = CommandQueue::create_default(&context, 0).map_err(OpenClError::call("clCreateCommandQueue"))?;
        drop(turn);
        Ok(Self {
            shared: Arc::new(Shared {
                queue: Object::new(queue),
                context: Object::new(context),
                device: device.clone(),
            }),
        })
    }

    /// Opens the machine's device that [`Devices::choose`] chooses.
    pub fn open() -> Result<Self, OpenClError> {
        Self::new(Devices::find()?.choose()?)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.shared.device
    }

    pub(super) fn raw(&self) -> &opencl3::context::Context {
        &self.shared.context
    }

    pub(super) fn queue(&self) -> &CommandQueue {
        &self.shared.queue
    }
}
