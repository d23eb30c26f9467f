//! The executor that runs whole chains on one device.

use crate::{
    DeviceManager, DeviceTarget, MemMode, Tuner,
    chain::{device::DeviceChain, generated::SharedTuner},
};
use std::sync::{Arc, Mutex};
use windrow_runtime::function::{ChainBuilder, Composite, Executor, FunctionError};

/// Runs chains on the device of a manager, stage by stage. The manager is populated when all chains are made.
#[derive(Clone, Debug)]
pub struct OnDevice {
    manager: Arc<DeviceManager>,
    mode: MemMode,
    tuner: SharedTuner,
}

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
    /// [`FunctionError::Executor`] with an [`OpenClError`](crate::OpenClError), and those of the chain.
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
