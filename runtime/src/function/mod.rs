//! Functions: what a caller runs, made of one kernel or of several.
//!
//! A [`Simple`] one wraps a kernel. A [`Chain`] is several that read what others before them wrote. How it runs, and where its
//! intermediates lie, is an [`Executor`]'s to decide: [`Whole`] images one after the other, or
//! [in bands](crate::band::InBands), so that the intermediates stay in the cache; other crates bring others. What is to be done
//! once, before the first run, is in a [`Prepared`].

mod chain;
mod error;
mod executor;
mod prepare;
mod run;
mod slot;
mod tables;

use crate::{
    code::Kernel,
    configure::Configured,
    kernel::DynKernel,
    memory::Exhaustion,
    schedule::{Scheduler, schedule},
    view::{AnyView, AnyViewMut},
};

pub use chain::{Chain, ChainBuilder};
pub use error::{ExecutorError, FunctionError};
pub use executor::{Composite, Executable, Executor, Whole};
pub use prepare::Prepared;
pub(crate) use run::{Images, bind_images};
pub use slot::{Slot, Stage, Value};
pub use tables::ChainTables;

/// Something that reads images and writes images, configured for their shapes.
///
/// ```
/// use windrow::{AnyView, AnyViewMut, Serial, chain::{Function, FunctionError}};
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

/// Runs `kernel`, naming it in the error.
pub(crate) fn schedule_named(
    scheduler: &dyn Scheduler,
    kernel: &'static str,
    bound: &mut dyn DynKernel,
) -> Result<(), FunctionError> {
    schedule(scheduler, bound).map_err(|error| FunctionError::run(kernel, error))
}
