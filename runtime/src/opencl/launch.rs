//! One run of an entry point: its arguments bound by the convention of [`crate::code::OpenClEntry`], enqueued, waited for.

use super::{
    buffer::Buffer,
    context::Context,
    device::{Device, number},
    driver::{Handle, KernelObject, Waits},
    error::OpenClError,
    image::DeviceImage,
    program::Program,
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
use std::vec::Vec;

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
    /// The global size in whole groups, and the groups as the library takes them.
    pub(super) fn groups(self, items: [usize; 3]) -> ([usize; 3], Option<[usize; 3]>) {
        let Self::Fixed(x, y) = self else { return (items, None) };
        let local = [x.max(1) as usize, y.max(1) as usize, 1];
        ([items[0].next_multiple_of(local[0]), items[1].next_multiple_of(local[1]), items[2]], Some(local))
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

/// An entry point of a built program.
#[derive(Debug)]
pub(crate) struct Entry {
    kernel: Handle<KernelObject>,
    context: Context,
    code: &'static KernelCode,
    entry: &'static OpenClEntry,
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
        Ok(Self { kernel, context: context.clone(), code, entry })
    }

    /// Runs it and waits for it. It takes `&mut self` because arguments belong to the driver's kernel object.
    pub fn run(&mut self, launch: &Launch<'_>) -> Result<(), OpenClError> {
        self.check(launch)?;
        if launch.window.is_empty() || launch.planes == 0 {
            return Ok(());
        }
        // Bound until the run is over: an argument doesn't keep its memory alive in every driver.
        let words = Buffer::from_bytes(&self.context, &bytes_of(launch.words))?;
        let unused = Buffer::new(&self.context, 1)?;
        self.bind(launch, &words, &unused)?;
        self.enqueue(launch)
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

    fn bind(&self, launch: &Launch<'_>, words: &Buffer, unused: &Buffer) -> Result<(), OpenClError> {
        let spec = self.code.spec;
        let mut arguments = Arguments { kernel: &self.kernel, next: 0 };
        for ((image, constant), (_, input)) in launch.inputs.iter().zip(launch.constants).zip(images(spec)) {
            arguments.place(image)?;
            arguments.value(image.info().width() as cl_int)?;
            arguments.value(image.info().height() as cl_int)?;
            if reads_around(input) {
                arguments.value(*constant as cl_uint)?;
            }
        }
        for image in launch.outputs {
            match image {
                Some(image) => arguments.place(image)?,
                None => arguments.nowhere(unused)?,
            }
        }
        for table in launch.tables {
            arguments.buffer(table)?;
        }
        if !launch.words.is_empty() {
            arguments.buffer(words)?;
        }
        let Rect { x0, y0, x1, y1 } = launch.window;
        for coordinate in [x0, y0, x1, y1] {
            arguments.value(coordinate as cl_int)?;
        }
        if images(spec).any(|(_, input)| reads_around(input)) {
            arguments.value(border_numbers(spec, launch.borders))?;
        }
        Ok(())
    }

    fn enqueue(&self, launch: &Launch<'_>) -> Result<(), OpenClError> {
        let Rect { x0, y0, x1, y1 } = launch.window;
        let blocks =
            |from: usize, to: usize, size: u32| to.div_ceil(size.max(1) as usize) - from / size.max(1) as usize;
        let (block_x, block_y) = self.entry.block;
        let items = [blocks(x0, x1, block_x), blocks(y0, y1, block_y), launch.planes];
        let (global, local) = launch.local.groups(items);
        let (driver, queue) = (self.context.driver(), self.context.queue());
        // SAFETY: every argument is bound to memory of the context, and the entry guards its edges.
        unsafe { driver.launch_kernel(queue.handle(), &self.kernel, global, local, &Waits::NONE, false) }?;
        queue.launched()?;
        queue.sync()
    }
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

/// Binds arguments one after the other.
struct Arguments<'a> {
    kernel: &'a Handle<KernelObject>,
    next: cl_uint,
}

impl Arguments<'_> {
    fn buffer(&mut self, buffer: &Buffer) -> Result<(), OpenClError> {
        buffer.bind(self.kernel, self.next)?;
        self.next += 1;
        Ok(())
    }

    fn value<T: Scalar>(&mut self, value: T) -> Result<(), OpenClError> {
        // SAFETY: `Entry::new` checked the number of arguments; the driver checks the size of each.
        unsafe { self.kernel.driver().set_argument(self.kernel, self.next, &value) }?;
        self.next += 1;
        Ok(())
    }

    /// A pointer, its offset, its row stride and its plane stride.
    fn place(&mut self, image: &DeviceImage) -> Result<(), OpenClError> {
        self.buffer(image.buffer())?;
        self.value(image.offset() as cl_long)?;
        self.value(image.info().stride(1) as cl_int)?;
        self.value(image.plane_stride() as cl_long)
    }

    /// The place of an output that is left out.
    fn nowhere(&mut self, unused: &Buffer) -> Result<(), OpenClError> {
        self.buffer(unused)?;
        self.value(0 as cl_long)?;
        self.value(0 as cl_int)?;
        self.value(0 as cl_long)
    }
}

/// The scalar types of arguments.
trait Scalar: Copy {}
impl Scalar for cl_int {}
impl Scalar for cl_uint {}
impl Scalar for cl_long {}

/// Whether an input's border matters.
fn reads_around(input: &InputSpec) -> bool {
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
