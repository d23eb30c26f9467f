//! Runs a [`Configured`] kernel: binds the arguments, checks them, and hands the window's parts to a scheduler.

use core::{array, marker::PhantomData, ptr::NonNull};

use crate::{
    arguments::{AnyTable, InputList, Inputs, MAX_ARGUMENTS, OutputList, Outputs},
    code::Kernel,
    configure::{Configured, Plan},
    coordinate,
    element::ElementType,
    error::RunError,
    execute::{broadcast_place, for_each_plane, run_window},
    infer::{check_input_count, check_output_count, check_type, element_wise, images},
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    kernel::{DynKernel, Splits, ThreadInfo},
    overlap::share_memory,
    point::Point,
    schedule::{GRAIN, Scheduler, schedule_with_scratch},
    stage::element_only,
    validate::tables,
    view::{AnyView, AnyViewMut},
    window::Window,
};

impl<K: Kernel> Configured<K> {
    /// Computes the whole window.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), RunError> {
        self.run_window(scheduler, inputs, outputs, &self.plan.window)
    }

    /// Computes a sub-window, one that [`Window::split`] made of [`Configured::window`] or that keeps the same laws.
    pub fn run_window(
        &self,
        scheduler: &dyn Scheduler,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
        window: &Window,
    ) -> Result<(), RunError> {
        let mut attached = Attached { plan: &self.plan, job: Job::empty() };
        bind_into(&self.plan, inputs, outputs, &mut attached.job)?;
        schedule_with_scratch(scheduler, &mut attached, window, &mut [])
    }

    /// The kernel with its images, for a host that schedules its parts itself.
    pub fn bind<'a>(&'a self, inputs: K::Inputs<'a>, outputs: K::Outputs<'a>) -> Result<Bound<'a>, RunError> {
        Ok(Bound::new(&self.plan, bind(&self.plan, inputs, outputs)?))
    }

    /// Computes the whole valid region with the author's own function, element by element.
    pub fn run_reference(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>) -> Result<(), RunError> {
        let job = bind(&self.plan, inputs, outputs)?;
        let (plan, plane) = (&self.plan, self.plan.valid.plane());
        for_each_plane(plan, &plan.window, |at| {
            let mut point = job.point(plan, at);
            for y in plane.y0..plane.y1 {
                for x in plane.x0..plane.x1 {
                    (point.x, point.y) = (x, y);
                    coordinate::at(x as i32, y as i32, || (plan.code.reference)(&mut point));
                }
            }
        });
        Ok(())
    }
}

/// A configured kernel with its images: a [`DynKernel`] of any [`Kernel`].
pub struct Bound<'a> {
    attached: Attached<'a, 'a>,
    /// The outputs, whose pointers stand in the job.
    outputs: PhantomData<&'a mut [u8]>,
}

impl<'a> Bound<'a> {
    pub(crate) fn new(plan: &'a Plan, job: Job<'a>) -> Bound<'a> {
        Bound { attached: Attached { plan, job }, outputs: PhantomData }
    }
}

impl DynKernel for Bound<'_> {
    fn name(&self) -> &str {
        self.attached.name()
    }

    fn window(&self) -> Window {
        self.attached.window()
    }

    fn splits(&self) -> Splits {
        self.attached.splits()
    }

    fn grains(&self) -> usize {
        self.attached.grains()
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the caller's; the outputs are borrowed exclusively.
        unsafe { self.attached.run(window, thread) }
    }
}

/// A plan and a job of it, whose user holds the borrow of the outputs.
struct Attached<'p, 'a> {
    plan: &'p Plan,
    job: Job<'a>,
}

/// Columns that a part has at least, where rows are cut: its edges cost as much as a vector each.
const COLUMNS: usize = 512;

/// Bytes that a thread reads and writes at least, where elements do not look at their neighbours: a core has done with
/// them in the time that another takes to wake.
const STREAMED: usize = 384 * 1024;

impl DynKernel for Attached<'_, '_> {
    fn name(&self) -> &str {
        self.plan.spec().name
    }

    fn window(&self) -> Window {
        self.plan.window
    }

    fn splits(&self) -> Splits {
        let (body, step) = (self.plan.body, self.plan.spec().step);
        let columns = COLUMNS.max(4 * body.lanes as usize).div_ceil(step.0.max(1) as usize);
        let rows = body.rows.div_ceil(step.1.max(1)) as usize;
        (2..MAX_DIMENSIONS).fold(Splits::NONE.along(0, columns).along(1, rows), |splits, d| splits.along(d, 1))
    }

    fn grains(&self) -> usize {
        let (spec, body) = (self.plan.spec(), self.plan.body);
        if !body.reads.iter().all(element_only) {
            return 1;
        }
        let size = |element: ElementType, channels: u32| element.size() * channels as usize;
        let read: usize = images(spec).map(|(_, input)| size(input.element, input.channels)).sum();
        let written: usize = spec.outputs.iter().map(|output| size(output.element, output.channels)).sum();
        (STREAMED / (read + written).max(1)).div_ceil(GRAIN)
    }

    unsafe fn run(&self, window: &Window, _thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the job is bound to this plan and its user holds its outputs exclusively; the caller's windows are disjoint.
        unsafe { run_window(self.plan, &self.job, window) };
        Ok(())
    }
}

/// The arguments of a run, checked against its plan.
pub(crate) struct Job<'a> {
    /// The images read, `#[inout]` ones included, in argument order.
    pub inputs: [Option<AnyView<'a>>; MAX_ARGUMENTS],
    /// Which of them are outputs too.
    pub in_place: [bool; MAX_ARGUMENTS],
    /// Which of them hold rows that wrap around where they would lie.
    pub unrolled: [bool; MAX_ARGUMENTS],
    /// The images written; `None` for one left out.
    pub outputs: [Option<(NonNull<u8>, TensorInfo)>; MAX_ARGUMENTS],
    pub tables: [Option<AnyTable<'a>>; MAX_ARGUMENTS],
    pointers: [*const u8; MAX_ARGUMENTS],
    table_count: usize,
}

// SAFETY: a job holds its outputs exclusively, and parts of it that run at once touch disjoint elements (`run_window`).
unsafe impl Sync for Job<'_> {}

impl<'a> Job<'a> {
    /// No arguments. Not a constant: it would be copied whole, where eight marks of absence are enough.
    fn empty() -> Job<'a> {
        Job {
            inputs: array::from_fn(|_| None),
            in_place: [false; MAX_ARGUMENTS],
            unrolled: [false; MAX_ARGUMENTS],
            outputs: array::from_fn(|_| None),
            tables: array::from_fn(|_| None),
            pointers: [core::ptr::null(); MAX_ARGUMENTS],
            table_count: 0,
        }
    }

    /// A job whose arguments are known to fit its plan.
    #[cfg(feature = "std")]
    pub fn new(
        inputs: [Option<AnyView<'a>>; MAX_ARGUMENTS],
        unrolled: [bool; MAX_ARGUMENTS],
        outputs: [Option<(NonNull<u8>, TensorInfo)>; MAX_ARGUMENTS],
        tables: impl ExactSizeIterator<Item = AnyTable<'a>>,
    ) -> Job<'a> {
        let mut job = Job { inputs, unrolled, outputs, table_count: tables.len(), ..Job::empty() };
        for ((place, pointer), table) in job.tables.iter_mut().zip(&mut job.pointers).zip(tables) {
            (*place, *pointer) = (Some(table), table.first);
        }
        job
    }

    /// The first entry of each table.
    pub fn table_pointers(&self) -> &[*const u8] {
        &self.pointers[..self.table_count]
    }

    /// The first element of the plane `at`.
    fn point<'p>(&'p self, plan: &'p Plan, at: [usize; MAX_DIMENSIONS]) -> Point<'p> {
        let plane = |base: NonNull<u8>, info: &TensorInfo| {
            let extents = [info.width(), info.height(), 1, 1, 1, 1];
            let (offset, info) = info.region(&broadcast_place(info, at), &extents).ok()?;
            // SAFETY: `offset` is that of an element.
            Some((unsafe { base.add(offset) }, info))
        };
        let mut inputs = [None; MAX_ARGUMENTS];
        for ((input, view), (_, spec)) in inputs.iter_mut().zip(&self.inputs).zip(images(plan.spec())) {
            let plane = view.and_then(|view| plane(view.base(), view.info()));
            *input = plane.map(|(base, info)| (AnyView::over(base, info), spec.stride));
        }
        let mut outputs = [const { None }; MAX_ARGUMENTS];
        for (output, view) in outputs.iter_mut().zip(&self.outputs) {
            let plane = view.as_ref().and_then(|(base, info)| plane(*base, info));
            *output = plane.map(|(base, info)| AnyViewMut::over(base, info));
        }
        Point {
            inputs,
            outputs,
            tables: self.tables,
            words: plan.words(),
            choice: plan.choice(),
            borders: plan.borders,
            x: 0,
            y: 0,
        }
    }
}

/// Checks the arguments against the plan, and takes their pointers.
///
/// The job holds pointers into the outputs: its user must hold their borrow, as every run does for its whole length.
pub(crate) fn bind<'i, 'o>(
    plan: &Plan,
    inputs: impl Inputs<'i>,
    outputs: impl Outputs<'o>,
) -> Result<Job<'i>, RunError> {
    let mut job = Job::empty();
    bind_into(plan, inputs, outputs, &mut job)?;
    Ok(job)
}

/// As [`bind`], in place: a job is some kilobytes, which take as long to move as a small image takes to compute.
fn bind_into<'i, 'o>(
    plan: &Plan,
    inputs: impl Inputs<'i>,
    outputs: impl Outputs<'o>,
    job: &mut Job<'i>,
) -> Result<(), RunError> {
    let (mut read, mut written) = (InputList::default(), OutputList::default());
    inputs.list(&mut read);
    outputs.list(&mut written);
    bind_outputs(plan, &mut written, job)?;
    bind_inputs(plan, &read, job)?;
    bind_tables(plan, &read, job)?;
    find_overlaps(plan, job)
}

/// Outputs must be those configured, of their types and shape.
fn bind_outputs(plan: &Plan, list: &mut OutputList<'_>, job: &mut Job<'_>) -> Result<(), RunError> {
    let spec = plan.spec();
    check_output_count(spec, list.views.len())?;
    for (index, (output, view)) in spec.outputs.iter().zip(list.views.iter_mut()).enumerate() {
        if view.is_some() != plan.present[index] {
            return Err(RunError::OutputPresence { argument: output.name, given: view.is_some() });
        }
        let Some(view) = view else { continue };
        check(output.name, view.info(), (output.element, output.channels), plan.shape)?;
        job.outputs[index] = Some((view.base(), *view.info()));
    }
    Ok(())
}

/// Images read must be of their types and of the shapes configured; an `#[inout]` one is its output.
fn bind_inputs<'a>(plan: &Plan, list: &InputList<'a>, job: &mut Job<'a>) -> Result<(), RunError> {
    let spec = plan.spec();
    check_input_count(spec, list.views.len())?;
    let mut views = list.views.iter().zip(&plan.inputs);
    for (index, (argument, input)) in images(spec).enumerate() {
        if let Some(output) = input.inout {
            let output = job.outputs.get(output as usize).copied().flatten();
            job.inputs[index] = output.map(|(base, info)| AnyView::over(base, info));
            job.in_place[index] = true;
        } else if let Some((view, &shape)) = views.next() {
            check(argument, view.info(), (input.element, input.channels), shape)?;
            job.inputs[index] = Some(*view);
        }
    }
    Ok(())
}

/// Tables must be of their types and lengths.
fn bind_tables<'a>(plan: &Plan, list: &InputList<'a>, job: &mut Job<'a>) -> Result<(), RunError> {
    let spec = plan.spec();
    let (found, expected) = (list.tables.len(), tables(spec).count());
    if found != expected {
        return Err(RunError::TableCount { kernel: spec.name, found, expected });
    }
    for (index, (table, (argument, element, length))) in list.tables.iter().zip(tables(spec)).enumerate() {
        check_table(argument, table, element, length)?;
        job.tables[index] = Some(*table);
        job.pointers[index] = table.first;
    }
    job.table_count = expected;
    Ok(())
}

/// A table must be of this type and length.
pub(crate) fn check_table(
    argument: &'static str,
    table: &AnyTable<'_>,
    expected_element: ElementType,
    expected: u32,
) -> Result<(), RunError> {
    let (found, found_element) = (table.length, table.element);
    if (found_element, found) == (expected_element, expected as usize) {
        return Ok(());
    }
    Err(RunError::Table { argument, found, found_element, expected, expected_element })
}

/// An image must be of this type and shape.
pub(crate) fn check(
    argument: &'static str,
    info: &TensorInfo,
    (element, channels): (ElementType, u32),
    expected: Shape,
) -> Result<(), RunError> {
    check_type(argument, info, element, channels)?;
    if info.shape() != expected {
        return Err(RunError::Shape { argument, found: info.shape(), expected });
    }
    Ok(())
}

/// An output may share memory only with an image of which nothing but the element itself is read, and then all of it.
fn find_overlaps(plan: &Plan, job: &mut Job<'_>) -> Result<(), RunError> {
    let spec = plan.spec();
    for (index, output) in spec.outputs.iter().enumerate() {
        let Some((base, info)) = &job.outputs[index] else { continue };
        let overlaps = |other: *const u8, with: &TensorInfo| share_memory(base.addr().get(), info, other.addr(), with);
        for (earlier, view) in spec.outputs.iter().zip(&job.outputs[..index]) {
            if view.as_ref().is_some_and(|(base, info)| overlaps(base.as_ptr(), info)) {
                return Err(RunError::Overlap { output: output.name, other: earlier.name });
            }
        }
        for (place, ((argument, input), reads)) in images(spec).zip(plan.body.reads).enumerate() {
            let Some(view) = &job.inputs[place] else { continue };
            if input.inout == Some(index as u32) || !overlaps(view.as_ptr(), view.info()) {
                continue;
            }
            let same = view.as_ptr() == base.as_ptr().cast_const() && same_elements(view.info(), info);
            if !(element_wise(input) && element_only(reads) && same) {
                return Err(RunError::Overlap { output: output.name, other: argument });
            }
            job.in_place[place] = true;
        }
    }
    Ok(())
}

/// Whether the elements of both lie at the same places.
fn same_elements(a: &TensorInfo, b: &TensorInfo) -> bool {
    let places = |info: &TensorInfo| (0..MAX_DIMENSIONS).all(|d| a.stride(d) == info.stride(d));
    a.shape() == b.shape() && places(b)
}
