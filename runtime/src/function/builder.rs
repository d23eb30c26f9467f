//! Builds chains: stages that read what others before them wrote.
//!
//! A value is made by the stage that writes it, so that a second writer, a reader before its writer and a cycle can't be
//! written down. Valid regions go from stage to stage: an element is computed where all that it reads is.

use core::any::Any;
use std::{
    string::String,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    vec::Vec,
};

use super::{
    append::append,
    chain::Chain,
    edges::{check_aliases, table_edges, uniform_edges},
    error::{FunctionError, OperatorError},
    generated::Generated,
    operator::{Operator, Processor, Target},
    stage::{Stage, Wiring},
    tables::ChainTables,
    value::{Value, ValueDef, ValueView},
};
use crate::{
    arguments::MAX_ARGUMENTS,
    code::Kernel,
    configure::{Configured, KernelPlan},
    element::Element,
    info::{InvalidTensor, TensorInfo},
    memory::MemoryRecording,
    tier::Tier,
};

/// Adds stages to a chain.
///
/// A stage is a configured kernel, or another operator, and the values that it reads; what it writes is a value, too:
///
/// ```
/// use std::sync::Arc;
/// use windrow::{Serial, Tensor, chain::{ChainBuilder, Executor, Function, Whole}, language::*, memory::Heap};
///
/// #[kernel]
/// fn halved(src: u8) -> u8 {
///     src / 2
/// }
///
/// #[kernel]
/// fn inverted(src: u8) -> u8 {
///     255 - src
/// }
///
/// let photo = Tensor::from_vec(vec![10u8, 20, 30, 40], [2, 2])?;
/// let mut chain = ChainBuilder::new();
/// let src = chain.input(*photo.info());
/// let [half] = chain.add(&halved::configure(photo.info(), photo.info())?, &[src])?;
/// let [out] = chain.add(&inverted::configure(photo.info(), photo.info())?, &[half])?;
/// chain.output(out)?;
///
/// let chain = Whole::immediate(Arc::new(Heap)).compile(chain)?;
/// let mut result = Tensor::<u8>::new([2, 2])?;
/// chain.run(&Serial, &[photo.view().any()], &mut [result.view_mut().any()])?;
/// assert_eq!(result.to_vec(), [250, 245, 240, 235]);
/// # Ok::<(), windrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChainBuilder {
    pub(super) chain: u64,
    pub(super) values: Vec<ValueDef>,
    pub(super) stages: Vec<(Wiring, Arc<dyn Operator>)>,
    pub(super) inputs: usize,
    pub(super) outputs: Vec<usize>,
}

impl Default for ChainBuilder {
    fn default() -> Self {
        ChainBuilder::new()
    }
}

impl ChainBuilder {
    /// Returns a chain without stages.
    pub fn new() -> ChainBuilder {
        static CHAINS: AtomicU64 = AtomicU64::new(0);
        let chain = CHAINS.fetch_add(1, Ordering::Relaxed);
        ChainBuilder { chain, values: Vec::new(), stages: Vec::new(), inputs: 0, outputs: Vec::new() }
    }

    /// Returns an image of the caller's, to read. They are given to a run in the order of these calls.
    pub fn input(&mut self, info: TensorInfo) -> Value {
        self.inputs += 1;
        self.value(ValueDef { input: Some(self.inputs - 1), ..ValueDef::new(info) })
    }

    /// Returns what is known of a value: the configuration of a kernel that reads it starts from here.
    pub fn info(&self, value: Value) -> Result<TensorInfo, FunctionError> {
        self.def(value).map(|value| value.info)
    }

    /// Returns what the outputs will be, in order: what [`Composite::infer`](super::Composite::infer) gives, before
    /// anything is compiled.
    pub fn infer(&self) -> Vec<TensorInfo> {
        self.outputs.iter().filter_map(|&value| self.values.get(value)).map(|value| value.info).collect()
    }

    /// Returns a kernel that reads these values, in argument order; the values that it writes.
    pub fn add<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Value],
    ) -> Result<[Value; N], FunctionError> {
        self.add_with_tables(configured, inputs, ChainTables::default())
    }

    /// Works as [`ChainBuilder::add`], for a kernel that looks up tables.
    pub fn add_with_tables<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Value],
        tables: ChainTables,
    ) -> Result<[Value; N], FunctionError> {
        self.add_operator_with(Arc::new(Generated::new(configured)), inputs, tables, &[])
    }

    /// Works as [`ChainBuilder::add`], for a kernel some of whose uniforms, each with its name, are values of the
    /// chain: a stage before computes them, or the caller gives them.
    pub fn add_with_uniforms<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Value],
        uniforms: &[(&str, Value)],
    ) -> Result<[Value; N], FunctionError> {
        self.add_operator_with(Arc::new(Generated::new(configured)), inputs, ChainTables::default(), uniforms)
    }

    /// Works as [`ChainBuilder::add`], for a kernel whose uniforms are known later: [`Chain::prepare`] gives them.
    pub fn add_unprepared<K: Kernel, const N: usize>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Value],
    ) -> Result<[Value; N], FunctionError> {
        self.add_operator(Arc::new(Generated::unprepared(configured)), inputs)
    }

    /// Works as [`ChainBuilder::add`], for any operator.
    pub fn add_operator<const N: usize>(
        &mut self,
        operator: Arc<dyn Operator>,
        inputs: &[Value],
    ) -> Result<[Value; N], FunctionError> {
        self.add_operator_with(operator, inputs, ChainTables::default(), &[])
    }

    /// Works as [`ChainBuilder::add_operator`], for one that looks up tables, or some of whose uniforms are values of
    /// the chain.
    pub fn add_operator_with<const N: usize>(
        &mut self,
        operator: Arc<dyn Operator>,
        inputs: &[Value],
        tables: ChainTables,
        uniforms: &[(&str, Value)],
    ) -> Result<[Value; N], FunctionError> {
        let name = String::from(operator.name());
        let before = (self.values.len(), self.stages.len());
        let written = self.push(operator, inputs, tables, uniforms)?;
        written.try_into().map_err(|written: Vec<Value>| {
            // Nothing of a stage that is refused stays.
            self.values.truncate(before.0);
            self.stages.truncate(before.1);
            FunctionError::StageOutputs { kernel: name, found: written.len(), expected: N }
        })
    }

    /// Works as [`ChainBuilder::add`], for any number of outputs.
    pub fn stage<K: Kernel>(
        &mut self,
        configured: &Configured<K>,
        inputs: &[Value],
    ) -> Result<Vec<Value>, FunctionError> {
        self.push(Arc::new(Generated::new(configured)), inputs, ChainTables::default(), &[])
    }

    /// Appends the stages of another chain, which read `inputs` in the place of its inputs; returns the values of its
    /// outputs, which aren't outputs of this chain.
    ///
    /// ```
    /// # use windrow::chain::{ChainBuilder, FunctionError, Value};
    /// /// What `again` makes of the output of `first`.
    /// fn after(first: &mut ChainBuilder, output: Value, again: ChainBuilder) -> Result<Vec<Value>, FunctionError> {
    ///     first.append(again, &[output])
    /// }
    /// ```
    ///
    /// # Errors
    /// [`FunctionError::ImageCount`] for another number of inputs, and what a stage says of images that it doesn't take.
    pub fn append(&mut self, other: ChainBuilder, inputs: &[Value]) -> Result<Vec<Value>, FunctionError> {
        append(self, other, inputs)
    }

    /// Returns a region of a value, outermost coordinate first: what reads it reads the value where it lies, and
    /// nothing is copied.
    ///
    /// # Errors
    /// [`FunctionError::View`].
    pub fn crop(&mut self, value: Value, start: &[usize], extents: &[usize]) -> Result<Value, FunctionError> {
        let view = ValueView::region(start, extents);
        self.view(value, view)
    }

    /// Returns the channels of a value in elements `T` of another number of them, as
    /// [`View::regroup`](crate::view::View::regroup) gives them.
    ///
    /// # Errors
    /// [`FunctionError::View`].
    pub fn regroup<T: Element>(&mut self, value: Value) -> Result<Value, FunctionError> {
        self.view(value, Ok(ValueView::regroup::<T>()))
    }

    /// Returns the elements of a value in another shape of as many elements. An image of the caller's must lie without
    /// gaps.
    ///
    /// # Errors
    /// [`FunctionError::View`].
    pub fn reshape(&mut self, value: Value, extents: &[usize]) -> Result<Value, FunctionError> {
        let view = ValueView::reshape(extents);
        self.view(value, view)
    }

    pub(super) fn view(&mut self, of: Value, view: Result<ValueView, InvalidTensor>) -> Result<Value, FunctionError> {
        let info = self.def(of)?.info;
        let seen = view.and_then(|view| Ok((view, view.of(&info)?.1)));
        let (view, info) = seen.map_err(|error| FunctionError::View { value: of.index, error })?;
        Ok(self.value(ValueDef { view: Some((of.index, view)), ..ValueDef::new(info) }))
    }

    /// Returns the value is an image of the caller's, to write. They are given to a run in the order of these calls.
    pub fn output(&mut self, value: Value) -> Result<(), FunctionError> {
        let number = self.outputs.len();
        let rule = match self.def(value)? {
            ValueDef { input: Some(_), .. } => "it is an input of the chain: nothing writes it",
            ValueDef { output: Some(_), .. } => "it is an output already",
            ValueDef { view: Some(_), .. } => "it is a view: what it is a view of can be",
            _ => {
                self.values[value.index].output = Some(number);
                self.outputs.push(value.index);
                return Ok(());
            }
        };
        Err(FunctionError::Output { value: value.index, rule })
    }

    /// Returns the chain on the processor, its intermediates in `memory`: each needed from the stage that writes it to
    /// the last that reads it.
    pub fn finish(self, memory: MemoryRecording) -> Result<Chain, FunctionError> {
        self.finish_for(&|_| &Processor)?.with_memory(memory)
    }

    /// Returns the chain on the processor, for an executor that has memory of its own for the intermediates.
    ///
    /// # Errors
    /// [`FunctionError::NoOutput`], and those of [`Operator::lower`].
    pub fn finish_without_memory(self) -> Result<Chain, FunctionError> {
        self.finish_for(&|_| &Processor)
    }

    /// Returns the chain with each stage's code for a target of its own, by the stage's number; the executor has memory
    /// for the intermediates.
    ///
    /// # Errors
    /// [`FunctionError::NoOutput`], and those of [`Operator::lower`].
    pub fn finish_for<'t>(self, target: &dyn Fn(usize) -> &'t dyn Target) -> Result<Chain, FunctionError> {
        if self.outputs.is_empty() {
            return Err(FunctionError::NoOutput);
        }
        let ChainBuilder { chain, mut values, stages, inputs, outputs } = self;
        let mut lowered = Vec::new();
        for (index, (wiring, operator)) in stages.into_iter().enumerate() {
            let infos: Vec<TensorInfo> = wiring.images.iter().map(|&value| values[value].info).collect();
            let compiled = operator.lower(target(index), &infos);
            let compiled = compiled.map_err(|error| FunctionError::of_stage(&wiring.name, error))?;
            let given = wiring.given(&values);
            compiled.check(&given).map_err(|error| FunctionError::of_stage(&wiring.name, error))?;
            lowered.push(Stage { wiring, given, compiled, constants: Vec::new() });
        }
        share_in_place(&mut values, &lowered);
        Chain::new(chain, values, lowered, inputs, outputs)
    }

    /// Returns the chain with each generated kernel on the tier that `tier` says for it, instead of the processor's best.
    ///
    /// # Errors
    /// A kernel has no body of its tier, or the processor doesn't run it.
    pub fn with_tiers(mut self, tier: &dyn Fn(&KernelPlan) -> Tier) -> Result<ChainBuilder, FunctionError> {
        for (_, operator) in &mut self.stages {
            let any: &dyn Any = &**operator;
            if let Some(generated) = any.downcast_ref::<Generated>() {
                *operator = Arc::new(generated.with_tier(tier(generated.plan()))?);
            }
        }
        Ok(self)
    }

    /// Returns the names of its stages, in order.
    pub fn stage_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.stages.iter().map(|(wiring, _)| wiring.name.as_str())
    }

    /// Values for the images that the operator reads.
    pub(super) fn inputs_of<K: Kernel>(&mut self, configured: &Configured<K>) -> Result<Vec<Value>, FunctionError> {
        let plan = &configured.plan;
        let mut values = Vec::new();
        let mut shapes = plan.inputs.iter();
        for (_, input) in crate::infer::images(plan.spec()) {
            let shape = if input.inout.is_some() { Some(&plan.shape) } else { shapes.next() };
            let shape = shape.copied().unwrap_or(plan.shape);
            values.push(self.input(TensorInfo::new(input.element, input.channels, &shape.extents())?));
        }
        Ok(values)
    }

    pub(crate) fn push(
        &mut self,
        operator: Arc<dyn Operator>,
        inputs: &[Value],
        tables: ChainTables,
        uniforms: &[(&str, Value)],
    ) -> Result<Vec<Value>, FunctionError> {
        let name = String::from(operator.name());
        let infos = inputs.iter().map(|value| self.info(*value)).collect::<Result<Vec<_>, _>>()?;
        let inferred = operator.infer(&infos).map_err(|error| FunctionError::of_stage(&name, error))?;
        for found in [inputs.len(), inferred.len(), tables.each().len()] {
            if found > MAX_ARGUMENTS {
                let error = OperatorError::Input {
                    argument: "the list of arguments".into(),
                    found: std::format!("{found} long"),
                    rule: std::format!("a run has at most {MAX_ARGUMENTS} of a kind"),
                };
                return Err(FunctionError::of_stage(&name, error));
            }
        }
        let aliases = operator.aliases();
        check_aliases(&aliases, &infos, &inferred).map_err(|error| FunctionError::of_stage(&name, error))?;
        let edges = table_edges(self, &name, &*operator, &tables)?;
        let uniforms = uniform_edges(self, &name, &*operator, uniforms)?;
        let first = inferred.iter().flatten().next().copied();
        let first = first.ok_or_else(|| FunctionError::StageOutputs { kernel: name.clone(), found: 0, expected: 1 })?;
        let (shape, valid) = (first.shape(), first.valid_region());
        let mut wiring = Wiring {
            footprints: (0..inputs.len())
                .map(|index| operator.footprint(index).rows_of((*operator).type_id()))
                .collect(),
            aliases,
            images: inputs.iter().map(|value| value.index).collect(),
            kept: tables,
            tables: edges,
            uniforms,
            outputs: Vec::new(),
            shape,
            valid,
            is_uniform: inferred.iter().flatten().all(|info| info.shape() == shape && info.valid_region() == valid),
            name,
        };
        let stage = self.stages.len();
        wiring.reads().collect::<Vec<_>>().into_iter().for_each(|value| self.mark_read(value, stage));
        let mut written = Vec::new();
        for info in inferred {
            wiring.outputs.push(info.is_some().then_some(self.values.len()));
            if let Some(info) = info {
                written.push(self.value(ValueDef { writer: Some(stage), ..ValueDef::new(info) }));
            }
        }
        self.stages.push((wiring, operator));
        Ok(written)
    }

    /// A value, and what it is a view of, is read by `stage`.
    fn mark_read(&mut self, value: usize, stage: usize) {
        self.values[value].last_read = Some(stage);
        if let Some((of, _)) = self.values[value].view {
            self.mark_read(of, stage);
        }
    }

    fn value(&mut self, def: ValueDef) -> Value {
        self.values.push(def);
        Value { chain: self.chain, index: self.values.len() - 1 }
    }

    fn def(&self, value: Value) -> Result<&ValueDef, FunctionError> {
        self.values.get(value.index).filter(|_| value.chain == self.chain).ok_or(FunctionError::ForeignValue)
    }
}

/// An output that is computed in place of an intermediate which nothing reads any more lies in its memory.
fn share_in_place(values: &mut [ValueDef], stages: &[Stage]) {
    for (index, stage) in stages.iter().enumerate() {
        let wiring = &stage.wiring;
        for (output, &value) in wiring.outputs.iter().enumerate() {
            let (Some(value), Some(from)) = (value, wiring.in_place_of(output)) else { continue };
            let is_free = values[from].is_intermediate() && values[from].last_read == Some(index);
            let is_read_once = wiring.reads().filter(|&read| read == from || views(values, read, from)).count() == 1;
            if is_free && is_read_once && values[value].is_intermediate() {
                values[value].in_place_of = Some(from);
            }
        }
    }
}

/// Whether a value is a view of `from`, or a view of such a view.
fn views(values: &[ValueDef], value: usize, from: usize) -> bool {
    values[value].view.is_some_and(|(of, _)| of == from || views(values, of, from))
}
