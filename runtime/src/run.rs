//! Runs a [`Configured`] kernel: binds the arguments, checks them, and hands the window's parts to a scheduler.

use core::ptr::NonNull;

use crate::{
    arguments::{AnyTable, Inputs, Outputs},
    code::Kernel,
    configure::{Configured, Plan},
    coordinate,
    element::ElementType,
    error::RunError,
    execute::run_window,
    float_environment::DefaultFloats,
    info::TensorInfo,
    job::{Job, bind, bind_into},
    kernel::{DynKernel, Splits, ThreadInfo},
    limits::MAX_DIMENSIONS,
    schedule::{GRAIN, Scheduler, caught, is_alone, schedule_with_scratch},
    stage::element_only,
    view::AnyView,
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
        let is_whole = core::ptr::eq(window, &self.plan.window) && !window.is_empty();
        if is_whole && is_alone(scheduler, &attached, window) {
            // SAFETY: the job is bound to this plan, whose whole window this is, and borrows the outputs exclusively.
            return caught(|| unsafe { run_window(&self.plan, &attached.job, window) });
        }
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
        let _floats = DefaultFloats::set_for(plan.spec());
        for at in plan.planes(&plan.window) {
            let mut point = job.point(plan, at);
            for y in plane.y0..plane.y1 {
                for x in plane.x0..plane.x1 {
                    (point.x, point.y) = (x, y);
                    coordinate::at(x as i32, y as i32, || (plan.code.reference)(&mut point));
                }
            }
        }
        Ok(())
    }
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
        let read: usize = spec.images().map(|(_, input)| size(input.element, input.channels)).sum();
        let written: usize = spec.outputs.iter().map(|output| size(output.element, output.channels)).sum();
        (STREAMED / (read + written).max(1)).div_ceil(GRAIN)
    }

    unsafe fn run(&self, window: &Window, _thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        // SAFETY: the job is bound to this plan and borrows its outputs exclusively; the caller's windows are disjoint.
        unsafe { run_window(self.plan, &self.job, window) };
        Ok(())
    }
}
