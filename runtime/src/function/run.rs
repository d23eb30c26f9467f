//! A chain's run, stage after stage: each operator over its whole window, on the scheduler's threads.

use core::{marker::PhantomData, ptr::NonNull};
use std::vec::Vec;

use super::{
    chain::{Chain, Planned},
    error::FunctionError,
    images::{Images, bind_images},
    operator::Arguments,
    stage::Stage,
    value::Place,
};
use crate::{
    arguments::AnyTable,
    configure::KernelPlan,
    copy::copy_tensor,
    error::RunError,
    info::{MAX_DIMENSIONS, TensorInfo},
    kernel::DynKernel,
    memory::{Acquired, MemoryError, MemoryGroup},
    run::Bound,
    schedule::{AtMost, Scheduler, schedule, schedule_with_scratch},
    view::{AnyView, AnyViewMut},
};

impl Chain {
    /// Computes `outputs` from `inputs`. Where all memory for intermediates is in use, it waits.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.begin(inputs, outputs)?.stages(scheduler)
    }

    /// Runs the chain if its memory is free, without waiting for it.
    ///
    /// # Errors
    /// As [`Chain::run`]; [`MemoryError::Exhausted`] where all memory for intermediates is in use.
    pub fn try_run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.begin_with(inputs, outputs, MemoryGroup::try_acquire)?.stages(scheduler)
    }

    /// Begins a run whose stages an executor runs one by one, some of them elsewhere.
    ///
    /// # Errors
    /// As [`Chain::run`].
    pub fn begin<'a>(
        &'a self,
        inputs: &'a [AnyView<'a>],
        outputs: &'a mut [AnyViewMut<'_>],
    ) -> Result<ChainRun<'a>, FunctionError> {
        self.begin_with(inputs, outputs, MemoryGroup::acquire)
    }

    fn begin_with<'a>(
        &'a self,
        inputs: &'a [AnyView<'a>],
        outputs: &'a mut [AnyViewMut<'_>],
        acquire: fn(&MemoryGroup) -> Result<Acquired<'_>, MemoryError>,
    ) -> Result<ChainRun<'a>, FunctionError> {
        let images = bind_images(self, inputs, outputs)?;
        let memory = self.memory.as_ref();
        let memory = memory.map(|memory| Ok::<_, MemoryError>((memory, acquire(&memory.group)?)));
        Ok(ChainRun { chain: self, images, memory: memory.transpose()?, outputs: PhantomData })
    }
}

/// One run of a chain: its images, and the memory of its intermediates.
pub struct ChainRun<'a> {
    chain: &'a Chain,
    images: Images<'a>,
    memory: Option<(&'a Planned, Acquired<'a>)>,
    /// The outputs, whose pointers are in `images`.
    outputs: PhantomData<&'a mut [u8]>,
}

impl ChainRun<'_> {
    /// Computes every stage.
    fn stages(&mut self, scheduler: &dyn Scheduler) -> Result<(), FunctionError> {
        (0..self.chain.stages.len()).try_for_each(|stage| self.stage(scheduler, stage))
    }

    /// Returns a value, to read. One that no stage has written yet holds what its memory held before.
    ///
    /// # Errors
    /// [`FunctionError::Memory`] where it has no memory on the processor.
    pub fn value(&self, value: usize) -> Result<AnyView<'_>, FunctionError> {
        let (base, info) = self.place(value)?;
        // SAFETY: the value lies in an image of the caller's or in the memory acquired; nothing runs while it is borrowed.
        Ok(unsafe { AnyView::from_raw(base, info) })
    }

    /// Returns a value that a stage writes, to write it as that stage would: by an executor that runs the stage
    /// elsewhere.
    ///
    /// # Errors
    /// As [`ChainRun::value`]; [`FunctionError::Output`] for an input of the chain.
    pub fn value_mut(&mut self, value: usize) -> Result<AnyViewMut<'_>, FunctionError> {
        if self.chain.values[self.chain.root(value)].input.is_some() {
            return Err(FunctionError::Output { value, rule: "it is an input of the chain: nothing writes it" });
        }
        let (base, info) = self.place(value)?;
        // SAFETY: as above, exclusively: this run alone has the memory.
        Ok(unsafe { AnyViewMut::from_raw(base, info) })
    }

    /// Runs a stage on the processor. Those before it must have been run, wherever.
    ///
    /// # Errors
    /// What the stage's code says.
    pub fn stage(&mut self, scheduler: &dyn Scheduler, index: usize) -> Result<(), FunctionError> {
        let stage = &self.chain.stages[index];
        self.copy_in_place(stage)?;
        let mut arguments = Arguments { constants: stage.constants(self.chain.constant_block()), ..Default::default() };
        for (_, value) in stage.wiring.bound_images() {
            let (base, info) = self.place(value)?;
            // SAFETY: the value lies in an image of the caller's or in the memory acquired, both borrowed until the stage has run.
            arguments.images.read.push(unsafe { AnyView::from_raw(base, info) });
        }
        for value in &stage.wiring.outputs {
            let place = value.map(|value| self.place(value)).transpose()?;
            // SAFETY: as above, exclusively: the stages run one after another, and no value that is needed shares memory with another.
            arguments.images.write(place.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) }));
        }
        for table in stage.wiring.all_tables(|edge, value| self.table(stage, &edge.spec.name, value)) {
            arguments.images.tables.push(table?);
        }
        // SAFETY: they are this stage's, which is bound once.
        let [workspace, scratch] = unsafe { self.own_memory(index) }?;
        arguments.workspace = workspace;
        let mut run = |kernel: &mut dyn DynKernel| self.schedule(scheduler, kernel, &mut *scratch);
        let computed = stage.with_uniforms(|edge| self.table(stage, &edge.need.name, edge.value))?;
        let compiled = computed.as_deref().unwrap_or(&*stage.compiled);
        // SAFETY: the values have the types and shapes that the stage was lowered for, and memory of their own, save those that
        // are computed in place.
        unsafe { compiled.bind(arguments, &mut run) }.map_err(|error| FunctionError::run(stage.name(), error))
    }

    /// Runs a stage's kernel in the scratch that was planned for it, on the threads that it was planned for.
    fn schedule(
        &self,
        scheduler: &dyn Scheduler,
        kernel: &mut dyn DynKernel,
        scratch: &mut [u8],
    ) -> Result<(), RunError> {
        let window = kernel.window();
        match &self.memory {
            Some((planned, _)) if kernel.scratch_per_thread() > 0 => {
                let scheduler = AtMost { scheduler, threads: planned.threads };
                schedule_with_scratch(&scheduler, kernel, &window, scratch)
            }
            Some(_) => schedule_with_scratch(scheduler, kernel, &window, &mut []),
            // The executor has memory of its own.
            None => schedule(scheduler, kernel),
        }
    }

    /// Binds a generated kernel to its images, for an executor that runs it in parts.
    ///
    /// # Errors
    /// As [`ChainRun::stage`]; [`FunctionError::Refused`] where it is not a generated kernel.
    pub fn with_bound(
        &mut self,
        index: usize,
        run: &mut dyn FnMut(&KernelPlan, &mut Bound<'_>) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        let stage = &self.chain.stages[index];
        self.copy_in_place(stage)?;
        let mut read = Vec::new();
        for (_, value) in stage.wiring.bound_images() {
            read.push(self.value(value)?);
        }
        let mut written = Vec::new();
        for value in stage.outputs() {
            let place = value.map(|value| self.place(value)).transpose()?;
            // SAFETY: as in `stage`.
            written.push(place.map(|(base, info)| unsafe { AnyViewMut::from_raw(base, info) }));
        }
        let tables = stage.wiring.all_tables(|edge, value| self.table(stage, &edge.spec.name, value));
        let tables = tables.collect::<Result<Vec<_>, _>>()?;
        run(stage.prepared()?, &mut stage.bind_with(&read, &tables, written)?)
    }

    /// Brings the elements that are computed in place to where they are, where that is elsewhere. What is not computed stays as it is.
    fn copy_in_place(&self, stage: &Stage) -> Result<(), FunctionError> {
        for (output, value) in stage.wiring.outputs.iter().enumerate() {
            let (Some(value), Some(from)) = (*value, stage.wiring.in_place_of(output)) else { continue };
            let region = self.chain.values[value].info.valid_region();
            let (mut start, mut extents, mut rank) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS], 0);
            for range in region.ranges() {
                (start[rank], extents[rank]) = (range.start, range.len());
                rank += 1;
            }
            let computed =
                |value| seen(self.place(value)?, value, |info| info.region(&start[..rank], &extents[..rank]));
            let (from, to) = (computed(from)?, computed(value)?);
            if from.0 != to.0 {
                // SAFETY: both are tensors of one shape, which share no memory as their addresses differ.
                unsafe { copy_tensor((from.0, &from.1), (to.0, &to.1)) };
            }
        }
        Ok(())
    }

    /// The elements of a value as a table.
    fn table(&self, stage: &Stage, argument: &str, value: usize) -> Result<AnyTable<'_>, FunctionError> {
        // SAFETY: the value lies in memory that is borrowed as long as this run.
        unsafe { stage.table(argument, value, self.place(value)?) }
    }

    /// The workspace of a stage, and its threads' scratch.
    ///
    /// # Safety
    /// Nothing else holds them while these are used.
    unsafe fn own_memory<'w>(&self, stage: usize) -> Result<[&'w mut [u8]; 2], FunctionError> {
        let mut own: [&mut [u8]; 2] = Default::default();
        let Some((planned, acquired)) = &self.memory else { return Ok(own) };
        for (own, tensor) in own.iter_mut().zip(planned.workspaces[stage]) {
            let Some(tensor) = tensor else { continue };
            let (base, info) = acquired.place(tensor)?;
            // SAFETY: the memory is acquired until the stage has run, and shared with nothing that is needed meanwhile.
            *own = unsafe { core::slice::from_raw_parts_mut(base.as_ptr(), info.size_in_bytes()) };
        }
        Ok(own)
    }

    /// Where a value lies in this run.
    fn place(&self, value: usize) -> Result<Place, FunctionError> {
        let def = &self.chain.values[value];
        if let Some(image) = self.images.place(def) {
            return Ok(image);
        }
        if let Some((of, view)) = &def.view {
            let place = self.place(*of)?;
            return seen(place, value, |info| view.of(info));
        }
        let (planned, acquired) = self.memory.as_ref().ok_or(MemoryError::NotPopulated)?;
        let home = self.chain.home(value);
        let (base, _) = acquired.place(planned.tensors[home].ok_or(MemoryError::NotPopulated)?)?;
        Ok((base, def.info))
    }
}

/// A view of a place.
pub(crate) fn seen(
    (base, info): Place,
    value: usize,
    view: impl FnOnce(&TensorInfo) -> Result<(isize, TensorInfo), crate::info::InvalidTensor>,
) -> Result<Place, FunctionError> {
    let (offset, info) = view(&info).map_err(|error| FunctionError::View { value, error })?;
    Ok((NonNull::new(base.as_ptr().wrapping_offset(offset)).ok_or(MemoryError::NotPopulated)?, info))
}
