//! One run of a plan: the caller's tensors, the intermediates, and step after step.

use windrow::{
    AnyView, AnyViewMut, Scheduler, TensorInfo,
    chain::{Function, FunctionError},
    memory::{Acquired, MemoryError, TensorId},
};

use crate::{
    array::{Array, Elements, ElementsMut},
    error::RunPlanError,
    plan::{Named, Plan},
    slot::{MAX_BUFFERS, Root},
    step::Step,
};

/// What a run reads and writes.
pub(crate) struct Run<'r> {
    plan: &'r Plan,
    inputs: Vec<Elements<'r>>,
    outputs: Vec<ElementsMut<'r>>,
    memory: Acquired<'r>,
}

impl<'r> Run<'r> {
    /// Checks the caller's tensors, and waits for the memory of the intermediates.
    pub fn begin(
        plan: &'r Plan,
        inputs: &'r [AnyView<'_>],
        outputs: &'r mut [AnyViewMut<'_>],
    ) -> Result<Run<'r>, RunPlanError> {
        expect_count(false, inputs.len(), plan.inputs.len())?;
        expect_count(true, outputs.len(), plan.outputs.len())?;
        let mut read = Vec::with_capacity(inputs.len());
        for (view, named) in inputs.iter().zip(&plan.inputs) {
            let elements = Elements::of(*view).filter(|_| named.fits(view.info()));
            read.push(elements.ok_or_else(|| named.refused(view.info()))?);
        }
        let mut written = Vec::with_capacity(outputs.len());
        for (view, named) in outputs.iter_mut().zip(&plan.outputs) {
            let info = *view.info();
            let elements = ElementsMut::of(view.reborrow()).filter(|_| named.fits(&info));
            written.push(elements.ok_or_else(|| named.refused(&info))?);
        }
        Ok(Run { plan, inputs: read, outputs: written, memory: plan.group.acquire()? })
    }

    /// A tensor of the run, to read.
    #[cfg(feature = "opencl")]
    pub fn read(&mut self, bound: &crate::slot::Bound) -> Result<AnyView<'_>, RunPlanError> {
        let elements = match bound.slot.root {
            Root::Input(input) => self.inputs.get(input).copied().ok_or(MemoryError::NotPopulated)?,
            root => self.written(root)?.into_read(),
        };
        Ok(elements.view(bound).ok_or(MemoryError::NotPopulated)??)
    }

    /// A tensor of the run, to write.
    #[cfg(feature = "opencl")]
    pub fn write(&mut self, bound: &crate::slot::Bound) -> Result<AnyViewMut<'_>, RunPlanError> {
        let elements = self.written(bound.slot.root)?;
        Ok(elements.view(bound).ok_or(MemoryError::NotPopulated)??)
    }

    /// The elements of memory that steps write.
    #[cfg(feature = "opencl")]
    fn written(&mut self, root: Root) -> Result<ElementsMut<'_>, MemoryError> {
        let found = match root {
            Root::Output(output) => self.outputs.get_mut(output).map(ElementsMut::reborrow),
            Root::Memory(buffer) => {
                let [view] = self.memory.tensors([self.plan.intermediate(buffer)?])?;
                ElementsMut::of(view)
            }
            Root::Input(_) | Root::Constant(_) => None,
        };
        found.ok_or(MemoryError::NotPopulated)
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
                Some((before, [own, behind @ ..])) => (Some(own.reborrow()), [&*before, &*behind]),
                _ => (None, [&[][..], &[]]),
            },
            Root::Input(_) | Root::Constant(_) => (None, [&[][..], &[]]),
        };
        let find = |root: Root| match root {
            Root::Input(input) => self.inputs.get(input).copied(),
            Root::Constant(constant) => self.plan.constants.get(constant).map(Array::read),
            Root::Memory(buffer) => buffers.iter().find(|(found, _)| *found == buffer).map(|(_, found)| found.read()),
            Root::Output(output) => {
                let [before, behind] = read;
                let found = before.get(output).or_else(|| behind.get(output.checked_sub(before.len() + 1)?));
                found.map(ElementsMut::read)
            }
        };
        // Places are those of the plan: that none of them is missing is nothing that a caller can change.
        let missing = || failed(step, FunctionError::Memory(MemoryError::NotPopulated));
        let mut views = Vec::with_capacity(step.reads.len());
        for bound in &step.reads {
            views.push(find(bound.slot.root).and_then(|elements| elements.view(bound)).ok_or_else(missing)??);
        }
        let mut out = written.and_then(|written| written.view(&step.writes)).ok_or_else(missing)??;
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
) -> Result<Vec<(usize, ElementsMut<'m>)>, RunPlanError> {
    let mut buffers: Vec<usize> = Vec::with_capacity(MAX_BUFFERS);
    for bound in step.reads.iter().chain([&step.writes]) {
        if let Root::Memory(buffer) = bound.slot.root
            && !buffers.contains(&buffer)
        {
            buffers.push(buffer);
        }
    }
    let missing = MemoryError::NotPopulated;
    let id = |buffer: usize| plan.intermediate(buffer);
    let views: Vec<AnyViewMut<'m>> = match buffers[..] {
        [] => Vec::new(),
        [a] => memory.tensors([id(a)?])?.into(),
        [a, b] => memory.tensors([id(a)?, id(b)?])?.into(),
        [a, b, c] => memory.tensors([id(a)?, id(b)?, id(c)?])?.into(),
        [a, b, c, d] => memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?])?.into(),
        [a, b, c, d, e] => memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?, id(e)?])?.into(),
        [a, b, c, d, e, f] => memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?, id(e)?, id(f)?])?.into(),
        [a, b, c, d, e, f, g] => memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?, id(e)?, id(f)?, id(g)?])?.into(),
        [a, b, c, d, e, f, g, h] => {
            memory.tensors([id(a)?, id(b)?, id(c)?, id(d)?, id(e)?, id(f)?, id(g)?, id(h)?])?.into()
        }
        // A step of more is never made.
        _ => return Err(missing.into()),
    };
    let elements = |view: AnyViewMut<'m>| ElementsMut::of(view).ok_or(RunPlanError::from(missing));
    buffers.into_iter().zip(views).map(|(buffer, view)| Ok((buffer, elements(view)?))).collect()
}

impl Plan {
    /// The memory of an intermediate.
    fn intermediate(&self, buffer: usize) -> Result<TensorId, MemoryError> {
        let found = self.intermediates.get(buffer).copied().flatten();
        found.map(|found| found.tensor).ok_or(MemoryError::NotPopulated)
    }
}

/// Says that as many tensors are given as the plan has.
pub(crate) fn expect_count(outputs: bool, found: usize, expected: usize) -> Result<(), RunPlanError> {
    if found == expected { Ok(()) } else { Err(RunPlanError::Count { outputs, found, expected }) }
}

fn failed(step: &Step, error: FunctionError) -> RunPlanError {
    RunPlanError::Node { node: step.node().to_owned(), error: Box::new(error) }
}

impl Named {
    /// Says that a tensor is of this type and shape.
    #[cfg(feature = "opencl")]
    pub(crate) fn expect(&self, info: &TensorInfo) -> Result<(), RunPlanError> {
        if self.fits(info) { Ok(()) } else { Err(self.refused(info)) }
    }

    fn fits(&self, info: &TensorInfo) -> bool {
        let is_alike = info.dtype() == self.info.dtype() && info.channels() == 1 && info.shape() == self.info.shape();
        // Integers of which nothing is said are taken for what the plan says.
        is_alike && info.quantization().is_none_or(|found| self.info.quantization() == Some(found))
    }

    fn refused(&self, info: &TensorInfo) -> RunPlanError {
        let gaps = if self.fits(info) { " with gaps" } else { "" };
        let (found, expected) = (format!("{}{gaps}", said(info)), said(&self.info));
        RunPlanError::Tensor { value: self.name.clone(), found, expected }
    }
}

/// A tensor's type and shape, as a message has them.
fn said(info: &TensorInfo) -> String {
    let lanes = if info.channels() == 1 { String::new() } else { format!(" with {} channels", info.channels()) };
    let text = format!("{} of {}{lanes}", info.shape(), info.dtype().name());
    match info.quantization() {
        Some(found) => format!("{text} of scale {} and zero {}", found.scale(), found.offset()),
        None => text,
    }
}
