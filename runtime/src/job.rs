//! The arguments of a run, bound to its plan: where the images lie, checked once for all parts.

use crate::{
    arguments::{AnyTable, MAX_ARGUMENTS},
    configure::KernelPlan,
    dtype::DType,
    element::ElementType,
    error::RunError,
    infer::{check_disjoint, check_input_count, check_output_count, check_type, check_whole, element_wise, images},
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    list::List,
    point::Point,
    stage::element_only,
    validate::tables,
    view::{AnyView, AnyViewMut},
};

/// The arguments of one run, in the places from which a [`Job`] takes them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Images<'a> {
    /// The images read, in argument order, `#[inout]` ones left out.
    pub read: List<AnyView<'a>>,
    pub tables: List<AnyTable<'a>>,
    /// The images written, which are borrowed exclusively; `None` for one left out.
    pub written: List<Option<AnyView<'a>>>,
}

impl<'a> Images<'a> {
    /// Appends an image that is written; `None` for one left out.
    pub fn write(&mut self, view: Option<AnyViewMut<'a>>) {
        self.written.push(view.map(AnyViewMut::into_place));
    }

    /// Returns the job of these arguments, which fit the plan or are still to be checked.
    pub fn job<'j>(&'j self, plan: &KernelPlan) -> Job<'j> {
        let mut job = Job::new(&self.tables);
        job.written.fill(&self.written, Option::as_ref);
        job.attach(plan, self.read.iter());
        job
    }
}

/// The arguments of a run where they lie, in the order of its plan.
pub(crate) struct Job<'j> {
    /// The images read, `#[inout]` ones included, in argument order.
    pub read: List<&'j AnyView<'j>>,
    /// The images written, which are borrowed exclusively; `None` for one left out.
    pub written: List<Option<&'j AnyView<'j>>>,
    /// Which of the images read are outputs too.
    pub in_place: [bool; MAX_ARGUMENTS],
    /// Which of them hold rows that wrap around where they would lie.
    pub unrolled: [bool; MAX_ARGUMENTS],
    /// The first entry of each table.
    pub pointers: List<*const u8>,
    tables: &'j List<AnyTable<'j>>,
}

// SAFETY: a job holds its outputs exclusively, and parts of it that run at once touch disjoint elements (`run_window`).
unsafe impl Sync for Job<'_> {}

impl<'j> Job<'j> {
    /// Returns a job with these tables, and without images.
    pub fn new(tables: &'j List<AnyTable<'j>>) -> Job<'j> {
        let (in_place, unrolled) = ([false; MAX_ARGUMENTS], [false; MAX_ARGUMENTS]);
        let pointers = tables.map(|table| table.first);
        Job { read: List::new(), written: List::new(), in_place, unrolled, pointers, tables }
    }

    /// Takes the images read, `#[inout]` ones left out, after those written.
    #[inline]
    pub fn attach(&mut self, plan: &KernelPlan, mut read: impl Iterator<Item = &'j AnyView<'j>>) {
        for (index, (_, input)) in images(plan.spec()).enumerate() {
            // An element of an `#[inout]` image is read before it is written, by the part that writes it: `Rows` says how.
            let view = match input.inout {
                Some(output) => self.written.get(output as usize).copied().flatten(),
                None => read.next(),
            };
            let Some(view) = view else { return };
            self.in_place[index] = input.inout.is_some();
            self.read.push(view);
        }
    }

    /// Returns the images of which rows are read, in argument order.
    pub fn rows(&self, plan: &KernelPlan) -> impl Iterator<Item = &'j AnyView<'j>> {
        self.read.iter().enumerate().filter(|(image, _)| !plan.is_whole(*image)).map(|(_, view)| *view)
    }

    /// Returns the images that are read anywhere, in argument order, each with its place among all.
    pub fn whole(&self, plan: &KernelPlan) -> impl Iterator<Item = (usize, &'j AnyView<'j>)> {
        let read = if plan.reads_anywhere() { self.read.as_slice() } else { &[] };
        read.iter().copied().enumerate().filter(|(image, _)| plan.is_whole(*image))
    }

    /// Checks the arguments against the plan. `given` images to read were given, `#[inout]` ones left out.
    pub fn check(&mut self, plan: &KernelPlan, given: usize) -> Result<(), RunError> {
        self.check_outputs(plan)?;
        self.check_inputs(plan, given)?;
        self.check_tables(plan)?;
        self.find_overlaps(plan)
    }

    /// Outputs must be those configured, of their types and shape.
    fn check_outputs(&self, plan: &KernelPlan) -> Result<(), RunError> {
        check_output_count(plan.spec(), self.written.len())?;
        for ((output, place), &present) in plan.spec().outputs.iter().zip(self.written.iter()).zip(&plan.present) {
            if place.is_some() != present {
                return Err(RunError::OutputPresence { argument: output.name, given: place.is_some() });
            }
            if let Some(view) = place {
                check(output.name, view.info(), (output.element, output.channels), &plan.shape)?;
                check_disjoint(output.name, view.info())?;
            }
        }
        Ok(())
    }

    /// Images read must be those configured; an `#[inout]` one is its output.
    fn check_inputs(&self, plan: &KernelPlan, given: usize) -> Result<(), RunError> {
        check_input_count(plan.spec(), given)?;
        match images(plan.spec()).nth(self.read.len()) {
            Some((argument, _)) => Err(RunError::OutputPresence { argument, given: false }),
            None => check_read(plan, self.read.iter().map(|view| view.info())),
        }
    }

    /// Tables must be of their types and lengths.
    fn check_tables(&self, plan: &KernelPlan) -> Result<(), RunError> {
        let spec = plan.spec();
        let (found, expected) = (self.tables.len(), tables(spec).count());
        if found != expected {
            return Err(RunError::TableCount { kernel: spec.name, found, expected });
        }
        let mut given = tables(spec).zip(self.tables.iter());
        given.try_for_each(|((argument, element, length), table)| check_table(argument, table, element, length))
    }

    /// An output may share memory only with an image of which nothing but the element itself is read, and then all of it.
    fn find_overlaps(&mut self, plan: &KernelPlan) -> Result<(), RunError> {
        for index in 0..self.written.as_slice().len() {
            let Some(Some(output)) = self.written.get(index).copied() else { continue };
            // Most tensors lie apart.
            let is_apart = |other: &&AnyView<'_>| core::ptr::eq(*other, output) || !output.shares_memory(other);
            let mut earlier = self.written.iter().take(index).flatten();
            if !(earlier.all(is_apart) && self.read.iter().all(is_apart)) {
                self.check_overlaps(plan, index, output)?;
            }
        }
        Ok(())
    }

    /// The same for output `index`, which shares memory with some other image.
    #[cold]
    fn check_overlaps(&mut self, plan: &KernelPlan, index: usize, output: &AnyView<'_>) -> Result<(), RunError> {
        let spec = plan.spec();
        let named = spec.outputs.iter().zip(self.written.iter()).take(index);
        for (earlier, place) in named {
            if place.is_some_and(|other| output.shares_memory(other)) {
                return Err(RunError::Overlap { output: spec.outputs[index].name, other: earlier.name });
            }
        }
        let read = images(spec).zip(plan.body.reads).zip(self.read.iter());
        for (place, (((argument, input), reads), view)) in read.enumerate() {
            if input.inout == Some(index as u32) || !output.shares_memory(view) {
                continue;
            }
            let same = view.as_ptr() == output.as_ptr() && same_elements(view.info(), output.info());
            if !(element_wise(input) && element_only(reads) && same) {
                return Err(RunError::Overlap { output: spec.outputs[index].name, other: argument });
            }
            self.in_place[place] = true;
        }
        Ok(())
    }

    /// Returns the first element of the plane `at`.
    pub fn point<'p>(&'p self, plan: &'p KernelPlan, at: [usize; MAX_DIMENSIONS]) -> Point<'p> {
        let plane = |view: &AnyView<'_>| {
            let (offset, info) = view.info().plane(&at).ok()?;
            // SAFETY: `offset` is that of an element.
            Some((unsafe { view.base().offset(offset) }, info))
        };
        let mut inputs = [None; MAX_ARGUMENTS];
        for ((input, view), (_, spec)) in inputs.iter_mut().zip(self.read.iter()).zip(images(plan.spec())) {
            let place = if spec.tensor_rank().is_some() { Some((view.base(), *view.info())) } else { plane(view) };
            // SAFETY: the view or a plane of it, which the job borrows.
            *input = place.map(|(base, info)| (unsafe { AnyView::from_raw(base, info) }, spec.stride()));
        }
        let mut outputs = [const { None }; MAX_ARGUMENTS];
        for (output, place) in outputs.iter_mut().zip(self.written.iter()) {
            // SAFETY: a plane of the output, which the job borrows exclusively. An input in its place is read before it is written.
            *output = place.and_then(plane).map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) });
        }
        let mut tables = [None; MAX_ARGUMENTS];
        tables.iter_mut().zip(self.tables.iter()).for_each(|(place, table)| *place = Some(*table));
        Point::new(inputs, outputs, tables, (plan.words(), plan.choice()), plan.borders).in_plane(at)
    }
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

/// Images read, `#[inout]` ones included, must be of their types and of the shapes configured, and those that are read anywhere
/// within reach.
pub(crate) fn check_read<'i>(plan: &KernelPlan, read: impl Iterator<Item = &'i TensorInfo>) -> Result<(), RunError> {
    let mut shapes = plan.inputs.iter();
    for ((argument, input), info) in images(plan.spec()).zip(read) {
        // What is computed in place has the outputs' shape.
        let shape = if input.inout.is_some() { None } else { shapes.next() };
        check(argument, info, (input.element, input.channels), shape.unwrap_or(&plan.shape))?;
        if input.is_whole() {
            check_whole(argument, input, info)?;
        }
    }
    Ok(())
}

/// An image must be of this type and shape, which is not empty, and mean the numbers that it holds.
#[inline]
pub(crate) fn check(
    argument: &'static str,
    info: &TensorInfo,
    (dtype, channels): (impl Into<DType>, u32),
    expected: &Shape,
) -> Result<(), RunError> {
    let dtype = dtype.into();
    if info.is_plain(dtype, channels) && info.shape().same_extents(expected) {
        return Ok(());
    }
    refuse(argument, info, (dtype, channels), expected)
}

#[cold]
fn refuse(
    argument: &'static str,
    info: &TensorInfo,
    (dtype, channels): (DType, u32),
    expected: &Shape,
) -> Result<(), RunError> {
    check_type(argument, info, dtype, channels)?;
    Err(RunError::Shape { argument, found: info.shape(), expected: *expected })
}

/// Whether the elements of both lie at the same places.
fn same_elements(a: &TensorInfo, b: &TensorInfo) -> bool {
    // Along one element there is no step.
    let steps = |d: usize| a.layout().inner_extent(d) <= 1 || a.inner_stride(d) == b.inner_stride(d);
    a.shape().same_extents(&b.shape()) && (0..MAX_DIMENSIONS).all(steps)
}
