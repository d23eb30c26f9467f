//! A plan: a model whose operators are chosen, configured and given their memory, to be run many times.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use windrow::{
    AnyView, AnyViewMut, Element, Scheduler, Tensor, TensorInfo,
    chain::Simple,
    memory::{Heap, MemoryGroup, MemoryManager, Planner, Recording, TensorId},
};

use crate::{
    analysis::Analysis,
    array::Array,
    budget::Budget,
    error::{PlanError, RunPlanError},
    lower::Lowering,
    model::{Model, ValueId},
    run::Run,
    scaling::Requantization,
    slot::{Bound, Root},
    steps::lower,
};

/// How a model is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Bytes that constants and intermediates may take together, and what is made of constants while planning: 4 GiB, unless it
    /// is said. A file of a few bytes can name tensors of any size.
    pub memory: usize,
    /// Runs that go on at a time, each with intermediates of its own: 1, unless it is said. A further one waits.
    pub runs: usize,
    /// How sums of integers of 8 bits become such integers again.
    pub requantization: Requantization,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        let memory = usize::try_from(4u64 << 30).unwrap_or(usize::MAX);
        PlanOptions { memory, runs: 1, requantization: Requantization::default() }
    }
}

/// A model that is ready to run.
///
/// Several threads may have one plan. As many runs go on at a time as [`PlanOptions::runs`] says, each of which needs the intermediates; a
/// further one waits.
pub struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) inputs: Vec<Named>,
    pub(crate) outputs: Vec<Named>,
    pub(crate) constants: Vec<Array>,
    pub(crate) group: MemoryGroup,
    /// The tensor of each intermediate; `None` for one that no step needs.
    pub(crate) tensors: Vec<Option<TensorId>>,
}

/// What a plan does at a time: one operator of the library, or a copy.
#[derive(Debug)]
pub struct Step {
    pub(crate) node: String,
    operator: String,
    kernel: &'static str,
    pub(crate) reads: Vec<Bound>,
    pub(crate) writes: Bound,
    pub(crate) function: Option<Simple>,
}

/// An input or an output.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) info: TensorInfo,
}

impl Model {
    /// Chooses an operator of the library for every node, configures it, and plans the memory of what lies between them.
    ///
    /// # Errors
    /// A [`PlanError`]; [`PlanError::Unsupported`] lists all nodes that no operator computes.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        self.plan_with(&PlanOptions::default())
    }

    /// Works as [`Model::plan`], with other options.
    ///
    /// # Errors
    /// As [`Model::plan`].
    pub fn plan_with(&self, options: &PlanOptions) -> Result<Plan, PlanError> {
        let analysis = Analysis::new(self)?;
        let named = |value: &ValueId| Named::new(&analysis, *value);
        let inputs = self.inputs.iter().map(named).collect::<Result<Vec<_>, PlanError>>()?;
        let outputs = self.outputs.iter().map(named).collect::<Result<Vec<_>, PlanError>>()?;
        let lowering = Lowering::new(analysis, Budget::new(options.memory), options.requantization);
        let mut lowering = lower(lowering)?;
        let (group, tensors) = intermediates(&mut lowering, options.runs.max(1))?;
        drop_unread(&mut lowering);
        let steps = lowering.steps.into_iter().map(|step| Step {
            node: step.node,
            operator: step.operator,
            kernel: step.kernel,
            reads: step.reads.into_iter().map(Bound::new).collect(),
            writes: Bound::new(step.writes),
            function: step.function,
        });
        Ok(Plan { steps: steps.collect(), inputs, outputs, constants: lowering.constants, group, tensors })
    }
}

/// Constants that were put into another order are needed in that one alone.
fn drop_unread(lowering: &mut Lowering<'_>) {
    let mut is_read = vec![false; lowering.constants.len()];
    for slot in lowering.steps.iter().flat_map(|step| &step.reads) {
        if let Root::Constant(constant) = slot.root {
            is_read[constant] = true;
        }
    }
    for (constant, _) in lowering.constants.iter_mut().zip(is_read).filter(|(_, is_read)| !is_read) {
        *constant = Array::Floats(Arc::from([]));
    }
}

/// Plans the intermediates by when they are needed, and makes their memory.
fn intermediates(lowering: &mut Lowering<'_>, runs: usize) -> Result<(MemoryGroup, Vec<Option<TensorId>>), PlanError> {
    let mut lives: Vec<Option<(usize, usize)>> = vec![None; lowering.buffers.len()];
    for (index, step) in lowering.steps.iter().enumerate() {
        for slot in step.reads.iter().chain([&step.writes]) {
            let Root::Memory(buffer) = slot.root else { continue };
            lives[buffer] = Some((lives[buffer].map_or(index, |(first, _)| first), index));
        }
    }
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let (mut recording, mut tensors) = (Recording::managed(&manager), vec![None; lives.len()]);
    let (mut begins, mut ends) = (vec![Vec::new(); lowering.steps.len()], vec![Vec::new(); lowering.steps.len()]);
    for (buffer, life) in lives.iter().enumerate() {
        let Some((first, last)) = *life else { continue };
        begins[first].push(buffer);
        ends[last].push(buffer);
    }
    for (begins, ends) in begins.iter().zip(&ends) {
        for &buffer in begins {
            // One that is too large by itself is refused before its shape is.
            let (element, count) = lowering.buffers[buffer];
            lowering.budget.clone().bytes("an intermediate", count.saturating_mul(element.size()))?;
            let info = TensorInfo::new(element, 1, &[count])?;
            tensors[buffer] = Some(recording.begin_lifetime(info));
        }
        for &buffer in ends {
            tensors[buffer].map_or(Ok(()), |tensor| recording.end_lifetime(tensor))?;
        }
    }
    let group = recording.finish()?;
    lowering.budget.bytes("the intermediates", group.plan().size().saturating_mul(runs))?;
    manager.populate(Arc::new(Heap), runs)?;
    Ok((group, tensors))
}

impl Plan {
    /// Computes `outputs` from `inputs`, both in the model's order, in its shapes, without gaps between elements.
    ///
    /// The answer is the same in every run, and on any number of threads. A run allocates no tensor.
    ///
    /// # Errors
    /// A [`RunPlanError`] that names the tensor or the node.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), RunPlanError> {
        let mut run = Run::begin(self, inputs, outputs)?;
        self.steps.iter().try_for_each(|step| run.step(step, scheduler))
    }

    /// Works as [`Plan::run`], and says of each step how long it took.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run_timed(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
        mut say: impl FnMut(&Step, Duration),
    ) -> Result<(), RunPlanError> {
        let mut run = Run::begin(self, inputs, outputs)?;
        self.steps.iter().try_for_each(|step| {
            let start = Instant::now();
            run.step(step, scheduler)?;
            say(step, start.elapsed());
            Ok(())
        })
    }

    /// Works as [`Plan::run`], and makes the outputs, which all have elements `T`.
    ///
    /// # Errors
    /// As [`Plan::run`]; outputs of another type.
    pub fn apply<T: Element>(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
    ) -> Result<Vec<Tensor<T>>, RunPlanError> {
        let made = |output: &Named| Tensor::with_info(output.info);
        let mut outputs = self.outputs.iter().map(made).collect::<Result<Vec<_>, _>>()?;
        let mut views: Vec<_> = outputs.iter_mut().map(|output| output.view_mut().any()).collect();
        self.run(scheduler, inputs, &mut views)?;
        Ok(outputs)
    }

    /// Returns the names of the inputs, each with its type and shape, and what its integers stand for.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = (&str, &TensorInfo)> {
        self.inputs.iter().map(|input| (input.name.as_str(), &input.info))
    }

    /// Returns the names of the outputs, as [`Plan::inputs`] does.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = (&str, &TensorInfo)> {
        self.outputs.iter().map(|output| (output.name.as_str(), &output.info))
    }

    /// Returns what a run does, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the bytes that the intermediates of a run take together.
    pub fn intermediate_bytes(&self) -> usize {
        self.group.plan().size()
    }
}

impl Named {
    fn new(analysis: &Analysis<'_>, value: ValueId) -> Result<Named, PlanError> {
        let info = TensorInfo::new(analysis.element(value), 1, analysis.extents(value))?;
        let info = match analysis.quantization(value) {
            Some(found) => {
                let scale = found.scales.first().copied().unwrap_or(1.0);
                info.with_quantization(windrow::tensor::Quantization::new(scale, found.zero.into())?)
            }
            None => info,
        };
        Ok(Named { name: analysis.name(value).to_owned(), info })
    }
}

impl Step {
    /// Returns the name of the model's node that it belongs to.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns the format's name of what the node computes.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Returns the name of the library's operator that computes it, or `copy`.
    pub fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// Returns the extents of what it writes, as the operator has them.
    pub fn extents(&self) -> &[usize] {
        &self.writes.slot.extents
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut plan = f.debug_struct("Plan");
        plan.field("inputs", &self.inputs).field("outputs", &self.outputs).field("steps", &self.steps.len());
        plan.finish_non_exhaustive()
    }
}
