//! Functions: what a caller runs, made of one kernel or of several.
//!
//! A [`Simple`] one wraps a kernel. A [`Chain`] runs several, one after the other, with intermediates from a memory group; or
//! [in bands](crate::band), so that the intermediates stay in the cache. What is to be done once, before the first run,
//! stands in a [`Prepared`].

mod chain;
mod error;
mod prepare;
mod run;
mod slot;
mod tables;

use std::sync::Arc;

#[cfg(feature = "opencl")]
use crate::opencl::{DeviceChain, DeviceManager};
use crate::{
    band::Bands,
    code::Kernel,
    configure::Configured,
    kernel::DynKernel,
    memory::{Allocator, Exhaustion, MemoryManager, Recording},
    schedule::{Scheduler, schedule},
    view::{AnyView, AnyViewMut},
};

pub use chain::{Chain, ChainBuilder};
pub use error::FunctionError;
pub use prepare::Prepared;
pub(crate) use run::{Images, bind_images};
pub use slot::Slot;
pub(crate) use slot::{Stage, Use};
pub use tables::ChainTables;

/// Something that reads images and writes images, configured for their shapes.
///
/// ```
/// use windrow_runtime::{AnyView, AnyViewMut, Serial, function::{Function, FunctionError}};
///
/// fn twice(function: &dyn Function, src: AnyView<'_>, mut out: AnyViewMut<'_>) -> Result<(), FunctionError> {
///     function.prepare()?;
///     function.run(&Serial, &[src], &mut [out.reborrow()])?;
///     function.run(&Serial, &[src], &mut [out.reborrow()])
/// }
/// ```
pub trait Function: Sync {
    /// Does what is to be done once. The first run does it where nobody has; doing it again does nothing.
    fn prepare(&self) -> Result<(), FunctionError> {
        Ok(())
    }

    /// Computes `outputs` from `inputs`. Several threads may run it at once.
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError>;
}

/// A function of one kernel.
#[derive(Debug)]
pub struct Simple(Chain);

impl Simple {
    /// Wraps a kernel that reads images and no tables.
    pub fn new<K: Kernel>(configured: &Configured<K>) -> Result<Simple, FunctionError> {
        let mut chain = ChainBuilder::new();
        let inputs = chain.inputs_of(configured)?;
        for output in chain.stage(configured, &inputs)? {
            chain.output(output)?;
        }
        Ok(Simple(chain.finish_without_memory()?))
    }
}

impl Function for Simple {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.0.run(scheduler, inputs, outputs, Exhaustion::Wait)
    }
}

impl Function for Chain {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        Chain::run(self, scheduler, inputs, outputs, Exhaustion::Wait)
    }
}

/// Where the intermediates of a composite function lie while it runs.
#[derive(Clone)]
pub enum Intermediates {
    /// In a pool of the manager, which is populated when all functions are configured.
    Managed(Arc<MemoryManager>),
    /// Each in memory of its own, allocated at once; one run goes at a time.
    Immediate(Arc<dyn Allocator>),
    /// In each thread's scratch, of about so many bytes: the function runs [in bands](crate::band).
    Bands {
        /// Bytes; [`band::CACHE`](crate::band::CACHE) is a good measure.
        cache: usize,
    },
    /// On a device, in a pool of its manager, which is populated when all functions are configured: the function runs
    /// there, kernel by kernel.
    #[cfg(feature = "opencl")]
    Device(Arc<DeviceManager>),
}

/// A chain, to be run kernel by kernel, in bands, or on a device.
#[derive(Debug)]
pub enum Composite {
    /// Kernel by kernel.
    Whole(Chain),
    /// In bands.
    Bands(Bands),
    /// On a device.
    #[cfg(feature = "opencl")]
    Device(DeviceChain),
}

impl Composite {
    /// The chain that runs.
    pub fn chain(&self) -> &Chain {
        match self {
            Composite::Whole(chain) => chain,
            Composite::Bands(bands) => bands.chain(),
            #[cfg(feature = "opencl")]
            Composite::Device(device) => device.chain(),
        }
    }
}

impl ChainBuilder {
    /// The chain, its intermediates where the caller wants them.
    pub fn compose(self, intermediates: &Intermediates) -> Result<Composite, FunctionError> {
        Ok(match intermediates {
            Intermediates::Managed(manager) => Composite::Whole(self.finish(Recording::managed(manager))?),
            Intermediates::Immediate(allocator) => {
                Composite::Whole(self.finish(Recording::immediate(Arc::clone(allocator)))?)
            }
            Intermediates::Bands { cache } => Composite::Bands(self.finish_in_bands(*cache)?),
            #[cfg(feature = "opencl")]
            Intermediates::Device(manager) => Composite::Device(self.finish_on(manager)?),
        })
    }
}

impl Function for Composite {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        match self {
            Composite::Whole(chain) => Function::run(chain, scheduler, inputs, outputs),
            Composite::Bands(bands) => bands.run(scheduler, inputs, outputs),
            #[cfg(feature = "opencl")]
            Composite::Device(device) => device.run(scheduler, inputs, outputs),
        }
    }
}

/// Runs `kernel`, naming it in the error.
pub(crate) fn schedule_named(
    scheduler: &dyn Scheduler,
    kernel: &'static str,
    bound: &mut dyn DynKernel,
) -> Result<(), FunctionError> {
    schedule(scheduler, bound).map_err(|error| FunctionError::run(kernel, error))
}
