//! A plan from files, which may say anything.

use std::{fs, path::Path};

use windrow::{TensorInfo, tensor::Quantization};

use super::{
    NAMES,
    check::{self, Extent, Memory},
    constants,
    error::PlanFileError,
    form::{Head, NamedForm, PlanForm, StepForm, VERSION},
};
use crate::{
    array::Array,
    assemble::Parts,
    budget::Budget,
    call::Call,
    custom::{CustomOperators, Unresolved},
    error::{PlanError, Unsupported},
    lower::{Lowered, Refusal},
    model::count,
    plan::{Named, Plan, PlanOptions},
    prepare::Prepare,
    shape,
};

impl Plan {
    /// Reads a plan from the folder that [`Plan::save`] has written it to.
    ///
    /// # Errors
    /// As [`Plan::read`], and [`PlanFileError::Io`].
    pub fn load(folder: &Path) -> Result<Plan, PlanFileError> {
        Plan::load_with(folder, &CustomOperators::new())
    }

    /// Works as [`Plan::load`], of a plan with operators of the caller's own.
    ///
    /// # Errors
    /// As [`Plan::read_with`], and [`PlanFileError::Io`].
    pub fn load_with(folder: &Path, operators: &CustomOperators) -> Result<Plan, PlanFileError> {
        let read = |name: &str| {
            let file = folder.join(name);
            fs::read(&file).map_err(|error| PlanFileError::Io { file, error })
        };
        let [plan, constants] = NAMES;
        Plan::read_with(&read(plan)?, &read(constants)?, &PlanOptions::default(), operators)
    }

    /// Reads a plan from the bytes that [`Plan::write`] has written.
    ///
    /// Kernels and the constants that they read packed are made for the processor that this runs on. Of the options,
    /// [`PlanOptions::memory`] and [`PlanOptions::runs`] count; how sums become integers of 8 bits is the plan's.
    ///
    /// The files are not trusted: whatever they say, reading takes at most 512 bytes of memory for each byte of them, besides what
    /// the options allow and some KiB for each step, and does not panic; nor does a run.
    ///
    /// # Errors
    /// [`PlanFileError::Version`] for a plan of another version; [`PlanFileError::ConstantsLength`] and [`PlanFileError::Altered`] for
    /// constants that are not the plan's; others that name the step, the tensor and the rule.
    pub fn read(plan: &[u8], constants: &[u8], options: &PlanOptions) -> Result<Plan, PlanFileError> {
        Plan::read_with(plan, constants, options, &CustomOperators::new())
    }

    /// Works as [`Plan::read`], of a plan with operators of the caller's own: those that its model was read with.
    ///
    /// The file has the names of operators, kernels and arguments, and the values of these. What else is said of an operator counts as it
    /// is said now: its border is the operator's.
    ///
    /// # Errors
    /// As [`Plan::read`]; [`PlanFileError::Custom`] for a step whose operator is not given, [`PlanFileError::CustomKernel`] for one whose
    /// operator has another kernel.
    pub fn read_with(
        plan: &[u8],
        constants: &[u8],
        options: &PlanOptions,
        operators: &CustomOperators,
    ) -> Result<Plan, PlanFileError> {
        let malformed = |error: serde_json::Error| PlanFileError::Malformed(error.to_string());
        let head: Head = serde_json::from_slice(plan).map_err(malformed)?;
        if head.windrow_plan != VERSION {
            return Err(PlanFileError::Version { found: head.windrow_plan });
        }
        let form: PlanForm = serde_json::from_slice(plan).map_err(malformed)?;
        let constants = constants::read(&form.constants, constants)?;
        let inputs = form.inputs.into_iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let outputs = form.outputs.into_iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let extent = |element, count, is_there| Extent { element, count, is_there };
        let buffers: Vec<_> = form.buffers.iter().map(|buffer| (buffer.element.element(), buffer.count)).collect();
        let mut memory = Memory {
            inputs: inputs.iter().map(|(_, own)| Extent { is_there: true, ..*own }).collect(),
            outputs: outputs.iter().map(|(_, own)| *own).collect(),
            constants: constants.iter().map(|array| extent(array.element(), array.len(), true)).collect(),
            buffers: buffers.iter().map(|&(element, count)| extent(element, count, false)).collect(),
        };
        let (mut budget, mut steps) = (Budget::new(options.memory), Vec::with_capacity(form.steps.len()));
        for (number, mut form) in form.steps.into_iter().enumerate() {
            resolve(number, &mut form, operators)?;
            steps.push(step(number, form, &mut memory, &constants, &mut budget)?);
        }
        let names = |named: Vec<(Named, Extent)>| named.into_iter().map(|(named, _)| named).collect::<Vec<_>>();
        let (inputs, outputs) = (names(inputs), names(outputs));
        if let Some(output) = memory.outputs.iter().position(|output| !output.is_there) {
            let (what, found) = (format!("output {output}"), "written by no step".to_owned());
            return Err(PlanFileError::Rule { what, found, rule: "a run writes all outputs" });
        }
        Ok(Parts { inputs, outputs, steps, constants, buffers }.assemble(budget, options.runs)?)
    }
}

/// An input or an output, and its elements.
fn named(form: NamedForm) -> Result<(Named, Extent), PlanFileError> {
    let NamedForm { name, element, extents, quantization } = form;
    if let Err(rule) = shape::check(&extents) {
        return Err(PlanFileError::Rule { what: format!("`{name}`"), found: format!("{extents:?}"), rule });
    }
    let element = element.element();
    let info = TensorInfo::new(element, 1, &extents).map_err(PlanError::from)?;
    let info = match quantization {
        Some(found) => {
            let found = Quantization::new(found.scale.into(), found.zero).map_err(PlanError::from)?;
            info.with_quantization(found)
        }
        None => info,
    };
    Ok((Named { name, info }, Extent { element, count: count(&extents).unwrap_or(0), is_there: false }))
}

/// Finds the operator of a step that the caller has given.
fn resolve(step: usize, form: &mut StepForm, operators: &CustomOperators) -> Result<(), PlanFileError> {
    let Call::custom(call) = &mut form.kernel else { return Ok(()) };
    let found = call.resolve(operators);
    let (node, operator) = (form.node.clone(), call.operator.clone());
    found.map_err(|error| match error {
        Unresolved::Operator => PlanFileError::Custom { step, node, operator },
        Unresolved::Kernel(found) => {
            PlanFileError::CustomKernel { step, node, operator, found, expected: call.kernel.clone() }
        }
        Unresolved::Values(error) => PlanError::Custom { node, operator, error: Box::new(error) }.into(),
    })
}

fn step(
    number: usize,
    form: StepForm,
    memory: &mut Memory,
    constants: &[Array],
    budget: &mut Budget,
) -> Result<Lowered, PlanFileError> {
    let StepForm { node, operator, kernel: call, fused, reads, writes } = form;
    let named = |read: Option<usize>| check::Named { step: number, node: &node, read };
    let read = |(place, form)| memory.read(form, &named(Some(place)));
    let reads = reads.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let writes = memory.write(writes, &reads, &named(None))?;
    let prepare = Prepare { node: &node, reads: &reads, constants, budget };
    let function = match prepare.call(&call, &writes) {
        Ok(function) => function,
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(Refusal::Unsupported(reason)) => {
            return Err(PlanError::Unsupported(vec![Unsupported { node, operator, reason }]).into());
        }
    };
    if function.is_none() && reads.first().is_none_or(|read| !is_alike(read, &writes)) {
        let (what, found) = (format!("step {number} (node `{node}`)"), "a copy".to_owned());
        return Err(PlanFileError::Rule {
            what,
            found,
            rule: "what it reads and writes has the same type and extents",
        });
    }
    Ok(Lowered { node, operator, call, fused, reads, writes, function })
}

fn is_alike(a: &crate::slot::Slot, b: &crate::slot::Slot) -> bool {
    (a.element, &a.extents) == (b.element, &b.extents)
}
