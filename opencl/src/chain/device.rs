//! A chain on a device, ready to run.

use crate::{
    Candidate, Context, DeviceBlocks, DeviceImage, DeviceManager, EffectiveNumerics, EffectivePrecision, Event,
    FloatFormat, MemMode, OpenClError, Queue, Recorded, Recording, Storage, Submission,
    chain::{
        generated::SharedTuner,
        stage::{DeviceStage, format_of},
        values::{DeviceValues, ValueImages},
    },
    uses::{Use, note},
};
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use windrow_runtime::{
    function::{Chain, Executable, Function, FunctionError, Listing, Stage, ValueDef},
    info::TensorInfo,
    memory::MemoryPlan,
    overlap,
    schedule::Scheduler,
    view::{AnyView, AnyViewMut},
};

/// A chain on a device. Its runs are serialised.
///
/// As a [`Function`] it takes the host's images; [`DeviceChain::run_on`] and [`DeviceChain::submit`] take the device's.
pub struct DeviceChain {
    values: DeviceValues,
    stages: Vec<DeviceStage>,
    /// The device's side of the host's images; made by the first run that needs it.
    staging: Mutex<Option<Staging>>,
    /// The intermediates of runs that are submitted, and the end of the last; made by the first.
    ///
    /// A run that is waited for draws its memory from the manager's pools and gives it back. One that is only submitted uses it after
    /// the call has returned: each chain keeps memory for these, in which they go one after the other.
    resident: Mutex<Option<(DeviceBlocks<'static>, Option<Event>)>>,
}

struct Staging {
    inputs: Vec<DeviceImage>,
    outputs: Vec<DeviceImage>,
}

impl Executable for DeviceChain {
    fn chain(&self) -> &Chain {
        &self.values.chain
    }

    fn listing(&self) -> Listing {
        let (host, device) = ("the processor", self.context().device().name.as_str());
        let inputs = (0..self.chain().input_count()).filter_map(|index| Some((index, self.chain().input(index)?)));
        let up = inputs.map(|(index, info)| self.values.copy(format!("input {index}"), info, host, device));
        let run = Listing::of_stages(self.chain().stages().iter().map(Stage::name), device).steps;
        let outputs = self.outputs().enumerate();
        let down = outputs.map(|(index, info)| self.values.copy(format!("output {index}"), info, device, host));
        Listing { steps: up.chain(run).chain(down).collect() }
    }
}

impl DeviceChain {
    pub(super) fn new(
        chain: Chain,
        manager: &Arc<DeviceManager>,
        mode: MemMode,
        tuner: &SharedTuner,
    ) -> Result<DeviceChain, FunctionError> {
        let memory = manager.memory();
        let make = |stage| DeviceStage::new(memory, stage, mode, tuner);
        let stages = chain.stages().iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let format = format_of(chain.stages().iter().zip(&stages))?;
        let lives: Vec<_> = chain.lifetimes().into_iter().collect();
        let values = DeviceValues::new(chain, manager, lives, format)?;
        Ok(DeviceChain { values, stages, staging: Mutex::new(None), resident: Mutex::new(None) })
    }

    /// Returns the chain that runs.
    pub fn chain(&self) -> &Chain {
        &self.values.chain
    }

    /// Returns where the chain's intermediates lie.
    pub fn plan(&self) -> &MemoryPlan {
        &self.values.plan
    }

    /// Returns the generated kernels in order: the name, the precision that was asked for with the one in effect, and
    /// how floats are computed.
    pub fn kernels(&self) -> impl Iterator<Item = (&str, EffectivePrecision, EffectiveNumerics)> {
        self.chain().stages().iter().zip(&self.stages).filter_map(|(stage, device)| {
            let runner = &device.generated()?.runner;
            Some((stage.name(), runner.precision(), runner.numerics()))
        })
    }

    /// Returns the generated kernels in order: the name, and the schedule and work-groups in which each runs.
    /// [`OnDevice::with_tuner`](super::OnDevice::with_tuner) has them tuned.
    pub fn settings(&self) -> impl Iterator<Item = (&str, Candidate)> {
        self.chain().stages().iter().zip(&self.stages).filter_map(|(stage, device)| {
            let candidate = device.generated()?.runner.present(stage.generated()?.plan());
            Some((stage.name(), candidate))
        })
    }

    /// Returns how the floats of its images on the device must lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.values.format
    }

    /// Computes images on the device, and waits for them; where all memory for intermediates is in use, for that too.
    pub fn run_on(&self, inputs: &[DeviceImage], outputs: &[DeviceImage]) -> Result<(), FunctionError> {
        let _uses = self.check(inputs, outputs)?;
        let _turn = self.staging();
        self.run_stages(inputs, outputs, self.values.manager.acquire(self.plan())?)
    }

    /// Runs the chain if its memory is free, without waiting for it.
    ///
    /// # Errors
    /// As [`DeviceChain::run_on`]; [`MemoryError::Exhausted`](windrow_runtime::memory::MemoryError::Exhausted) where all memory for intermediates is in use.
    pub fn try_run_on(&self, inputs: &[DeviceImage], outputs: &[DeviceImage]) -> Result<(), FunctionError> {
        let _uses = self.check(inputs, outputs)?;
        let _turn = self.staging();
        self.run_stages(inputs, outputs, self.values.manager.try_acquire(self.plan())?)
    }

    /// Enqueues a run on images of the device, on a queue and after events of the caller's choice, and does not wait; the event is
    /// done when the run is. Runs that are submitted go one after the other, in memory that the chain keeps for them.
    ///
    /// # Errors
    /// As [`DeviceChain::run_on`]; [`FunctionError::Refused`] for a stage whose uniforms an earlier stage computes, which the host
    /// would have to wait for.
    pub fn submit(
        &self,
        on: &Submission<'_>,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
    ) -> Result<Event, FunctionError> {
        self.context().core().check_same("the queue", on.queue.core())?;
        if let Some(stage) = self.chain().stages().iter().find(|stage| stage.computed_uniforms().len() > 0) {
            let reason = "its uniforms are computed on the device, and the host would wait for them";
            return Err(FunctionError::refused(stage.name(), "without being waited for", reason));
        }
        let uses = self.check(inputs, outputs)?;
        let mut kept = self.resident.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut blocks, last) = match kept.take() {
            Some(resident) => resident,
            None => (DeviceBlocks::own(self.values.manager.memory(), self.plan())?, None),
        };
        let images = self.images(inputs, outputs, &mut blocks)?;
        if let Some(last) = &last {
            on.queue.wait_for(std::slice::from_ref(last))?;
        }
        if !on.after.is_empty() {
            on.queue.wait_for(on.after)?;
        }
        let enqueued = self.enqueue(on.queue, &images);
        // Whatever was enqueued is over when this event is.
        let event = on.queue.marker()?;
        *kept = Some((blocks, Some(event.clone())));
        note(&uses, on.queue, &event);
        enqueued?;
        Ok(event)
    }

    /// Records a run on these images, to be replayed: a replay checks, sets and looks up nothing. It has intermediates of its own.
    ///
    /// # Errors
    /// As [`DeviceChain::run_on`]; [`FunctionError::Refused`] for a stage that does more in a run than launch a generated kernel.
    pub fn record(&self, inputs: &[DeviceImage], outputs: &[DeviceImage]) -> Result<Recorded, FunctionError> {
        drop(self.check(inputs, outputs)?);
        let mut blocks = DeviceBlocks::own(self.values.manager.memory(), self.plan())?;
        let images = self.images(inputs, outputs, &mut blocks)?;
        let mut recording = Recording::new(self.context());
        for (stage, device) in self.chain().stages().iter().zip(&self.stages) {
            device.record(stage, &images, &mut recording)?;
        }
        Ok(recording.finish()?)
    }

    /// Whoever runs holds the staging's lock: runs are serialised.
    fn run_stages(
        &self,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
        mut blocks: DeviceBlocks<'_>,
    ) -> Result<(), FunctionError> {
        let images = self.images(inputs, outputs, &mut blocks)?;
        let enqueued = self.enqueue(self.context().queue(), &images);
        // The blocks go back when nothing works on them any more, whatever happened.
        let done = self.context().sync();
        enqueued?;
        Ok(done?)
    }

    /// The image of each value, for one run.
    fn images(
        &self,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
        blocks: &mut DeviceBlocks<'_>,
    ) -> Result<ValueImages, FunctionError> {
        let given = |value: &ValueDef| {
            let read = value.input.and_then(|index| inputs.get(index));
            read.or_else(|| value.output.and_then(|index| outputs.get(index))).cloned()
        };
        self.values.images(given, blocks)
    }

    /// Enqueues every stage on the images of the chain's values, in order.
    fn enqueue(&self, queue: &Queue, images: &ValueImages) -> Result<(), FunctionError> {
        let mut stages = self.chain().stages().iter().zip(&self.stages);
        stages.try_for_each(|(stage, device)| device.enqueue(stage, &self.values, images, queue))
    }

    /// The caller's images: as many as the chain has, of its types and shapes, the outputs in memory of their own.
    ///
    /// What the run uses of them.
    fn check(&self, inputs: &[DeviceImage], outputs: &[DeviceImage]) -> Result<Vec<Use>, FunctionError> {
        self.chain().check_prepared()?;
        let mut uses = Vec::new();
        let counts =
            [(false, inputs.len(), self.chain().input_count()), (true, outputs.len(), self.chain().outputs().len())];
        for (outputs, found, expected) in counts {
            if found != expected {
                return Err(FunctionError::ImageCount { outputs, found, expected });
            }
        }
        for value in self.chain().values() {
            let read = value.input.map(|index| ("an input", &inputs[index], false));
            let written = value.output.map(|index| ("an output", &outputs[index], true));
            for (argument, image, is_written) in read.into_iter().chain(written) {
                self.context().core().check_same(argument, image.buffer().context().core())?;
                image.expect(argument, &value.info)?;
                image.expect_format(argument, self.format())?;
                uses.push(image.buffer().begin_use(argument, is_written)?);
            }
        }
        let found = overlap::find(inputs.iter().map(Some), outputs.iter().map(Some), DeviceImage::overlaps);
        if let Some(overlap) = found {
            return Err(overlap.into());
        }
        Ok(uses)
    }

    fn context(&self) -> &Context {
        self.values.context()
    }

    fn staging(&self) -> MutexGuard<'_, Option<Staging>> {
        self.staging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places for the host's images, in blocks of the device's pools.
    fn stage_images(&self, inputs: &[AnyView<'_>]) -> Result<Staging, OpenClError> {
        let place = |info: &TensorInfo| self.values.manager.memory().tensor_as(info, self.format(), Storage::Dynamic);
        Ok(Staging {
            inputs: inputs.iter().map(|view| place(view.info())).collect::<Result<_, _>>()?,
            outputs: self.outputs().map(place).collect::<Result<_, _>>()?,
        })
    }

    fn outputs(&self) -> impl Iterator<Item = &TensorInfo> {
        self.chain().outputs().iter().map(|&value| &self.chain().values()[value].info)
    }
}

/// The kernels run on the device; the scheduler has nothing to do.
impl Function for DeviceChain {
    fn run(
        &self,
        _scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.chain().check(inputs, outputs)?;
        let mut kept = self.staging();
        let staging = match kept.take() {
            Some(staging) => staging,
            None => self.stage_images(inputs)?,
        };
        for (image, view) in staging.inputs.iter().zip(inputs) {
            image.write(view)?;
        }
        self.run_stages(&staging.inputs, &staging.outputs, self.values.manager.acquire(self.plan())?)?;
        for ((image, info), view) in staging.outputs.iter().zip(self.outputs()).zip(outputs) {
            image.download(&info.valid_region(), view)?;
        }
        *kept = Some(staging);
        Ok(())
    }
}

impl fmt::Debug for DeviceChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chain = f.debug_struct("DeviceChain");
        chain.field("chain", self.chain()).field("plan", self.plan()).field("device", self.context().device());
        chain.finish_non_exhaustive()
    }
}
