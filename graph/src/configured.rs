//! A configured kernel whose type is not known here.

#[cfg(feature = "opencl")]
use windrow::opencl::{Context, DeviceImage, OpenClError, OpenClKernel, Queue};
use windrow::{
    AnyView, Configured, Kernel, RunError,
    chain::{FunctionError, Simple},
};

/// A [`Configured`] kernel, whichever it is.
pub(crate) trait AnyConfigured {
    /// The same with an input laid out that no run changes.
    fn with_constant(self: Box<Self>, input: usize, view: AnyView<'_>) -> Result<Box<dyn AnyConfigured>, RunError>;

    /// The bytes that such inputs take.
    fn constant_bytes(&self) -> usize;

    /// The function that computes it on the processor.
    fn function(&self) -> Result<Simple, FunctionError>;

    /// What computes it on a device.
    #[cfg(feature = "opencl")]
    fn on_device(self: Box<Self>, context: &Context) -> Result<Box<dyn Enqueue>, OpenClError>;
}

impl<K: Kernel> AnyConfigured for Configured<K> {
    fn with_constant(self: Box<Self>, input: usize, view: AnyView<'_>) -> Result<Box<dyn AnyConfigured>, RunError> {
        Ok(Box::new(Configured::with_constant(*self, input, view)?))
    }

    fn constant_bytes(&self) -> usize {
        Configured::constant_bytes(self)
    }

    fn function(&self) -> Result<Simple, FunctionError> {
        Simple::new(self)
    }

    #[cfg(feature = "opencl")]
    fn on_device(self: Box<Self>, context: &Context) -> Result<Box<dyn Enqueue>, OpenClError> {
        Ok(Box::new(OpenClKernel::new(context, *self)?))
    }
}

/// An [`OpenClKernel`], whichever operator's it is.
#[cfg(feature = "opencl")]
pub(crate) trait Enqueue: Send + Sync {
    fn enqueue(&self, reads: &[DeviceImage], writes: &[Option<DeviceImage>]) -> Result<(), OpenClError>;
}

#[cfg(feature = "opencl")]
impl<K: Kernel> Enqueue for OpenClKernel<K> {
    fn enqueue(&self, reads: &[DeviceImage], writes: &[Option<DeviceImage>]) -> Result<(), OpenClError> {
        self.run_on(reads, &[], writes)?;
        // What is launched next reads what this writes.
        let queue: &Queue = self.context().queue();
        if queue.options().out_of_order { queue.wait_for(&[]) } else { Ok(()) }
    }
}
