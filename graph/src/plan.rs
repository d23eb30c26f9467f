//! A plan: a model whose operators are chosen, configured and given their memory, to be run many times.

use std::time::{Duration, Instant};

use windrow::{AnyView, AnyViewMut, Element, ElementType, Scheduler, Tensor, TensorInfo, memory::MemoryGroup};

use crate::{
    analysis::Analysis,
    array::Array,
    assemble::{Intermediate, Parts},
    budget::Budget,
    constants::resolved,
    error::{PlanError, RunPlanError},
    lower::Lowering,
    model::{Model, ValueId},
    run::Run,
    scaling::Requantization,
    step::Step,
    steps::lower,
};

/// How a model is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Bytes that constants and intermediates may take together, and what is made of constants while planning: 4 GiB, unless it
    /// is said. A file of a few bytes can name tensors of any size.
    pub memory: usize,
    /// Runs that go on at a time, each with intermediates of its own: 1 unless stated otherwise. A further one waits.
    pub runs: usize,
    /// How sums of integers of 8 bits become such integers again, in a model of TFLite or TVM.
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
    /// The type of the elements of each intermediate, and how many there are.
    pub(crate) buffers: Vec<(ElementType, usize)>,
    pub(crate) group: MemoryGroup,
    /// Where each intermediate lies; `None` for one that no step needs.
    pub(crate) intermediates: Vec<Option<Intermediate>>,
}

/// A part of the memory of a run, and the steps that need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Buffer {
    /// Its number, as [`Root::Memory`](crate::Root::Memory) has it.
    pub number: usize,
    /// Bytes from the start of the run's memory.
    pub offset: usize,
    /// Bytes that it takes.
    pub bytes: usize,
    /// The step that writes it first.
    pub first: usize,
    /// The last step that needs it.
    pub last: usize,
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
        let mut budget = Budget::new(options.memory);
        let model = resolved(self, &mut budget)?;
        let analysis = Analysis::new(&model, &mut budget)?;
        let named = |value: &ValueId| Named::new(&analysis, *value);
        let inputs = self.inputs.iter().map(named).collect::<Result<Vec<_>, PlanError>>()?;
        let outputs = self.outputs.iter().map(named).collect::<Result<Vec<_>, PlanError>>()?;
        let lowering = Lowering::new(analysis, budget, self.engine.unwrap_or(options.requantization.into()));
        let Lowering { steps, constants, buffers, budget, .. } = lower(lowering)?;
        Parts { inputs, outputs, steps, constants, buffers }.assemble(budget, options.runs)
    }
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

    /// Returns where each intermediate lies in the memory of a run, and which steps need it. Those that no step needs at the same time
    /// may lie in the same place.
    pub fn buffers(&self) -> impl Iterator<Item = Buffer> {
        let places = &self.group.plan().places;
        self.intermediates.iter().enumerate().filter_map(|(number, found)| {
            let (&(element, count), Intermediate { number: place, first, last, .. }) =
                (self.buffers.get(number)?, (*found)?);
            let (offset, bytes) = (places.get(place)?.offset, count.saturating_mul(element.size()));
            Some(Buffer { number, offset, bytes, first, last })
        })
    }

    /// Returns the bytes that the constants take, those copies aside that are packed for the processor.
    pub fn constant_bytes(&self) -> usize {
        self.constants.iter().map(|array| array.len().saturating_mul(array.element().size())).sum()
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

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut plan = f.debug_struct("Plan");
        plan.field("inputs", &self.inputs).field("outputs", &self.outputs).field("steps", &self.steps.len());
        plan.finish_non_exhaustive()
    }
}
