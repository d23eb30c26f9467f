//! What runs as a stage on a device: the device as a target of operators, and the code that they give for it.

use crate::{Buffer, Context, DeviceImage, DeviceMemory, FloatFormat, OpenClError, Submission};
use std::{any::Any, fmt, sync::Arc};
use windrow_runtime::{
    RunError,
    configure::KernelPlan,
    function::{Arguments, Compiled, OperatorError, RunBound, Target},
};

/// A device, as a target of operators.
#[derive(Clone)]
pub struct DeviceTarget {
    memory: DeviceMemory,
    name: String,
}

impl DeviceTarget {
    /// Returns the device of this memory.
    pub fn new(memory: &DeviceMemory) -> DeviceTarget {
        DeviceTarget { memory: memory.clone(), name: memory.context().device().name.clone() }
    }

    /// Returns the device, where `target` is one.
    pub fn of(target: &dyn Target) -> Option<&DeviceTarget> {
        (target as &dyn Any).downcast_ref()
    }

    /// Returns the device, or the error of an operator that runs on a device alone.
    ///
    /// # Errors
    /// [`OperatorError::Target`].
    pub fn expect(target: &dyn Target) -> Result<&DeviceTarget, OperatorError> {
        let refused = || OperatorError::Target {
            target: target.name().into(),
            reason: "it has code for OpenCL devices alone".into(),
        };
        DeviceTarget::of(target).ok_or_else(refused)
    }

    /// Returns the memory.
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// Returns the context.
    pub fn context(&self) -> &Context {
        self.memory.context()
    }
}

impl Target for DeviceTarget {
    fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for DeviceTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeviceTarget").field(&self.name).finish()
    }
}

/// An operator's code for a device.
pub trait DeviceCode: Any + Send + Sync + fmt::Debug {
    /// Returns how the floats of its images must lie in memory; `None` where it has no floats, or takes them either
    /// way.
    fn format(&self) -> Option<FloatFormat> {
        None
    }

    /// Enqueues it. The caller orders it after what writes its inputs.
    ///
    /// # Safety
    /// The images have the types and shapes that the code was lowered for, on its device; no output shares memory with another image.
    ///
    /// # Errors
    /// Where a call of the driver fails.
    unsafe fn enqueue(&self, on: &Submission<'_>, given: &DeviceArguments<'_>) -> Result<(), OpenClError>;
}

/// What code on a device is given.
#[derive(Clone, Copy, Debug)]
pub struct DeviceArguments<'a> {
    /// The images read, in argument order, save those that an output is computed in the place of.
    pub inputs: &'a [DeviceImage],
    /// The tables, in argument order.
    pub tables: &'a [Buffer],
    /// The images written; `None` for one left out.
    pub outputs: &'a [Option<DeviceImage>],
    /// What a generated kernel runs by.
    pub(super) plan: Option<&'a KernelPlan>,
}

/// Code for a device as an operator gives it: it can't be bound to the host's images.
#[derive(Clone, Debug)]
pub struct DeviceCompiled(Arc<dyn DeviceCode>);

impl DeviceCompiled {
    /// Makes code of this program.
    pub fn new(code: impl DeviceCode) -> DeviceCompiled {
        DeviceCompiled(Arc::new(code))
    }

    /// The code, where `compiled` is some for a device.
    pub(super) fn of(compiled: &dyn Compiled) -> Option<Arc<dyn DeviceCode>> {
        (compiled as &dyn Any).downcast_ref::<DeviceCompiled>().map(|compiled| compiled.0.clone())
    }
}

impl Compiled for DeviceCompiled {
    unsafe fn bind(&self, _arguments: Arguments<'_>, _run: &mut RunBound<'_>) -> Result<(), RunError> {
        Err(RunError::Kernel { reason: "it has code for a device, which a chain on that device runs" })
    }
}
