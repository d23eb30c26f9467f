//! A configured kernel on a device.
//!
//! [`OpenClKernel::run`] takes the host's views, as a run on the processor does: it brings what is read to the device,
//! runs, and brings back the valid region; elements outside it stay as they are. [`OpenClKernel::run_on`] and
//! [`OpenClKernel::submit`] take images that already lie on the device, and only enqueue.

mod settings;

use super::{
    arguments::{all_inputs, check_arguments, constant_words},
    buffer::Buffer,
    context::Context,
    error::OpenClError,
    event::Event,
    host::{HostImages, Staging},
    image::{DeviceImage, ImageForm},
    launch::{Entry, Launch, LocalSize, Read, Sizes, preferred},
    memory::{DeviceMemory, MemForm, MemMode, Reason},
    numerics::EffectiveNumerics,
    precision::{EffectivePrecision, FloatFormat, Precision},
    program::Program,
    queue::{Queue, Submission},
    validate::check,
};
use crate::{
    arguments::{Inputs, Outputs},
    code::Kernel,
    configure::Configured,
    infer::{element_wise, images, read_images},
    info::Shape,
    region::Rect,
    run::bind,
};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    vec::Vec,
};

/// A configured kernel on a device. Its runs on the host's views take turns.
pub struct OpenClKernel<K: Kernel> {
    pub(super) configured: Configured<K>,
    pub(super) context: Context,
    program: Program,
    pub(super) precision: EffectivePrecision,
    schedule: Option<usize>,
    /// Where images come from, and whether they are wanted.
    pub(super) memory: Option<(DeviceMemory, MemMode)>,
    /// What it reads.
    pub(super) form: (MemForm, Reason),
    state: Mutex<State>,
    local: LocalSize,
}

/// What a run changes.
pub(super) struct State {
    // Its arguments belong to the driver's kernel object.
    entry: Entry,
    /// Images that are repeated on the device, by input; made when first needed.
    repeated: Vec<Option<DeviceImage>>,
    /// The device's side of the host's images; made by the first run.
    staging: Option<Staging>,
    /// What runs instead of the entry, where images are read.
    pub(super) images: Option<ImageForm>,
}

impl<K: Kernel> OpenClKernel<K> {
    /// Builds the kernel's program for the device, in the context's precision.
    pub fn new(context: &Context, configured: Configured<K>) -> Result<Self, OpenClError> {
        Self::with_precision(context, configured, context.precision())
    }

    /// The same in a precision of its own. Where the device hasn't got it, a strict context refuses it, and any other
    /// gives what [`Self::effective_precision`] says.
    pub fn with_precision(
        context: &Context,
        configured: Configured<K>,
        precision: Precision,
    ) -> Result<Self, OpenClError> {
        let (source, precision) = precision.program(context, K::CODE)?;
        Self::of(context, &context.programs().get(&source)?, configured, precision)
    }

    /// Takes a program that [`Program::of`] has built, so that several configurations share it: the kernel has the precision
    /// that it was built in.
    pub fn with_program(context: &Context, program: &Program, configured: Configured<K>) -> Result<Self, OpenClError> {
        context.core().check_same("the program", program.core())?;
        let requested = program.precision().unwrap_or(context.precision());
        let precision = EffectivePrecision { requested, effective: program.precision() };
        Self::of(context, program, configured, precision)
    }

    /// `program` is the one of this precision.
    fn of(
        context: &Context,
        program: &Program,
        configured: Configured<K>,
        precision: EffectivePrecision,
    ) -> Result<Self, OpenClError> {
        check(context.device(), &configured.plan, precision.format())?;
        let schedule = preferred(context.device(), K::CODE, configured.index());
        let entry = Entry::new(context, program, K::CODE, configured.index(), schedule)?;
        Ok(Self {
            configured,
            context: context.clone(),
            program: program.clone(),
            precision,
            schedule: None,
            memory: None,
            form: (MemForm::Buffer, Reason::Asked),
            state: Mutex::new(State::new(entry)),
            local: LocalSize::Driver,
        })
    }

    /// Takes another configuration in the place of the present one. The program is kept, and the entry too where it
    /// serves both; an error leaves everything as it was.
    pub fn reconfigure(&mut self, configured: Configured<K>) -> Result<(), OpenClError> {
        check(self.context.device(), &configured.plan, self.precision.format())?;
        let chosen = self
            .memory
            .as_ref()
            .map(|(memory, mode)| ImageForm::choose(memory, *mode, &configured.plan, self.precision.effective));
        let (form, reason, images) = chosen.unwrap_or(Ok((self.form.0, self.form.1, None)))?;
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if configured.index() != self.configured.index() {
            let best = || preferred(self.context.device(), K::CODE, configured.index());
            let schedule = self.schedule.unwrap_or_else(best);
            state.entry = Entry::new(&self.context, &self.program, K::CODE, configured.index(), schedule)?;
        }
        (state.staging, state.repeated, state.images) = (None, Vec::new(), images);
        self.form = (form, reason);
        self.configured = configured;
        Ok(())
    }

    /// The configuration.
    pub fn configured(&self) -> &Configured<K> {
        &self.configured
    }

    /// How its floats are computed on this device, by the text that was built.
    pub fn effective_numerics(&self) -> EffectiveNumerics {
        self.state().images.as_ref().map_or(&self.program, ImageForm::program).effective_numerics()
    }

    /// The precision that was asked for, and the one in effect.
    pub fn effective_precision(&self) -> EffectivePrecision {
        self.precision
    }

    /// How the floats of its images on the device must lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.precision.format()
    }

    /// Where it runs.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Computes the whole window of the host's images, and waits.
    pub fn run(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>) -> Result<(), OpenClError> {
        self.run_bound(inputs, outputs, self.configured.plan.valid.plane())
    }

    /// Computes `window` of the host's images, and waits; the rest stays as it is.
    pub fn run_window(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>, window: Rect) -> Result<(), OpenClError> {
        self.run_bound(inputs, outputs, window.intersect(&self.configured.plan.valid.plane()))
    }

    /// Enqueues the whole window of images on the device, on the context's queue: `inputs` are the images read (an
    /// `#[inout]` argument is an output), `tables` the look-up tables' bytes, `outputs` the images written, `None` for
    /// one left out. [`Context::sync`], and whatever reads an output, waits for it.
    pub fn run_on(
        &self,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        let on = Submission::on(self.context.queue());
        self.enqueue(&on, inputs, tables, outputs, false).map(drop)
    }

    /// [`Self::run_on`] on a queue and after events of the caller's choice; the event is done when the run is.
    pub fn submit(
        &self,
        on: &Submission<'_>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<Event, OpenClError> {
        match self.enqueue(on, inputs, tables, outputs, true)? {
            Some(event) => Ok(event),
            // Nothing was to be computed: what comes after waits for the same events.
            None => {
                on.queue.wait_for(on.after)?;
                on.queue.marker()
            }
        }
    }

    fn enqueue(
        &self,
        on: &Submission<'_>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        self.context.core().check_same("the queue", on.queue.core())?;
        let mut state = self.state();
        let read = self.place(&mut state, on, inputs, tables, outputs)?;
        let constants = constant_words(&self.configured.plan);
        let launch = self.launch(&read, &constants, tables, outputs, self.configured.plan.valid.plane());
        state.submit(&launch, &read, on, wants_event)
    }

    /// An entry of its own with all arguments set, for a recording; none where nothing is to be computed.
    pub(super) fn prepare(
        &self,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(Entry, Option<Sizes>), OpenClError> {
        let plan = &self.configured.plan;
        if self.form.0 == MemForm::Image {
            let feature = "kernels that read images".into();
            return Err(OpenClError::NoFeature { device: "a recording".into(), feature });
        }
        let schedule = self.schedule.unwrap_or_else(|| preferred(self.context.device(), K::CODE, plan.index));
        let mut state =
            State::new(Entry::new(&self.context, &self.program, K::CODE, self.configured.index(), schedule)?);
        let on = Submission::on(self.context.queue());
        // A replay would not copy anew.
        let copied = |((_, input), image): ((_, _), &DeviceImage)| {
            element_wise(input) && image.info().shape() != plan.shape && image.repeated(&plan.shape).is_none()
        };
        if read_images(plan.spec()).zip(inputs).any(copied) {
            let feature = "images that are repeated by copies".into();
            return Err(OpenClError::NoFeature { device: "a recording".into(), feature });
        }
        let read = self.place(&mut state, &on, inputs, tables, outputs)?;
        let constants = constant_words(plan);
        let sizes = state.entry.prepare(&self.launch(&read, &constants, tables, outputs, plan.valid.plane()))?;
        Ok((state.entry, sizes))
    }

    /// Checks the images, and gives the images read as the entry finds them.
    fn place(
        &self,
        state: &mut State,
        on: &Submission<'_>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<Vec<DeviceImage>, OpenClError> {
        let plan = &self.configured.plan;
        check_arguments(&self.context, plan, self.format(), inputs, tables, outputs)?;
        let mut read = all_inputs(plan, inputs, outputs);
        self.repeat(state, on, &mut read)?;
        Ok(read)
    }

    /// Puts the repeated image in the place of each that is smaller than the output.
    fn repeat(&self, state: &mut State, on: &Submission<'_>, read: &mut [DeviceImage]) -> Result<(), OpenClError> {
        let plan = &self.configured.plan;
        state.repeated.resize_with(read.len(), || None);
        for ((image, place), (_, input)) in read.iter_mut().zip(&mut state.repeated).zip(images(plan.spec())) {
            if element_wise(input) && image.info().shape() != plan.shape {
                *image = repeat(image, place, on, plan.shape, self.context.queue())?;
            }
        }
        Ok(())
    }

    pub(super) fn launch<'a>(
        &'a self,
        inputs: &'a [DeviceImage],
        constants: &'a [u32],
        tables: &'a [Buffer],
        outputs: &'a [Option<DeviceImage>],
        window: Rect,
    ) -> Launch<'a> {
        let plan = &self.configured.plan;
        Launch {
            inputs: Read::Buffers(inputs),
            constants,
            outputs,
            tables,
            words: plan.words(),
            window,
            planes: plan.shape.extents()[2..].iter().product(),
            borders: plan.borders.modes(),
            local: self.local,
        }
    }

    fn run_bound<'i, 'o>(
        &self,
        inputs: impl Inputs<'i>,
        outputs: impl Outputs<'o>,
        window: Rect,
    ) -> Result<(), OpenClError> {
        let job = bind(&self.configured.plan, inputs, outputs)?;
        self.run_part(&HostImages::of(&job), window)
    }

    /// Computes `window` of the host's images, which have been bound to this kernel's plan, and waits.
    pub(super) fn run_part(&self, host: &HostImages<'_>, window: Rect) -> Result<(), OpenClError> {
        if window.is_empty() {
            return Ok(());
        }
        let plan = &self.configured.plan;
        let mut state = self.state();
        // What an image reads goes there at once, unless it is repeated on the device first.
        let over_buffers = state.images.is_none() || !host.are_whole(plan);
        let staging = match state.staging.take().filter(|staging| staging.inputs.is_empty() != over_buffers) {
            Some(staging) => staging,
            None => Staging::new(&self.context, plan, host, self.format(), over_buffers)?,
        };
        staging.write(plan, host, window)?;
        let on = Submission::on(self.context.queue());
        let mut read = staging.inputs.clone();
        self.repeat(&mut state, &on, &mut read)?;
        let constants = constant_words(plan);
        let launch = self.launch(&read, &constants, &staging.tables, &staging.outputs, window);
        match &mut state.images {
            Some(images) if !over_buffers => images.run_host(&launch, plan, host, &on)?,
            Some(_) | None => state.submit(&launch, &read, &on, false).map(drop)?,
        }
        if on.queue.options().out_of_order {
            on.queue.sync()?;
        }
        staging.read(plan, host, window)?;
        state.staging = Some(staging);
        Ok(())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn new(entry: Entry) -> Self {
        Self { entry, repeated: Vec::new(), staging: None, images: None }
    }

    /// Enqueues a run whose inputs are `read`.
    fn submit(
        &mut self,
        launch: &Launch<'_>,
        read: &[DeviceImage],
        on: &Submission<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        match &mut self.images {
            Some(images) => images.submit(launch, read, on, wants_event),
            None => self.entry.submit(launch, on, wants_event),
        }
    }

    /// What runs.
    fn entry(&self) -> &Entry {
        self.images.as_ref().map_or(&self.entry, ImageForm::entry)
    }
}

/// `image` as one of `shape`: by strides, or repeated on the device into `place`.
fn repeat(
    image: &DeviceImage,
    place: &mut Option<DeviceImage>,
    on: &Submission<'_>,
    shape: Shape,
    own: &Queue,
) -> Result<DeviceImage, OpenClError> {
    if let Some(repeated) = image.repeated(&shape) {
        return Ok(repeated);
    }
    // Only on the context's own queue, in order, can one place serve one run after the other.
    let is_ordered = on.queue.raw() == own.raw() && !own.options().out_of_order;
    let target = match place.take().filter(|target| is_ordered && target.info().shape() == shape) {
        Some(target) => target,
        None => image.like(shape)?,
    };
    image.repeat_into(on.queue, &on.waits()?, &target)?;
    *place = Some(target.clone());
    Ok(target)
}

impl<K: Kernel> fmt::Debug for OpenClKernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenClKernel")
            .field("configured", &self.configured)
            .field("device", self.context.device())
            .field("precision", &self.precision)
            .field("local", &self.local)
            .finish_non_exhaustive()
    }
}
