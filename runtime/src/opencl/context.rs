//! One device, ready for work: a context with an in-order queue.

use super::{
    device::{Device, Devices},
    driver::{ContextObject, Driver, Handle, QueueObject},
    error::OpenClError,
};
use std::sync::Arc;

/// A device with its context and its queue. Cheap to clone: the clones share them.
#[derive(Clone, Debug)]
pub struct Context {
    shared: Arc<Shared>,
}

// The queue is released before its context: fields are dropped in order of declaration.
#[derive(Debug)]
struct Shared {
    queue: Handle<QueueObject>,
    context: Handle<ContextObject>,
    device: Device,
}

impl Context {
    /// Opens `device`, with counters of its own.
    pub fn new(device: &Device) -> Result<Self, OpenClError> {
        Self::with_driver(&Driver::new(), device)
    }

    /// Opens `device`; everything that is done with the context is counted by `driver`.
    pub fn with_driver(driver: &Driver, device: &Device) -> Result<Self, OpenClError> {
        let context = driver.create_context(device.id, &[])?;
        let queue = driver.create_queue(&context, device.id, 0)?;
        Ok(Self { shared: Arc::new(Shared { queue, context, device: device.clone() }) })
    }

    /// Opens the machine's device that [`Devices::choose`] chooses.
    pub fn open() -> Result<Self, OpenClError> {
        let devices = Devices::find()?;
        Self::with_driver(devices.driver(), devices.choose()?)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.shared.device
    }

    /// What its calls are made through and counted by.
    pub fn driver(&self) -> &Driver {
        self.shared.context.driver()
    }

    pub(crate) fn handle(&self) -> &Handle<ContextObject> {
        &self.shared.context
    }

    pub(crate) fn queue(&self) -> &Handle<QueueObject> {
        &self.shared.queue
    }
}
