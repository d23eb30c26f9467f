//! `k::apply` on a device: the call that runs a kernel on the processor runs it where the tensors that it is given lie.

use std::sync::Arc;

use crate::{Buffer, Context, DeviceImage, DeviceManager, DeviceTensor, Gpu, OnDevice, OpenClError};
use windrow_runtime::{
    Configured, Element, Error, InvalidTensor, Kernel, KernelSpec, RunError, TensorInfo, ValidRegion,
    apply::{Allocate, Arguments, Destination, Readable, Source, Space, Writable},
    arguments::AnyTable,
    function::ChainBuilder,
    memory::Planner,
};

/// The memory of OpenCL devices, as a place where `k::apply` runs kernels: all tensors of one call lie on one device.
///
/// A call returns when the run is enqueued: what follows on the device's queue finds the outputs, and a
/// [`DeviceTensor::download`] waits for them. It builds the kernel's program on its first use in a context; an
/// [`OpenClKernel`](super::OpenClKernel) saves what is looked up and set each time.
///
/// ```no_run
/// use windrow::{Border, Tensor, language::*, opencl::Gpu};
///
/// /// The least of three elements beside each other.
/// #[kernel]
/// fn least(src: Neighbourhood<u8>) -> u8 {
///     src.at(-1, 0).min(src.at(0, 0)).min(src.at(1, 0))
/// }
///
/// let gpu = Gpu::open()?;
/// let photo = gpu.upload(&Tensor::<u8>::new([480, 640])?)?;
/// let dark = least::apply(&photo, Border::Replicate)?;
/// println!("{:?}", dark.download()?.to_vec());
/// # Ok::<(), windrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenCl;

impl Space for OpenCl {
    type Read<'a> = (Gpu, DeviceImage);
    type Write<'a> = (Gpu, DeviceImage);

    fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, OpenCl>) -> Result<(), Error> {
        let (mut gpu, mut inputs, mut outputs) = (None, Vec::new(), Vec::new());
        for input in arguments.inputs {
            let (its, image) = input.read()?;
            gpu.get_or_insert(its);
            inputs.push(image);
        }
        for output in arguments.outputs {
            let lent = output.write()?;
            outputs.push(lent.map(|(its, image)| {
                gpu.get_or_insert(its);
                image
            }));
        }
        // A kernel without images isn't configured.
        let Some(gpu) = gpu else { return Ok(()) };
        Ok(run_on(&gpu, kernel, arguments.tables, &inputs, &outputs)?)
    }

    fn run_chain(chain: ChainBuilder, arguments: Arguments<'_, '_, OpenCl>) -> Result<(), Error> {
        let inputs = arguments.inputs.iter().map(|input| input.read()).collect::<Result<Vec<_>, _>>()?;
        let outputs = arguments.outputs.iter_mut().filter_map(|output| output.write().transpose());
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let Some((gpu, _)) = inputs.first().or(outputs.first()) else { return Ok(()) };
        let manager = Arc::new(DeviceManager::new(gpu.memory(), Planner::Arena));
        let chain = OnDevice::new(Arc::clone(&manager)).finish(chain)?;
        manager.populate(1)?;
        let images = |lent: &[(Gpu, DeviceImage)]| lent.iter().map(|(_, image)| image.clone()).collect::<Vec<_>>();
        Ok(chain.run_on(&images(&inputs), &images(&outputs))?)
    }
}

fn run_on<K: Kernel>(
    gpu: &Gpu,
    kernel: &Configured<K>,
    tables: &[AnyTable<'_>],
    inputs: &[DeviceImage],
    outputs: &[Option<DeviceImage>],
) -> Result<(), OpenClError> {
    let tables = buffers(gpu.context(), K::CODE.spec(), tables)?;
    gpu.kernel(kernel.clone())?.run_on(inputs, &tables, outputs)?;
    let queue = gpu.context().queue();
    // The host reads in order there.
    if queue.options().out_of_order { queue.sync() } else { Ok(()) }
}

/// The tables of a kernel on the device.
pub(crate) fn buffers(
    context: &Context,
    spec: &'static KernelSpec,
    tables: &[AnyTable<'_>],
) -> Result<Vec<Buffer>, OpenClError> {
    check_tables(spec, tables)?;
    tables.iter().map(|table| Buffer::from_bytes(context, table.as_bytes())).collect()
}

/// Tables must have the lengths and types of the kernel's, as on the processor.
fn check_tables(spec: &'static KernelSpec, tables: &[AnyTable<'_>]) -> Result<(), RunError> {
    for (table, (argument, expected_element, expected)) in tables.iter().zip(spec.tables()) {
        let (found_element, found) = (table.element(), table.as_bytes().len() / table.element().size());
        if (found_element, found) != (expected_element, expected as usize) {
            return Err(RunError::Table { argument, found, found_element, expected, expected_element });
        }
    }
    Ok(())
}

impl<T: Element> Readable for &DeviceTensor<T> {
    type Space = OpenCl;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*DeviceTensor::info(self))
    }

    fn read(&self) -> Result<(Gpu, DeviceImage), Error> {
        Ok((self.gpu().clone(), self.image().clone()))
    }
}

impl<T: Element> Writable for DeviceTensor<T> {
    type Space = OpenCl;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(*DeviceTensor::info(self)))
    }

    fn write(&mut self) -> Result<Option<(Gpu, DeviceImage)>, Error> {
        Ok(Some((self.gpu().clone(), self.image().clone())))
    }

    fn written(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.set_valid_region(region)
    }
}

impl<T: Element> Writable for &mut DeviceTensor<T> {
    type Space = OpenCl;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Writable::info(&**self)
    }

    fn write(&mut self) -> Result<Option<(Gpu, DeviceImage)>, Error> {
        Writable::write(&mut **self)
    }

    fn written(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        Writable::written(&mut **self, region)
    }
}

impl<T: Element> Source<T> for &DeviceTensor<T> {}
impl<T: Element> Destination<T> for &mut DeviceTensor<T> {}

/// Outputs are tensors on the device of the first image that is read.
impl<T: Element, U: Element> Allocate<U> for &DeviceTensor<T> {
    type Image = DeviceTensor<U>;

    fn allocate(&self, info: &TensorInfo) -> Result<DeviceTensor<U>, Error> {
        Ok(self.gpu().of_info(info)?)
    }
}
