//! A kernel on a device with its tensors, ready to be launched.

use windrow::{
    Error, TensorInfo,
    opencl::{Context, DeviceImage, OpenClError},
};

use crate::{
    call::Call,
    configured::{AnyConfigured, Enqueue},
};

/// A kernel, and the tensors that it reads and writes.
pub(super) struct Launch {
    kernel: Box<dyn Enqueue>,
    reads: Vec<DeviceImage>,
    writes: [Option<DeviceImage>; 1],
}

impl Launch {
    /// Enqueues it, after all that was enqueued before.
    pub fn enqueue(&self) -> Result<(), OpenClError> {
        self.kernel.enqueue(&self.reads, &self.writes)
    }
}

/// Builds the kernel of a call.
pub(super) fn build(
    context: &Context,
    call: &Call,
    reads: Vec<DeviceImage>,
    writes: DeviceImage,
) -> Result<Launch, Error> {
    let infos: Vec<TensorInfo> = reads.iter().map(|image| *image.info()).collect();
    let refused = || Error::other(RefusedCall { call: call.name(), reads: reads.len() });
    let configured = call.configure(&infos, writes.info()).ok_or_else(refused)??;
    launch(context, configured, reads, writes)
}

/// Builds a kernel that is configured.
pub(super) fn launch(
    context: &Context,
    configured: Box<dyn AnyConfigured>,
    reads: Vec<DeviceImage>,
    writes: DeviceImage,
) -> Result<Launch, Error> {
    Ok(Launch { kernel: configured.on_device(context)?, reads, writes: [Some(writes)] })
}

/// A call of another number of tensors than its operator reads.
#[derive(Debug, thiserror::Error)]
#[error("`{call}` does not read {reads} tensors")]
struct RefusedCall {
    call: &'static str,
    reads: usize,
}
