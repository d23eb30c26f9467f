//! Kernels on an OpenCL device, as the harness times them: images and tables stay on the device.

use super::device::{self, Images};
use crate::{Buffer, Context, DeviceImage, OpenClError, OpenClKernel};
use windrow_runtime::{Configured, Kernel, TensorInfo};
use windrow_testing::{BenchDevice, BenchOptions, BenchTimes, Blocks, DeviceRun, Scalars, bench_on};

/// Times `K` as [`windrow_testing::bench`] does, on this machine's OpenCL device too: `WINDROW_OPENCL_DEVICE` chooses it. A
/// machine without one has no such row.
///
/// # Errors
/// Images of this size can't be made or configured, for people.
pub fn bench<K: Kernel>(options: &BenchOptions) -> Result<BenchTimes, String> {
    let device = match device::context() {
        Ok(context) => Some(OnDevice(context)),
        Err(error) if error.is_absence() => None,
        Err(error) => return Err(error.to_string()),
    };
    bench_on::<K>(options, device.as_ref())
}

/// The device that kernels are timed on.
struct OnDevice(Context);

impl BenchDevice for OnDevice {
    fn name(&self) -> String {
        format!("OpenCL on {}", self.0.device().name)
    }

    fn ready<K: Kernel>(
        &self,
        configured: Configured<K>,
        images: &Blocks<'_>,
        scalars: &Scalars,
    ) -> Result<Box<dyn DeviceRun>, String> {
        let ready = || {
            let images = device::upload(&self.0, K::CODE, images)?;
            let tables = scalars.tables.iter().map(|table| Buffer::from_bytes(&self.0, table));
            let tables = tables.collect::<Result<_, _>>()?;
            Ok(OfKernel { kernel: OpenClKernel::new(&self.0, configured)?, images, tables })
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
struct OfKernel<K: Kernel> {
    kernel: OpenClKernel<K>,
    images: Images,
    tables: Vec<Buffer>,
}

impl<K: Kernel> DeviceRun for OfKernel<K> {
    fn run(&mut self) -> Result<(), String> {
        let Images { inputs, outputs } = &self.images;
        let spec = self.kernel.configured().plan().spec();
        // An argument that is read and written is an output.
        let read = spec.images().zip(inputs).filter(|((_, input), _)| input.inout.is_none());
        let read: Vec<DeviceImage> = read.map(|(_, image)| image.clone()).collect();
        let run = self.kernel.run_on(&read, &self.tables, outputs);
        run.and_then(|()| self.kernel.context().sync()).map_err(device::told)
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
        let queue = self.from.buffer().context().queue();
        self.from.copy_into(queue, &self.to).and_then(|()| queue.sync()).map_err(device::told)
    }

    fn download(&self, _to: &mut Blocks<'_>) -> Result<(), String> {
        Ok(())
    }
}
