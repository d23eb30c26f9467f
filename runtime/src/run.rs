//! Runs a [`Configured`] kernel: binds the arguments, checks them, and hands the window's parts to a scheduler.

use core::ptr::NonNull;

use crate::{
    arguments::{AnyTable, InputList, Inputs, IntoArguments, MAX_ARGUMENTS, OutputList, Outputs, Place},
    code::Kernel,
    configure::{Configured, Plan},
    coordinate,
    dtype::DType,
    element::ElementType,
    error::RunError,
    execute::{for_each_plane, run_window},
    float_environment::DefaultFloats,
    infer::{check_disjoint, check_input_count, check_output_count, check_type, element_wise, images},
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    kernel::{DynKernel, Splits, ThreadInfo},
    list::List,
    overlap::share_memory,
    point::Point,
    schedule::{GRAIN, Scheduler, caught, is_alone, schedule_with_scratch},
    stage::element_only,
    validate::tables,
    view::{AnyView, AnyViewMut},
    window::Window,
};

impl<K: Kernel> Configured<K> {
    /// Computes the whole window.
    ///
    /// The arguments are views, or tensors of which views are taken; several are given in a tuple.
    ///
    /// ```
    /// use windrow::{Rayon, Tensor, language::*};
    ///
    /// #[kernel]
    /// fn larger(a: u8, b: u8) -> u8 {
    ///     a.max(b)
    /// }
    ///
    /// let (a, b) = (Tensor::from_vec(vec![1u8, 9], [1, 2])?, Tensor::from_vec(vec![5u8, 6], [1, 2])?);
    /// let mut larger_of_both = Tensor::<u8>::new([1, 2])?;
    /// let kernel = larger::configure(a.info(), b.info(), larger_of_both.info())?;
    /// kernel.run(&Rayon::new(), (&a, b.view()), &mut larger_of_both)?;
    /// assert_eq!(larger_of_both.to_vec(), [5, 9]);
    /// # Ok::<(), windrow::Error>(())
    /// ```
    pub fn run<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl IntoArguments<K::Inputs<'i>>,
        outputs: impl IntoArguments<K::Outputs<'o>>,
    ) -> Result<(), RunError> {
        self.run_erased(scheduler, inputs.into_arguments(), outputs.into_arguments(), &self.plan.window)
    }

    /// Computes a sub-window, one that [`Window::split`] made of [`Configured::window`] or that keeps the same laws.
    pub fn run_window<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl IntoArguments<K::Inputs<'i>>,
        outputs: impl IntoArguments<K::Outputs<'o>>,
        window: &Window,
    ) -> Result<(), RunError> {
        self.run_erased(scheduler, inputs.into_arguments(), outputs.into_arguments(), window)
    }

    /// As [`Self::run_window`], with arguments whose types are known at run time.
    pub(crate) fn run_erased<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl Inputs<'i>,
        outputs: impl Outputs<'o>,
        window: &Window,
    ) -> Result<(), RunError> {
        run_plan(&self.plan, scheduler, inputs, outputs, window)
    }

    /// The kernel with its images, for a host that schedules its parts itself.
    pub fn bind<'a>(
        &'a self,
        inputs: impl IntoArguments<K::Inputs<'a>>,
        outputs: impl IntoArguments<K::Outputs<'a>>,
    ) -> Result<Bound<'a>, RunError> {
        Ok(Bound::new(&self.plan, bind(&self.plan, inputs.into_arguments(), outputs.into_arguments())?))
    }

    /// Computes the whole valid region with the author's own function, element by element.
    pub fn run_reference<'i, 'o>(
        &self,
        inputs: impl IntoArguments<K::Inputs<'i>>,
        outputs: impl IntoArguments<K::Outputs<'o>>,
    ) -> Result<(), RunError> {
        let job = bind(&self.plan, inputs.into_arguments(), outputs.into_arguments())?;
        reference(&self.plan, &job);
        Ok(())
    }
}

/// Computes the whole valid region with the author's own function.
fn reference(plan: &Plan, job: &Job<'_, '_>) {
    let plane = plan.valid.plane();
    let _floats = DefaultFloats::set_for(plan.spec());
    for_each_plane(plan, &plan.window, |at| {
        let mut point = job.point(plan, at);
        for y in plane.y0..plane.y1 {
            for x in plane.x0..plane.x1 {
                (point.x, point.y) = (x, y);
                coordinate::at(x as i32, y as i32, || (plan.code.reference)(&mut point));
            }
        }
    });
}

/// Computes `window`, which is the plan's own or one of its sub-windows.
pub(crate) fn run_plan<'i, 'o>(
    plan: &Plan,
    scheduler: &dyn Scheduler,
    inputs: impl Inputs<'i>,
    outputs: impl Outputs<'o>,
    window: &Window,
) -> Result<(), RunError> {
    let mut attached = Attached { plan, job: Job::empty() };
    bind_into(plan, inputs, outputs, &mut attached.job)?;
    let is_whole = core::ptr::eq(window, &plan.window) && !window.is_empty();
    if is_whole && is_alone(scheduler, &attached, window) {
        // SAFETY: the job is bound to this plan, whose whole window this is, and the outputs are borrowed until it returns.
        return caught(|| unsafe { run_window(plan, &attached.job, window) });
    }
    schedule_with_scratch(scheduler, &mut attached, window, &mut [])
}

/// A configured kernel with its images: a [`DynKernel`] of any [`Kernel`].
pub struct Bound<'a> {
    attached: Attached<'a, 'a, 'a>,
}

impl<'a> Bound<'a> {
    pub(crate) fn new(plan: &'a Plan, job: Job<'a, 'a>) -> Bound<'a> {
        Bound { attached: Attached { plan, job } }
    }
}

impl Plan {
    /// The kernel with its images, checked as every run checks them: for an executor that schedules its parts itself.
    ///
    /// # Errors
    /// A [`RunError`] that names the argument.
    pub fn bind<'a, 'i: 'a, 'o: 'a>(
        &'a self,
        inputs: impl Inputs<'i>,
        outputs: impl Outputs<'o>,
    ) -> Result<Bound<'a>, RunError> {
        Ok(Bound::new(self, bind(self, inputs, outputs)?))
    }
}

impl<'a> Bound<'a> {
    /// Computes the whole valid region with the author's own function.
    #[cfg(feature = "testing")]
    pub(crate) fn run_reference(&mut self) {
        reference(self.attached.plan, &self.attached.job);
    }

    /// The images read, `#[inout]` ones included, in argument order.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = &AnyView<'a>> {
        self.attached.job.read.views.iter()
    }

    /// Where each output lies, which is borrowed exclusively as long as this lives; `None` for one left out.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &Option<(NonNull<u8>, TensorInfo)>> {
        self.attached.job.written.places.iter()
    }

    /// The tables, in argument order.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = &AnyTable<'a>> {
        self.attached.job.read.tables.iter()
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
        // SAFETY: the caller's.
        unsafe { self.attached.run(window, thread) }
    }
}

/// A plan and a job of it.
struct Attached<'p, 'i, 'o> {
    plan: &'p Plan,
    job: Job<'i, 'o>,
}

/// Columns that a part has at least, where rows are cut: its edges cost as much as a vector each.
const COLUMNS: usize = 512;

/// Bytes that a thread reads and writes at least, where elements do not look at their neighbours: a core has done with
/// them in the time that another takes to wake.
const STREAMED: usize = 384 * 1024;

impl DynKernel for Attached<'_, '_, '_> {
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
        // SAFETY: the job is bound to this plan and borrows its outputs exclusively; the caller's windows are disjoint.
        unsafe { run_window(self.plan, &self.job, window) };
        Ok(())
    }
}

/// The arguments of a run, checked against its plan.
pub(crate) struct Job<'i, 'o> {
    /// The images read, `#[inout]` ones included, in argument order, and the tables.
    pub read: InputList<'i>,
    /// The images written; `None` for one left out.
    pub written: OutputList<'o>,
    /// Which of the images read are outputs too.
    pub in_place: [bool; MAX_ARGUMENTS],
    /// Which of them hold rows that wrap around where they would lie.
    pub unrolled: [bool; MAX_ARGUMENTS],
    /// The first entry of each table.
    pub pointers: List<*const u8>,
}

// SAFETY: a job holds its outputs exclusively, and parts of it that run at once touch disjoint elements (`run_window`).
unsafe impl Sync for Job<'_, '_> {}

impl<'i, 'o> Job<'i, 'o> {
    /// No arguments.
    fn empty() -> Job<'i, 'o> {
        Job {
            read: InputList::default(),
            written: OutputList::default(),
            in_place: [false; MAX_ARGUMENTS],
            unrolled: [false; MAX_ARGUMENTS],
            pointers: List::new(),
        }
    }

    /// A job whose arguments are known to fit its plan; `#[inout]` images are among the outputs.
    #[cfg(feature = "std")]
    pub fn new(
        plan: &Plan,
        read: InputList<'i>,
        unrolled: [bool; MAX_ARGUMENTS],
        written: OutputList<'o>,
    ) -> Job<'i, 'o> {
        let mut job = Job { read, written, unrolled, ..Job::empty() };
        for (index, (_, input)) in images(plan.spec()).enumerate() {
            let place = input.inout.and_then(|output| job.written.places.get(output as usize).copied().flatten());
            if let Some((base, info)) = place {
                // SAFETY: as in `bind_inputs`.
                job.read.views.insert(index, unsafe { AnyView::from_raw(base, info) });
                job.in_place[index] = true;
            }
        }
        job.read.tables.iter().for_each(|table| job.pointers.push(table.first));
        job
    }

    /// The first element of the plane `at`.
    fn point<'p>(&'p self, plan: &'p Plan, at: [usize; MAX_DIMENSIONS]) -> Point<'p> {
        let plane = |base: NonNull<u8>, info: &TensorInfo| {
            let (offset, info) = info.plane(&at).ok()?;
            // SAFETY: `offset` is that of an element.
            Some((unsafe { base.offset(offset) }, info))
        };
        let mut inputs = [None; MAX_ARGUMENTS];
        for ((input, view), (_, spec)) in inputs.iter_mut().zip(self.read.views.iter()).zip(images(plan.spec())) {
            // SAFETY: a plane of the view, which the job borrows.
            let view = plane(view.base(), view.info()).map(|(base, info)| unsafe { AnyView::from_raw(base, info) });
            *input = view.map(|view| (view, spec.stride));
        }
        let mut outputs = [const { None }; MAX_ARGUMENTS];
        for (output, place) in outputs.iter_mut().zip(self.written.places.iter()) {
            let plane = place.as_ref().and_then(|(base, info)| plane(*base, info));
            // SAFETY: a plane of the output, which the job borrows exclusively. An input in its place is read before it is written.
            *output = plane.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) });
        }
        let mut tables = [None; MAX_ARGUMENTS];
        tables.iter_mut().zip(self.read.tables.iter()).for_each(|(place, table)| *place = Some(*table));
        Point { inputs, outputs, tables, words: plan.words(), choice: plan.choice(), borders: plan.borders, x: 0, y: 0 }
    }
}

/// Checks the arguments against the plan, and takes their pointers.
pub(crate) fn bind<'i, 'o>(
    plan: &Plan,
    inputs: impl Inputs<'i>,
    outputs: impl Outputs<'o>,
) -> Result<Job<'i, 'o>, RunError> {
    let mut job = Job::empty();
    bind_into(plan, inputs, outputs, &mut job)?;
    Ok(job)
}

/// As [`bind`], in place: a job is some kilobytes, which take as long to move as a small image takes to compute.
fn bind_into<'i, 'o>(
    plan: &Plan,
    inputs: impl Inputs<'i>,
    outputs: impl Outputs<'o>,
    job: &mut Job<'i, 'o>,
) -> Result<(), RunError> {
    inputs.list(&mut job.read);
    outputs.list(&mut job.written);
    check_outputs(plan, &job.written.places)?;
    bind_inputs(plan, job)?;
    bind_tables(plan, job)?;
    find_overlaps(plan, job)
}

/// Outputs must be those configured, of their types and shape.
fn check_outputs(plan: &Plan, written: &List<Option<Place>>) -> Result<(), RunError> {
    let spec = plan.spec();
    check_output_count(spec, written.len())?;
    for ((output, place), &present) in spec.outputs.iter().zip(written.iter()).zip(&plan.present) {
        if place.is_some() != present {
            return Err(RunError::OutputPresence { argument: output.name, given: place.is_some() });
        }
        if let Some((_, info)) = place {
            check(output.name, info, (output.element, output.channels), plan.shape)?;
            check_disjoint(output.name, info)?;
        }
    }
    Ok(())
}

/// Images read must be of their types and of the shapes configured; an `#[inout]` one is its output.
fn bind_inputs(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    check_input_count(spec, job.read.views.len())?;
    let mut shapes = plan.inputs.iter();
    for (index, (argument, input)) in images(spec).enumerate() {
        if let Some(output) = input.inout {
            let Some(Some((base, info))) = job.written.places.get(output as usize) else {
                return Err(RunError::OutputPresence { argument, given: false });
            };
            // SAFETY: an element of it is read before it is written, by the part that writes it: `Rows` says how.
            job.read.views.insert(index, unsafe { AnyView::from_raw(*base, *info) });
            job.in_place[index] = true;
        } else if let (Some(view), Some(&shape)) = (job.read.views.get(index), shapes.next()) {
            check(argument, view.info(), (input.element, input.channels), shape)?;
        }
    }
    Ok(())
}

/// Tables must be of their types and lengths.
fn bind_tables(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    let (found, expected) = (job.read.tables.len(), tables(spec).count());
    if found != expected {
        return Err(RunError::TableCount { kernel: spec.name, found, expected });
    }
    for (table, (argument, element, length)) in job.read.tables.iter().zip(tables(spec)) {
        check_table(argument, table, element, length)?;
        job.pointers.push(table.first);
    }
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
    (dtype, channels): (impl Into<DType>, u32),
    expected: Shape,
) -> Result<(), RunError> {
    check_type(argument, info, dtype, channels)?;
    if !info.shape().same_extents(&expected) {
        return Err(RunError::Shape { argument, found: info.shape(), expected });
    }
    Ok(())
}

/// An output may share memory only with an image of which nothing but the element itself is read, and then all of it.
fn find_overlaps(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    for (index, output) in spec.outputs.iter().enumerate() {
        let Some(Some((base, info))) = job.written.places.get(index) else { continue };
        let overlaps = |other: *const u8, with: &TensorInfo| {
            share_memory(base.addr().get(), info.layout(), other.addr(), with.layout())
        };
        for (earlier, place) in spec.outputs.iter().zip(job.written.places.iter()).take(index) {
            if place.as_ref().is_some_and(|(base, info)| overlaps(base.as_ptr(), info)) {
                return Err(RunError::Overlap { output: output.name, other: earlier.name });
            }
        }
        let read = images(spec).zip(plan.body.reads).zip(job.read.views.iter());
        for (place, (((argument, input), reads), view)) in read.enumerate() {
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
    // Along one element there is no step.
    let steps = |d: usize| a.layout().inner_extent(d) <= 1 || a.inner_stride(d) == b.inner_stride(d);
    a.shape().same_extents(&b.shape()) && (0..MAX_DIMENSIONS).all(steps)
}
