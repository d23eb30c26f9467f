//! A plan on an OpenCL device: its constants and intermediates lie there, and a run launches a kernel for each step.
//!
//! [`memory`] says where each tensor lies, [`strided`] brings elements to where a kernel can read them, and [`kernel`] is a step's kernel.

mod error;
mod kernel;
mod memory;
mod strided;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use windrow::{
    AnyView, AnyViewMut, Element, Tensor, ValidRegion,
    opencl::{Context, DeviceImage, DeviceMemory, OpenClError},
};

pub use error::{DevicePlanError, RunOnDeviceError};

use crate::{
    plan::{Named, Plan},
    run::expect_count,
    step::Step,
};
use kernel::Launch;
use memory::Memory;

/// A plan on an OpenCL device, whose answers are those of the plan to the bit. Its runs go one after the other.
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
    inputs: Vec<DeviceImage>,
    outputs: Vec<DeviceImage>,
    /// What is launched for each step of the plan.
    launches: Vec<Vec<Launch>>,
    /// Whose run goes on: all have the same memory.
    turn: Mutex<()>,
}

impl DevicePlan {
    /// Builds the kernels of a plan for a device, and brings its constants there.
    ///
    /// # Errors
    /// A [`DevicePlanError`] that names the step; [`OpenClError::is_absence`] holds for its source where the device lacks something that
    /// a kernel needs.
    pub fn new(plan: Arc<Plan>, memory: &DeviceMemory) -> Result<DevicePlan, DevicePlanError> {
        let (placed, launches) = Memory::new(&plan, memory)?.launches()?;
        let Memory { inputs, outputs, .. } = placed;
        Ok(DevicePlan { plan, context: memory.context().clone(), inputs, outputs, launches, turn: Mutex::new(()) })
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns the context of the device.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Computes `outputs` from `inputs`, which lie with the processor, and waits for them. They are what [`Plan::run`] takes.
    ///
    /// # Errors
    /// A [`RunOnDeviceError`] that names the tensor or the node.
    pub fn run(&self, inputs: &[AnyView<'_>], outputs: &mut [AnyViewMut<'_>]) -> Result<(), RunOnDeviceError> {
        self.run_with(inputs, outputs, |_, launches| enqueue(launches))
    }

    /// Works as [`DevicePlan::run`], and says of each step how long it took. Each step is waited for, so that the whole takes longer.
    ///
    /// # Errors
    /// As [`DevicePlan::run`].
    pub fn run_timed(
        &self,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        mut say: impl FnMut(&Step, Duration),
    ) -> Result<(), RunOnDeviceError> {
        self.run_with(inputs, outputs, |step, launches| {
            let start = Instant::now();
            enqueue(launches)?;
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

    /// Returns the plan's input of this number on the device, which [`DevicePlan::launch`] reads.
    pub fn input(&self, index: usize) -> Option<&DeviceImage> {
        self.inputs.get(index)
    }

    /// Returns the plan's output of this number on the device, which [`DevicePlan::launch`] writes.
    pub fn output(&self, index: usize) -> Option<&DeviceImage> {
        self.outputs.get(index)
    }

    /// Enqueues a run on the inputs and outputs that lie on the device, and does not wait: whatever reads an output does.
    ///
    /// # Errors
    /// A [`RunOnDeviceError`] that names the node.
    pub fn launch(&self) -> Result<(), RunOnDeviceError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.steps(|_, launches| enqueue(launches))
    }

    fn run_with(
        &self,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        compute: impl FnMut(&Step, &[Launch]) -> Result<(), OpenClError>,
    ) -> Result<(), RunOnDeviceError> {
        let named = (&self.plan.inputs, &self.plan.outputs);
        expect_count(false, inputs.len(), named.0.len())?;
        expect_count(true, outputs.len(), named.1.len())?;
        inputs.iter().zip(named.0).try_for_each(|(view, named)| named.expect(view.info()))?;
        outputs.iter().zip(named.1).try_for_each(|(view, named)| named.expect(view.info()))?;
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        for (view, image) in inputs.iter().zip(&self.inputs) {
            image.write(&view.without_quantization())?;
        }
        self.steps(compute)?;
        for (view, image) in outputs.iter_mut().zip(&self.outputs) {
            let whole = ValidRegion::whole(image.info().shape());
            image.download(&whole, &mut view.reborrow().without_quantization())?;
        }
        Ok(())
    }

    /// Has each step computed by what is launched for it.
    fn steps(
        &self,
        mut compute: impl FnMut(&Step, &[Launch]) -> Result<(), OpenClError>,
    ) -> Result<(), RunOnDeviceError> {
        self.plan.steps.iter().zip(&self.launches).try_for_each(|(step, launches)| {
            let failed = |error| RunOnDeviceError::Node { node: step.node.clone(), error: Box::new(error) };
            compute(step, launches).map_err(failed)
        })
    }
}

fn enqueue(launches: &[Launch]) -> Result<(), OpenClError> {
    launches.iter().try_for_each(Launch::enqueue)
}

impl fmt::Debug for DevicePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plan = f.debug_struct("DevicePlan");
        plan.field("plan", &self.plan).field("device", &self.context.device().name).finish_non_exhaustive()
    }
}
