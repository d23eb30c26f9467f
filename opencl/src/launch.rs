//! One run of an entry point: its arguments bound by the convention of [`windrow_runtime::code::OpenClEntry`], then enqueued or
//! recorded. Arguments that are as they were are not set again.

pub(crate) mod values;

use crate::{
    Buffer, Context, Device, DeviceImage, Event, LaunchRecord, LocalLimits, LocalSize, MemForm, OpenClError, Program,
    SampledImage, Submission,
    driver::{
        handle::{Handle, KernelObject, SamplerObject},
        platform::number,
        record::CommandBuffer,
    },
    local::Sizes,
};
use opencl3::{
    kernel::{CL_KERNEL_NUM_ARGS, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_WORK_GROUP_SIZE},
    types::cl_uint,
};
use std::sync::Arc;
use values::{Value, argument_count};
use windrow_runtime::{
    code::{KernelCode, OpenClEntry, OpenClForm, OpenClImages},
    configure::KernelPlan,
    error::RunError,
    infer::check_whole,
    region::Rect,
    spec::KernelSpec,
};

/// What an entry point is run with: as many images and tables as its kernel's plan has, checked against it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    /// Which gives the words, the borders, and the number of planes.
    pub plan: &'a KernelPlan,
    /// What is read, in argument order.
    pub inputs: Read<'a>,
    /// The images written; `None` for one that the entry leaves out.
    pub outputs: &'a [Option<DeviceImage>],
    /// The look-up tables.
    pub tables: &'a [Buffer],
    /// The elements to compute, the same in every plane.
    pub window: Rect,
    /// The work-groups.
    pub local: LocalSize,
}

/// What an entry point reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Read<'a> {
    /// Buffers, those of `#[inout]` arguments included.
    Buffers(&'a [DeviceImage]),
    /// Images.
    Images(&'a [Sampled<'a>]),
}

/// An image, and the sampler that finds its border.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampled<'a> {
    pub image: &'a SampledImage,
    pub sampler: &'a Arc<Handle<SamplerObject>>,
}

/// An entry point of a built program, with the arguments of its last run.
#[derive(Debug)]
pub(crate) struct Entry {
    kernel: Handle<KernelObject>,
    context: Context,
    entry: &'static OpenClEntry,
    /// What it reads.
    form: MemForm,
    /// What each argument is set to: setting one again takes time and changes nothing.
    bound: Vec<Value>,
    words: Option<(Vec<u32>, Buffer)>,
    unused: Option<Buffer>,
}

impl Entry {
    /// The entry of a plan's body with this schedule, the default one being 0; `program` is its source, built.
    pub fn new(context: &Context, program: &Program, plan: &KernelPlan, schedule: usize) -> Result<Self, OpenClError> {
        let entry = schedules(plan.code(), plan.index()).nth(schedule);
        Self::of_entry(context, program, plan, entry, (schedule, MemForm::Buffer))
    }

    /// The entry of a plan's body over images; `program` is the source of that form, built.
    pub fn of_images(context: &Context, program: &Program, plan: &KernelPlan) -> Result<Self, OpenClError> {
        let entry = image_entry(plan.code(), plan.index());
        Self::of_entry(context, program, plan, entry, (0, MemForm::Image))
    }

    fn of_entry(
        context: &Context,
        program: &Program,
        plan: &KernelPlan,
        entry: Option<&'static OpenClEntry>,
        (schedule, form): (usize, MemForm),
    ) -> Result<Self, OpenClError> {
        let missing = OpenClError::NoEntry { kernel: plan.spec().name, index: plan.index(), schedule };
        let entry = entry.ok_or(missing)?;
        let kernel = program.entry(entry.name)?;
        let found = kernel.number(CL_KERNEL_NUM_ARGS)? as u32;
        let expected = argument_count(plan.spec(), form);
        if found != expected {
            return Err(OpenClError::ArgumentCount { entry: entry.name, found, expected });
        }
        let context = context.clone();
        Ok(Self { kernel, context, entry, form, bound: Vec::new(), words: None, unused: None })
    }

    /// Enqueues it. It takes `&mut self` because arguments belong to the driver's kernel object. There is an event where
    /// one is wanted and something is to be computed.
    pub fn submit(
        &mut self,
        launch: &Launch<'_>,
        on: &Submission<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        let Some(sizes) = self.prepare(launch)? else { return Ok(None) };
        self.enqueue(sizes, on, wants_event)
    }

    /// Sets the arguments; none where nothing is to be computed.
    pub fn prepare(&mut self, launch: &Launch<'_>) -> Result<Option<Sizes>, OpenClError> {
        let planes = launch.plan.shape().planes();
        if launch.window.is_empty() || planes == 0 {
            return Ok(None);
        }
        if let Read::Buffers(read) = launch.inputs {
            check_reach(launch.plan.spec(), read)?;
        }
        self.keep_words(launch.plan.words())?;
        if launch.outputs.iter().any(Option::is_none) && self.unused.is_none() {
            self.unused = Some(Buffer::new(&self.context, 1)?);
        }
        for (index, value) in self.values(launch).into_iter().enumerate() {
            self.set(index, value)?;
        }
        let [width, height] = self.items(launch.window);
        Ok(Some(sizes(self.entry, [width, height, planes], launch.local)))
    }

    /// Enqueues it with the arguments as they are.
    pub fn enqueue(&self, sizes: Sizes, on: &Submission<'_>, wants_event: bool) -> Result<Option<Event>, OpenClError> {
        // SAFETY: every argument is bound to memory of the context, and the entry guards its edges.
        unsafe { launch(&self.context, &self.kernel, self.entry.name, sizes, on, wants_event) }
    }

    /// Whether this is the kernel of a plan's body with this schedule.
    pub fn is(&self, plan: &KernelPlan, schedule: usize) -> bool {
        schedules(plan.code(), plan.index()).nth(schedule).is_some_and(|entry| std::ptr::eq(entry, self.entry))
    }

    /// What the kernel reads: buffers or images.
    pub fn form(&self) -> MemForm {
        self.form
    }

    /// The entry point's name.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// What the device takes as its work-groups.
    pub fn limits(&self) -> Result<LocalLimits, OpenClError> {
        let only = self.entry.group.map(Into::into);
        Ok(LocalLimits { only, ..limits_of(&self.context, &self.kernel)? })
    }

    /// Work-items along x and y over `window`.
    pub fn items(&self, window: Rect) -> [usize; 2] {
        items(self.entry, window)
    }

    /// Records the kernel with the arguments as they are, after the command `after`.
    pub fn record(&self, commands: &mut CommandBuffer, sizes: Sizes, after: Option<u32>) -> Result<u32, OpenClError> {
        // SAFETY: as for `enqueue`; who records keeps this entry, and so its memory.
        Ok(unsafe { commands.record_kernel(&self.kernel, sizes.global, sizes.local, after) }?)
    }

    /// The words lie on the device once. Others get memory of their own: a run before may still read the old.
    fn keep_words(&mut self, words: &[u32]) -> Result<(), OpenClError> {
        if words.is_empty() || self.words.as_ref().is_some_and(|(there, _)| there == words) {
            return Ok(());
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let buffer = Buffer::from_bytes(&self.context, &bytes)?;
        self.words = Some((words.to_vec(), buffer));
        Ok(())
    }

    fn set(&mut self, index: usize, value: Value) -> Result<(), OpenClError> {
        if self.bound.get(index).is_some_and(|bound| bound.is(&value)) {
            return Ok(());
        }
        let (driver, kernel, at) = (self.context.driver(), &self.kernel, index as cl_uint);
        // SAFETY: `new` checked the number of arguments, and the driver checks the size of each.
        unsafe {
            match &value {
                Value::Memory(memory) => driver.set_memory_argument(kernel, at, memory),
                Value::Image(image) => driver.set_memory_argument(kernel, at, image.handle()),
                Value::Sampler(sampler) => driver.set_sampler_argument(kernel, at, sampler),
                Value::Int(value) => driver.set_argument(kernel, at, value),
                Value::Uint(value) => driver.set_argument(kernel, at, value),
                Value::Long(value) => driver.set_argument(kernel, at, value),
            }
        }
        // What a failed call left is not known: everything is set again.
        .inspect_err(|_| self.bound.clear())?;
        // Arguments are set in order, so that `index` is at most the length.
        match self.bound.get_mut(index) {
            Some(bound) => *bound = value,
            None => self.bound.push(value),
        }
        Ok(())
    }
}

/// Images that are read anywhere must lie within reach of an entry's addresses. Only here is it known how they lie: those of
/// the host without gaps, whatever their strides were.
fn check_reach(spec: &'static KernelSpec, read: &[DeviceImage]) -> Result<(), OpenClError> {
    let whole = spec.images().zip(read).filter(|((_, input), _)| input.is_whole());
    for ((argument, input), image) in whole {
        check_whole(argument, input, image.info()).map_err(RunError::from)?;
    }
    Ok(())
}

/// Blocks of a size that a range touches.
fn blocks(from: usize, to: usize, size: u32) -> usize {
    let size = size.max(1) as usize;
    to.div_ceil(size) - from / size
}

/// Enqueues a kernel whose arguments are set, noted where the context's profiler is on and the queue notes times.
///
/// # Safety
/// Every argument is set, to memory that lives until the command is done and holds what the kernel accesses.
pub(super) unsafe fn launch(
    context: &Context,
    kernel: &Handle<KernelObject>,
    name: &str,
    sizes: Sizes,
    on: &Submission<'_>,
    wants_event: bool,
) -> Result<Option<Event>, OpenClError> {
    let (driver, queue, waits) = (context.driver(), on.queue.handle(), on.waits()?);
    let noted = context.profiler().is_on() && on.queue.options().profiling;
    let enqueued = context.profiler().now();
    let Sizes { global, local } = sizes;
    // SAFETY: the caller's contract.
    let event = unsafe { driver.launch_kernel(queue, kernel, global, local, &waits, wants_event || noted) }?;
    on.queue.launched()?;
    let event = event.map(|event| on.queue.event(Some(event))).transpose()?;
    if let Some(event) = event.as_ref().filter(|_| noted) {
        let device = context.device().to_string();
        let record = LaunchRecord { kernel: name.into(), device, global, local, ..LaunchRecord::default() };
        context.profiler().note(event.clone(), enqueued, record);
    }
    Ok(event.filter(|_| wants_event))
}

/// What a device takes as work-groups of a built kernel. One that does not answer takes single work-items.
pub(super) fn limits_of(context: &Context, kernel: &Handle<KernelObject>) -> Result<LocalLimits, OpenClError> {
    let (driver, device) = (context.driver(), context.device());
    let of_kernel = |name| {
        let bytes = driver.kernel_work_group_info(kernel, device.id, name)?;
        Ok::<_, OpenClError>(number(&bytes).unwrap_or(1) as usize)
    };
    let [width, height, _] = device.max_work_items;
    Ok(LocalLimits {
        group: of_kernel(CL_KERNEL_WORK_GROUP_SIZE)?,
        items: [width as usize, height as usize],
        multiple: of_kernel(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)?,
        only: None,
    })
}

/// The entries with this index, one a schedule.
pub(crate) fn schedules(code: &'static KernelCode, index: u32) -> impl Iterator<Item = &'static OpenClEntry> {
    code.opencl().entries.iter().filter(move |entry| entry.index == index)
}

/// The entry over images with this index.
pub(super) fn image_entry(code: &'static KernelCode, index: u32) -> Option<&'static OpenClEntry> {
    match code.opencl().images {
        OpenClImages::Emitted { entries, .. } => entries.iter().find(|entry| entry.index == index),
        OpenClImages::None(_) => None,
    }
}

/// Work-items for each compute unit with which a device is full: with fewer of them a GPU waits for memory. Of 64 to 512, networks take
/// the least time on an H200 with this one.
const ITEMS_OF_UNIT: usize = 256;

/// The same of work-items that read from tiles, of 32 to 256: they wait less.
const ITEMS_WITH_TILES: usize = 64;

/// The schedule that suits a device and the extents of a plan, with such work-groups: one that computes rows together where there is one and
/// local memory is the device's own; else, of the form that the device computes fastest, the first whose work-items fill the device, or else the one that has most of them; one with tiles before others, where local memory is the
/// device's own. Blocks of which less than half lies in the output come last.
pub(super) fn preferred(device: &Device, plan: &KernelPlan, local: LocalSize) -> usize {
    let (plane, planes) = (plan.valid_region().plane(), plan.shape().planes());
    let (elements, enough) = (plane.width() * plane.height(), ITEMS_OF_UNIT * device.compute_units as usize);
    let fitness = |entry: &OpenClEntry| {
        if entry.computes_rows() {
            return (true, enough, true);
        }
        let ([width, height], (x, y)) = (items(entry, plane), entry.block);
        // In whole groups of an entry that is written for a size; otherwise just those that have a block.
        let items: usize = sizes(entry, [width, height, planes], LocalSize::Fixed(1, 1)).global.iter().product();
        // One with tiles counts as if it had as many as another needs.
        let items_as = if entry.group.is_some() { items * (ITEMS_OF_UNIT / ITEMS_WITH_TILES) } else { items };
        (items * (x * y) as usize <= 2 * elements * planes, items_as.min(enough), entry.group.is_some())
    };
    let is_legal = |entry: &OpenClEntry| match (entry.group, local) {
        (None, _) => true,
        (Some(group), LocalSize::Fixed(x, y)) if group != (x, y, 1) => false,
        (Some((x, y, z)), _) => {
            let mut sides = [x, y, z].map(u64::from).into_iter().zip(device.max_work_items);
            let is_taken = sides.all(|(side, most)| side <= most) && u64::from(x * y * z) <= device.max_work_group;
            device.has_local_memory && is_taken
        }
    };
    let of_form = |form: &OpenClForm| {
        let entries = schedules(plan.code(), plan.index()).enumerate();
        let entries = entries.filter(|(_, entry)| entry.form == *form && is_legal(entry));
        // Of several that are as fit, the first.
        let best = entries.map(|(schedule, entry)| (schedule, fitness(entry)));
        best.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(schedule, _)| schedule)
    };
    device.integers.forms().iter().find_map(of_form).unwrap_or(0)
}

/// The sizes of a launch of this many work-items, in groups of this size, where the entry is not written for another one.
fn sizes(entry: &OpenClEntry, items: [usize; 3], local: LocalSize) -> Sizes {
    match entry.group {
        Some((x, y, z)) => Sizes::in_groups(items, [x, y, z].map(|side| side as usize)),
        // Work-items that have no block return at once.
        None if local == LocalSize::Driver => Sizes::for_driver(items),
        None => local.sizes(items),
    }
}

/// Work-items along x and y of an entry over `window`.
fn items(entry: &OpenClEntry, window: Rect) -> [usize; 2] {
    let Rect { x0, y0, x1, y1 } = window;
    let (block_x, block_y) = entry.block;
    [blocks(x0, x1, block_x), blocks(y0, y1, block_y)]
}
