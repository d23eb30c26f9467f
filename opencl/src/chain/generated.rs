//! Generated kernels as stages on a device.

use crate::{
    DeviceArguments, DeviceCode, DeviceMemory, FloatFormat, MemMode, OpenClError, Submission, Tuner,
    arguments::{Given, Inputs},
    kernel::{Runner, settings::Planned},
};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use windrow_runtime::{RunError, configure::KernelPlan, element::ElementType};

/// What tunes the stages of chains.
pub(super) type SharedTuner = Option<Arc<Mutex<Tuner>>>;

/// A generated kernel's program.
pub(super) struct GeneratedStage {
    pub runner: Runner,
    has_floats: bool,
}

impl GeneratedStage {
    /// Builds the program of a plan in the context's precision.
    pub fn new(
        memory: &DeviceMemory,
        plan: &KernelPlan,
        mode: MemMode,
        tuner: &SharedTuner,
    ) -> Result<GeneratedStage, OpenClError> {
        let context = memory.context();
        let mut runner = Runner::new(context, plan, context.precision())?;
        if mode != MemMode::Buffer {
            runner.set_memory(plan, memory, mode)?;
        }
        if let Some(tuner) = tuner {
            let mut tuner = tuner.lock().unwrap_or_else(PoisonError::into_inner);
            tuner.tune_planned(&mut Planned { runner: &mut runner, plan })?;
        }
        let spec = plan.spec();
        let read = spec.images().map(|(_, input)| input.element);
        let has_floats =
            read.chain(spec.outputs.iter().map(|output| output.element)).any(|element| element == ElementType::F32);
        Ok(GeneratedStage { runner, has_floats })
    }
}

impl DeviceCode for GeneratedStage {
    fn format(&self) -> Option<FloatFormat> {
        self.has_floats.then(|| self.runner.format())
    }

    unsafe fn enqueue(&self, on: &Submission<'_>, given: &DeviceArguments<'_>) -> Result<(), OpenClError> {
        let plan = given.plan.ok_or(RunError::Kernel { reason: "the chain has lost what its kernel runs by" })?;
        let given = Given { inputs: Inputs::Buffers(given.inputs), tables: given.tables, outputs: given.outputs };
        self.runner.enqueue(plan, on, given, false).map(drop)
    }
}

impl fmt::Debug for GeneratedStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedStage").field("precision", &self.runner.precision()).finish_non_exhaustive()
    }
}
