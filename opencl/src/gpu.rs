//! One handle for a device: its context, its memory and its tunings; and tensors of a type in that memory.

use crate::{
    Context, DeviceImage, DeviceMemory, MapAccess, MappedImage, MemMode, OpenClError, OpenClKernel, Storage,
    Submission, Tuner, apply,
    arguments::{Given, Inputs},
    kernel::Runner,
};
use std::{marker::PhantomData, sync::Arc};
use windrow_runtime::{
    Configured, Element, Error, Host, InvalidTensor, Kernel, Source, Tensor, TensorInfo, ValidRegion,
    arguments::AnyTable, configure::KernelPlan,
};

/// A device with what a program needs of it: its context and queue, pools of its memory, and the tunings of its kernels.
///
/// Its clones are one.
///
/// ```no_run
/// # use windrow::{Configured, Kernel, Tensor};
/// # use windrow::opencl::Gpu;
/// # fn blur<K: Kernel>(configured: Configured<K>, photo: &Tensor<u8>) -> Result<Tensor<u8>, windrow::Error> {
/// let gpu = Gpu::open()?;
/// let (source, target) = (gpu.upload(photo)?, gpu.tensor::<u8, 2>([photo.info().height(), photo.info().width()])?);
/// gpu.kernel(configured)?.run_on(&[source.image().clone()], &[], &[Some(target.image().clone())])?;
/// Ok(target.download()?)
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Gpu {
    memory: DeviceMemory,
    tuner: Option<Arc<Tuner>>,
}

impl Gpu {
    /// Opens the machine's device that [`super::Devices::choose`] chooses.
    ///
    /// # Errors
    /// An error that [says that there is no device](OpenClError::is_absence), or one of the driver.
    pub fn open() -> Result<Self, OpenClError> {
        Context::open().map(|context| Self::new(&context))
    }

    /// Returns a handle for the device of `context`, with pools of its own.
    pub fn new(context: &Context) -> Self {
        Self { memory: DeviceMemory::new(context), tuner: None }
    }

    /// Takes the tunings of `tuner`, for the kernels that are made from now on.
    #[must_use]
    pub fn with_tuner(self, tuner: Tuner) -> Self {
        Self { tuner: Some(Arc::new(tuner)), ..self }
    }

    /// Returns the context, for what this handle does not offer.
    pub fn context(&self) -> &Context {
        self.memory.context()
    }

    /// Returns the pools that tensors come from.
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// Copies an image of the host's to the device: a tensor, a view, or one of another crate's that kernels read. It is
    /// valid where `image` is, and lies there as [`Gpu::image`] says.
    ///
    /// # Errors
    /// Where the device has no room, or a call of the driver fails.
    pub fn upload<T: Element>(&self, image: impl Source<T, Space = Host>) -> Result<DeviceTensor<T>, Error> {
        let view = image.read()?;
        let mut on_device = self.of_info(view.info())?;
        on_device.image.write(&view)?;
        on_device.set_valid_region(view.info().valid_region())?;
        Ok(on_device)
    }

    /// Returns a tensor of these extents, outermost first, on the device, of unknown contents.
    ///
    /// # Errors
    /// Where the device has no room, or the extents are not a tensor's.
    pub fn tensor<T: Element, const R: usize>(&self, extents: [usize; R]) -> Result<DeviceTensor<T>, OpenClError> {
        self.of_info(&TensorInfo::of::<T>(&extents)?)
    }

    /// Makes a kernel on the device of `configured`: it reads buffers or images as suits the device, and has the tuning
    /// that there is.
    ///
    /// # Errors
    /// Where the device can't run the kernel as it is configured.
    pub fn kernel<K: Kernel>(&self, configured: Configured<K>) -> Result<OpenClKernel<K>, OpenClError> {
        let mut kernel = OpenClKernel::new(self.context(), configured)?.with_memory(&self.memory, MemMode::Auto)?;
        if let Some(tuner) = &self.tuner {
            tuner.apply(&mut kernel)?;
        }
        Ok(kernel)
    }

    /// Returns an image on the device of a type that is known at run time, of unknown contents. Elements lie without
    /// gaps, except that long rows start at multiples of 64 bytes.
    ///
    /// # Errors
    /// Where the device has no room.
    pub fn image(&self, info: &TensorInfo) -> Result<DeviceImage, OpenClError> {
        let context = self.context();
        // Floats lie in memory as the context's kernels take them.
        let format = context.precision().on(context.device(), context.numerics())?.format();
        self.memory.aligned_tensor_as(info, format, Storage::Dynamic)
    }

    /// Enqueues a kernel that is known at run time, as `k::apply` does one that is known to the compiler. `inputs` are the images read (an
    /// `#[inout]` argument is an output), `outputs` the images written, `None` for one left out.
    ///
    /// What follows on the device's queue finds the outputs; [`DeviceImage::download`] waits for them.
    ///
    /// # Errors
    /// Images or tables that the plan was not made for, a kernel that the device can't run, or a call of the driver that fails.
    pub fn run(
        &self,
        plan: &KernelPlan,
        inputs: &[DeviceImage],
        tables: &[AnyTable<'_>],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        let tables = apply::buffers(self.context(), plan.spec(), tables)?;
        let mut runner = Runner::new(self.context(), plan, self.context().precision())?;
        runner.set_memory(plan, &self.memory, MemMode::Auto)?;
        let on = Submission::on(self.context().queue());
        runner.enqueue(plan, &on, Given { inputs: Inputs::Buffers(inputs), tables: &tables, outputs }, false)?;
        // The host reads in order there.
        if on.queue.options().out_of_order { on.queue.sync() } else { Ok(()) }
    }

    pub(crate) fn of_info<T: Element>(&self, info: &TensorInfo) -> Result<DeviceTensor<T>, OpenClError> {
        Ok(DeviceTensor { image: self.image(info)?, gpu: self.clone(), element: PhantomData })
    }
}

/// A tensor of `T` in a device's memory. Its clones share the memory.
#[derive(Clone, Debug)]
pub struct DeviceTensor<T: Element> {
    image: DeviceImage,
    gpu: Gpu,
    element: PhantomData<fn() -> T>,
}

impl<T: Element> DeviceTensor<T> {
    /// Returns the handle of the device that it lies on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the tensor without its type: what kernels on the device take.
    pub fn image(&self) -> &DeviceImage {
        &self.image
    }

    /// Returns the type, the shape, and the strides on the device.
    pub fn info(&self) -> &TensorInfo {
        self.image.info()
    }

    /// Copies `tensor`, of the same shape, here.
    ///
    /// # Errors
    /// [`OpenClError::Image`] for another shape; [`OpenClError::Mapped`] while the host uses this tensor.
    pub fn write(&self, tensor: &Tensor<T>) -> Result<(), OpenClError> {
        self.image.write(&tensor.view().any())
    }

    /// Notes where the elements are valid.
    pub(crate) fn set_valid_region(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.image.set_valid_region(region)
    }

    /// Returns a copy of the elements for the host, once the commands that write them are done. It is valid where this
    /// tensor is.
    ///
    /// # Errors
    /// Where a call of the driver fails.
    pub fn download(&self) -> Result<Tensor<T>, OpenClError> {
        let shape = self.info().shape();
        let info = TensorInfo::of::<T>(&shape.extents())?;
        let mut tensor = Tensor::with_info(info)?;
        self.image.download(&ValidRegion::whole(shape), &mut tensor.view_mut().any())?;
        tensor.set_valid_region(self.info().valid_region())?;
        Ok(tensor)
    }

    /// Lets the host use the elements where they lie.
    ///
    /// # Errors
    /// As [`DeviceImage::map`].
    pub fn map(&self, access: MapAccess) -> Result<MappedImage, OpenClError> {
        self.image.map(access)
    }
}

impl<T: Element> TryFrom<DeviceImage> for DeviceTensor<T> {
    type Error = InvalidTensor;

    /// The image as a tensor of its type. Outputs of its kernels come from pools of their own.
    fn try_from(image: DeviceImage) -> Result<Self, InvalidTensor> {
        let info = image.info();
        match info.dtype() == T::TYPE && info.channels() == T::CHANNELS {
            true => Ok(Self { gpu: Gpu::new(image.buffer().context()), image, element: PhantomData }),
            false => Err(InvalidTensor::Element {
                found: info.dtype(),
                found_channels: info.channels(),
                expected: T::TYPE,
                expected_channels: T::CHANNELS,
            }),
        }
    }
}
