//! The image form of a configured kernel: whether it can be had, and what a run of it needs.

use crate::{
    Context, DeviceImage, DeviceMemory, Event, ImageShape, MemForm, MemFormReason, MemMode, NoImageForm, OpenClError,
    Precision, Program, ProgramForm, ProgramSource, SampledImage, Storage, Submission,
    driver::handle::{Handle, SamplerObject},
    host::HostImages,
    image::{device::element_of, sampled::image_shape},
    launch::{Entry, Launch, Read, Sampled, values::constant_words},
    local::Sizes,
};
use opencl3::memory::CL_MEM_READ_WRITE;
use std::sync::Arc;
use windrow_runtime::{
    border::BorderMode, code::OpenClImages, configure::KernelPlan, info::Shape, region::Rect, view::AnyView,
};

const CLAMP_TO_EDGE: u32 = 0x1131;
const CLAMP: u32 = 0x1132;
const NEAREST: u32 = 0x1140;

/// What the runs of a kernel in image form need.
pub(crate) struct ImageForm {
    entry: Entry,
    program: Program,
    memory: DeviceMemory,
    /// By input.
    samplers: Vec<Arc<Handle<SamplerObject>>>,
    /// Where inputs in buffers are copied to; made when first needed.
    copies: Vec<SampledImage>,
}

impl ImageForm {
    /// Returns what a kernel of this plan reads in `mode`, why, and what it needs for that; `precision` is that of its
    /// floats.
    pub fn choose(
        memory: &DeviceMemory,
        mode: MemMode,
        plan: &KernelPlan,
        precision: Option<Precision>,
    ) -> Result<(MemForm, MemFormReason, Option<ImageForm>), OpenClError> {
        let (caps, buffers) = (memory.context().device(), |reason| Ok((MemForm::Buffer, reason, None)));
        let choose = |shapes: &[ImageShape]| {
            mode.choose(caps, shapes).map_err(|error| refused(plan, NoImageForm::Device(error.to_string())))
        };
        // Whether images are wanted at all comes first: of what can't be had, only who asks is told.
        if let (MemForm::Buffer, reason) = choose(&[])? {
            return buffers(reason);
        }
        let (source, shapes) = match possible(memory, plan, precision) {
            Err(OpenClError::NoImageForm { .. }) if mode == MemMode::Auto => return buffers(MemFormReason::Kernel),
            found => found?,
        };
        match choose(&shapes)? {
            (MemForm::Image, reason) => Ok((MemForm::Image, reason, Some(Self::new(memory, plan, source)?))),
            (MemForm::Buffer, reason) => buffers(reason),
        }
    }

    fn new(memory: &DeviceMemory, plan: &KernelPlan, source: ProgramSource) -> Result<ImageForm, OpenClError> {
        let context = memory.context();
        let constant = constant_words(plan).any(|word| word != 0);
        let program = context.programs().get(&source.in_form(ProgramForm::Images { constant })?)?;
        let entry = Entry::of_images(context, &program, plan)?;
        let sampler = |k: usize| -> Result<_, OpenClError> {
            let sampler = match plan.borders().of(k).mode() {
                BorderMode::Constant => context.driver().create_sampler(context.handle(), CLAMP, NEAREST)?,
                // Those that no sampler finds matter to no input here: `possible` has looked.
                BorderMode::Undefined
                | BorderMode::Replicate
                | BorderMode::Reflect
                | BorderMode::Reflect101
                | BorderMode::Wrap => edge_sampler(context)?,
            };
            Ok(Arc::new(sampler))
        };
        let samplers = (0..plan.spec().images().count()).map(sampler).collect::<Result<_, _>>()?;
        Ok(ImageForm { entry, program, memory: memory.clone(), samplers, copies: Vec::new() })
    }

    /// Returns the entry point of the form.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Its program.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Copies what a run reads of the host's images, none of which repeats, and enqueues it.
    pub(crate) fn run_host(
        &mut self,
        launch: &Launch<'_>,
        host: &HostImages<'_>,
        on: &Submission<'_>,
    ) -> Result<(), OpenClError> {
        let plan = launch.plan;
        if self.copies.is_empty() {
            let place = |(view, _): (&AnyView<'_>, Rect)| {
                let info = view.info();
                SampledImage::new(&self.memory, element_of(info)?, [info.width(), info.height()], Storage::Dynamic)
            };
            self.copies = host.read(plan, launch.window).map(place).collect::<Result<_, _>>()?;
        }
        for (copy, (view, rows)) in self.copies.iter().zip(host.read(plan, launch.window)) {
            copy.write_rows(view, rows.y0, rows.y1)?;
        }
        let copies = self.copies.clone();
        self.submit_sampled(launch, &copies, on, false).map(drop)
    }

    /// An entry of its own with all arguments set to a run on images, for a recording.
    pub(crate) fn record(
        &self,
        launch: &Launch<'_>,
        images: &[SampledImage],
    ) -> Result<(Entry, Option<Sizes>), OpenClError> {
        let mut entry = Entry::of_images(self.memory.context(), &self.program, launch.plan)?;
        let sizes =
            entry.prepare(&Launch { inputs: Read::Images(&with_samplers(images, &self.samplers)), ..*launch })?;
        Ok((entry, sizes))
    }

    /// Enqueues a run on images.
    pub fn submit_sampled(
        &mut self,
        launch: &Launch<'_>,
        images: &[SampledImage],
        on: &Submission<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        let sampled = with_samplers(images, &self.samplers);
        self.entry.submit(&Launch { inputs: Read::Images(&sampled), ..*launch }, on, wants_event)
    }

    /// Enqueues copies of inputs in buffers to images, and a run on these.
    pub fn submit(
        &mut self,
        launch: &Launch<'_>,
        buffers: &[DeviceImage],
        on: &Submission<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        let own = self.memory.context().queue();
        // Only on the context's own queue, in order, can one place serve one run after the other.
        let is_ordered = on.queue.raw() == own.raw() && !own.options().out_of_order;
        let copies = match is_ordered {
            true if !self.copies.is_empty() => self.copies.clone(),
            true => {
                self.copies = self.places(buffers, Storage::Dynamic)?;
                self.copies.clone()
            }
            false => self.places(buffers, Storage::Separate)?,
        };
        let waits = on.waits()?;
        for (copy, buffer) in copies.iter().zip(buffers) {
            copy.copy_from(on.queue, &waits, buffer)?;
        }
        if on.queue.options().out_of_order {
            on.queue.wait_for(&[])?;
        }
        self.submit_sampled(launch, &copies, on, wants_event)
    }

    fn places(&self, buffers: &[DeviceImage], storage: Storage) -> Result<Vec<SampledImage>, OpenClError> {
        let place = |buffer: &DeviceImage| {
            let extents = [buffer.place().width as usize, buffer.place().height as usize];
            SampledImage::new(&self.memory, element_of(buffer.info())?, extents, storage)
        };
        buffers.iter().map(place).collect()
    }
}

/// A sampler that finds the nearest element, and outside the image the nearest of its edge.
fn edge_sampler(context: &Context) -> Result<Handle<SamplerObject>, OpenClError> {
    Ok(context.driver().create_sampler(context.handle(), CLAMP_TO_EDGE, NEAREST)?)
}

fn with_samplers<'a>(images: &'a [SampledImage], samplers: &'a [Arc<Handle<SamplerObject>>]) -> Vec<Sampled<'a>> {
    images.iter().zip(samplers).map(|(image, sampler)| Sampled { image, sampler }).collect()
}

fn refused(plan: &KernelPlan, reason: NoImageForm) -> OpenClError {
    OpenClError::NoImageForm { kernel: plan.spec().name, reason }
}

/// The program over images and the images that a plan reads, where kernel, border, planes and device allow any.
fn possible(
    memory: &DeviceMemory,
    plan: &KernelPlan,
    precision: Option<Precision>,
) -> Result<(ProgramSource, Vec<ImageShape>), OpenClError> {
    if let Some(lesser @ (Precision::F16Storage | Precision::F16)) = precision {
        return Err(refused(plan, NoImageForm::Precision(lesser)));
    }
    match plan.code().opencl().images {
        OpenClImages::Emitted { .. } => {}
        OpenClImages::None(reason) => return Err(refused(plan, NoImageForm::Kernel(reason))),
    }
    let borders = plan.spec().images().enumerate().filter(|(_, (_, input))| !input.is_element_wise());
    for mode in borders.map(|(k, _)| plan.borders().of(k).mode()) {
        match mode {
            BorderMode::Undefined | BorderMode::Constant | BorderMode::Replicate => {}
            BorderMode::Reflect | BorderMode::Reflect101 | BorderMode::Wrap => {
                return Err(refused(plan, NoImageForm::Border(mode)));
            }
        }
    }
    let planes = plan.shape().planes();
    if planes != 1 {
        return Err(refused(plan, NoImageForm::Planes(planes)));
    }
    let extents = |shape: Shape| [shape.width(), shape.height()];
    let read = plan.spec().images().zip(plan.input_shapes());
    // Repeated to the output's extents, where it is smaller.
    let shown =
        read.map(|((_, input), shape)| (input.element, if input.is_element_wise() { plan.shape() } else { shape }));
    let shapes: Vec<ImageShape> = shown.map(|(element, shape)| image_shape(element, extents(shape))).collect();
    let context = memory.context();
    let source = context.programs().images_of(plan.code())?;
    let source = source.ok_or_else(|| refused(plan, NoImageForm::Folder))?;
    let formats = context.driver().image_formats(context.handle(), CL_MEM_READ_WRITE)?;
    let has = |shape: &&ImageShape| {
        let format = shape.format();
        formats.contains(&(format.image_channel_order, format.image_channel_data_type))
    };
    match shapes.iter().find(|shape| !has(shape)) {
        Some(shape) => Err(refused(plan, NoImageForm::Format(shape.element))),
        None => Ok((source, shapes)),
    }
}
