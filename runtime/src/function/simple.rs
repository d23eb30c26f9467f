//! Functions: what a caller runs, made of one operator or of several.

use super::{builder::ChainBuilder, chain::Chain, error::FunctionError};
use crate::{
    code::Kernel,
    configure::Configured,
    memory::{Heap, MemoryRecording},
    schedule::Scheduler,
    view::{AnyView, AnyViewMut},
};
use std::sync::Arc;

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
        Ok(Simple(chain.finish(MemoryRecording::immediate(Arc::new(Heap)))?))
    }
}

impl Function for Simple {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.0.run(scheduler, inputs, outputs)
    }
}

impl Function for Chain {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        Chain::run(self, scheduler, inputs, outputs)
    }
}
