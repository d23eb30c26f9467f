//! A kernel on a device with its tensors, ready to be launched.

use windrow::{
    Configured, Error, InvalidConfiguration, Kernel, TensorInfo,
    opencl::{Context, DeviceImage, OpenClError, OpenClKernel, Queue},
};

use crate::call::{Call, Configure};

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

/// An [`OpenClKernel`], whichever operator's it is.
trait Enqueue: Send + Sync {
    fn enqueue(&self, reads: &[DeviceImage], writes: &[Option<DeviceImage>]) -> Result<(), OpenClError>;
}

impl<K: Kernel> Enqueue for OpenClKernel<K> {
    fn enqueue(&self, reads: &[DeviceImage], writes: &[Option<DeviceImage>]) -> Result<(), OpenClError> {
        self.run_on(reads, &[], writes)?;
        // What is launched next reads what this writes.
        let queue: &Queue = self.context().queue();
        if queue.options().out_of_order { queue.wait_for(&[]) } else { Ok(()) }
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
    let info = *writes.info();
    let refused = || Error::other(RefusedCall { call: call.name(), reads: reads.len() });
    let missing = refused();
    call.configure(&infos, &info, Build { context, reads, writes }).unwrap_or(Err(missing))
}

/// What a kernel is built with, once it is configured.
pub(super) struct Build<'c> {
    pub context: &'c Context,
    pub reads: Vec<DeviceImage>,
    pub writes: DeviceImage,
}

impl Configure for Build<'_> {
    type Done = Result<Launch, Error>;

    fn configured<K: Kernel>(self, configured: Result<Configured<K>, InvalidConfiguration>) -> Self::Done {
        let kernel = Box::new(OpenClKernel::new(self.context, configured?)?);
        Ok(Launch { kernel, reads: self.reads, writes: [Some(self.writes)] })
    }
}

/// A call of another number of tensors than its operator reads.
#[derive(Debug, thiserror::Error)]
#[error("`{call}` does not read {reads} tensors")]
struct RefusedCall {
    call: &'static str,
    reads: usize,
}
