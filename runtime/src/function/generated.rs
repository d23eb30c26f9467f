//! Generated kernels as operators: a [`KernelPlan`] is what they are configured to, and what runs.

use core::{any::Any, fmt};
use std::{boxed::Box, sync::OnceLock, vec::Vec};

use super::{
    error::{FunctionError, OperatorError},
    footprint::Footprint,
    operator::{
        Alias, Arguments, Compiled, ComputedUniform, Given, Operator, RunBound, TableSpec, Target, UniformNeed,
        Workspace,
    },
};
use crate::{
    bounds::uniforms,
    code::Kernel,
    configure::{Configured, KernelPlan},
    error::{InvalidConfiguration, RunError},
    execute::run_window,
    infer::{check_input_count, check_output_count, images, reached},
    info::TensorInfo,
    job::{check as check_image, check_read},
    kernel::ThreadInfo,
    run::Bound,
    stage::Source,
    tier::Tier,
    validate::tables,
    window::Window,
};

/// A configured kernel as an operator.
#[derive(Clone, Debug)]
pub struct Generated {
    plan: KernelPlan,
    is_late: bool,
}

impl Generated {
    /// Returns the kernel as it is configured.
    pub fn new<K: Kernel>(configured: &Configured<K>) -> Generated {
        Generated { plan: configured.plan.clone(), is_late: false }
    }

    /// Returns the kernel as it is configured but for its uniforms, which [`Chain::prepare`](super::Chain::prepare)
    /// gives.
    pub fn unprepared<K: Kernel>(configured: &Configured<K>) -> Generated {
        Generated { is_late: true, ..Generated::new(configured) }
    }

    /// Returns the configuration of the kernel.
    pub fn plan(&self) -> &KernelPlan {
        &self.plan
    }

    pub(super) fn with_tier(&self, tier: Tier) -> Result<Generated, InvalidConfiguration> {
        Ok(Generated { plan: self.plan.clone().with_tier(tier)?, is_late: self.is_late })
    }

    /// As many images as the kernel reads, of its types and the shapes configured.
    fn check(&self, inputs: &[TensorInfo]) -> Result<(), OperatorError> {
        let (spec, kernel) = (self.plan.spec(), self.plan.spec().name);
        let (found, expected) = (inputs.len(), images(spec).count());
        if found != expected {
            return Err(InvalidConfiguration::InputCount { kernel, found, expected }.into());
        }
        Ok(check_read(&self.plan, inputs.iter())?)
    }

    /// The plan, restricted to elements that read nothing but what is valid in the images read.
    fn restricted(&self, inputs: &[TensorInfo]) -> KernelPlan {
        let mut plan = self.plan.clone();
        for (index, ((_, input), info)) in images(plan.spec()).zip(inputs).enumerate() {
            let border = plan.borders.of(index).mode();
            plan.valid = plan.valid.intersect(&reached(input, info, plan.shape, border));
        }
        plan.window = Window::covering(plan.valid.start, plan.valid.end, plan.spec().step);
        plan
    }
}

impl Operator for Generated {
    fn name(&self) -> &str {
        self.plan.spec().name
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        self.check(inputs)?;
        let plan = self.restricted(inputs);
        let info = |output: &crate::spec::OutputSpec| {
            let info = TensorInfo::new(output.element, output.channels, &plan.shape.extents())?;
            Ok(info.with_valid_region(plan.valid)?)
        };
        let given = plan.spec().outputs.iter().zip(plan.present);
        given.map(|(output, given)| given.then(|| info(output)).transpose()).collect()
    }

    fn footprint(&self, index: usize) -> Footprint {
        let plan = &self.plan;
        let (Some((_, input)), Some(reads)) = (images(plan.spec()).nth(index), plan.body.reads.get(index)) else {
            return Footprint::ALL;
        };
        if input.is_whole() {
            return Footprint::ALL;
        }
        let (mode, _) = Source::outside(input, plan.borders.of(index));
        // SAFETY: the rows that the body reads of the input, and what its border makes of those outside (`Source`).
        unsafe { Footprint::rows::<Generated>(reads.top, reads.bottom, input.stride().1, mode) }
    }

    fn aliases(&self) -> Vec<Alias> {
        let in_place = |(input, (_, spec)): (usize, (&str, &crate::spec::InputSpec))| {
            spec.inout.map(|output| Alias { output: output as usize, input })
        };
        images(self.plan.spec()).enumerate().filter_map(in_place).collect()
    }

    fn tables(&self) -> Vec<TableSpec> {
        let table =
            |(name, element, length): (&str, _, u32)| TableSpec { name: name.into(), element, length: length as usize };
        tables(self.plan.spec()).map(table).collect()
    }

    fn uniforms(&self) -> Vec<UniformNeed> {
        let need = |(name, uniform): (&str, &crate::spec::UniformSpec)| UniformNeed {
            name: name.into(),
            element: uniform.element,
            length: uniform.dims.iter().product::<u32>() as usize,
        };
        uniforms(self.plan.spec()).map(need).collect()
    }

    /// The same code for every target: a target that is not the processor finds the kernel's program in the plan.
    fn lower(&self, _target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        self.check(inputs)?;
        let late = self.is_late.then(OnceLock::new);
        Ok(Box::new(GeneratedCode { plan: self.restricted(inputs), late }))
    }
}

/// The code of a generated kernel.
pub struct GeneratedCode {
    /// Of code that is prepared later, all but the uniforms.
    plan: KernelPlan,
    /// Where the plan of code that is prepared later goes.
    late: Option<OnceLock<KernelPlan>>,
}

impl GeneratedCode {
    /// Returns the code, where `compiled` is that of a generated kernel.
    pub fn of(compiled: &dyn Compiled) -> Option<&GeneratedCode> {
        (compiled as &dyn Any).downcast_ref()
    }

    /// Returns the configuration of the kernel; without its uniforms, where they are prepared later.
    pub fn plan(&self) -> &KernelPlan {
        &self.plan
    }

    /// Returns the plan to run by; `None` where its uniforms are still to come.
    pub fn prepared(&self) -> Option<&KernelPlan> {
        self.late.as_ref().map_or(Some(&self.plan), OnceLock::get)
    }

    /// Makes the uniforms of `other` this code's; everything else must be the same.
    pub(crate) fn prepare(&self, other: &KernelPlan) -> Result<(), FunctionError> {
        let (ours, kernel) = (&self.plan, self.plan.spec().name);
        let same = core::ptr::eq(ours.spec(), other.spec())
            && (ours.shape, ours.index, ours.inputs, ours.borders)
                == (other.shape, other.index, other.inputs, other.borders)
            && core::ptr::eq(ours.body, other.body);
        let Some(late) = self.late.as_ref().filter(|_| same) else {
            return Err(FunctionError::OtherStage { kernel: kernel.into(), found: other.spec().name.into() });
        };
        // Whoever is second finds it done.
        late.get_or_init(|| {
            let mut plan = other.clone();
            (plan.valid, plan.window) = (ours.valid, ours.window);
            plan
        });
        Ok(())
    }

    fn ready(&self) -> Result<&KernelPlan, RunError> {
        self.prepared().ok_or(RunError::Kernel { reason: "its uniforms have not been given" })
    }
}

impl Compiled for GeneratedCode {
    fn check(&self, given: &Given) -> Result<(), OperatorError> {
        let (plan, spec) = (&self.plan, self.plan.spec());
        check_output_count(spec, given.outputs.len())?;
        for ((output, info), &present) in spec.outputs.iter().zip(&given.outputs).zip(&plan.present) {
            if info.is_some() != present {
                return Err(RunError::OutputPresence { argument: output.name, given: info.is_some() }.into());
            }
            if let Some(info) = info {
                check_image(output.name, info, (output.element, output.channels), &plan.shape)?;
                check_computed(output.name, info, plan)?;
            }
        }
        check_input_count(spec, given.inputs.len())?;
        let mut inputs = given.inputs.iter();
        let read = images(spec).filter_map(|(_, input)| match input.inout {
            Some(output) => given.outputs.get(output as usize)?.as_ref(),
            None => inputs.next(),
        });
        check_read(plan, read)?;
        let (found, expected) = (given.tables.len(), tables(spec).count());
        if found != expected {
            return Err(OperatorError::TableCount { found, expected });
        }
        tables(spec).zip(&given.tables).try_for_each(|((argument, expected_element, expected), table)| {
            let (found, found_element, expected) = (table.length, table.element, expected as usize);
            if (found_element, found) == (expected_element, expected) {
                return Ok(());
            }
            let argument = argument.into();
            Err(OperatorError::Table { argument, found, found_element, expected, expected_element })
        })
    }

    fn workspace(&self) -> Workspace {
        Workspace { per_run: 0, per_thread: self.plan.packing.bytes }
    }

    fn with_uniforms(&self, computed: &[ComputedUniform]) -> Result<Box<dyn Compiled>, OperatorError> {
        let plan = self.ready()?;
        let spec = plan.spec();
        let mut words = plan.words().get(..spec.words.uniforms as usize).unwrap_or(&[]).to_vec();
        for uniform in computed {
            let Some((_, need)) = uniforms(spec).nth(uniform.index) else { continue };
            let place = words.iter_mut().skip(need.word as usize);
            place.zip(&uniform.scalars).for_each(|(word, scalar)| *word = scalar.to_word());
        }
        Ok(Box::new(GeneratedCode { plan: plan.with_words(&words)?, late: None }))
    }

    unsafe fn bind(&self, arguments: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
        let plan = self.ready()?;
        run(&mut Bound::new(plan, arguments.images)?)
    }

    unsafe fn run_part(
        &self,
        arguments: Arguments<'_>,
        window: &Window,
        thread: &mut ThreadInfo<'_>,
    ) -> Result<(), RunError> {
        let plan = self.ready()?;
        let mut job = arguments.images.job(plan);
        job.unrolled = arguments.unrolled;
        // SAFETY: the caller's: the images fit the plan, and every row that is read for these rows exists.
        unsafe { run_window(plan, &job, window, thread.scratch) };
        Ok(())
    }
}

/// No more of an output is computed than the plan computes.
fn check_computed(argument: &str, info: &TensorInfo, plan: &KernelPlan) -> Result<(), OperatorError> {
    let asked = info.valid_region();
    if asked.intersect(&plan.valid) == asked {
        return Ok(());
    }
    let found = std::format!("computed in {asked}");
    let rule = std::format!("the code is for {}", plan.valid);
    Err(OperatorError::Input { argument: argument.into(), found, rule })
}

impl fmt::Debug for GeneratedCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedCode").field("plan", &self.plan).field("prepared", &self.prepared().is_some()).finish()
    }
}
