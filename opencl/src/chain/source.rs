//! Kernels of a program that a user wrote by hand, as operators of a chain on a device.

use crate::{
    Argument, DeviceArguments, DeviceCode, DeviceCompiled, DeviceImage, DeviceTarget, OpenClError, SourceKernel,
    Submission,
};
use std::{fmt, sync::Arc};
use windrow_runtime::{
    error::RunError,
    function::{Compiled, Operator, OperatorError, Target},
    info::TensorInfo,
};

/// What a hand-written kernel's outputs are, where its inputs are these.
type Infer = dyn Fn(&[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> + Send + Sync;
/// What it is called with, for these images.
type Launch = dyn Fn(&SourceImages<'_>) -> SourceLaunch + Send + Sync;

/// A kernel written by hand as an operator: it can be a stage of a chain on its device.
///
/// ```no_run
/// use windrow::opencl::{Context, ProgramSource, SourceArgument, SourceKernel, SourceLaunch, SourceOperator};
///
/// let context = Context::open()?;
/// let text = "__kernel void invert(__global const uchar *a, __global uchar *b, uint n) {
///     uint i = get_global_id(0);
///     if (i < n) b[i] = 255 - a[i];
/// }";
/// let kernel = SourceKernel::new(&context, &ProgramSource::new("invert", text), "invert")?;
/// // SAFETY: a chain's intermediates have no gaps, and the kernel guards its end.
/// let invert = unsafe {
///     SourceOperator::new(kernel, |inputs| Ok(inputs.to_vec()), |images| {
///         let count = images.outputs[0].info().size_in_bytes();
///         SourceLaunch {
///             arguments: vec![
///                 SourceArgument::Input(0),
///                 SourceArgument::Output(0),
///                 SourceArgument::Value((count as u32).to_ne_bytes().to_vec()),
///             ],
///             global: [count, 1, 1],
///         }
///     })
/// };
/// # Ok::<(), windrow::opencl::OpenClError>(())
/// ```
#[derive(Clone)]
pub struct SourceOperator {
    kernel: Arc<SourceKernel>,
    infer: Arc<Infer>,
    launch: Arc<Launch>,
}

/// The images of one launch.
#[derive(Clone, Copy, Debug)]
pub struct SourceImages<'a> {
    /// Those read.
    pub inputs: &'a [DeviceImage],
    /// Those written.
    pub outputs: &'a [&'a DeviceImage],
}

/// What a kernel is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLaunch {
    /// The arguments, in the order of the kernel.
    pub arguments: Vec<SourceArgument>,
    /// Work-items in each dimension.
    pub global: [usize; 3],
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceArgument {
    /// The memory of an image that is read, from its block's start: [`DeviceImage::offset`] says where the image begins.
    Input(usize),
    /// The memory of an image that is written.
    Output(usize),
    /// A value: its bytes, in this machine's order.
    Value(Vec<u8>),
    /// A pointer to local memory of this many bytes.
    Local(usize),
}

impl SourceOperator {
    /// Makes an operator: `infer` says what the kernel writes where it reads such images, `launch` what it is called with.
    ///
    /// # Safety
    /// For every list of images that `infer` takes, in whatever layout they are given, the kernel with the arguments and sizes of
    /// `launch` accesses nothing outside their elements, also in the work-items that rounding up adds, and writes outputs alone.
    pub unsafe fn new(
        kernel: SourceKernel,
        infer: impl Fn(&[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> + Send + Sync + 'static,
        launch: impl Fn(&SourceImages<'_>) -> SourceLaunch + Send + Sync + 'static,
    ) -> SourceOperator {
        SourceOperator { kernel: Arc::new(kernel), infer: Arc::new(infer), launch: Arc::new(launch) }
    }

    /// The outputs must be those that `infer` says of the inputs: another operator may hand out this one's code.
    fn check(&self, inputs: &[DeviceImage], outputs: &[&DeviceImage]) -> Result<(), OpenClError> {
        let inputs: Vec<TensorInfo> = inputs.iter().map(|image| *image.info()).collect();
        let refused = || RunError::Kernel { reason: "the images are none that its operator reads and infers" };
        let expected = (self.infer)(&inputs).map_err(|_| refused())?;
        let what = |info: &TensorInfo| (info.dtype(), info.channels(), info.shape());
        if !outputs.iter().map(|image| what(image.info())).eq(expected.iter().map(what)) {
            return Err(refused().into());
        }
        Ok(())
    }

    /// Returns the kernel.
    pub fn kernel(&self) -> &SourceKernel {
        &self.kernel
    }
}

impl Operator for SourceOperator {
    fn name(&self) -> &str {
        self.kernel.name()
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        Ok((self.infer)(inputs)?.into_iter().map(Some).collect())
    }

    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        let device = DeviceTarget::expect(target)?;
        let (context, own) = (device.context(), self.kernel.context());
        if !context.is_same(own) {
            let reason = format!("its program is built for {}", own.device());
            return Err(OperatorError::Target { target: target.name().into(), reason });
        }
        (self.infer)(inputs)?;
        Ok(Box::new(DeviceCompiled::new(self.clone())))
    }
}

impl DeviceCode for SourceOperator {
    unsafe fn enqueue(&self, on: &Submission<'_>, given: &DeviceArguments<'_>) -> Result<(), OpenClError> {
        let outputs: Vec<&DeviceImage> = given.outputs.iter().flatten().collect();
        self.check(given.inputs, &outputs)?;
        let images = SourceImages { inputs: given.inputs, outputs: &outputs };
        let SourceLaunch { arguments, global } = (self.launch)(&images);
        let argument = |argument| -> Result<Argument<'_>, OpenClError> {
            let (what, image, index, expected) = match argument {
                &SourceArgument::Input(index) => ("inputs", given.inputs.get(index), index, given.inputs.len()),
                &SourceArgument::Output(index) => ("outputs", outputs.get(index).copied(), index, outputs.len()),
                SourceArgument::Value(bytes) => return Ok(Argument::Value(bytes)),
                SourceArgument::Local(bytes) => return Ok(Argument::Local(*bytes)),
            };
            let missing = OpenClError::Count { what, found: index + 1, expected };
            image.map(|image| Argument::Buffer(image.buffer())).ok_or(missing)
        };
        let arguments = arguments.iter().map(argument).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: what the kernel accesses with these is the contract of `SourceOperator::new`; the chain keeps the memory until the
        // queue is done with it.
        unsafe { self.kernel.submit(&arguments, global, on, false) }.map(drop)
    }
}

impl fmt::Debug for SourceOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceOperator").field("kernel", &String::from(self.name())).finish_non_exhaustive()
    }
}
