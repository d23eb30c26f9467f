//! Kernels on an OpenCL device, as the harness times them: images and tables stay on the device.

use super::device::{self, Images};
use crate::{
    bench::{BenchDevice, DeviceRun},
    block::Blocks,
};
use windrow_opencl::{
    Buffer, Context, DeviceImage, OpenClError, Submission,
    testing::{self, Given, Inputs, Runner},
};
use windrow_runtime::{configure::KernelPlan, info::TensorInfo};

/// This machine's device; a machine without one has no such row.
///
/// # Errors
/// What is wrong with the one that there is, for people.
pub(crate) fn bench_device() -> Result<Option<OnDevice>, String> {
    match device::context(true) {
        Ok(context) => Ok(Some(OnDevice(context))),
        Err(error) if error.is_absence() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The device that kernels are timed on.
pub(crate) struct OnDevice(Context);

impl BenchDevice for OnDevice {
    fn name(&self) -> String {
        format!("OpenCL on {}", self.0.device().name)
    }

    fn ready(&self, plan: &KernelPlan, images: &Blocks<'_>, tables: &[Vec<u8>]) -> Result<Box<dyn DeviceRun>, String> {
        let ready = || {
            let context = self.0.clone();
            let images = Images::upload(&context, images)?;
            let tables = tables.iter().map(|table| Buffer::from_bytes(&context, table));
            let tables = tables.collect::<Result<_, _>>()?;
            let runner = Runner::new(&context, plan, context.precision())?;
            Ok(OfKernel { context, plan: plan.clone(), runner, images, tables })
        };
        let ready: Result<_, OpenClError> = ready();
        Ok(Box::new(ready.map_err(device::told)?))
    }

    fn copy(&self, bytes: usize) -> Result<Box<dyn DeviceRun>, String> {
        let info = TensorInfo::of::<u8>(&[bytes / 2]).map_err(|error| error.to_string())?;
        let image = || DeviceImage::new(&self.0, &info).map_err(device::told);
        Ok(Box::new(Copy { from: image()?, to: image()? }))
    }
}

/// A kernel, and what it is given.
struct OfKernel {
    context: Context,
    plan: KernelPlan,
    runner: Runner,
    images: Images,
    tables: Vec<Buffer>,
}

impl DeviceRun for OfKernel {
    fn run(&mut self) -> Result<(), String> {
        let read = self.images.read(self.plan.spec());
        let given = Given { inputs: Inputs::Buffers(&read), tables: &self.tables, outputs: &self.images.outputs };
        let run = self.runner.enqueue(&self.plan, &Submission::on(self.context.queue()), given, false);
        run.and_then(|_| self.context.sync()).map_err(device::told)
    }

    fn download(&self, to: &mut Blocks<'_>) -> Result<(), String> {
        self.images.download(to).map_err(device::told)
    }
}

/// A copy from image to image.
struct Copy {
    from: DeviceImage,
    to: DeviceImage,
}

impl DeviceRun for Copy {
    fn run(&mut self) -> Result<(), String> {
        testing::copy(&self.from, &self.to).map_err(device::told)
    }

    fn download(&self, _to: &mut Blocks<'_>) -> Result<(), String> {
        Ok(())
    }
}
