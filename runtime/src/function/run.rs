//! A chain's run, stage after stage: each kernel over its whole window, on the scheduler's threads.

use core::ptr::NonNull;
use std::vec::Vec;

use super::{Chain, FunctionError, Stage, schedule_named};
use crate::{
    arguments::{AnyTable, InputList, Inputs, OutputList, Outputs},
    check::check_image,
    info::TensorInfo,
    job::bind,
    memory::{Acquired, Exhaustion, MemoryError},
    overlap::{Shared, find_shared},
    run::Bound,
    schedule::Scheduler,
    view::{AnyView, AnyViewMut},
};

impl Chain {
    /// Computes `outputs` from `inputs`. Where all memory for intermediates is in use, it waits or gives up, as asked.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        exhaustion: Exhaustion,
    ) -> Result<(), FunctionError> {
        let images = bind_images(self, inputs, outputs)?;
        let memory = self.memory.as_ref().map(|memory| memory.acquire(exhaustion)).transpose()?;
        self.stages.iter().try_for_each(|stage| self.run_stage(scheduler, stage, &images, memory.as_ref()))
    }

    fn run_stage(
        &self,
        scheduler: &dyn Scheduler,
        stage: &Stage,
        images: &Images<'_>,
        memory: Option<&Acquired<'_>>,
    ) -> Result<(), FunctionError> {
        let place = |slot: usize| self.place(slot, images, memory);
        let mut inputs = Vec::new();
        for &slot in &stage.inputs {
            let (base, info) = place(slot)?;
            // SAFETY: the slot lies in an image of the caller's or in the memory acquired, both borrowed until the stage has run.
            inputs.push(unsafe { AnyView::from_raw(base, info) });
        }
        let mut outputs = Vec::new();
        for slot in &stage.outputs {
            // SAFETY: as above, exclusively: the stages run one after another, and no slot that is needed shares memory with another.
            outputs.push(slot.map(place).transpose()?.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) }));
        }
        let (kernel, tables) = (stage.name(), stage.tables.list().collect());
        let plan = stage.prepared()?;
        let job = bind(plan, Read { views: inputs, tables }, Written { views: outputs });
        let job = job.map_err(|error| FunctionError::run(kernel, error))?;
        schedule_named(scheduler, kernel, &mut Bound::new(plan, job))
    }

    /// Where a slot lies in this run.
    fn place(
        &self,
        slot: usize,
        images: &Images<'_>,
        memory: Option<&Acquired<'_>>,
    ) -> Result<(NonNull<u8>, TensorInfo), FunctionError> {
        if let Some(image) = images.place(&self.slots[slot]) {
            return Ok(image);
        }
        let place = self.tensors[slot].zip(memory).map(|(tensor, memory)| memory.place(tensor));
        Ok(place.unwrap_or(Err(MemoryError::NotPopulated))?)
    }
}

/// The caller's images of a run, which fit the chain.
pub(crate) struct Images<'a> {
    inputs: Vec<AnyView<'a>>,
    outputs: Vec<(NonNull<u8>, TensorInfo)>,
}

impl Images<'_> {
    /// Where a slot lies that is the caller's.
    pub fn place(&self, slot: &super::Value) -> Option<(NonNull<u8>, TensorInfo)> {
        let input = slot.input.and_then(|index| self.inputs.get(index)).map(|view| (view.base(), *view.info()));
        input.or_else(|| slot.output.and_then(|index| self.outputs.get(index)).copied())
    }
}

/// Checks the caller's images: as many as the chain has, of its types and shapes, the outputs in memory of their own.
///
/// The outputs' pointers are taken: the caller holds their borrow as long as they are used.
pub(crate) fn bind_images<'a>(
    chain: &Chain,
    inputs: &[AnyView<'a>],
    outputs: &mut [AnyViewMut<'_>],
) -> Result<Images<'a>, FunctionError> {
    chain.check_prepared()?;
    for (outputs, found, expected) in [(false, inputs.len(), chain.inputs), (true, outputs.len(), chain.outputs.len())]
    {
        if found != expected {
            return Err(FunctionError::ImageCount { outputs, found, expected });
        }
    }
    for slot in &chain.slots {
        if let Some(index) = slot.input {
            fits(inputs[index].info(), &slot.info).map_err(|error| FunctionError::Image {
                output: false,
                index,
                error: error.into(),
            })?;
        }
        if let Some(index) = slot.output {
            fits(outputs[index].info(), &slot.info).map_err(|error| FunctionError::Image {
                output: true,
                index,
                error: error.into(),
            })?;
        }
    }
    let images =
        Images { inputs: inputs.to_vec(), outputs: outputs.iter().map(|view| (view.base(), *view.info())).collect() };
    find_overlaps(&images)?;
    Ok(images)
}

fn fits(found: &TensorInfo, expected: &TensorInfo) -> Result<(), crate::error::RunError> {
    check_image("image", found, (expected.element(), expected.channels()), expected.shape())
}

/// An output is in memory that no other image uses: stages read and write it at different times.
fn find_overlaps(images: &Images<'_>) -> Result<(), FunctionError> {
    let outputs: Vec<_> = images.outputs.iter().copied().map(Some).collect();
    match find_shared(&outputs, &images.inputs, |_, _| false) {
        None => Ok(()),
        Some((output, Shared::Input(other))) => Err(FunctionError::Overlap { output, other, with_output: false }),
        Some((output, Shared::Output(other))) => Err(FunctionError::Overlap { output, other, with_output: true }),
    }
}

/// What a stage reads.
struct Read<'a> {
    views: Vec<AnyView<'a>>,
    tables: Vec<AnyTable<'a>>,
}

/// What a stage writes.
struct Written<'a> {
    views: Vec<Option<AnyViewMut<'a>>>,
}

impl<'a> Inputs<'a> for Read<'a> {
    fn list(self, list: &mut InputList<'a>) {
        self.views.into_iter().for_each(|view| list.view(view));
        self.tables.into_iter().for_each(|table| list.tables.push(table));
    }
}

impl<'a> Outputs<'a> for Written<'a> {
    fn list(self, list: &mut OutputList<'a>) {
        self.views.into_iter().for_each(|view| list.view(view));
    }
}
