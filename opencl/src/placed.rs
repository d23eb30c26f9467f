//! A kernel on a device where one can run it, and on the processor where none can. Which, is known before the first run.

use super::{context::Context, error::OpenClError, format::Precision, kernel::OpenClKernel, memory::MemForm};
use std::{
    fmt,
    string::{String, ToString},
};
use windrow_runtime::{code::Kernel, configure::Configured, element::ElementType, schedule::Scheduler};

/// What becomes of a kernel that no device can run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fallback {
    /// Nothing: what keeps it from the device is an error.
    #[default]
    Never,
    /// It runs on the processor, and says why.
    Processor,
}

/// A configured kernel in the place where it runs.
///
/// ```
/// use windrow::opencl::{Context, Fallback, OpenClError, PlacedKernel};
/// # use windrow::{Configured, Kernel};
///
/// fn place<K: Kernel>(configured: &Configured<K>) -> Result<PlacedKernel<K>, OpenClError> {
///     // Without a library, a platform or a device, the processor.
///     let kernel = PlacedKernel::new(Context::open().as_ref(), configured, Fallback::Processor)?;
///     println!("{}", kernel.placement());
///     Ok(kernel)
/// }
/// ```
pub struct PlacedKernel<K: Kernel> {
    configured: Configured<K>,
    /// The kernel on the device, or why there is none.
    device: Result<OpenClKernel<K>, OpenClError>,
}

/// Where a kernel runs, and why: a line of the plan that an application prints or checks before it starts.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The device's name; none for the processor.
    pub device: Option<String>,
    /// What keeps the kernel from a device.
    pub reason: Option<OpenClError>,
    /// What it reads on the device; none on the processor.
    pub form: Option<MemForm>,
    /// The precision of its floats: the one in effect on the device, 32 bits on the processor; none where no image holds
    /// floats.
    pub precision: Option<Precision>,
}

impl<K: Kernel> PlacedKernel<K> {
    /// The kernel on the device of `context`. Where there is no context, or its device can't run the kernel as it is
    /// configured (a feature, exact floats or memory that it lacks, a program that doesn't build),
    /// `fallback` decides.
    ///
    /// A run that fails is an error and moves nothing: what has been written by then is not known.
    pub fn new(
        context: Result<&Context, &OpenClError>,
        configured: &Configured<K>,
        fallback: Fallback,
    ) -> Result<Self, OpenClError> {
        Self::with_kernel(context, configured, fallback, OpenClKernel::new)
    }

    /// The same of a kernel that `build` makes: in a precision of its own, over images, tuned. What it refuses, `fallback`
    /// decides on. On the processor floats have 32 bits, whatever the device would have had: [`Placement::precision`] says so.
    ///
    /// ```
    /// use windrow::opencl::{Context, DeviceMemory, Fallback, MemMode, OpenClError, OpenClKernel, PlacedKernel};
    /// # use windrow::{Configured, Kernel};
    ///
    /// fn place<K: Kernel>(memory: &DeviceMemory, configured: &Configured<K>) -> Result<PlacedKernel<K>, OpenClError> {
    ///     PlacedKernel::with_kernel(Ok(memory.context()), configured, Fallback::Processor, |context, configured| {
    ///         OpenClKernel::new(context, configured)?.with_memory(memory, MemMode::Image)
    ///     })
    /// }
    /// ```
    pub fn with_kernel(
        context: Result<&Context, &OpenClError>,
        configured: &Configured<K>,
        fallback: Fallback,
        build: impl FnOnce(&Context, Configured<K>) -> Result<OpenClKernel<K>, OpenClError>,
    ) -> Result<Self, OpenClError> {
        let build = |context| build(context, configured.clone());
        let device = match (context.map_err(Clone::clone).and_then(build), fallback) {
            (Err(reason), Fallback::Never) => return Err(reason),
            (device, Fallback::Never | Fallback::Processor) => device,
        };
        Ok(Self { configured: configured.clone(), device })
    }

    /// Where it runs, and why.
    pub fn placement(&self) -> Placement {
        Placement {
            kernel: K::CODE.spec().name,
            device: self.device().map(|kernel| kernel.context().device().name.clone()),
            reason: self.device.as_ref().err().cloned(),
            form: self.device().map(|kernel| kernel.mem_form().0),
            precision: match self.device() {
                Some(kernel) => kernel.effective_precision().effective,
                None => has_floats::<K>().then_some(Precision::F32),
            },
        }
    }

    /// The kernel on the device, where it runs there.
    pub fn device(&self) -> Option<&OpenClKernel<K>> {
        self.device.as_ref().ok()
    }

    /// Computes the whole window on the host's images; `scheduler` is the processor's.
    pub fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        match &self.device {
            Ok(kernel) => kernel.run(inputs, outputs),
            Err(_) => Ok(self.configured.run(scheduler, inputs, outputs)?),
        }
    }
}

/// Whether a precision means anything to a kernel.
fn has_floats<K: Kernel>() -> bool {
    let spec = K::CODE.spec();
    let read = spec.images().map(|(_, input)| input.element);
    read.chain(spec.outputs.iter().map(|output| output.element)).any(|element| element == ElementType::F32)
}

/// `gaussian3x3: NVIDIA H200`, or `gaussian3x3: the processor (` and the reason `)`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.device, &self.reason) {
            (Some(device), _) => write!(f, "{}: {device}", self.kernel),
            (None, Some(reason)) => write!(f, "{}: the processor ({reason})", self.kernel),
            (None, None) => write!(f, "{}: the processor", self.kernel),
        }
    }
}

impl<K: Kernel> fmt::Debug for PlacedKernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PlacedKernel").field(&self.placement().to_string()).finish()
    }
}
