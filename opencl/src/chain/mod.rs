//! Chains on a device: a composite function's kernels, one after the other on one queue, its intermediates in managed
//! blocks of the device's memory.
//!
//! The chain is the one that runs on the processor ([`windrow_runtime::function::Chain`]), with the same valid regions and the same
//! results. Programs are built, and memory is planned, when it is made; a run binds images and enqueues. Host images pass
//! through blocks of the device's pools that the chain keeps, so that a second run allocates nothing.
//!
//! Each stage runs as a configured kernel does, in the context's precision: in halves, the images between stages lie in
//! halves too. Deliberately absent: stages that read through samplers. What a stage writes is a buffer, which each run would
//! have to copy to an image first.

mod stage;

use super::{
    context::Context,
    error::OpenClError,
    format::FloatFormat,
    image::DeviceImage,
    memory::{DeviceBlocks, DeviceManager, Storage},
    numerics::EffectiveNumerics,
    precision::EffectivePrecision,
    uses::Use,
};
use stage::DeviceStage;
use std::{
    fmt,
    string::ToString,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    vec,
    vec::Vec,
};
use windrow_runtime::{
    element::ElementType,
    function::{Chain, ChainBuilder, Composite, Executable, Executor, ExecutorError, Function, FunctionError, Stage},
    info::TensorInfo,
    memory::{Exhaustion, Lifetime, MemoryError, Plan},
    schedule::Scheduler,
    view::{AnyView, AnyViewMut},
};

/// A chain on a device. Its runs take turns.
///
/// As a [`Function`] it takes the host's images; [`DeviceChain::run_on`] takes the device's.
pub struct DeviceChain {
    chain: Chain,
    manager: Arc<DeviceManager>,
    /// Where the intermediates lie.
    plan: Plan,
    /// The number in the plan of each slot that is an intermediate.
    places: Vec<Option<usize>>,
    format: FloatFormat,
    stages: Vec<DeviceStage>,
    /// The device's side of the host's images; made by the first run that needs it.
    staging: Mutex<Option<Staging>>,
}

struct Staging {
    inputs: Vec<DeviceImage>,
    outputs: Vec<DeviceImage>,
}

/// Runs chains on the device of a manager, kernel by kernel. The manager is populated when all chains are made.
#[derive(Clone, Debug)]
pub struct OnDevice(Arc<DeviceManager>);

impl OnDevice {
    /// With intermediates in pools of `manager`.
    pub fn new(manager: Arc<DeviceManager>) -> OnDevice {
        OnDevice(manager)
    }

    /// The chain on the device, for images that lie there already.
    ///
    /// # Errors
    /// [`FunctionError::Executor`] with an [`OpenClError`], and those of the chain.
    pub fn finish(&self, chain: ChainBuilder) -> Result<DeviceChain, FunctionError> {
        DeviceChain::new(chain.finish_without_memory()?, &self.0)
    }
}

impl Executor for OnDevice {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        Ok(Composite::new(self.finish(chain)?))
    }
}

impl Executable for DeviceChain {
    fn chain(&self) -> &Chain {
        &self.chain
    }
}

impl From<OpenClError> for FunctionError {
    fn from(error: OpenClError) -> FunctionError {
        FunctionError::Executor(ExecutorError::new(error))
    }
}

impl DeviceChain {
    fn new(chain: Chain, manager: &Arc<DeviceManager>) -> Result<DeviceChain, FunctionError> {
        let memory = manager.memory();
        let make = |stage| DeviceStage::new(memory, stage);
        let stages = chain.stages().iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let format = format_of(&chain, &stages)?;
        let (mut places, mut lifetimes) = (vec![None; chain.values().len()], Vec::new());
        for (index, stage) in chain.stages().iter().enumerate() {
            for &slot in stage.outputs().iter().flatten() {
                let used = &chain.values()[slot];
                if used.is_intermediate() {
                    places[slot] = Some(lifetimes.len());
                    let last = used.last_read.unwrap_or(index);
                    let size = bytes(&used.info, format);
                    lifetimes.push(Lifetime { size, alignment: 1, first: index, last });
                }
            }
        }
        let (plan, manager) = (manager.plan(&lifetimes), Arc::clone(manager));
        Ok(DeviceChain { chain, manager, plan, places, format, stages, staging: Mutex::new(None) })
    }

    /// The chain that runs.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Where its intermediates lie.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Its kernels in order: the name, the precision that was asked for with the one in effect, and how floats are computed.
    pub fn kernels(&self) -> impl Iterator<Item = (&'static str, EffectivePrecision, EffectiveNumerics)> {
        let told = |(stage, device): (&Stage, &DeviceStage)| {
            (stage.name(), device.runner.precision(), device.runner.numerics())
        };
        self.chain.stages().iter().zip(&self.stages).map(told)
    }

    /// How the floats of its images on the device must lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Computes images on the device, and waits for them. Where all memory for intermediates is in use, it waits or gives
    /// up, as asked.
    pub fn run_on(
        &self,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
        exhaustion: Exhaustion,
    ) -> Result<(), FunctionError> {
        let _uses = self.check(inputs, outputs)?;
        let _turn = self.staging();
        self.run_stages(inputs, outputs, exhaustion)
    }

    /// Whoever runs holds the staging's lock: runs take turns.
    fn run_stages(
        &self,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
        exhaustion: Exhaustion,
    ) -> Result<(), FunctionError> {
        let mut blocks = self.manager.acquire(&self.plan, exhaustion)?;
        let slots = self.slots(inputs, outputs, &mut blocks)?;
        let run = |(device, stage): (&DeviceStage, _)| device.enqueue(self.context().queue(), stage, &slots);
        let enqueued = self.stages.iter().zip(self.chain.stages()).try_for_each(run);
        // The blocks go back when nothing works on them any more, whatever happened.
        let done = self.context().sync();
        enqueued?;
        Ok(done?)
    }

    /// The image of each slot in this run.
    fn slots(
        &self,
        inputs: &[DeviceImage],
        outputs: &[DeviceImage],
        blocks: &mut DeviceBlocks<'_>,
    ) -> Result<Vec<DeviceImage>, FunctionError> {
        let mut images = Vec::new();
        for (slot, place) in self.chain.values().iter().zip(&self.places) {
            let given = slot.input.and_then(|index| inputs.get(index));
            let given = given.or_else(|| slot.output.and_then(|index| outputs.get(index)));
            images.push(match (given, place) {
                (Some(image), _) => image.clone(),
                (None, Some(place)) => {
                    let memory = blocks.part(&self.plan, *place, bytes(&slot.info, self.format))?;
                    DeviceImage::with_layout_as(memory, 0, slot.info, self.format)?
                }
                (None, None) => return Err(MemoryError::NotPopulated.into()),
            });
        }
        Ok(images)
    }

    /// The caller's images: as many as the chain has, of its types and shapes, the outputs in memory of their own.
    ///
    /// What the run uses of them: its stages run on the context's queue, and are waited for.
    fn check(&self, inputs: &[DeviceImage], outputs: &[DeviceImage]) -> Result<Vec<Use>, FunctionError> {
        self.chain.check_prepared()?;
        let mut uses = Vec::new();
        let counts =
            [(false, inputs.len(), self.chain.input_count()), (true, outputs.len(), self.chain.outputs().len())];
        for (outputs, found, expected) in counts {
            if found != expected {
                return Err(FunctionError::ImageCount { outputs, found, expected });
            }
        }
        for slot in self.chain.values() {
            let read = slot.input.map(|index| ("an input", &inputs[index], false));
            let written = slot.output.map(|index| ("an output", &outputs[index], true));
            for (argument, image, is_written) in read.into_iter().chain(written) {
                self.context().core().check_same(argument, image.buffer().context().core())?;
                image.expect(argument, &slot.info)?;
                image.expect_format(argument, self.format)?;
                uses.push(image.buffer().begin_use(argument, is_written)?);
            }
        }
        for (output, image) in outputs.iter().enumerate() {
            let overlaps = |with: &DeviceImage| image.overlaps(with);
            if let Some(other) = inputs.iter().position(overlaps) {
                return Err(FunctionError::Overlap { output, other, with_output: false });
            }
            if let Some(other) = outputs[..output].iter().position(overlaps) {
                return Err(FunctionError::Overlap { output, other, with_output: true });
            }
        }
        Ok(uses)
    }

    fn context(&self) -> &Context {
        self.manager.memory().context()
    }

    fn staging(&self) -> MutexGuard<'_, Option<Staging>> {
        self.staging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Places for the host's images, in blocks of the device's pools.
    fn stage_images(&self, inputs: &[AnyView<'_>]) -> Result<Staging, OpenClError> {
        let place = |info: &TensorInfo| self.manager.memory().tensor_as(info, self.format, Storage::Dynamic);
        Ok(Staging {
            inputs: inputs.iter().map(|view| place(view.info())).collect::<Result<_, _>>()?,
            outputs: self.outputs().map(place).collect::<Result<_, _>>()?,
        })
    }

    fn outputs(&self) -> impl Iterator<Item = &TensorInfo> {
        self.chain.outputs().iter().map(|&slot| &self.chain.values()[slot].info)
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
        self.chain.check(inputs, outputs)?;
        let mut kept = self.staging();
        let staging = match kept.take() {
            Some(staging) => staging,
            None => self.stage_images(inputs)?,
        };
        for (image, view) in staging.inputs.iter().zip(inputs) {
            image.write(view)?;
        }
        self.run_stages(&staging.inputs, &staging.outputs, Exhaustion::Wait)?;
        for ((image, info), view) in staging.outputs.iter().zip(self.outputs()).zip(outputs) {
            image.download(&info.valid_region(), view)?;
        }
        *kept = Some(staging);
        Ok(())
    }
}

/// The format of all floats between the stages, and of the caller's.
fn format_of(chain: &Chain, stages: &[DeviceStage]) -> Result<FloatFormat, OpenClError> {
    let mut format = None;
    for (stage, device) in chain.stages().iter().zip(stages) {
        let spec = stage.plan().spec();
        let read = spec.images().map(|(name, input)| (name, input.element));
        let mut all = read.chain(spec.outputs.iter().map(|output| (output.name, output.element)));
        let Some((argument, _)) = all.find(|(_, element)| *element == ElementType::F32) else { continue };
        let found = device.runner.precision().format();
        let expected = *format.get_or_insert(found);
        if found != expected {
            return Err(OpenClError::FloatFormat { argument: argument.to_string(), found, expected });
        }
    }
    Ok(format.unwrap_or_default())
}

/// Bytes on the device of an image without gaps.
fn bytes(info: &TensorInfo, format: FloatFormat) -> usize {
    format.of(info.element()).bytes(info.size_in_bytes())
}

impl fmt::Debug for DeviceChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chain = f.debug_struct("DeviceChain");
        chain.field("chain", &self.chain).field("plan", &self.plan).field("device", self.context().device());
        chain.finish_non_exhaustive()
    }
}
