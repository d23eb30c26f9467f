//! Kernels over images: a kernel that was told about memory reads what suits the device, or what it is asked to.

use super::{SampledImage, form::ImageForm};
use crate::{
    code::Kernel,
    infer::{element_wise, read_images},
    info::TensorInfo,
    opencl::{
        arguments::{check_outputs_and_tables, constant_words},
        buffer::Buffer,
        error::OpenClError,
        event::Event,
        image::DeviceImage,
        kernel::OpenClKernel,
        memory::{DeviceMemory, MemForm, MemMode, Reason},
        queue::Submission,
    },
};

impl<K: Kernel> OpenClKernel<K> {
    /// Reading what `mode` says: buffers, or images that samplers find the border of. Images come from `memory`.
    ///
    /// ```no_run
    /// # use windrow_runtime::{Configured, Kernel, opencl::{DeviceMemory, MemMode, OpenClError, OpenClKernel}};
    /// # fn example<K: Kernel>(memory: &DeviceMemory, configured: Configured<K>) -> Result<(), OpenClError> {
    /// let kernel = OpenClKernel::new(memory.context(), configured)?.with_memory(memory, MemMode::Auto)?;
    /// let (form, reason) = kernel.mem_form();
    /// println!("reads {form}: {reason}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OpenClError::NoImageForm`] where images are asked for and can't be had; [`MemMode::Auto`] takes buffers then.
    pub fn with_memory(mut self, memory: &DeviceMemory, mode: MemMode) -> Result<Self, OpenClError> {
        self.context.core().check_same("the memory", memory.context().core())?;
        let (form, reason, images) = ImageForm::choose(memory, mode, &self.configured.plan, self.precision.effective)?;
        self.form = (form, reason);
        self.memory = Some((memory.clone(), mode));
        self.state_mut().images = images;
        Ok(self)
    }

    /// What it reads, and why. A kernel that was not told about memory reads buffers.
    pub fn mem_form(&self) -> (MemForm, Reason) {
        self.form
    }

    /// [`Self::submit`] on inputs that are images already: nothing is copied.
    ///
    /// # Errors
    /// As there; [`OpenClError::NoFeature`] where the kernel reads buffers.
    pub fn submit_images(
        &self,
        on: &Submission<'_>,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<Event, OpenClError> {
        match self.enqueue_images(on, inputs, tables, outputs, true)? {
            Some(event) => Ok(event),
            None => {
                on.queue.wait_for(on.after)?;
                on.queue.marker()
            }
        }
    }

    /// [`Self::run_on`] on inputs that are images already: nothing is copied.
    ///
    /// # Errors
    /// As there; [`OpenClError::NoFeature`] where the kernel reads buffers.
    pub fn run_on_images(
        &self,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.enqueue_images(&Submission::on(self.context.queue()), inputs, tables, outputs, false).map(drop)
    }

    fn enqueue_images(
        &self,
        on: &Submission<'_>,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        let plan = &self.configured.plan;
        self.context.core().check_same("the queue", on.queue.core())?;
        check_outputs_and_tables(&self.context, plan, tables, outputs, self.format())?;
        let expected = read_images(plan.spec()).count();
        if inputs.len() != expected {
            return Err(OpenClError::Count { what: "inputs", found: inputs.len(), expected });
        }
        for (((argument, input), image), shape) in read_images(plan.spec()).zip(inputs).zip(plan.inputs) {
            self.context.core().check_same(&std::format!("`{argument}`"), image.image().context().core())?;
            let shape = if element_wise(input) { plan.shape } else { shape };
            let expected = TensorInfo::new(input.element, input.channels, &shape.extents());
            image.expect(argument, &expected.map_err(OpenClError::Tensor)?)?;
        }
        let constants = constant_words(plan);
        let launch = self.launch(&[], &constants, tables, outputs, plan.valid.plane());
        let mut state = self.state();
        match &mut state.images {
            Some(images) => images.submit_sampled(&launch, inputs, on, wants_event),
            None => {
                let kernel = std::format!("`{}`, which was configured to read buffers,", plan.spec().name);
                Err(OpenClError::NoFeature { device: kernel, feature: "arguments that are images".into() })
            }
        }
    }
}
