//! How a kernel on a device runs, without a change of its results: schedule and work-groups, and what a tuner may try.

use crate::{
    error::OpenClError,
    format::Precision,
    kernel::{Entry, LocalSize, OpenClKernel},
    launch::{image_entry, preferred, schedules},
    memory::form::MemForm,
    program::digest::Digest,
    tuner::{
        candidates::{ScheduleSpace, Space},
        table::{ShapeClass, TuneKey},
    },
};
use windrow_runtime::code::Kernel;

impl<K: Kernel> OpenClKernel<K> {
    /// The schedules that the kernel has: elements that a work-item computes, (x, y). A new kernel has the one that suits
    /// the device.
    pub fn schedules(&self) -> impl Iterator<Item = (u32, u32)> + use<K> {
        let (form, index) = (self.runner.form.0, self.configured.plan().index());
        let over_buffers = schedules(K::CODE, index).filter(move |_| form == MemForm::Buffer);
        let over_images = image_entry(K::CODE, index).filter(|_| form == MemForm::Image);
        over_buffers.chain(over_images).map(|entry| entry.block)
    }

    /// With another of its schedules. It changes the speed, never a result.
    pub fn with_schedule(mut self, schedule: usize) -> Result<Self, OpenClError> {
        self.set_schedule(schedule)?;
        Ok(self)
    }

    /// With work-groups of this size.
    #[must_use]
    pub fn with_local_size(mut self, local: LocalSize) -> Self {
        self.runner.local = local;
        self
    }

    /// The size of its work-groups.
    pub fn local_size(&self) -> LocalSize {
        self.runner.local
    }

    /// Which of its schedules it has.
    pub fn schedule(&self) -> usize {
        match self.runner.form.0 {
            MemForm::Buffer => self.runner.schedule(self.configured.plan()),
            MemForm::Image => 0,
        }
    }

    /// Takes another of its schedules; an error leaves everything as it was.
    pub fn set_schedule(&mut self, schedule: usize) -> Result<(), OpenClError> {
        let (form, index) = (self.runner.form.0, self.configured.plan().index());
        match form {
            MemForm::Buffer => {
                let entry = Entry::new(&self.runner.context, &self.runner.program, K::CODE, index, schedule)?;
                self.runner.state_mut().entry = entry;
                self.runner.schedule = Some(schedule);
                Ok(())
            }
            // There is one, which the kernel has.
            MemForm::Image if schedule == 0 => Ok(()),
            MemForm::Image => Err(OpenClError::NoEntry { kernel: K::CODE.spec().name, index, schedule }),
        }
    }

    fn default_schedule(&self) -> usize {
        match self.runner.form.0 {
            MemForm::Buffer => preferred(self.context().device(), K::CODE, self.configured.plan().index()),
            MemForm::Image => 0,
        }
    }

    /// The size of its work-groups.
    pub fn lws_hint(&self) -> LocalSize {
        self.runner.local
    }

    /// Takes work-groups of another size; one that the device doesn't take for this kernel is an error, and changes
    /// nothing.
    pub fn set_lws_hint(&mut self, local: LocalSize) -> Result<(), OpenClError> {
        self.runner.state().entry().limits()?.check(local)?;
        self.runner.local = local;
        Ok(())
    }

    /// What a tuner may try with it.
    pub fn tune_space(&self) -> Result<Space, OpenClError> {
        let (plane, index) = (self.configured.plan().valid_region().plane(), self.configured.plan().index());
        let of_entry = |entry: &Entry| Ok(ScheduleSpace { items: entry.items(plane), limits: entry.limits()? });
        let of_schedule =
            |schedule| of_entry(&Entry::new(self.context(), &self.runner.program, K::CODE, index, schedule)?);
        let schedules = match self.runner.form.0 {
            MemForm::Buffer => (0..self.schedules().count()).map(of_schedule).collect::<Result<_, OpenClError>>()?,
            MemForm::Image => vec![of_entry(self.runner.state().entry())?],
        };
        Ok(Space { schedules, default: self.default_schedule() })
    }

    /// Launches it once as it is set, over a window without elements, and waits: whether the device takes what is legal.
    /// Over images there is one schedule, which the device has taken, and no choice to try.
    pub(crate) fn try_once(&self) -> Result<(), OpenClError> {
        let (state, plan) = (self.runner.state(), self.configured.plan());
        let entry = match &state.images {
            Some(images) => Entry::of_images(self.context(), images.program(), K::CODE, plan.index())?,
            None => Entry::new(self.context(), &self.runner.program, K::CODE, plan.index(), self.schedule())?,
        };
        entry.try_once(plan.borders().modes(), self.runner.local)
    }

    /// What its program over buffers is made of: source and precision.
    fn source(&self) -> Digest {
        match self.runner.precision.effective {
            Some(Precision::F32) | None => self.runner.program.source(),
            Some(lesser @ (Precision::F16Storage | Precision::F16)) => {
                Digest::of(format!("{} {lesser}", self.runner.program.source()).as_bytes())
            }
        }
    }

    /// What a tuning of it holds for.
    pub fn tune_key(&self) -> TuneKey {
        let shape = self.configured.plan().shape();
        let source =
            self.runner.state().images.as_ref().map_or_else(|| self.source(), |images| images.program().source());
        TuneKey {
            kernel: K::CODE.spec().name.into(),
            body: self.configured.plan().index(),
            source,
            shape: ShapeClass::of(shape.width(), shape.height(), shape.planes()),
            device: self.context().programs().identity().clone(),
        }
    }
}
