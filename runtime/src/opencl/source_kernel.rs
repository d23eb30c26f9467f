//! A kernel of a program that a user wrote by hand: the same cache, tuner and profiling as for generated ones.
//!
//! Windrow knows nothing of what such a kernel reads and writes, so running it is `unsafe`.

use super::{
    buffer::Buffer,
    context::Context,
    device::number,
    driver::{Handle, KernelObject},
    error::OpenClError,
    launch::{LocalSize, launch},
    program::ProgramSource,
    queue::Submission,
    tuner::{LocalLimits, limits_of},
};
use opencl3::{kernel::CL_KERNEL_NUM_ARGS, types::cl_uint};
use std::sync::{Mutex, PoisonError};

/// An argument of a kernel written by hand.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A pointer to global or constant memory.
    Buffer(&'a Buffer),
    /// A value: its bytes, in this machine's order.
    Value(&'a [u8]),
    /// A pointer to local memory of this many bytes.
    Local(usize),
}

/// An entry point of a program written by hand.
///
/// ```no_run
/// use windrow_runtime::opencl::{Argument, Buffer, Context, ProgramSource, SourceKernel};
///
/// let context = Context::open()?;
/// let source = ProgramSource::new("fill", "__kernel void fill(__global uchar *a, uchar v) { a[get_global_id(0)] = v; }");
/// let fill = SourceKernel::new(&context, &source, "fill")?;
/// let buffer = Buffer::new(&context, 100)?;
/// // SAFETY: a work-item for each byte of the buffer.
/// unsafe { fill.run(&[Argument::Buffer(&buffer), Argument::Value(&[7])], [100, 1, 1]) }?;
/// # Ok::<(), windrow_runtime::opencl::OpenClError>(())
/// ```
#[derive(Debug)]
pub struct SourceKernel {
    context: Context,
    name: String,
    // Its arguments belong to the driver's kernel object.
    kernel: Mutex<Handle<KernelObject>>,
    arguments: usize,
    limits: LocalLimits,
    local: LocalSize,
}

impl SourceKernel {
    /// The entry point `name` of a program, which is built where it wasn't yet.
    ///
    /// # Errors
    /// Where the program doesn't build, or has no such entry point.
    pub fn new(context: &Context, source: &ProgramSource, name: &str) -> Result<Self, OpenClError> {
        let kernel = context.programs().get(source)?.entry(name)?;
        let arguments = number(&context.driver().kernel_info(&kernel, CL_KERNEL_NUM_ARGS)?).unwrap_or(0) as usize;
        Ok(Self {
            limits: limits_of(context, &kernel)?,
            context: context.clone(),
            name: name.to_owned(),
            kernel: Mutex::new(kernel),
            arguments,
            local: LocalSize::Driver,
        })
    }

    /// The entry point's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The work-groups that it runs in.
    pub fn lws_hint(&self) -> LocalSize {
        self.local
    }

    /// Lets it run in these work-groups. The global size is rounded up to whole groups: the kernel must guard its edges.
    ///
    /// # Errors
    /// Where the device doesn't take them for this kernel.
    pub fn set_lws_hint(&mut self, local: LocalSize) -> Result<(), OpenClError> {
        self.limits.check(local)?;
        self.local = local;
        Ok(())
    }

    /// What the device takes as its work-groups.
    pub fn local_limits(&self) -> LocalLimits {
        self.limits
    }

    /// Runs `global` work-items, and waits until they are done.
    ///
    /// # Safety
    /// With these arguments and sizes, the kernel accesses nothing outside its buffers, also in the work-items that
    /// rounding up adds.
    ///
    /// # Errors
    /// Where the number of arguments is another one, or a call fails.
    pub unsafe fn run(&self, arguments: &[Argument<'_>], global: [usize; 3]) -> Result<(), OpenClError> {
        if arguments.len() != self.arguments {
            return Err(OpenClError::Count { what: "arguments", found: arguments.len(), expected: self.arguments });
        }
        if global.contains(&0) {
            return Ok(());
        }
        let kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, argument) in arguments.iter().enumerate() {
            bind(&kernel, index as cl_uint, argument)?;
        }
        let sizes = self.local.sizes(global);
        let queue = self.context.queue();
        // SAFETY: every argument is bound, to memory that is borrowed until the queue is finished; what the kernel
        // accesses is the caller's contract.
        unsafe { launch(&self.context, &kernel, &self.name, sizes, &Submission::on(queue), false) }?;
        queue.sync()
    }
}

fn bind(kernel: &Handle<KernelObject>, index: cl_uint, argument: &Argument<'_>) -> Result<(), OpenClError> {
    let (length, bytes) = match argument {
        Argument::Buffer(buffer) => return buffer.bind(kernel, index),
        Argument::Value(bytes) => (bytes.len(), Some(*bytes)),
        Argument::Local(length) => (*length, None),
    };
    // SAFETY: plain bytes: a pointer can't be made of them, as the library checks what an argument is.
    unsafe { kernel.driver().set_argument_bytes(kernel, index, length, bytes) }
}
