//! Chains: stages with their code, in the order in which they run, and where their values lie.

use std::{string::String, sync::Arc, vec::Vec};

use super::{
    error::FunctionError,
    images::bind_images,
    operator::Workspace,
    stage::Stage,
    value::{Value, ValueDef},
};
use crate::{
    code::Kernel,
    configure::Configured,
    info::TensorInfo,
    memory::{Allocation, Allocator, Heap, Lifetime, MemoryError, MemoryGroup, MemoryRecording, Planner, TensorId},
    view::{AnyView, AnyViewMut},
};

/// The alignment of constants and workspaces, in bytes.
const ALIGNMENT: usize = 64;

/// Operators that read what others before them wrote: with their code, and ready to be run again and again.
#[derive(Debug)]
pub struct Chain {
    chain: u64,
    pub(crate) values: Vec<ValueDef>,
    pub(crate) stages: Vec<Stage>,
    /// How many images it reads.
    pub(crate) inputs: usize,
    /// The values written, in order.
    pub(crate) outputs: Vec<usize>,
    /// The constants of all stages.
    constants: Option<Allocation>,
    pub(super) memory: Option<Planned>,
}

/// The memory of a chain that runs on the processor.
#[derive(Debug)]
pub(super) struct Planned {
    pub group: MemoryGroup,
    /// That of each value that has memory of its own.
    pub tensors: Vec<Option<TensorId>>,
    /// The workspace of each stage, and its threads' scratch.
    pub workspaces: Vec<[Option<TensorId>; 2]>,
    /// Threads that there is scratch for.
    pub threads: usize,
}

impl Chain {
    pub(super) fn new(
        chain: u64,
        values: Vec<ValueDef>,
        stages: Vec<Stage>,
        inputs: usize,
        outputs: Vec<usize>,
    ) -> Result<Chain, FunctionError> {
        let mut chain = Chain { chain, values, stages, inputs, outputs, constants: None, memory: None };
        chain.pack_constants(Arc::new(Heap))?;
        Ok(chain)
    }

    /// Plans the constants of all stages into one block, and has them packed.
    fn pack_constants(&mut self, allocator: Arc<dyn Allocator>) -> Result<(), FunctionError> {
        let sizes: Vec<Vec<usize>> = self.stages.iter().map(|stage| stage.compiled.constants()).collect();
        // All are needed as long as the chain is there.
        let life = |&size: &usize| Lifetime { size, alignment: ALIGNMENT, first: 0, last: 0 };
        let plan = Planner::Arena.plan(&sizes.iter().flatten().map(life).collect::<Vec<_>>());
        if plan.size() == 0 {
            self.stages.iter_mut().zip(&sizes).for_each(|(stage, sizes)| stage.constants = vec![0..0; sizes.len()]);
            return Ok(());
        }
        let mut block = Allocation::new(&allocator, TensorInfo::of::<u8>(&[plan.size()])?)?;
        {
            let view = block.view_mut().typed::<u8>()?;
            let bytes = view.into_slice().unwrap_or_default();
            let mut places = plan.places.iter();
            for (stage, sizes) in self.stages.iter_mut().zip(&sizes) {
                let ranges = sizes.iter().zip(places.by_ref()).map(|(size, place)| place.offset..place.offset + size);
                stage.constants = ranges.collect();
                let mut parts = disjoint(bytes, &stage.constants);
                let packed = stage.compiled.pack(&mut parts);
                packed.map_err(|error| FunctionError::of_stage(&stage.wiring.name, error))?;
            }
        }
        self.constants = Some(block);
        Ok(())
    }

    /// The chain with its intermediates and workspaces in `memory`.
    pub(super) fn with_memory(self, memory: MemoryRecording) -> Result<Chain, FunctionError> {
        self.with_memory_for(memory, &|_| true)
    }

    /// Returns the chain with those of its intermediates in `memory` that `is_needed` says by their numbers, and with
    /// all workspaces and scratch: for an executor that runs some of the stages elsewhere.
    ///
    /// # Errors
    /// [`FunctionError::Memory`].
    pub fn with_memory_for(
        mut self,
        mut memory: MemoryRecording,
        is_needed: &dyn Fn(usize) -> bool,
    ) -> Result<Chain, FunctionError> {
        let mut lives = self.lifetimes();
        lives.iter_mut().enumerate().for_each(|(value, life)| *life = life.filter(|_| is_needed(value)));
        let mut tensors = vec![None; self.values.len()];
        let (mut workspaces, threads) = (Vec::new(), memory.threads());
        for (index, stage) in self.stages.iter().enumerate() {
            let begins = |life: &Option<(usize, usize)>| life.is_some_and(|(first, _)| first == index);
            for (value, _) in lives.iter().enumerate().filter(|(_, life)| begins(life)) {
                tensors[value] = Some(memory.begin_lifetime(self.values[value].info));
            }
            let Workspace { per_run, per_thread } = stage.compiled.workspace();
            let mut own = [None; 2];
            let too_many = MemoryError::InvalidLayout { bytes: per_thread, alignment: ALIGNMENT };
            let pitch = per_thread.checked_next_multiple_of(ALIGNMENT).ok_or(too_many)?;
            for (own, extents) in own.iter_mut().zip([[1, per_run], [threads, pitch]]) {
                let is_needed = extents[1] > 0;
                *own = is_needed
                    .then(|| TensorInfo::of::<u8>(&extents))
                    .transpose()?
                    .map(|info| memory.begin_lifetime(info));
            }
            own.iter().flatten().try_for_each(|&tensor| memory.end_lifetime(tensor))?;
            workspaces.push(own);
            let ends = |life: &Option<(usize, usize)>| life.is_some_and(|(_, last)| last == index);
            for (value, _) in lives.iter().enumerate().filter(|(_, life)| ends(life)) {
                tensors[value].map_or(Ok(()), |tensor| memory.end_lifetime(tensor))?;
            }
        }
        self.memory = Some(Planned { group: memory.finish()?, tensors, workspaces, threads });
        Ok(self)
    }

    /// Returns what is known of output `index`; its valid region is what a run writes.
    pub fn output(&self, index: usize) -> Option<&TensorInfo> {
        self.outputs.get(index).map(|&value| &self.values[value].info)
    }

    /// Returns what is known of input `index`.
    pub fn input(&self, index: usize) -> Option<&TensorInfo> {
        self.values.iter().find(|value| value.input == Some(index)).map(|value| &value.info)
    }

    /// Gives the kernel that writes `value` its uniforms. The first to do so counts.
    pub fn prepare<K: Kernel>(&self, value: Value, configured: &Configured<K>) -> Result<(), FunctionError> {
        let writes = |stage: &&Stage| value.chain == self.chain && stage.outputs().contains(&Some(value.index));
        let stage = self.stages.iter().find(writes).ok_or(FunctionError::ForeignValue)?;
        let found = || configured.plan.spec().name.into();
        let other = || FunctionError::OtherStage { kernel: stage.name().into(), found: found() };
        stage.generated().ok_or_else(other)?.prepare(&configured.plan)
    }

    /// Returns the values: the caller's images, the intermediates, and views of these.
    pub fn values(&self) -> &[ValueDef] {
        &self.values
    }

    /// Returns the stages, in the order in which they run.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns how many images the chain reads.
    pub fn input_count(&self) -> usize {
        self.inputs
    }

    /// Returns the values that the chain writes, in order, as indices into [`Chain::values`].
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// Returns, for each value that needs memory of its own, the first and the last stage that need it: what an
    /// executor plans. A value that is computed in place of another, and a view, lie in the other's memory.
    pub fn lifetimes(&self) -> Vec<Option<(usize, usize)>> {
        let mut lives = vec![None; self.values.len()];
        for (value, def) in self.values.iter().enumerate() {
            let Some(first) = def.writer.filter(|_| def.is_intermediate()) else { continue };
            let (home, last) = (self.home(value), def.last_read.unwrap_or(first));
            let (first, last) = match lives[home] {
                Some((earlier, later)) => (first.min(earlier), last.max(later)),
                None => (first, last),
            };
            lives[home] = Some((first, last));
        }
        lives
    }

    /// Returns the value in whose memory `value` lies: itself, unless it is computed in place of another.
    pub fn home(&self, value: usize) -> usize {
        self.values[value].in_place_of.map_or(value, |other| self.home(other))
    }

    /// Returns what `value` is a view of, through all views; itself where it is not a view.
    pub fn viewed(&self, value: usize) -> usize {
        self.values[value].view.map_or(value, |(of, _)| self.viewed(of))
    }

    /// Returns the value in whose memory `value` lies, seen through views.
    pub fn root(&self, value: usize) -> usize {
        match self.values[value] {
            ValueDef { view: Some((of, _)), .. } => self.root(of),
            ValueDef { in_place_of: Some(other), .. } => self.root(other),
            _ => value,
        }
    }

    /// Checks the caller's images, and that every stage has its uniforms, as every run does.
    ///
    /// # Errors
    /// A [`FunctionError`] that names the image.
    pub fn check(&self, inputs: &[AnyView<'_>], outputs: &mut [AnyViewMut<'_>]) -> Result<(), FunctionError> {
        bind_images(self, inputs, outputs).map(drop)
    }

    /// Returns the tensors that the chain writes for inputs like `inputs`, as a kernel's `infer` does.
    ///
    /// # Errors
    /// [`FunctionError::ImageCount`] or [`FunctionError::Image`] where it is not made for these.
    pub fn infer(&self, inputs: &[&TensorInfo]) -> Result<Vec<TensorInfo>, FunctionError> {
        super::images::check_inputs(self, inputs.len(), |index| inputs[index])?;
        Ok(self.outputs.iter().map(|&value| self.values[value].info).collect())
    }

    /// Checks that the chain reads tensors like `inputs` and writes ones like `outputs`, as a kernel's `validate` does.
    ///
    /// # Errors
    /// As [`Chain::infer`], and for the outputs.
    pub fn validate(&self, inputs: &[&TensorInfo], outputs: &[&TensorInfo]) -> Result<(), FunctionError> {
        super::images::check_inputs(self, inputs.len(), |index| inputs[index])?;
        super::images::check_outputs(self, outputs.len(), |index| outputs[index])
    }

    /// Returns whether every stage has its uniforms.
    ///
    /// # Errors
    /// [`FunctionError::Unprepared`] for the first that has not.
    pub fn check_prepared(&self) -> Result<(), FunctionError> {
        let is_late = |stage: &&Stage| stage.generated().is_some_and(|code| code.prepared().is_none());
        let unprepared = |stage: &Stage| FunctionError::Unprepared { kernel: String::from(stage.name()) };
        self.stages.iter().find(is_late).map_or(Ok(()), |stage| Err(unprepared(stage)))
    }

    /// Returns the number of bytes that the intermediates would take, each in memory of its own.
    pub fn intermediate_bytes(&self) -> usize {
        self.values.iter().filter(|value| value.is_intermediate()).map(|value| value.info.size_in_bytes()).sum()
    }

    /// Returns the number of bytes of the constants that its stages keep.
    pub fn constant_bytes(&self) -> usize {
        self.constants.as_ref().map_or(0, |constants| constants.info().size_in_bytes())
    }

    /// Returns the memory of the intermediates and workspaces.
    pub fn memory(&self) -> Option<&MemoryGroup> {
        self.memory.as_ref().map(|memory| &memory.group)
    }

    pub(crate) fn constant_block(&self) -> &[u8] {
        let view = self.constants.as_ref().and_then(|constants| constants.view().typed::<u8>().ok());
        view.and_then(|view| view.as_slice()).unwrap_or_default()
    }
}

/// The parts of `bytes` at `ranges`, which rise and do not overlap where a plan has placed them; empty for what would.
fn disjoint<'b>(bytes: &'b mut [u8], ranges: &[core::ops::Range<usize>]) -> Vec<&'b mut [u8]> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|&index| ranges[index].start);
    let mut parts: Vec<&'b mut [u8]> = ranges.iter().map(|_| Default::default()).collect();
    let (mut rest, mut done) = (bytes, 0);
    for index in order {
        let (start, end) = (ranges[index].start, ranges[index].end);
        if start < done || end > done + rest.len() {
            continue;
        }
        let (_, from) = rest.split_at_mut(start - done);
        let (part, after) = from.split_at_mut(end - start);
        (parts[index], rest, done) = (part, after, end);
    }
    parts
}
