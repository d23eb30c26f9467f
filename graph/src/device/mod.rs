//! A plan on an OpenCL device: its constants and intermediates lie there, and a run launches a kernel for each step. Steps may be placed
//! with the processor.
//!
//! [`memory`] says where each tensor lies, [`strided`] brings elements to where a kernel can read them, and [`kernel`] is a step's kernel.
//! [`placement`] says which steps the processor computes, [`transfers`] what has to be moved for that, and [`exchange`] moves it.

mod error;
mod exchange;
mod kernel;
mod memory;
mod placement;
mod strided;
mod transfers;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use windrow::{
    AnyView, AnyViewMut, Element, Scheduler, Tensor,
    opencl::{Context, DeviceImage, DeviceMemory},
};

pub use error::{DevicePlanError, RunOnDeviceError};
pub use placement::{PlacedStep, Placement, StepPlace};
pub use transfers::{Direction, Transfer};

use crate::{
    plan::{Named, Plan},
    run::{Run, expect_count},
    step::Step,
};
use exchange::{Exchange, Host};
use kernel::Launch;
use memory::{Computed, Memory};

/// A plan on an OpenCL device, whose answers are those of the plan to the bit. Its runs go one after the other.
///
/// All steps are computed there, unless a [`Placement`] leaves some with the processor.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use windrow::{AnyView, opencl::{Context, DeviceMemory}};
/// use windrow_graph::{DevicePlan, Model};
///
/// fn scores(file: &[u8], photo: AnyView<'_>) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
///     let plan = Arc::new(Model::from_bytes(file)?.plan()?);
///     let on_device = DevicePlan::new(plan, &DeviceMemory::new(&Context::open()?))?;
///     Ok(on_device.apply::<f32>(&[photo])?[0].to_vec())
/// }
/// ```
pub struct DevicePlan {
    plan: Arc<Plan>,
    context: Context,
    inputs: Vec<Option<DeviceImage>>,
    outputs: Vec<Option<DeviceImage>>,
    /// What computes each step of the plan.
    computed: Vec<Computed>,
    /// What a run moves, in order.
    exchanges: Vec<Exchange>,
    scheduler: Arc<dyn Scheduler + Send + Sync>,
    /// Whose run goes on: all have the same memory.
    turn: Mutex<()>,
}

impl DevicePlan {
    /// Builds the kernels of a plan for a device, and brings its constants there.
    ///
    /// # Errors
    /// A [`DevicePlanError`] that names the step; [`OpenClError::is_absence`](windrow::opencl::OpenClError::is_absence) holds for its
    /// source where the device lacks something that a kernel needs.
    pub fn new(plan: Arc<Plan>, memory: &DeviceMemory) -> Result<DevicePlan, DevicePlanError> {
        DevicePlan::with_placement(plan, memory, &Placement::on_device())
    }

    /// Works as [`DevicePlan::new`], with some of the steps left with the processor.
    ///
    /// What one side computes and the other reads is moved once in each run, as [`DevicePlan::transfers`] says.
    ///
    /// # Errors
    /// As [`DevicePlan::new`]; [`DevicePlanError::UnknownNode`] for a node that the plan does not have.
    pub fn with_placement(
        plan: Arc<Plan>,
        memory: &DeviceMemory,
        placement: &Placement,
    ) -> Result<DevicePlan, DevicePlanError> {
        let wanted = placement.of(&plan)?;
        let mut placed = Memory::new(&plan, memory, &wanted)?;
        let computed = placed.steps(&wanted, placement.falls_back())?;
        let on_device: Vec<bool> = computed.iter().map(|step| matches!(step, Computed::OnDevice(_))).collect();
        let exchanges = transfers::transfers(&plan, &on_device)
            .into_iter()
            .map(|planned| Ok(Exchange::new(planned.transfer, &placed.region(&planned.slot)?)?))
            .collect::<Result<_, DevicePlanError>>()?;
        placed.keep_used(&on_device);
        let Memory { inputs, outputs, .. } = placed;
        let (context, scheduler) = (memory.context().clone(), Arc::clone(placement.scheduler()));
        Ok(DevicePlan { plan, context, inputs, outputs, computed, exchanges, scheduler, turn: Mutex::new(()) })
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns the context of the device.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the steps of the plan, in order, and where each is computed.
    pub fn places(&self) -> impl ExactSizeIterator<Item = PlacedStep<'_>> {
        self.plan.steps.iter().zip(&self.computed).map(|(step, computed)| match computed {
            Computed::OnDevice(_) => PlacedStep { step, place: StepPlace::Device, refused: None },
            Computed::OnProcessor { refused } => {
                PlacedStep { step, place: StepPlace::Processor, refused: refused.as_ref() }
            }
        })
    }

    /// Returns what each run moves between the device and the processor, in order: inputs that the device reads, outputs that it writes,
    /// and what one side computes and the other reads. Each is moved once.
    pub fn transfers(&self) -> impl ExactSizeIterator<Item = &Transfer> {
        self.exchanges.iter().map(|exchange| &exchange.transfer)
    }

    /// Computes `outputs` from `inputs`, which lie with the processor, and waits for them. They are what [`Plan::run`] takes.
    ///
    /// A step of the processor waits for what it reads, and meanwhile the device computes what was enqueued before. A plan with such steps
    /// reads and writes tensors without gaps, and a run of it takes the memory of one of the plan's own
    /// ([`PlanOptions::runs`](crate::PlanOptions::runs)), for which it waits.
    ///
    /// # Errors
    /// A [`RunOnDeviceError`] that names the tensor or the node.
    pub fn run(&self, inputs: &[AnyView<'_>], outputs: &mut [AnyViewMut<'_>]) -> Result<(), RunOnDeviceError> {
        self.run_with(inputs, outputs, |step, computed, host| self.compute(step, computed, host))
    }

    /// Works as [`DevicePlan::run`], and says of each step how long it took, wherever it is computed. Each step is waited for, so that the
    /// whole takes longer; the time of transfers is no step's.
    ///
    /// # Errors
    /// As [`DevicePlan::run`].
    pub fn run_timed(
        &self,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        mut say: impl FnMut(&Step, Duration),
    ) -> Result<(), RunOnDeviceError> {
        self.run_with(inputs, outputs, |step, computed, host| {
            let start = Instant::now();
            self.compute(step, computed, host)?;
            self.context.sync()?;
            say(step, start.elapsed());
            Ok(())
        })
    }

    /// Works as [`DevicePlan::run`], and makes the outputs, which all have elements `T`.
    ///
    /// # Errors
    /// As [`DevicePlan::run`]; outputs of another type.
    pub fn apply<T: Element>(&self, inputs: &[AnyView<'_>]) -> Result<Vec<Tensor<T>>, RunOnDeviceError> {
        let made = |output: &Named| Tensor::with_info(output.info);
        let mut outputs = self.plan.outputs.iter().map(made).collect::<Result<Vec<_>, _>>()?;
        let mut views: Vec<_> = outputs.iter_mut().map(|output| output.view_mut().any()).collect();
        self.run(inputs, &mut views)?;
        Ok(outputs)
    }

    /// Returns the plan's input of this number on the device, which [`DevicePlan::launch`] reads. It is not there where no step on the
    /// device reads it, but steps of the processor may.
    pub fn input(&self, index: usize) -> Option<&DeviceImage> {
        self.inputs.get(index)?.as_ref()
    }

    /// Returns the plan's output of this number on the device, which [`DevicePlan::launch`] writes. It is not there where the processor
    /// alone writes and reads it.
    pub fn output(&self, index: usize) -> Option<&DeviceImage> {
        self.outputs.get(index)?.as_ref()
    }

    /// Enqueues a run on the inputs and outputs that lie on the device, and does not wait: whatever reads an output does.
    ///
    /// # Errors
    /// A [`RunOnDeviceError`] that names the node; [`RunOnDeviceError::OnProcessor`] where a step is placed with the processor, which would
    /// have to wait for the device.
    pub fn launch(&self) -> Result<(), RunOnDeviceError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let launches = self.plan.steps.iter().zip(&self.computed).map(|(step, computed)| match computed {
            Computed::OnDevice(launches) => Ok((step, launches)),
            Computed::OnProcessor { .. } => Err(RunOnDeviceError::OnProcessor { node: step.node.clone() }),
        });
        // None is enqueued where one can't be.
        let launches = launches.collect::<Result<Vec<_>, _>>()?;
        launches.into_iter().try_for_each(|(step, launches)| enqueue(step, launches))
    }

    fn run_with(
        &self,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        mut compute: impl FnMut(&Step, &Computed, &mut Host<'_, '_>) -> Result<(), RunOnDeviceError>,
    ) -> Result<(), RunOnDeviceError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut host = self.host(inputs, outputs)?;
        let mut exchanges = self.exchanges.iter().peekable();
        for (index, (step, computed)) in self.plan.steps.iter().zip(&self.computed).enumerate() {
            let is_before = |exchange: &&Exchange| exchange.transfer.is_before(index);
            while let Some(exchange) = exchanges.next_if(is_before) {
                exchange.run(&mut host)?;
            }
            compute(step, computed, &mut host)?;
            let is_behind = |exchange: &&Exchange| exchange.transfer.is_behind(index);
            while let Some(exchange) = exchanges.next_if(is_behind) {
                exchange.run(&mut host)?;
            }
        }
        Ok(())
    }

    /// The caller's tensors, which are held to the plan's; and the processor's intermediates, where it computes a step.
    fn host<'r, 't>(
        &'r self,
        inputs: &'r [AnyView<'_>],
        outputs: &'r mut [AnyViewMut<'t>],
    ) -> Result<Host<'r, 't>, RunOnDeviceError> {
        if self.computed.iter().any(|computed| matches!(computed, Computed::OnProcessor { .. })) {
            return Ok(Host::Run(Run::begin(&self.plan, inputs, outputs)?));
        }
        let named = (&self.plan.inputs, &self.plan.outputs);
        expect_count(false, inputs.len(), named.0.len())?;
        expect_count(true, outputs.len(), named.1.len())?;
        inputs.iter().zip(named.0).try_for_each(|(view, named)| named.expect(view.info()))?;
        outputs.iter().zip(named.1).try_for_each(|(view, named)| named.expect(view.info()))?;
        Ok(Host::Caller { inputs, outputs })
    }

    /// Has a step computed: enqueues it, or computes it here.
    fn compute(&self, step: &Step, computed: &Computed, host: &mut Host<'_, '_>) -> Result<(), RunOnDeviceError> {
        match (computed, host) {
            (Computed::OnDevice(launches), _) => enqueue(step, launches),
            (Computed::OnProcessor { .. }, Host::Run(run)) => {
                // The device computes meanwhile what it was given.
                self.context.queue().flush()?;
                Ok(run.step(step, &*self.scheduler)?)
            }
            // A plan with such a step has a run.
            (Computed::OnProcessor { .. }, Host::Caller { .. }) => {
                Err(RunOnDeviceError::OnProcessor { node: step.node.clone() })
            }
        }
    }
}

fn enqueue(step: &Step, launches: &[Launch]) -> Result<(), RunOnDeviceError> {
    let failed = |error| RunOnDeviceError::Node { node: step.node.clone(), error: Box::new(error) };
    launches.iter().try_for_each(Launch::enqueue).map_err(failed)
}

impl fmt::Debug for DevicePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plan = f.debug_struct("DevicePlan");
        plan.field("plan", &self.plan).field("device", &self.context.device().name).finish_non_exhaustive()
    }
}
