//! One run of an entry point: its arguments bound by the convention of [`crate::code::OpenClEntry`], then enqueued or
//! recorded. Arguments that are as they were are not set again.

use super::{
    buffer::{Buffer, Memory},
    context::Context,
    device::{Device, number},
    driver::{CommandBuffer, Handle, KernelObject},
    error::OpenClError,
    event::Event,
    image::DeviceImage,
    profile::LaunchRecord,
    program::Program,
    queue::Submission,
    tuner::{LocalLimits, limits_of},
};
use crate::{
    border::{BorderMode, BorderModes},
    code::{KernelCode, OpenClEntry, OpenClForm},
    infer::images,
    region::Rect,
    spec::{InputSpec, KernelSpec, Neighbourhood},
    validate::tables,
};
use opencl3::{
    kernel::CL_KERNEL_NUM_ARGS,
    types::{cl_int, cl_long, cl_uint},
};
use std::{sync::Arc, vec::Vec};

/// How a run's work-items are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LocalSize {
    /// As the driver likes.
    #[default]
    Driver,
    /// Groups of this many work-items, (x, y); the global size is rounded up to whole groups.
    Fixed(u32, u32),
}

impl LocalSize {
    /// These work-items in whole groups.
    pub(super) fn sizes(self, items: [usize; 3]) -> Sizes {
        let Self::Fixed(x, y) = self else { return Sizes { global: items, local: None } };
        let local = [x.max(1) as usize, y.max(1) as usize, 1];
        let global = [items[0].next_multiple_of(local[0]), items[1].next_multiple_of(local[1]), items[2]];
        Sizes { global, local: Some(local) }
    }
}

/// What an entry point is run with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    /// The images read, in argument order, `#[inout]` ones included.
    pub inputs: &'a [DeviceImage],
    /// For each input, the word of a constant border.
    pub constants: &'a [u32],
    /// The images written; `None` for one that the entry leaves out.
    pub outputs: &'a [Option<DeviceImage>],
    /// The look-up tables.
    pub tables: &'a [Buffer],
    /// The uniforms' words and the derived ones.
    pub words: &'a [u32],
    /// The elements to compute, the same in every plane.
    pub window: Rect,
    /// The number of planes.
    pub planes: usize,
    /// What reads outside each input find.
    pub borders: BorderModes,
    /// The work-groups.
    pub local: LocalSize,
}

/// An entry point of a built program, with the arguments of its last run.
#[derive(Debug)]
pub(crate) struct Entry {
    kernel: Handle<KernelObject>,
    context: Context,
    code: &'static KernelCode,
    entry: &'static OpenClEntry,
    /// What each argument is set to: setting one again takes time and changes nothing.
    bound: Vec<Value>,
    words: Option<(Vec<u32>, Buffer)>,
    unused: Option<Buffer>,
}

/// The value of an argument. Memory is kept: an argument doesn't keep it alive in every driver.
#[derive(Clone, Debug)]
enum Value {
    Memory(Arc<Memory>),
    Int(cl_int),
    Uint(cl_uint),
    Long(cl_long),
}

/// The sizes of a launch: work-items, and those of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub global: [usize; 3],
    pub local: Option<[usize; 3]>,
}

impl Entry {
    /// The entry of `code` with this index (see [`crate::code::Body::index`]) and schedule, the default one being 0;
    /// `program` is its source, built.
    pub fn new(
        context: &Context,
        program: &Program,
        code: &'static KernelCode,
        index: u32,
        schedule: usize,
    ) -> Result<Self, OpenClError> {
        let entry = schedules(code, index).nth(schedule);
        let entry = entry.ok_or(OpenClError::NoEntry { kernel: code.spec.name, index, schedule })?;
        let kernel = program.entry(entry.name)?;
        let found = number(&context.driver().kernel_info(&kernel, CL_KERNEL_NUM_ARGS)?).unwrap_or(0) as u32;
        let expected = argument_count(code.spec);
        if found != expected {
            return Err(OpenClError::ArgumentCount { entry: entry.name, found, expected });
        }
        let context = context.clone();
        Ok(Self { kernel, context, code, entry, bound: Vec::new(), words: None, unused: None })
    }

    /// Runs it and waits for it.
    #[cfg(feature = "testing")]
    pub fn run(&mut self, launch: &Launch<'_>) -> Result<(), OpenClError> {
        let queue = self.context.queue().clone();
        self.submit(launch, &Submission::on(&queue), false)?;
        queue.sync()
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

    /// Checks and sets the arguments; none where nothing is to be computed.
    pub fn prepare(&mut self, launch: &Launch<'_>) -> Result<Option<Sizes>, OpenClError> {
        self.check(launch)?;
        if launch.window.is_empty() || launch.planes == 0 {
            return Ok(None);
        }
        self.bind(launch)?;
        Ok(Some(self.sizes(launch)))
    }

    /// Enqueues it with the arguments as they are.
    pub fn enqueue(&self, sizes: Sizes, on: &Submission<'_>, wants_event: bool) -> Result<Option<Event>, OpenClError> {
        // SAFETY: every argument is bound to memory of the context, and the entry guards its edges.
        unsafe { launch(&self.context, &self.kernel, self.entry.name, sizes, on, wants_event) }
    }

    /// The entry point's name.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// What the device takes as its work-groups.
    pub fn limits(&self) -> Result<LocalLimits, OpenClError> {
        limits_of(&self.context, &self.kernel)
    }

    /// Work-items along x and y over `window`.
    pub fn items(&self, window: Rect) -> [usize; 2] {
        let Rect { x0, y0, x1, y1 } = window;
        let (block_x, block_y) = self.entry.block;
        [blocks(x0, x1, block_x), blocks(y0, y1, block_y)]
    }

    /// Records it with the arguments as they are, after the command `after`.
    pub fn record(&self, commands: &mut CommandBuffer, sizes: Sizes, after: Option<u32>) -> Result<u32, OpenClError> {
        // SAFETY: as for `enqueue`; who records keeps this entry, and so its memory.
        unsafe { commands.record_kernel(&self.kernel, sizes.global, sizes.local, after) }
    }

    /// Lists must be as long as the signature says: what is bound decides what the device reads.
    fn check(&self, launch: &Launch<'_>) -> Result<(), OpenClError> {
        let spec = self.code.spec;
        let tables = tables(spec).count();
        let counts = [
            ("inputs", launch.inputs.len(), images(spec).count()),
            ("border constants", launch.constants.len(), images(spec).count()),
            ("outputs", launch.outputs.len(), spec.outputs.len()),
            ("tables", launch.tables.len(), tables),
            ("words", launch.words.len(), (spec.words.uniforms + spec.words.derived) as usize),
        ];
        match counts.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(OpenClError::Count { what, found, expected }),
            None => Ok(()),
        }
    }

    fn bind(&mut self, launch: &Launch<'_>) -> Result<(), OpenClError> {
        self.keep_words(launch.words)?;
        if launch.outputs.iter().any(Option::is_none) && self.unused.is_none() {
            self.unused = Some(Buffer::new(&self.context, 1)?);
        }
        for (index, value) in self.values(launch).into_iter().enumerate() {
            self.set(index, value)?;
        }
        Ok(())
    }

    /// The words lie on the device once. Others get memory of their own: a run before may still read the old.
    fn keep_words(&mut self, words: &[u32]) -> Result<(), OpenClError> {
        if words.is_empty() || self.words.as_ref().is_some_and(|(there, _)| there == words) {
            return Ok(());
        }
        let buffer = Buffer::from_bytes(&self.context, &bytes_of(words))?;
        self.words = Some((words.to_vec(), buffer));
        Ok(())
    }

    /// Every argument, by the convention of [`OpenClEntry`].
    fn values(&self, launch: &Launch<'_>) -> Vec<Value> {
        let spec = self.code.spec;
        let mut values = Vec::with_capacity(argument_count(spec) as usize);
        let memory = |buffer: &Buffer| Value::Memory(buffer.memory().clone());
        for ((image, constant), (_, input)) in launch.inputs.iter().zip(launch.constants).zip(images(spec)) {
            let place = image.place();
            values.extend([memory(image.buffer()), Value::Long(image.offset() as cl_long)]);
            values.extend([Value::Int(place.row), Value::Long(place.plane)]);
            values.extend([Value::Int(place.width), Value::Int(place.height)]);
            if reads_around(input) {
                values.push(Value::Uint(*constant));
            }
        }
        for image in launch.outputs {
            match (image, &self.unused) {
                (Some(image), _) => {
                    let place = image.place();
                    values.extend([memory(image.buffer()), Value::Long(image.offset() as cl_long)]);
                    values.extend([Value::Int(place.row), Value::Long(place.plane)]);
                }
                (None, Some(unused)) => {
                    values.extend([memory(unused), Value::Long(0), Value::Int(0), Value::Long(0)]);
                }
                (None, None) => {}
            }
        }
        values.extend(launch.tables.iter().map(memory));
        values.extend(self.words.iter().filter(|_| !launch.words.is_empty()).map(|(_, words)| memory(words)));
        let Rect { x0, y0, x1, y1 } = launch.window;
        values.extend([x0, y0, x1, y1].map(|coordinate| Value::Int(coordinate as cl_int)));
        if images(spec).any(|(_, input)| reads_around(input)) {
            values.push(Value::Int(border_numbers(spec, launch.borders)));
        }
        values
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

    fn sizes(&self, launch: &Launch<'_>) -> Sizes {
        let [width, height] = self.items(launch.window);
        let items = [width, height, launch.planes];
        launch.local.sizes(items)
    }
}

impl Value {
    /// Whether setting the one after the other changes nothing.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memory(one), Self::Memory(other)) => Arc::ptr_eq(one, other),
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Uint(one), Self::Uint(other)) => one == other,
            (Self::Long(one), Self::Long(other)) => one == other,
            (Self::Memory(_) | Self::Int(_) | Self::Uint(_) | Self::Long(_), _) => false,
        }
    }
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

/// The entries with this index, one a schedule.
pub(crate) fn schedules(code: &'static KernelCode, index: u32) -> impl Iterator<Item = &'static OpenClEntry> {
    code.opencl.entries.iter().filter(move |entry| entry.index == index)
}

/// The schedule that suits a device: the first of the form that it computes fastest.
pub(super) fn preferred(device: &Device, code: &'static KernelCode, index: u32) -> usize {
    let of_form = |form: &OpenClForm| schedules(code, index).position(|entry| entry.form == *form);
    device.integers.forms().iter().find_map(of_form).unwrap_or(0)
}

/// Whether an input's border matters.
pub(super) fn reads_around(input: &InputSpec) -> bool {
    input.neighbourhood != Neighbourhood::default()
}

fn argument_count(spec: &'static KernelSpec) -> u32 {
    let input_arguments: u32 = images(spec).map(|(_, input)| 6 + u32::from(reads_around(input))).sum();
    let words = u32::from(spec.words.uniforms + spec.words.derived > 0);
    let border = u32::from(images(spec).any(|(_, input)| reads_around(input)));
    input_arguments + 4 * spec.outputs.len() as u32 + tables(spec).count() as u32 + words + 4 + border
}

/// The numbers of the borders, four bits for each input with a neighbourhood, the first lowest.
fn border_numbers(spec: &'static KernelSpec, borders: BorderModes) -> cl_int {
    let around = images(spec).enumerate().filter(|(_, (_, input))| reads_around(input));
    around.zip((0..).step_by(4)).fold(0, |numbers, ((index, _), bit)| numbers | border_number(borders.of(index)) << bit)
}

fn border_number(mode: BorderMode) -> cl_int {
    match mode {
        BorderMode::Undefined => 0,
        BorderMode::Constant => 1,
        BorderMode::Replicate => 2,
        BorderMode::Reflect => 3,
        BorderMode::Reflect101 => 4,
        BorderMode::Wrap => 5,
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}
