//! A configured kernel on a device.
//!
//! [`OpenClKernel::run`] takes the host's views, as a run on the processor does: it uploads what is read, runs, and
//! reads back the valid region; elements outside it stay as they are. [`OpenClKernel::run_on`] takes images that
//! already lie on the device.

use super::{
    buffer::Buffer,
    context::Context,
    error::OpenClError,
    image::DeviceImage,
    launch::{Entry, Launch, LocalSize, preferred, schedules},
    program::Program,
};
use crate::{
    arguments::{AnyTable, Inputs, Outputs},
    border::Border,
    code::Kernel,
    configure::{Configured, Plan},
    error::RunError,
    infer::{element_wise, images, read_images},
    info::TensorInfo,
    run::{Job, bind},
    view::AnyViewMut,
};
use std::{
    fmt,
    sync::{Mutex, PoisonError},
    vec::Vec,
};

/// A configured kernel on a device. Runs on one device take turns.
pub struct OpenClKernel<K: Kernel> {
    configured: Configured<K>,
    context: Context,
    program: Program,
    // Its arguments belong to the driver's kernel object.
    entry: Mutex<Entry>,
    local: LocalSize,
}

impl<K: Kernel> OpenClKernel<K> {
    /// Builds the kernel's program for the device.
    pub fn new(context: &Context, configured: Configured<K>) -> Result<Self, OpenClError> {
        Self::with_program(context, &Program::of::<K>(context)?, configured)
    }

    /// Takes a program that [`Program::of`] has built, so that several configurations share it.
    pub fn with_program(context: &Context, program: &Program, configured: Configured<K>) -> Result<Self, OpenClError> {
        let schedule = preferred(context.device(), K::CODE, configured.index());
        let entry = Entry::new(context, program, K::CODE, configured.index(), schedule)?;
        Ok(Self {
            configured,
            context: context.clone(),
            program: program.clone(),
            entry: Mutex::new(entry),
            local: LocalSize::Driver,
        })
    }

    /// The schedules that the kernel has: elements that a work-item computes, (x, y). A new kernel has the one that suits
    /// the device.
    pub fn schedules(&self) -> impl Iterator<Item = (u32, u32)> + use<K> {
        schedules(K::CODE, self.configured.index()).map(|entry| entry.block)
    }

    /// With another of its schedules. It changes the speed, never a result.
    pub fn with_schedule(self, schedule: usize) -> Result<Self, OpenClError> {
        let entry = Entry::new(&self.context, &self.program, K::CODE, self.configured.index(), schedule)?;
        Ok(Self { entry: Mutex::new(entry), ..self })
    }

    /// With work-groups of this size.
    #[must_use]
    pub fn with_local_size(self, local: LocalSize) -> Self {
        Self { local, ..self }
    }

    /// The configuration.
    pub fn configured(&self) -> &Configured<K> {
        &self.configured
    }

    /// Computes the whole window of the host's images.
    pub fn run(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>) -> Result<(), OpenClError> {
        self.run_bound(inputs, outputs)
    }

    /// Computes the whole window of images on the device: `inputs` are the images read (an `#[inout]` argument is an
    /// output), `tables` the look-up tables' bytes, `outputs` the images written, `None` for one left out.
    pub fn run_on(
        &self,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        let plan = &self.configured.plan;
        check_outputs(plan, outputs)?;
        check_inputs(plan, inputs)?;
        check_overlaps(plan, inputs, outputs)?;
        self.launch(&all_inputs(plan, inputs, outputs), tables, outputs)
    }

    fn run_bound<'i, 'o>(&self, inputs: impl Inputs<'i>, outputs: impl Outputs<'o>) -> Result<(), OpenClError> {
        let plan = &self.configured.plan;
        let job = bind(plan, inputs, outputs)?;
        let images = upload(&self.context, plan, &job)?;
        let written = written(&self.context, plan, &job, &images)?;
        let tables: Vec<Buffer> = job
            .tables
            .iter()
            .flatten()
            .map(|table| Buffer::from_bytes(&self.context, bytes_of_table(table)))
            .collect::<Result<_, _>>()?;
        self.launch(&images, &tables, &written)?;
        for (image, output) in written.iter().zip(&job.outputs) {
            if let (Some(image), Some((base, info))) = (image, output) {
                image.download(&plan.valid, &mut AnyViewMut::over(*base, *info))?;
            }
        }
        Ok(())
    }

    /// Runs the entry over the valid region; the images have been checked, or made from what has been.
    fn launch(
        &self,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        let plan = &self.configured.plan;
        let constants: Vec<u32> = images(plan.spec())
            .enumerate()
            .map(|(k, (_, input))| constant_word(plan.borders.of(k), input.element))
            .collect();
        let launch = Launch {
            inputs,
            constants: &constants,
            outputs,
            tables,
            words: plan.words(),
            window: plan.valid.plane(),
            planes: plan.shape.extents()[2..].iter().product(),
            borders: plan.borders.modes(),
            local: self.local,
        };
        self.entry.lock().unwrap_or_else(PoisonError::into_inner).run(&launch)
    }
}

impl<K: Kernel> fmt::Debug for OpenClKernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenClKernel")
            .field("configured", &self.configured)
            .field("device", self.context.device())
            .field("local", &self.local)
            .finish_non_exhaustive()
    }
}

/// The images read, `#[inout]` ones included, on the device.
fn upload(context: &Context, plan: &Plan, job: &Job<'_>) -> Result<Vec<DeviceImage>, OpenClError> {
    images(plan.spec())
        .zip(&job.inputs)
        .map(|((argument, input), view)| match view {
            Some(view) if element_wise(input) => DeviceImage::upload_broadcast(context, view, plan.shape),
            Some(view) => DeviceImage::upload(context, view),
            None => Err(RunError::OutputPresence { argument, given: false }.into()),
        })
        .collect()
}

/// The images written, on the device: an `#[inout]` one is the image read.
fn written(
    context: &Context,
    plan: &Plan,
    job: &Job<'_>,
    read: &[DeviceImage],
) -> Result<Vec<Option<DeviceImage>>, OpenClError> {
    let outputs = job.outputs.iter().take(plan.spec().outputs.len());
    outputs
        .enumerate()
        .map(|(index, output)| {
            let Some((_, info)) = output else { return Ok(None) };
            let same = images(plan.spec()).zip(read).find(|((_, input), _)| input.inout == Some(index as u32));
            match same {
                Some((_, image)) => Ok(Some(image.clone())),
                None => DeviceImage::new(context, info).map(Some),
            }
        })
        .collect()
}

/// The images read with the `#[inout]` ones among them.
fn all_inputs(plan: &Plan, inputs: &[DeviceImage], outputs: &[Option<DeviceImage>]) -> Vec<DeviceImage> {
    let mut read = inputs.iter();
    images(plan.spec())
        .filter_map(|(_, input)| match input.inout {
            Some(output) => outputs.get(output as usize).cloned().flatten(),
            None => read.next().cloned(),
        })
        .collect()
}

fn check_outputs(plan: &Plan, outputs: &[Option<DeviceImage>]) -> Result<(), OpenClError> {
    let spec = plan.spec();
    check_count("outputs", outputs.len(), spec.outputs.len())?;
    for ((output, image), present) in spec.outputs.iter().zip(outputs).zip(plan.present) {
        if image.is_some() != present {
            return Err(RunError::OutputPresence { argument: output.name, given: image.is_some() }.into());
        }
        let expected = TensorInfo::new(output.element, output.channels, &plan.shape.extents());
        if let Some(image) = image {
            image.expect(output.name, &expected.map_err(OpenClError::Tensor)?)?;
        }
    }
    Ok(())
}

fn check_inputs(plan: &Plan, inputs: &[DeviceImage]) -> Result<(), OpenClError> {
    check_count("inputs", inputs.len(), read_images(plan.spec()).count())?;
    for (((argument, input), image), shape) in read_images(plan.spec()).zip(inputs).zip(plan.inputs) {
        // Entries read every element where it is: an image that is broadcast lies on the device in full.
        let shape = if element_wise(input) { plan.shape } else { shape };
        let expected = TensorInfo::new(input.element, input.channels, &shape.extents());
        image.expect(argument, &expected.map_err(OpenClError::Tensor)?)?;
    }
    Ok(())
}

/// An output may share no byte with another output or an input.
fn check_overlaps(plan: &Plan, inputs: &[DeviceImage], outputs: &[Option<DeviceImage>]) -> Result<(), OpenClError> {
    let written: Vec<_> = plan.spec().outputs.iter().map(|output| output.name).zip(outputs).collect();
    for (index, (output, image)) in written.iter().enumerate() {
        let Some(image) = image else { continue };
        let read = read_images(plan.spec()).map(|(argument, _)| argument).zip(inputs);
        let earlier = written[..index].iter().filter_map(|(name, image)| Some((*name, image.as_ref()?)));
        if let Some((other, _)) = read.chain(earlier).find(|(_, other)| image.overlaps(other)) {
            return Err(RunError::Overlap { output, other }.into());
        }
    }
    Ok(())
}

fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), OpenClError> {
    if found == expected { Ok(()) } else { Err(OpenClError::Count { what, found, expected }) }
}

/// The word of a constant border in the type of an input; other borders have none.
fn constant_word(border: Border, element: crate::element::ElementType) -> u32 {
    match border {
        Border::Constant(value) => value.to_element(element).map_or(0, crate::element::Scalar::to_word),
        Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => 0,
    }
}

fn bytes_of_table<'a>(table: &AnyTable<'a>) -> &'a [u8] {
    // SAFETY: a table is made from a slice of `length` entries, borrowed for 'a.
    unsafe { core::slice::from_raw_parts(table.first, table.length * table.element.size()) }
}
