//! The arguments of a run, bound to its plan: each of its type and shape, the outputs in memory of their own.

use core::ptr::NonNull;

use crate::{
    arguments::{InputList, Inputs, OutputList, Outputs, Place},
    check::{check_image, check_input_count, check_output_count, check_table},
    configure::Plan,
    error::RunError,
    info::TensorInfo,
    limits::{MAX_ARGUMENTS, MAX_DIMENSIONS},
    list::List,
    overlap::{Shared, find_shared},
    planes::broadcast_place,
    point::Point,
    stage::element_only,
    view::{AnyView, AnyViewMut},
};

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
    pub fn empty() -> Job<'i, 'o> {
        Job {
            read: InputList::default(),
            written: OutputList::default(),
            in_place: [false; MAX_ARGUMENTS],
            unrolled: [false; MAX_ARGUMENTS],
            pointers: List::new(),
        }
    }

    /// A job whose arguments are known to fit its plan.
    #[cfg(feature = "std")]
    pub fn new(read: InputList<'i>, unrolled: [bool; MAX_ARGUMENTS], written: OutputList<'o>) -> Job<'i, 'o> {
        let mut job = Job { read, written, unrolled, ..Job::empty() };
        job.read.tables.iter().for_each(|table| job.pointers.push(table.first));
        job
    }

    /// The first element of the plane `at`.
    pub fn point<'p>(&'p self, plan: &'p Plan, at: [usize; MAX_DIMENSIONS]) -> Point<'p> {
        let plane = |base: NonNull<u8>, info: &TensorInfo| {
            let extents = [info.width(), info.height(), 1, 1, 1, 1];
            let (offset, info) = info.region(&broadcast_place(info, at), &extents).ok()?;
            // SAFETY: `offset` is that of an element.
            Some((unsafe { base.add(offset) }, info))
        };
        let mut inputs = [None; MAX_ARGUMENTS];
        for ((input, view), (_, spec)) in inputs.iter_mut().zip(self.read.views.iter()).zip(plan.spec().images()) {
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
pub(crate) fn bind_into<'i, 'o>(
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
            check_image(output.name, info, (output.element, output.channels), plan.shape)?;
        }
    }
    Ok(())
}

/// Images read must be of their types and of the shapes configured; an `#[inout]` one is its output.
fn bind_inputs(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    check_input_count(spec, job.read.views.len())?;
    let mut shapes = plan.inputs.iter();
    for (index, (argument, input)) in spec.images().enumerate() {
        if let Some(output) = input.inout {
            let Some(Some((base, info))) = job.written.places.get(output as usize) else {
                return Err(RunError::OutputPresence { argument, given: false });
            };
            // SAFETY: an element of it is read before it is written, by the part that writes it: `Rows` says how.
            job.read.views.insert(index, unsafe { AnyView::from_raw(*base, *info) });
            job.in_place[index] = true;
        } else if let (Some(view), Some(&shape)) = (job.read.views.get(index), shapes.next()) {
            check_image(argument, view.info(), (input.element, input.channels), shape)?;
        }
    }
    Ok(())
}

/// Tables must be of their types and lengths.
fn bind_tables(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    let (found, expected) = (job.read.tables.len(), spec.tables().count());
    if found != expected {
        return Err(RunError::TableCount { kernel: spec.name, found, expected });
    }
    for (table, (argument, element, length)) in job.read.tables.iter().zip(spec.tables()) {
        check_table(argument, table, element, length)?;
        job.pointers.push(table.first);
    }
    Ok(())
}

/// An output may share memory only with an image of which nothing but the element itself is read, and then all of it.
fn find_overlaps(plan: &Plan, job: &mut Job<'_, '_>) -> Result<(), RunError> {
    let spec = plan.spec();
    let Job { read, written, in_place, .. } = job;
    let (outputs, views) = (written.places.as_slice(), read.views.as_slice());
    let may = |output: usize, place: usize| {
        let (Some((_, input)), Some(reads)) = (spec.images().nth(place), plan.body.reads.get(place)) else {
            return false;
        };
        if input.inout == Some(output as u32) {
            return true;
        }
        let same = outputs[output].is_some_and(|(base, info)| {
            let view = &views[place];
            view.as_ptr() == base.as_ptr().cast_const() && same_elements(view.info(), &info)
        });
        in_place[place] |= input.is_element_wise() && element_only(reads) && same;
        in_place[place]
    };
    let found = find_shared(outputs, views, may);
    found.map_or(Ok(()), |(output, shared)| {
        let other = match shared {
            Shared::Output(earlier) => spec.outputs[earlier].name,
            Shared::Input(place) => spec.images().nth(place).map_or("", |(argument, _)| argument),
        };
        Err(RunError::Overlap { output: spec.outputs[output].name, other })
    })
}

/// Whether the elements of both lie at the same places.
fn same_elements(a: &TensorInfo, b: &TensorInfo) -> bool {
    let places = |info: &TensorInfo| (0..MAX_DIMENSIONS).all(|d| a.stride(d) == info.stride(d));
    a.shape() == b.shape() && places(b)
}
