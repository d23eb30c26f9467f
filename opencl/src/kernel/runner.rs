//! What runs of a kernel on a device, in the form and the precision that were chosen for it.
//!
//! A [`Runner`] has the program, the entry point and the memory; the plan that it runs comes with each call. A configured
//! kernel, a stage of a chain and a run that is recorded are one thing to it, and can do the same.

use crate::{
    Context, DeviceImage, DeviceMemory, EffectiveNumerics, EffectivePrecision, Event, FloatFormat, LocalSize, MemForm,
    MemFormReason, MemMode, OpenClError, Precision, Program, Queue, Submission,
    arguments::{Given, Inputs, all_inputs, check_run},
    host::{HostImages, Staging},
    image::form::ImageForm,
    launch::{Entry, Launch, Read, preferred},
    local::Sizes,
    uses::{Use, is_noted, note},
    validate::check,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use windrow_runtime::{configure::KernelPlan, info::Shape, region::Rect};

/// A kernel's program on a device, and what its runs keep. Its runs on the host's views are serialised.
pub struct Runner {
    pub(super) context: Context,
    pub(super) program: Program,
    pub(super) precision: EffectivePrecision,
    /// The one that was asked for.
    pub(super) schedule: Option<usize>,
    pub(super) local: LocalSize,
    /// Where images come from, and whether they are wanted.
    memory: Option<(DeviceMemory, MemMode)>,
    /// What it reads.
    pub(super) form: (MemForm, MemFormReason),
    state: Mutex<State>,
}

/// What a run changes.
pub(super) struct State {
    // Its arguments belong to the driver's kernel object.
    pub(super) entry: Entry,
    /// Images that are repeated on the device, by input; made when first needed.
    repeated: Vec<Option<DeviceImage>>,
    /// The device's side of the host's images; made by the first run.
    staging: Option<Staging>,
    /// What runs instead of the entry, where images are read.
    pub(super) images: Option<ImageForm>,
}

impl Runner {
    /// Builds the program of a plan's kernel, in a precision.
    pub fn new(context: &Context, plan: &KernelPlan, precision: Precision) -> Result<Self, OpenClError> {
        let (source, precision) = context.programs().in_precision(plan.code(), precision)?;
        Self::of(context, &context.programs().get(&source)?, plan, precision)
    }

    /// `program` is the one of this precision.
    pub fn of(
        context: &Context,
        program: &Program,
        plan: &KernelPlan,
        precision: EffectivePrecision,
    ) -> Result<Self, OpenClError> {
        context.core().check_same("the program", program.core())?;
        check(context.device(), plan, precision.format())?;
        let schedule = preferred(context.device(), plan, LocalSize::Driver);
        let entry = Entry::new(context, program, plan, schedule)?;
        Ok(Self {
            context: context.clone(),
            program: program.clone(),
            precision,
            schedule: None,
            local: LocalSize::Driver,
            memory: None,
            form: (MemForm::Buffer, MemFormReason::Asked),
            state: Mutex::new(State { entry, repeated: Vec::new(), staging: None, images: None }),
        })
    }

    /// Reads what `mode` says from now on.
    pub fn set_memory(&mut self, plan: &KernelPlan, memory: &DeviceMemory, mode: MemMode) -> Result<(), OpenClError> {
        self.context.core().check_same("the memory", memory.context().core())?;
        let (form, reason, images) = ImageForm::choose(memory, mode, plan, self.precision.effective)?;
        // What the entry over buffers takes, the one over images need not.
        if let (Some(images), LocalSize::Fixed(..)) = (&images, self.local) {
            images.entry().limits()?.check(self.local)?;
        }
        self.form = (form, reason);
        self.memory = Some((memory.clone(), mode));
        self.state_mut().images = images;
        Ok(())
    }

    /// Runs another plan of the same kernel from now on. The program is kept, and the entry too where it serves both; an
    /// error leaves everything as it was.
    pub fn reconfigure(&mut self, plan: &KernelPlan) -> Result<(), OpenClError> {
        check(self.context.device(), plan, self.format())?;
        let (form, reason, images) = match &self.memory {
            Some((memory, mode)) => ImageForm::choose(memory, *mode, plan, self.precision.effective)?,
            None => (self.form.0, self.form.1, None),
        };
        let is_served = self.state().entry.is(plan, self.schedule(plan));
        let entry = if is_served { None } else { Some(self.entry(plan)?) };
        let state = self.state_mut();
        if let Some(entry) = entry {
            state.entry = entry;
        }
        (state.staging, state.repeated, state.images) = (None, Vec::new(), images);
        self.form = (form, reason);
        Ok(())
    }

    /// Returns how its floats are computed, by the text that was built.
    pub fn numerics(&self) -> EffectiveNumerics {
        self.state().images.as_ref().map_or(&self.program, ImageForm::program).effective_numerics()
    }

    /// Returns the precision that was asked for, and the one in effect.
    pub fn precision(&self) -> EffectivePrecision {
        self.precision
    }

    /// Returns how the floats of images on the device must lie.
    pub fn format(&self) -> FloatFormat {
        self.precision.format()
    }

    /// Enqueues the whole window.
    pub fn enqueue(
        &self,
        plan: &KernelPlan,
        on: &Submission<'_>,
        given: Given<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        self.enqueue_window(plan, plan.valid_region().plane(), on, given, wants_event)
    }

    /// Enqueues `window`, in every plane. There is an event where one is wanted and something is to be computed.
    pub fn enqueue_window(
        &self,
        plan: &KernelPlan,
        window: Rect,
        on: &Submission<'_>,
        given: Given<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        self.context.core().check_same("the queue", on.queue.core())?;
        let uses = self.check(plan, &given)?;
        let notes = is_noted(&uses, on.queue);
        let mut state = self.state();
        let launch = self.launch(plan, &given, window);
        let enqueued = match (given.inputs, &mut state.images) {
            (Inputs::Buffers(inputs), _) => {
                let mut read = all_inputs(plan, inputs, given.outputs);
                repeat_all(&mut read, &mut state.repeated, plan, on, self.context.queue())?;
                state.submit(&launch, &read, on, wants_event || notes)
            }
            (Inputs::Images(read), Some(images)) => images.submit_sampled(&launch, read, on, wants_event || notes),
            (Inputs::Images(_), None) => Err(other_form(plan, MemForm::Image)),
        }?;
        if let Some(event) = enqueued.as_ref().filter(|_| notes) {
            note(&uses, on.queue, event);
        }
        Ok(enqueued.filter(|_| wants_event))
    }

    /// Enqueues a run, with an event that is done when the run is.
    pub fn submit(&self, plan: &KernelPlan, on: &Submission<'_>, given: Given<'_>) -> Result<Event, OpenClError> {
        if let Some(event) = self.enqueue(plan, on, given, true)? {
            return Ok(event);
        }
        // Nothing was to be computed: what comes after waits for the same events.
        on.queue.wait_for(on.after)?;
        on.queue.marker()
    }

    /// An entry of its own with all arguments set, for a recording, and its sizes; none where nothing is to be computed. What
    /// a run copies first would not be copied by a replay, and is refused.
    pub(crate) fn record(&self, plan: &KernelPlan, given: Given<'_>) -> Result<(Entry, Option<Sizes>), OpenClError> {
        drop(self.check(plan, &given)?);
        let state = self.state();
        let launch = self.launch(plan, &given, plan.valid_region().plane());
        match (given.inputs, &state.images) {
            (Inputs::Buffers(inputs), None) => {
                let read = shown(plan, all_inputs(plan, inputs, given.outputs))?;
                let mut entry = self.entry(plan)?;
                let sizes = entry.prepare(&Launch { inputs: Read::Buffers(&read), ..launch })?;
                Ok((entry, sizes))
            }
            (Inputs::Images(read), Some(images)) => images.record(&launch, read),
            (Inputs::Buffers(_), Some(_)) => Err(other_form(plan, MemForm::Buffer)),
            (Inputs::Images(_), None) => Err(other_form(plan, MemForm::Image)),
        }
    }

    /// Computes `window` of the host's images, which have been bound to the plan, and waits.
    pub(crate) fn run_part(&self, plan: &KernelPlan, host: &HostImages<'_>, window: Rect) -> Result<(), OpenClError> {
        if window.is_empty() {
            return Ok(());
        }
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
        repeat_all(&mut read, &mut state.repeated, plan, &on, self.context.queue())?;
        let given = Given { inputs: Inputs::Buffers(&[]), tables: &staging.tables, outputs: &staging.outputs };
        let launch = self.launch(plan, &given, window);
        match &mut state.images {
            Some(images) if !over_buffers => images.run_host(&launch, host, &on)?,
            Some(_) | None => state.submit(&launch, &read, &on, false).map(drop)?,
        }
        if on.queue.options().out_of_order {
            on.queue.sync()?;
        }
        staging.read(plan, host, window)?;
        state.staging = Some(staging);
        Ok(())
    }

    /// Which of its schedules over buffers a plan has.
    pub(super) fn schedule(&self, plan: &KernelPlan) -> usize {
        self.schedule.unwrap_or_else(|| preferred(self.context.device(), plan, self.local))
    }

    /// The entry over buffers of a plan, with arguments of its own.
    fn entry(&self, plan: &KernelPlan) -> Result<Entry, OpenClError> {
        Entry::new(&self.context, &self.program, plan, self.schedule(plan))
    }

    fn check(&self, plan: &KernelPlan, given: &Given<'_>) -> Result<Vec<Use>, OpenClError> {
        check_run(&self.context, plan, self.format(), given)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run of `window`, whose inputs are still to be said.
    fn launch<'a>(&self, plan: &'a KernelPlan, given: &Given<'a>, window: Rect) -> Launch<'a> {
        let (tables, outputs, local) = (given.tables, given.outputs, self.local);
        Launch { plan, inputs: Read::Buffers(&[]), outputs, tables, window, local }
    }
}

impl State {
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
            None => self.entry.submit(&Launch { inputs: Read::Buffers(read), ..*launch }, on, wants_event),
        }
    }

    /// What runs.
    pub(super) fn entry(&self) -> &Entry {
        self.images.as_ref().map_or(&self.entry, ImageForm::entry)
    }
}

/// Puts the repeated image in the place of each that is smaller than the output. `repeated` keeps those that are repeated on the
/// device, for the next run; `own` is the context's queue.
fn repeat_all(
    read: &mut [DeviceImage],
    repeated: &mut Vec<Option<DeviceImage>>,
    plan: &KernelPlan,
    on: &Submission<'_>,
    own: &Queue,
) -> Result<(), OpenClError> {
    repeated.resize_with(read.len(), || None);
    for ((image, place), (_, input)) in read.iter_mut().zip(repeated).zip(plan.spec().images()) {
        if input.is_element_wise() && !image.info().shape().same_extents(&plan.shape()) {
            *image = repeat(image, place, on, plan.shape(), own)?;
        }
    }
    Ok(())
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
    let target = match place.take().filter(|target| is_ordered && target.info().shape().same_extents(&shape)) {
        Some(target) => target,
        None => image.like(shape)?,
    };
    image.repeat_into(on.queue, &on.waits()?, &target)?;
    *place = Some(target.clone());
    Ok(target)
}

/// Images that are smaller than the output as ones of its shape, by strides alone.
fn shown(plan: &KernelPlan, mut read: Vec<DeviceImage>) -> Result<Vec<DeviceImage>, OpenClError> {
    for (image, (argument, input)) in read.iter_mut().zip(plan.spec().images()) {
        let (found, expected) = (image.info().shape(), plan.shape());
        if input.is_element_wise() && found != expected {
            let repeated = image.repeated(&expected);
            *image = repeated.ok_or(OpenClError::NotReplayed { argument, found, expected })?;
        }
    }
    Ok(read)
}

/// Inputs of a form that the kernel of a plan doesn't take.
fn other_form(plan: &KernelPlan, found: MemForm) -> OpenClError {
    let expected = match found {
        MemForm::Buffer => MemForm::Image,
        MemForm::Image => MemForm::Buffer,
    };
    let argument = plan.spec().read_images().next().map_or("its inputs", |(argument, _)| argument);
    OpenClError::Form { kernel: plan.spec().name, argument, found, expected }
}
