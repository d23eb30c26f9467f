//! How a kernel on a device runs, without a change of its results: schedule and work-groups, and what a tuner may try.

use crate::{
    Buffer, Candidate, Context, DeviceMemory, Digest, LocalSize, MemForm, OpenClError, OpenClKernel, Precision,
    ScheduleSpace, ShapeClass, Space, Storage, TuneKey,
    arguments::Held,
    kernel::{Entry, Runner},
    launch::{image_entry, preferred, schedules},
    tuner::tuned::Tunable,
};
use windrow_runtime::{
    code::Kernel,
    configure::KernelPlan,
    info::{Shape, TensorInfo},
};

/// A kernel's program on a device with the plan that it runs by: a configured kernel, or what an operator lowers to as a stage of a
/// chain.
pub(crate) struct Planned<'a> {
    pub runner: &'a mut Runner,
    pub plan: &'a KernelPlan,
}

impl<K: Kernel> OpenClKernel<K> {
    /// Returns the schedules that the kernel has: elements that a work-item computes, (x, y). A new kernel has the one
    /// that suits the device.
    pub fn schedules(&self) -> impl Iterator<Item = (u32, u32)> + use<K> {
        self.runner.schedules(self.configured.plan())
    }

    /// Returns `self` with another of its schedules. It changes the speed, never a result.
    ///
    /// # Errors
    /// As [`OpenClKernel::set_schedule`].
    pub fn with_schedule(mut self, schedule: usize) -> Result<Self, OpenClError> {
        self.set_schedule(schedule)?;
        Ok(self)
    }

    /// Returns `self` with work-groups of this size.
    ///
    /// # Errors
    /// As [`OpenClKernel::set_local_size`].
    pub fn with_local_size(mut self, local: LocalSize) -> Result<Self, OpenClError> {
        self.set_local_size(local)?;
        Ok(self)
    }

    /// Returns the size of its work-groups.
    pub fn local_size(&self) -> LocalSize {
        self.runner.local
    }

    /// Takes work-groups of another size.
    ///
    /// # Errors
    /// Where the device doesn't take them for this kernel: nothing is changed then.
    pub fn set_local_size(&mut self, local: LocalSize) -> Result<(), OpenClError> {
        self.runner.set_local_size(local)
    }

    /// Returns which of the kernel's schedules it runs by.
    pub fn schedule(&self) -> usize {
        self.runner.present(self.configured.plan()).schedule
    }

    /// Takes another of its schedules.
    ///
    /// # Errors
    /// [`OpenClError::NoEntry`] where it has no such schedule, and [`IllegalLocalSize`](crate::IllegalLocalSize) where it is not one for
    /// the work-groups that were set: nothing is changed then.
    pub fn set_schedule(&mut self, schedule: usize) -> Result<(), OpenClError> {
        self.runner.set_schedule(self.configured.plan(), schedule)
    }

    /// Returns what a tuner may try with it.
    ///
    /// # Errors
    /// Where a call of the driver fails.
    pub fn tune_space(&self) -> Result<Space, OpenClError> {
        self.runner.space(self.configured.plan())
    }

    /// Returns what a tuning of it holds for.
    pub fn tune_key(&self) -> TuneKey {
        self.runner.key(self.configured.plan())
    }

    pub(crate) fn planned(&mut self) -> Planned<'_> {
        Planned { runner: &mut self.runner, plan: self.configured.plan() }
    }
}

impl Runner {
    fn schedules(&self, plan: &KernelPlan) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (form, code, index) = (self.form.0, plan.code(), plan.index());
        let over_buffers = schedules(code, index).filter(move |_| form == MemForm::Buffer);
        let over_images = image_entry(code, index).filter(|_| form == MemForm::Image);
        over_buffers.chain(over_images).map(|entry| entry.block)
    }

    /// Returns how it runs a plan.
    pub fn present(&self, plan: &KernelPlan) -> Candidate {
        let schedule = match self.form.0 {
            MemForm::Buffer => self.schedule(plan),
            // There is one.
            MemForm::Image => 0,
        };
        Candidate { schedule, local: self.local }
    }

    /// Takes another of its schedules.
    pub fn set_schedule(&mut self, plan: &KernelPlan, schedule: usize) -> Result<(), OpenClError> {
        match self.form.0 {
            MemForm::Buffer => {
                let entry = Entry::new(&self.context, &self.program, plan, schedule)?;
                entry.limits()?.check(self.local)?;
                self.state_mut().entry = entry;
                self.schedule = Some(schedule);
                Ok(())
            }
            MemForm::Image if schedule == 0 => Ok(()),
            MemForm::Image => Err(OpenClError::NoEntry { kernel: plan.spec().name, index: plan.index(), schedule }),
        }
    }

    /// Takes work-groups of another size, where the device takes them for this kernel.
    pub fn set_local_size(&mut self, local: LocalSize) -> Result<(), OpenClError> {
        self.state().entry().limits()?.check(local)?;
        self.local = local;
        Ok(())
    }

    fn space(&self, plan: &KernelPlan) -> Result<Space, OpenClError> {
        let plane = plan.valid_region().plane();
        let of_entry = |entry: &Entry| Ok(ScheduleSpace { items: entry.items(plane), limits: entry.limits()? });
        let of_schedule = |schedule| of_entry(&Entry::new(&self.context, &self.program, plan, schedule)?);
        match self.form.0 {
            MemForm::Buffer => {
                let schedules =
                    (0..self.schedules(plan).count()).map(of_schedule).collect::<Result<_, OpenClError>>()?;
                Ok(Space { schedules, default: preferred(self.context.device(), plan, self.local) })
            }
            MemForm::Image => Ok(Space { schedules: vec![of_entry(self.state().entry())?], default: 0 }),
        }
    }

    fn key(&self, plan: &KernelPlan) -> TuneKey {
        let over_buffers = || match self.precision.effective {
            Some(Precision::F32) | None => self.program.source(),
            Some(lesser @ (Precision::F16Storage | Precision::F16)) => {
                Digest::of(format!("{} {lesser}", self.program.source()).as_bytes())
            }
        };
        let source = self.state().images.as_ref().map_or_else(over_buffers, |images| images.program().source());
        let shape = plan.shape();
        TuneKey {
            kernel: plan.spec().name.into(),
            body: plan.index(),
            source,
            shape: ShapeClass::of(shape.width(), shape.height(), shape.planes()),
            device: self.context.programs().identity().clone(),
        }
    }
}

impl Tunable for Planned<'_> {
    fn context(&self) -> &Context {
        &self.runner.context
    }

    fn key(&self) -> TuneKey {
        self.runner.key(self.plan)
    }

    fn space(&self) -> Result<Space, OpenClError> {
        self.runner.space(self.plan)
    }

    fn present(&self) -> Candidate {
        self.runner.present(self.plan)
    }

    fn set(&mut self, candidate: Candidate) -> Result<(), OpenClError> {
        if self.present().schedule != candidate.schedule {
            self.runner.set_schedule(self.plan, candidate.schedule)?;
        }
        self.runner.set_local_size(candidate.local)
    }
}

impl Planned<'_> {
    /// Images and tables for runs that measure: of the types and shapes of the plan, and of arbitrary contents.
    pub fn scratch(&self) -> Result<Held, OpenClError> {
        let (plan, spec, format) = (self.plan, self.plan.spec(), self.runner.format());
        let memory = DeviceMemory::new(&self.runner.context);
        let image = |element, channels, shape: Shape| {
            let info = TensorInfo::new(element, channels, &shape.extents())?;
            memory.aligned_tensor_as(&info, format, Storage::Separate)
        };
        let read = spec.read_images().zip(plan.input_shapes());
        let inputs = read.map(|((_, input), shape)| {
            image(input.element, input.channels, if input.is_element_wise() { plan.shape() } else { shape })
        });
        let written = spec.outputs.iter().zip(plan.present());
        let outputs = written
            .map(|(output, present)| present.then(|| image(output.element, output.channels, plan.shape())).transpose());
        let tables = spec
            .tables()
            .map(|(_, element, length)| Ok(Buffer::new(memory.context(), length as usize * element.size())?));
        Ok(Held {
            inputs: inputs.collect::<Result<_, OpenClError>>()?,
            tables: tables.collect::<Result<_, OpenClError>>()?,
            outputs: outputs.collect::<Result<_, OpenClError>>()?,
        })
    }
}
