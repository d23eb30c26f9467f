//! Runs a [`Configured`] kernel: binds the arguments, checks them, and hands the window's parts to a scheduler.

use core::ptr::NonNull;

use crate::{
    arguments::{AnyTable, InputList, Inputs, IntoArguments, MAX_ARGUMENTS, OutputList, Outputs},
    code::{Kernel, KernelCode},
    configure::{Configured, KernelPlan},
    coordinate,
    element::ElementType,
    error::RunError,
    execute::run_window,
    float_environment::DefaultFloats,
    infer::images,
    info::{MAX_DIMENSIONS, TensorInfo},
    job::{Images, Job},
    kernel::{DynKernel, Splits, ThreadInfo},
    planes::Coordinates,
    point::Point,
    region::Rect,
    schedule::{GRAIN, Scheduler, caught, is_alone, schedule_window},
    stage::element_only,
    view::AnyView,
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
        self.plan.run(scheduler, inputs.into_arguments(), outputs.into_arguments())
    }

    /// Computes a sub-window, one that [`Window::split`] made of [`Configured::window`] or that keeps the same laws.
    pub fn run_window<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl IntoArguments<K::Inputs<'i>>,
        outputs: impl IntoArguments<K::Outputs<'o>>,
        window: &Window,
    ) -> Result<(), RunError> {
        self.plan.run_window(scheduler, inputs.into_arguments(), outputs.into_arguments(), window)
    }

    /// Returns the kernel with its images, for a host that schedules its parts itself.
    pub fn bind<'a>(
        &'a self,
        inputs: impl IntoArguments<K::Inputs<'a>>,
        outputs: impl IntoArguments<K::Outputs<'a>>,
    ) -> Result<Bound<'a>, RunError> {
        self.plan.bind(inputs.into_arguments(), outputs.into_arguments())
    }

    /// Computes the whole valid region with the author's own function, element by element.
    pub fn run_reference<'i, 'o>(
        &self,
        inputs: impl IntoArguments<K::Inputs<'i>>,
        outputs: impl IntoArguments<K::Outputs<'o>>,
    ) -> Result<(), RunError> {
        self.plan.bind(inputs.into_arguments(), outputs.into_arguments())?.run_reference();
        Ok(())
    }
}

/// Computes the whole valid region with the author's own function.
fn reference(plan: &KernelPlan, job: &Job<'_>) {
    for at in Coordinates::new(plan.valid.start, plan.valid.end, 2) {
        evaluate(plan.code, job.point(plan, at), plan.valid.plane());
    }
}

/// Computes `region` of the plane that `point` lies in with the author's own function, element by element.
#[doc(hidden)]
pub fn evaluate(code: &'static KernelCode, mut point: Point<'_>, region: Rect) {
    let _floats = DefaultFloats::set_for(code.spec);
    for y in region.y0..region.y1 {
        for x in region.x0..region.x1 {
            (point.x, point.y) = (x, y);
            coordinate::at(x as i32, y as i32, || (code.reference)(&mut point));
        }
    }
}

/// Computes the whole window of images that are listed already.
pub(crate) fn run_images(plan: &KernelPlan, scheduler: &dyn Scheduler, images: &Images<'_>) -> Result<(), RunError> {
    Attached { plan, job: images.job(plan) }.run_all(scheduler, images.read.len(), &plan.window)
}

/// A configured kernel with its images: a [`DynKernel`] of any [`Kernel`].
pub struct Bound<'a> {
    plan: &'a KernelPlan,
    images: Images<'a>,
    in_place: [bool; MAX_ARGUMENTS],
}

impl KernelPlan {
    /// Computes the whole window. The arguments are checked as every run checks them.
    ///
    /// # Errors
    /// A [`RunError`] that names the argument, or what stops the scheduler.
    pub fn run<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl Inputs<'i>,
        outputs: impl Outputs<'o>,
    ) -> Result<(), RunError> {
        self.run_window(scheduler, inputs, outputs, &self.window)
    }

    /// Computes a sub-window, as [`Configured::run_window`] does.
    ///
    /// # Errors
    /// As [`KernelPlan::run`].
    pub fn run_window<'i, 'o>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: impl Inputs<'i>,
        mut outputs: impl Outputs<'o>,
        window: &Window,
    ) -> Result<(), RunError> {
        let (mut read, mut written) = (InputList::default(), OutputList::default());
        inputs.list(&mut read);
        outputs.list(&mut written);
        let mut attached = Attached { plan: self, job: Job::new(&read.tables) };
        attached.job.written.fill(&written.places, |place| *place);
        attached.job.attach(self, read.views.iter().copied());
        attached.run_all(scheduler, read.views.len(), window)
    }

    /// Returns the kernel with its images, checked as every run checks them: for an executor that schedules its parts
    /// itself.
    ///
    /// # Errors
    /// A [`RunError`] that names the argument.
    pub fn bind<'a, 'i: 'a, 'o: 'a>(
        &'a self,
        inputs: impl Inputs<'i>,
        mut outputs: impl Outputs<'o>,
    ) -> Result<Bound<'a>, RunError> {
        let (mut read, mut written) = (InputList::default(), OutputList::default());
        inputs.list(&mut read);
        outputs.list(&mut written);
        let (read, tables) = (read.views.map(|view| **view), read.tables.map(|table| *table));
        Bound::new(self, Images { read, tables, written: written.places.map(|place| place.copied()) })
    }
}

impl<'a> Bound<'a> {
    /// Checks the images against the plan.
    pub(crate) fn new(plan: &'a KernelPlan, images: Images<'a>) -> Result<Bound<'a>, RunError> {
        let mut job = images.job(plan);
        job.check(plan, images.read.len())?;
        let in_place = job.in_place;
        Ok(Bound { plan, images, in_place })
    }

    /// Computes the whole valid region with the author's own function, element by element.
    pub fn run_reference(&mut self) {
        reference(self.plan, &self.job());
    }

    /// Computes elements of the valid region in the order of memory with the author's own function, as long as `goes_on` says, which is
    /// asked once a row at least; returns how many.
    #[doc(hidden)]
    pub fn run_reference_while(&mut self, goes_on: &mut dyn FnMut() -> bool) -> usize {
        let (plan, job) = (self.plan, self.job());
        let (mut computed, mut most) = (0, 1);
        for at in Coordinates::new(plan.valid.start, plan.valid.end, 2) {
            let Rect { x0, y0, x1, y1 } = plan.valid.plane();
            for y in y0..y1 {
                let mut x = x0;
                while x < x1 {
                    let end = x1.min(x + most);
                    evaluate(plan.code, job.point(plan, at), Rect::new(x, y, end, y + 1));
                    computed += end - x;
                    (x, most) = (end, 2 * most);
                    if !goes_on() {
                        return computed;
                    }
                }
                most = most.min(x1 - x0);
            }
        }
        computed
    }

    /// Returns the images read, `#[inout]` ones included, in argument order.
    pub fn inputs(&self) -> impl Iterator<Item = &AnyView<'a>> {
        let mut read = self.images.read.iter();
        images(self.plan.spec()).filter_map(move |(_, input)| match input.inout {
            Some(output) => self.images.written.get(output as usize)?.as_ref(),
            None => read.next(),
        })
    }

    /// Returns where each output lies, which is borrowed exclusively as long as this lives; `None` for one left out.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = Option<(NonNull<u8>, TensorInfo)>> {
        self.images.written.iter().map(|place| place.map(|view| (view.base(), *view.info())))
    }

    /// Returns the tables, in argument order.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = &AnyTable<'a>> {
        self.images.tables.iter()
    }

    fn job(&self) -> Job<'_> {
        let mut job = self.images.job(self.plan);
        job.in_place = self.in_place;
        job
    }
}

impl DynKernel for Bound<'_> {
    fn name(&self) -> &str {
        self.plan.spec().name
    }

    fn window(&self) -> Window {
        self.plan.window
    }

    fn splits(&self) -> Splits {
        splits(self.plan)
    }

    fn grains(&self) -> usize {
        grains(self.plan)
    }

    fn scratch_per_thread(&self) -> usize {
        self.plan.packing.bytes
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the images were checked against this plan and the outputs are borrowed exclusively; the caller's windows are
        // disjoint.
        unsafe { run_window(self.plan, &self.job(), window, thread.scratch) };
        Ok(())
    }
}

/// A plan and a job of it.
struct Attached<'p, 'j> {
    plan: &'p KernelPlan,
    job: Job<'j>,
}

impl Attached<'_, '_> {
    /// Checks the arguments, `given` images to read among them, and computes `window`.
    fn run_all(&mut self, scheduler: &dyn Scheduler, given: usize, window: &Window) -> Result<(), RunError> {
        self.job.check(self.plan, given)?;
        let is_whole = core::ptr::eq(window, &self.plan.window) && !window.is_empty();
        if is_whole && self.scratch_per_thread() == 0 && is_alone(scheduler, self, window) {
            // SAFETY: the job is bound to this plan, whose whole window this is, and the outputs are borrowed until it returns.
            return caught(|| unsafe { run_window(self.plan, &self.job, window, &mut []) });
        }
        schedule_window(scheduler, self, window)
    }
}

/// Columns that a part has at least, where rows are cut: its edges cost as much as a vector each.
const COLUMNS: usize = 512;

/// Bytes that a thread reads and writes at least, where elements look at nothing else: a core has done with
/// them in the time that another takes to wake.
const STREAMED: usize = 384 * 1024;

/// Where a run of `plan` may be cut.
fn splits(plan: &KernelPlan) -> Splits {
    let (body, step) = (plan.body, plan.spec().step);
    let columns = COLUMNS.max(4 * body.lanes as usize).div_ceil(step.0.max(1) as usize);
    let rows = body.rows.div_ceil(step.1.max(1)) as usize;
    (2..MAX_DIMENSIONS).fold(Splits::NONE.along(0, columns).along(1, rows), |splits, d| splits.along(d, 1))
}

/// The grains of a part of `plan`, at least.
fn grains(plan: &KernelPlan) -> usize {
    let (spec, body) = (plan.spec(), plan.body);
    if body.carries_rows {
        // What is carried from row to row would be begun anew in each part of a plane.
        return (plan.shape.width() * plan.shape.height()).div_ceil(GRAIN);
    }
    if !body.reads.iter().all(element_only) || plan.reads_anywhere() {
        return 1;
    }
    let size = |element: ElementType, channels: u32| element.size() * channels as usize;
    let read: usize = images(spec).map(|(_, input)| size(input.element, input.channels)).sum();
    let written: usize = spec.outputs.iter().map(|output| size(output.element, output.channels)).sum();
    (STREAMED / (read + written).max(1)).div_ceil(GRAIN)
}

impl DynKernel for Attached<'_, '_> {
    fn name(&self) -> &str {
        self.plan.spec().name
    }

    fn window(&self) -> Window {
        self.plan.window
    }

    fn splits(&self) -> Splits {
        splits(self.plan)
    }

    fn grains(&self) -> usize {
        grains(self.plan)
    }

    /// Without a heap nothing is packed.
    fn scratch_per_thread(&self) -> usize {
        if cfg!(feature = "std") { self.plan.packing.bytes } else { 0 }
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the job is bound to this plan and borrows its outputs exclusively; the caller's windows are disjoint.
        unsafe { run_window(self.plan, &self.job, window, thread.scratch) };
        Ok(())
    }
}
