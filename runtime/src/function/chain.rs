//! Chains: kernels that read what others before them wrote.
//!
//! A slot is made by the stage that writes it, so that a second writer, a reader before its writer and a cycle can't be
//! written down. Valid regions go from stage to stage: an element is computed where all that it reads is.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    vec::Vec,
};

use super::{ChainTables, FunctionError, Slot, Stage, Value, run::bind_images, slot::propagate};
use crate::{
    code::Kernel,
    configure::{Configured, Plan},
    error::{InvalidConfiguration, RunError},
    infer::{images, read_images},
    info::TensorInfo,
    memory::{MemoryGroup, Recording, TensorId},
    run::{check, check_table},
    validate::tables,
    view::{AnyView, AnyViewMut},
};

/// Adds stages to a chain.
///
/// ```
/// # use windrow::{Configured, Kernel, TensorInfo, chain::{Chain, ChainBuilder, FunctionError}, memory::Recording};
/// /// `first`, then `second` on what it wrote.
/// fn one_after_the_other<A: Kernel, B: Kernel>(
///     image: TensorInfo,
///     first: &Configured<A>,
///     second: &Configured<B>,
///     memory: Recording,
/// ) -> Result<Chain, FunctionError> {
///     let mut chain = ChainBuilder::new();
///     let src = chain.input(image);
///     let [between] = chain.add(first, &[src])?;
///     let [out] = chain.add(second, &[between])?;
///     chain.output(out)?;
///     chain.finish(memory)
/// }
/// ```
#[derive(Debug)]
pub struct ChainBuilder {
    chain: u64,
    slots: Vec<Value>,
    stages: Vec<Stage>,
    inputs: usize,
    outputs: Vec<usize>,
}

impl Default for ChainBuilder {
    fn default() -> Self {
        ChainBuilder::new()
    }
}

impl ChainBuilder {
    /// Without stages.
    pub fn new() -> ChainBuilder {
        static CHAINS: AtomicU64 = AtomicU64::new(0);
        let chain = CHAINS.fetch_add(1, Ordering::Relaxed);
        ChainBuilder { chain, slots: Vec::new(), stages: Vec::new(), inputs: 0, outputs: Vec::new() }
    }

    /// An image of the caller's, to read. They are given to a run in the order of these calls.
    pub fn input(&mut self, info: TensorInfo) -> Slot {
        self.inputs += 1;
        self.slot(Value { info, input: Some(self.inputs - 1), output: None, last_read: None })
    }

    /// What is known of a slot: the configuration of a kernel that reads it starts from here.
    pub fn info(&self, slot: Slot) -> Result<TensorInfo, FunctionError> {
        self.used(slot).map(|slot| slot.info)
    }

    /// A kernel that reads these slots, in argument order; the slots that it writes.
    pub fn add<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Slot],
    ) -> Result<[Slot; N], FunctionError> {
        self.add_with_tables(configured, inputs, ChainTables::default())
    }

    /// [`ChainBuilder::add`] for a kernel that looks up tables.
    pub fn add_with_tables<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Slot],
        tables: ChainTables,
    ) -> Result<[Slot; N], FunctionError> {
        let (kernel, found) = (configured.plan.spec().name, configured.plan.outputs().count());
        if found != N {
            return Err(FunctionError::StageOutputs { kernel, found, expected: N });
        }
        let written = self.push(configured, inputs, tables)?;
        let mut slots = written.into_iter();
        Ok(core::array::from_fn(|_| slots.next().unwrap_or(Slot { chain: self.chain, index: usize::MAX })))
    }

    /// [`ChainBuilder::add`] for a kernel whose uniforms are known later: [`Chain::prepare`] gives them.
    pub fn add_unprepared<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Slot],
    ) -> Result<[Slot; N], FunctionError> {
        let slots = self.add(configured, inputs)?;
        if let Some(stage) = self.stages.last_mut() {
            stage.late = Some(OnceLock::new());
        }
        Ok(slots)
    }

    /// [`ChainBuilder::add`] for any number of outputs.
    pub fn stage<K: Kernel>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Slot],
    ) -> Result<Vec<Slot>, FunctionError> {
        self.push(configured, inputs, ChainTables::default())
    }

    /// The slot is an image of the caller's, to write. They are given to a run in the order of these calls.
    pub fn output(&mut self, slot: Slot) -> Result<(), FunctionError> {
        let number = self.outputs.len();
        let Value { input, output, .. } = self.used(slot)?;
        if input.is_some() || output.is_some() {
            return Err(FunctionError::Output { slot: slot.index, twice: output.is_some() });
        }
        self.slots[slot.index].output = Some(number);
        self.outputs.push(slot.index);
        Ok(())
    }

    /// The chain, its intermediates in `memory`: each needed from the stage that writes it to the last that reads it.
    pub fn finish(self, memory: Recording) -> Result<Chain, FunctionError> {
        self.with_memory(Some(memory))
    }

    /// The chain, for an executor that has memory of its own for the intermediates.
    ///
    /// # Errors
    /// [`FunctionError::NoOutput`].
    pub fn finish_without_memory(self) -> Result<Chain, FunctionError> {
        self.with_memory(None)
    }

    fn with_memory(self, memory: Option<Recording>) -> Result<Chain, FunctionError> {
        if self.outputs.is_empty() {
            return Err(FunctionError::NoOutput);
        }
        let (mut memory, mut tensors) = (memory, vec![None; self.slots.len()]);
        for (index, stage) in self.stages.iter().enumerate() {
            let Some(memory) = memory.as_mut() else { break };
            for &slot in stage.outputs.iter().flatten().filter(|&&slot| self.slots[slot].is_intermediate()) {
                tensors[slot] = Some(memory.manage(self.slots[slot].info));
            }
            // What nothing reads is needed while it is written.
            let is_last = |slot: usize| match self.slots[slot].last_read {
                Some(last) => last == index,
                None => stage.outputs.contains(&Some(slot)),
            };
            for (_, tensor) in tensors.iter().enumerate().filter(|(slot, _)| is_last(*slot)) {
                tensor.map_or(Ok(()), |tensor| memory.allocate(tensor))?;
            }
        }
        let memory = memory.map(Recording::finish).transpose()?;
        let ChainBuilder { chain, slots, stages, inputs, outputs } = self;
        Ok(Chain { chain, slots, stages, inputs, outputs, tensors, memory })
    }

    /// Slots for the images that the kernel reads.
    pub(super) fn inputs_of<K: Kernel>(&mut self, configured: &Configured<K>) -> Result<Vec<Slot>, FunctionError> {
        let plan = &configured.plan;
        let mut slots = Vec::new();
        for ((_, input), shape) in read_images(plan.spec()).zip(&plan.inputs) {
            slots.push(self.input(TensorInfo::new(input.element, input.channels, &shape.extents())?));
        }
        Ok(slots)
    }

    fn push<K: Kernel>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Slot],
        tables: ChainTables,
    ) -> Result<Vec<Slot>, FunctionError> {
        let mut plan = configured.plan.clone();
        let read = self.check_inputs(&plan, inputs)?;
        propagate(&mut plan, &read);
        check_tables(&plan, &tables)?;
        inputs.iter().for_each(|slot| self.slots[slot.index].last_read = Some(self.stages.len()));
        let (mut places, mut written) = (Vec::new(), Vec::new());
        for (output, given) in plan.spec().outputs.iter().zip(plan.present) {
            places.push(given.then_some(self.slots.len()));
            if given {
                let info = TensorInfo::new(output.element, output.channels, &plan.shape.extents())?;
                let info = info.with_valid_region(plan.valid)?;
                written.push(self.slot(Value { info, input: None, output: None, last_read: None }));
            }
        }
        let inputs = inputs.iter().map(|slot| slot.index).collect();
        self.stages.push(Stage { plan, late: None, inputs, outputs: places, tables });
        Ok(written)
    }

    /// As many images as the kernel reads, of its types and the shapes configured.
    fn check_inputs(&self, plan: &Plan, inputs: &[Slot]) -> Result<Vec<TensorInfo>, FunctionError> {
        let (spec, kernel) = (plan.spec(), plan.spec().name);
        if images(spec).any(|(_, input)| input.inout.is_some()) {
            return Err(FunctionError::InPlace { kernel });
        }
        let (found, expected) = (inputs.len(), images(spec).count());
        if found != expected {
            return Err(InvalidConfiguration::InputCount { kernel, found, expected }.into());
        }
        let mut read = Vec::new();
        for (((argument, input), slot), &shape) in images(spec).zip(inputs).zip(&plan.inputs) {
            let info = self.used(*slot)?.info;
            check(argument, &info, (input.element, input.channels), shape)
                .map_err(|error| FunctionError::run(kernel, error))?;
            read.push(info);
        }
        Ok(read)
    }

    fn slot(&mut self, used: Value) -> Slot {
        self.slots.push(used);
        Slot { chain: self.chain, index: self.slots.len() - 1 }
    }

    fn used(&self, slot: Slot) -> Result<&Value, FunctionError> {
        self.slots.get(slot.index).filter(|_| slot.chain == self.chain).ok_or(FunctionError::ForeignSlot)
    }
}

/// Tables must be of the types and lengths that the kernel looks up.
fn check_tables(plan: &Plan, given: &ChainTables) -> Result<(), FunctionError> {
    let (spec, kernel) = (plan.spec(), plan.spec().name);
    let (found, expected) = (given.list().len(), tables(spec).count());
    if found != expected {
        return Err(FunctionError::run(kernel, RunError::TableCount { kernel, found, expected }));
    }
    tables(spec)
        .zip(given.list())
        .try_for_each(|((argument, element, length), table)| check_table(argument, &table, element, length))
        .map_err(|error| FunctionError::run(kernel, error))
}

/// Kernels that read what others before them wrote: configured, and ready to be run again and again.
#[derive(Debug)]
pub struct Chain {
    chain: u64,
    pub(crate) slots: Vec<Value>,
    pub(crate) stages: Vec<Stage>,
    /// How many images it reads.
    pub(crate) inputs: usize,
    /// The slots written, in order.
    pub(crate) outputs: Vec<usize>,
    /// The memory of each slot that is an intermediate.
    pub(super) tensors: Vec<Option<TensorId>>,
    pub(super) memory: Option<MemoryGroup>,
}

impl Chain {
    /// What is known of output `index`; its valid region is what a run writes.
    pub fn output(&self, index: usize) -> Option<&TensorInfo> {
        self.outputs.get(index).map(|&slot| &self.slots[slot].info)
    }

    /// Gives the kernel that writes `slot` its uniforms. The first to do so counts.
    pub fn prepare<K: Kernel>(&self, slot: Slot, configured: &Configured<K>) -> Result<(), FunctionError> {
        let writes = |stage: &&Stage| slot.chain == self.chain && stage.outputs.contains(&Some(slot.index));
        let stage = self.stages.iter().find(writes).ok_or(FunctionError::ForeignSlot)?;
        stage.prepare(&configured.plan)
    }

    /// Its images: the caller's, and the intermediates.
    pub fn values(&self) -> &[Value] {
        &self.slots
    }

    /// Its kernels, in the order in which they run.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// How many images it reads.
    pub fn input_count(&self) -> usize {
        self.inputs
    }

    /// The values that it writes, in order, as indices into [`Chain::values`].
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// Checks the caller's images, and that every stage has its uniforms, as every run does.
    ///
    /// # Errors
    /// A [`FunctionError`] that names the image.
    pub fn check(&self, inputs: &[AnyView<'_>], outputs: &mut [AnyViewMut<'_>]) -> Result<(), FunctionError> {
        bind_images(self, inputs, outputs).map(drop)
    }

    /// Whether every stage has its uniforms.
    ///
    /// # Errors
    /// [`FunctionError::Unprepared`] for the first that has not.
    pub fn check_prepared(&self) -> Result<(), FunctionError> {
        self.stages.iter().try_for_each(|stage| stage.prepared().map(drop))
    }

    /// Bytes that the intermediates would take, each in memory of its own.
    pub fn intermediate_bytes(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_intermediate()).map(|slot| slot.info.size_in_bytes()).sum()
    }

    /// The memory of the intermediates.
    pub fn memory(&self) -> Option<&MemoryGroup> {
        self.memory.as_ref()
    }
}
