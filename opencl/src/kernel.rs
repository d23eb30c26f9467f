//! A configured kernel on a device.
//!
//! [`OpenClKernel::run`] takes the host's views, as a run on the processor does: it brings what is read to the device,
//! runs, and brings back the valid region; elements outside it stay as they are. [`OpenClKernel::run_on`] and
//! [`OpenClKernel::submit`] take images that already lie on the device, and only enqueue; so do `run_on_images` and
//! `submit_images`, whose inputs are images that samplers read. What the kernel reads, and in which precision, its
//! `runner` knows: whoever holds the kernel need not.

pub(crate) mod runner;
pub(crate) mod settings;

use crate::{
    Buffer, Context, DeviceImage, DeviceMemory, EffectiveNumerics, EffectivePrecision, Event, FloatFormat, MemForm,
    MemFormReason, MemMode, OpenClError, Precision, Program, SampledImage, Submission,
    arguments::{Given, Inputs},
    host::HostImages,
    launch::Entry,
    local::Sizes,
};
pub use runner::Runner;
use std::fmt;
use windrow_runtime::{
    arguments::{Inputs as HostInputs, Outputs as HostOutputs},
    code::Kernel,
    configure::Configured,
    region::Rect,
};

/// A configured kernel on a device. Its runs on the host's views are serialised.
pub struct OpenClKernel<K: Kernel> {
    configured: Configured<K>,
    runner: Runner,
}

impl<K: Kernel> OpenClKernel<K> {
    /// Builds the kernel's program for the device, in the context's precision.
    pub fn new(context: &Context, configured: Configured<K>) -> Result<Self, OpenClError> {
        Self::with_precision(context, configured, context.precision())
    }

    /// Makes the kernel in a precision of its own. Where the device hasn't got it, a strict context refuses it, and any
    /// other gives what [`Self::effective_precision`] says.
    pub fn with_precision(
        context: &Context,
        configured: Configured<K>,
        precision: Precision,
    ) -> Result<Self, OpenClError> {
        let runner = Runner::new(context, configured.plan(), precision)?;
        Ok(Self { configured, runner })
    }

    /// Takes a program that [`Program::of`] has built, so that several configurations share it: the kernel has the precision
    /// that it was built in.
    ///
    /// # Errors
    /// [`BuildError::OtherProgram`](crate::program::error::BuildError::OtherProgram) for a program of another text than the kernel's own, or with options of its own:
    /// [`super::SourceKernel`] runs those.
    pub fn with_program(context: &Context, program: &Program, configured: Configured<K>) -> Result<Self, OpenClError> {
        let requested = program.precision().unwrap_or(context.precision());
        let precision = EffectivePrecision { requested, effective: program.precision() };
        context.core().check_same("the program", program.core())?;
        context.programs().check_own(program, K::CODE, precision)?;
        let runner = Runner::of(context, program, configured.plan(), precision)?;
        Ok(Self { configured, runner })
    }

    /// Returns `self` reading what `mode` says: buffers, or images that samplers find the border of. Images come from `memory`.
    ///
    /// ```no_run
    /// # use windrow::{Configured, Kernel};
    /// # use windrow::opencl::{DeviceMemory, MemMode, OpenClError, OpenClKernel};
    /// # fn example<K: Kernel>(memory: &DeviceMemory, configured: Configured<K>) -> Result<(), OpenClError> {
    /// let kernel = OpenClKernel::new(memory.context(), configured)?.with_memory(memory, MemMode::Auto)?;
    /// let (form, reason) = kernel.mem_form();
    /// println!("reads {form}: {reason}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OpenClError::NoImageForm`] where images are asked for and can't be had; [`MemMode::Auto`] takes buffers then.
    pub fn with_memory(mut self, memory: &DeviceMemory, mode: MemMode) -> Result<Self, OpenClError> {
        self.runner.set_memory(self.configured.plan(), memory, mode)?;
        Ok(self)
    }

    /// Takes another configuration in the place of the present one. The program is kept, and the entry too where it
    /// serves both; an error leaves everything as it was.
    pub fn reconfigure(&mut self, configured: Configured<K>) -> Result<(), OpenClError> {
        self.runner.reconfigure(configured.plan())?;
        self.configured = configured;
        Ok(())
    }

    /// Returns the configuration.
    pub fn configured(&self) -> &Configured<K> {
        &self.configured
    }

    /// Returns what the kernel reads, buffers or images, and why. A kernel that was not told about memory reads buffers.
    pub fn mem_form(&self) -> (MemForm, MemFormReason) {
        self.runner.form
    }

    /// Returns how its floats are computed on this device, by the text that was built.
    pub fn effective_numerics(&self) -> EffectiveNumerics {
        self.runner.numerics()
    }

    /// Returns the precision that was asked for, and the one in effect.
    pub fn effective_precision(&self) -> EffectivePrecision {
        self.runner.precision
    }

    /// Returns how the floats of its images on the device must lie in memory.
    pub fn format(&self) -> FloatFormat {
        self.runner.precision.format()
    }

    /// Returns the context in which the kernel runs.
    pub fn context(&self) -> &Context {
        &self.runner.context
    }

    /// Computes the whole window of the host's images, and waits.
    pub fn run(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>) -> Result<(), OpenClError> {
        self.run_bound(inputs, outputs, self.configured.plan().valid_region().plane())
    }

    /// Computes `window` of the host's images, and waits; the rest stays as it is.
    pub fn run_window(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>, window: Rect) -> Result<(), OpenClError> {
        self.run_bound(inputs, outputs, window.intersect(&self.configured.plan().valid_region().plane()))
    }

    fn run_bound<'i, 'o>(
        &self,
        inputs: impl HostInputs<'i>,
        outputs: impl HostOutputs<'o>,
        window: Rect,
    ) -> Result<(), OpenClError> {
        let bound = self.configured.plan().bind(inputs, outputs)?;
        self.run_part(&HostImages::of(&bound), window)
    }

    /// Computes `window` of the host's images, which have been bound to this kernel's plan, and waits.
    pub(super) fn run_part(&self, host: &HostImages<'_>, window: Rect) -> Result<(), OpenClError> {
        self.runner.run_part(self.configured.plan(), host, window)
    }

    /// Enqueues the whole window of images on the device, on the context's queue: `inputs` are the images read (an
    /// `#[inout]` argument is an output), `tables` the look-up tables' bytes, `outputs` the images written, `None` for
    /// one left out. [`Context::sync`], and whatever reads an output, waits for it.
    pub fn run_on(
        &self,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.enqueue(Given { inputs: Inputs::Buffers(inputs), tables, outputs })
    }

    /// Works as [`Self::run_on`], on inputs that are images already: nothing is copied.
    ///
    /// # Errors
    /// As there; [`OpenClError::Form`] where the kernel reads buffers.
    pub fn run_on_images(
        &self,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.enqueue(Given { inputs: Inputs::Images(inputs), tables, outputs })
    }

    /// Works as [`Self::run_on`], on a queue and after events of the caller's choice; the event is done when the run
    /// is.
    pub fn submit(
        &self,
        on: &Submission<'_>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<Event, OpenClError> {
        self.runner.submit(self.configured.plan(), on, Given { inputs: Inputs::Buffers(inputs), tables, outputs })
    }

    /// Works as [`Self::submit`], on inputs that are images already: nothing is copied.
    ///
    /// # Errors
    /// As there; [`OpenClError::Form`] where the kernel reads buffers.
    pub fn submit_images(
        &self,
        on: &Submission<'_>,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<Event, OpenClError> {
        self.runner.submit(self.configured.plan(), on, Given { inputs: Inputs::Images(inputs), tables, outputs })
    }

    fn enqueue(&self, given: Given<'_>) -> Result<(), OpenClError> {
        let on = Submission::on(self.context().queue());
        self.runner.enqueue(self.configured.plan(), &on, given, false).map(drop)
    }

    /// What a recording keeps of a run: see [`Runner::record`].
    pub(super) fn record(&self, given: Given<'_>) -> Result<(Entry, Option<Sizes>), OpenClError> {
        self.runner.record(self.configured.plan(), given)
    }
}

impl<K: Kernel> fmt::Debug for OpenClKernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenClKernel")
            .field("configured", &self.configured)
            .field("device", self.context().device())
            .field("precision", &self.runner.precision)
            .field("form", &self.runner.form.0)
            .field("local", &self.runner.local)
            .finish_non_exhaustive()
    }
}
