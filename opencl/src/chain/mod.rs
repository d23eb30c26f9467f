//! Chains on a device: a composite function's stages, one after the other on one queue, its intermediates in managed
//! blocks of the device's memory.
//!
//! The chain is the one that runs on the processor ([`windrow_runtime::function::Chain`]), with the same valid regions and the same
//! results. Its stages are generated kernels, which run as a configured kernel does, in the context's precision (in halves, the
//! images between stages lie in halves too), and operators with code for a device ([`DeviceCode`]), of which [`SourceOperator`] is
//! one. Programs are built, and memory is planned, when it is made; a run binds images and enqueues. Host images pass
//! through blocks of the device's pools that the chain keeps, so that a second run allocates nothing. [`ByStage`] places each stage
//! by itself, and plans what is copied between the processor and the device.

mod code;
mod device;
mod generated;
mod placed;
mod places;
mod source;
mod stage;
mod values;

pub use code::{DeviceArguments, DeviceCode, DeviceCompiled, DeviceTarget};
pub use device::DeviceChain;
pub use places::{ByStage, StagePlace};
pub use source::{SourceArgument, SourceImages, SourceLaunch, SourceOperator};

use crate::{DeviceManager, DeviceMemoryError, MemMode, OpenClError, Tuner};
use std::sync::{Arc, Mutex};
use windrow_runtime::function::{ChainBuilder, Composite, Executor, ExecutorError, FunctionError};

/// Runs chains on the device of a manager, stage by stage. The manager is populated when all chains are made.
#[derive(Clone, Debug)]
pub struct OnDevice {
    manager: Arc<DeviceManager>,
    mode: MemMode,
    tuner: SharedTuner,
}

/// What tunes the stages of chains.
type SharedTuner = Option<Arc<Mutex<Tuner>>>;

impl OnDevice {
    /// Returns `self` with intermediates in pools of `manager`.
    pub fn new(manager: Arc<DeviceManager>) -> OnDevice {
        OnDevice { manager, mode: MemMode::Buffer, tuner: None }
    }

    /// Makes the generated kernels read what `mode` says: where images are read through samplers, each run copies what
    /// a stage reads to one first.
    #[must_use]
    pub fn with_mode(self, mode: MemMode) -> OnDevice {
        OnDevice { mode, ..self }
    }

    /// Returns the generated kernels of its chains run in the schedules and work-groups that `tuner` has for them.
    /// Where its mode is [`TuneMode::Tune`](crate::TuneMode::Tune), a stage without a tuning is tuned when its chain is
    /// compiled, on scratch images.
    ///
    /// ```no_run
    /// use std::sync::{Arc, Mutex};
    /// use windrow::opencl::{DeviceManager, OnDevice, TuneLevel, TuneMode, TuneSettings, Tuner};
    ///
    /// fn tuned(manager: Arc<DeviceManager>) -> OnDevice {
    ///     let tuner = Tuner::new(TuneMode::Tune, TuneSettings::new(TuneLevel::Fast));
    ///     OnDevice::new(manager).with_tuner(Arc::new(Mutex::new(tuner)))
    /// }
    /// ```
    #[must_use]
    pub fn with_tuner(self, tuner: Arc<Mutex<Tuner>>) -> OnDevice {
        OnDevice { tuner: Some(tuner), ..self }
    }

    /// Returns the chain on the device, for images that lie there already.
    ///
    /// # Errors
    /// [`FunctionError::Executor`] with an [`OpenClError`], and those of the chain.
    pub fn finish(&self, chain: ChainBuilder) -> Result<DeviceChain, FunctionError> {
        let target = DeviceTarget::new(self.manager.memory());
        DeviceChain::new(chain.finish_for(&|_| &target)?, &self.manager, self.mode, &self.tuner)
    }
}

impl Executor for OnDevice {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        Ok(Composite::new(self.finish(chain)?))
    }
}

impl From<DeviceMemoryError> for FunctionError {
    fn from(error: DeviceMemoryError) -> FunctionError {
        OpenClError::from(error).into()
    }
}

impl From<OpenClError> for FunctionError {
    fn from(error: OpenClError) -> FunctionError {
        FunctionError::Executor(ExecutorError::new(error))
    }
}
