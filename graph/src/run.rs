//! One run of a plan: the caller's tensors, the intermediates, and step after step.

use windrow::{
    AnyViewMut, Scheduler, TensorInfo, View, ViewMut,
    chain::{Function, FunctionError},
    memory::{Acquired, MemoryError},
};

use crate::{
    error::RunPlanError,
    plan::{Bound, Named, Plan, Step},
    slot::Root,
};

/// What a run reads and writes.
pub(crate) struct Run<'r> {
    plan: &'r Plan,
    inputs: Vec<&'r [f32]>,
    outputs: Vec<&'r mut [f32]>,
    memory: Acquired<'r>,
}

impl<'r> Run<'r> {
    /// Checks the caller's tensors, and waits for the memory of the intermediates.
    pub fn begin(
        plan: &'r Plan,
        inputs: &'r [View<'_, f32>],
        outputs: &'r mut [ViewMut<'_, f32>],
    ) -> Result<Run<'r>, RunPlanError> {
        expect_count(false, inputs.len(), plan.inputs.len())?;
        expect_count(true, outputs.len(), plan.outputs.len())?;
        let mut read = Vec::with_capacity(inputs.len());
        for (view, named) in inputs.iter().zip(&plan.inputs) {
            read.push(view.as_slice().filter(|_| named.fits(view.info())).ok_or_else(|| named.refused(view.info()))?);
        }
        let mut written = Vec::with_capacity(outputs.len());
        for (view, named) in outputs.iter_mut().zip(&plan.outputs) {
            let info = *view.info();
            let slice = view.reborrow().into_slice().filter(|_| named.fits(&info));
            written.push(slice.ok_or_else(|| named.refused(&info))?);
        }
        Ok(Run { plan, inputs: read, outputs: written, memory: plan.group.acquire()? })
    }

    /// Computes a step; those before it have been.
    pub fn step(&mut self, step: &Step, scheduler: &dyn Scheduler) -> Result<(), RunPlanError> {
        let mut buffers = buffers(self.plan, step, &mut self.memory)?;
        // What is written is taken out: everything that is left is only read.
        let (written, read) = match step.writes.slot.root {
            Root::Memory(buffer) => {
                let place = buffers.iter().position(|(found, _)| *found == buffer);
                (place.map(|place| buffers.swap_remove(place).1), [&*self.outputs, &[]])
            }
            Root::Output(output) => match self.outputs.split_at_mut_checked(output) {
                Some((before, [own, behind @ ..])) => (Some(&mut **own), [&*before, &*behind]),
                _ => (None, [&[][..], &[]]),
            },
            Root::Input(_) | Root::Constant(_) => (None, [&[][..], &[]]),
        };
        let find = |root: Root| match root {
            Root::Input(input) => self.inputs.get(input).copied(),
            Root::Constant(constant) => self.plan.constants.get(constant).map(|floats| &**floats),
            Root::Memory(buffer) => buffers.iter().find(|(found, _)| *found == buffer).map(|(_, floats)| &**floats),
            Root::Output(output) => {
                let [before, behind] = read;
                let found = before.get(output).or_else(|| behind.get(output.checked_sub(before.len() + 1)?));
                found.map(|floats| &**floats)
            }
        };
        // Places are those of the plan: that none of them is missing is nothing that a caller can change.
        let missing = || failed(step, FunctionError::Memory(MemoryError::NotPopulated));
        let mut views = Vec::with_capacity(step.reads.len());
        for Bound { slot, strides } in &step.reads {
            let floats = find(slot.root).and_then(|floats| floats.get(slot.offset..)).ok_or_else(missing)?;
            views.push(View::<f32>::with_strides(floats, &slot.extents, strides)?.any());
        }
        let Bound { slot, strides } = &step.writes;
        let written = written.and_then(|written| written.get_mut(slot.offset..)).ok_or_else(missing)?;
        let mut out = ViewMut::<f32>::with_strides(written, &slot.extents, strides)?.any();
        match (&step.function, &views[..]) {
            (Some(function), views) => function.run(scheduler, views, &mut [out]).map_err(|error| failed(step, error)),
            (None, [from]) => Ok(out.copy_from(from)?),
            (None, _) => Err(missing()),
        }
    }
}

/// The intermediates that a step needs.
fn buffers<'m>(
    plan: &Plan,
    step: &Step,
    memory: &'m mut Acquired<'_>,
) -> Result<Vec<(usize, &'m mut [f32])>, RunPlanError> {
    let mut buffers: Vec<usize> = Vec::with_capacity(4);
    for bound in step.reads.iter().chain([&step.writes]) {
        if let Root::Memory(buffer) = bound.slot.root
            && !buffers.contains(&buffer)
        {
            buffers.push(buffer);
        }
    }
    let missing = MemoryError::NotPopulated;
    let id = |buffer: usize| plan.tensors.get(buffer).copied().flatten().ok_or(missing);
    let views: Vec<AnyViewMut<'m>> = match buffers[..] {
        [] => Vec::new(),
        [a] => memory.tensors([id(a)?])?.into(),
        [a, b] => memory.tensors([id(a)?, id(b)?])?.into(),
        [a, b, c] => memory.tensors([id(a)?, id(b)?, id(c)?])?.into(),
        [a, b, c, d] => memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?])?.into(),
        _ => return Err(missing.into()),
    };
    let slice = |view: AnyViewMut<'m>| view.typed::<f32>()?.into_slice().ok_or(RunPlanError::from(missing));
    buffers.into_iter().zip(views).map(|(buffer, view)| Ok((buffer, slice(view)?))).collect()
}

fn expect_count(outputs: bool, found: usize, expected: usize) -> Result<(), RunPlanError> {
    if found == expected { Ok(()) } else { Err(RunPlanError::Count { outputs, found, expected }) }
}

fn failed(step: &Step, error: FunctionError) -> RunPlanError {
    RunPlanError::Node { node: step.node().to_owned(), error: Box::new(error) }
}

impl Named {
    fn fits(&self, info: &TensorInfo) -> bool {
        info.shape().extents()[..] == self.shape.extents()[..]
    }

    fn refused(&self, info: &TensorInfo) -> RunPlanError {
        let gaps = if self.fits(info) { " with gaps" } else { "" };
        let (found, expected) = (format!("{}{gaps}", info.shape()), self.shape.to_string());
        RunPlanError::Tensor { value: self.name.clone(), found, expected }
    }
}
