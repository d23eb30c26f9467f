//! A kernel of a program that a user wrote by hand: the same cache, tuner and profiling as for generated ones.
//!
//! Windrow knows nothing of what such a kernel reads and writes, so running it is `unsafe`.

use crate::{
    Buffer, Candidate, Context, Digest, Event, LocalLimits, LocalSize, OpenClError, ProgramSource, ScheduleSpace,
    ShapeClass, Space, Submission, TuneApplied, TuneKey, Tuner,
    driver::handle::{Handle, KernelObject},
    launch::{launch, limits_of},
    tuner::tuned::Tunable,
    uses::Use,
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
/// use windrow::opencl::{Argument, Buffer, Context, ProgramSource, SourceKernel};
///
/// let context = Context::open()?;
/// let source = ProgramSource::new("fill", "__kernel void fill(__global uchar *a, uchar v) { a[get_global_id(0)] = v; }");
/// let fill = SourceKernel::new(&context, &source, "fill")?;
/// let buffer = Buffer::new(&context, 100)?;
/// // SAFETY: a work-item for each byte of the buffer.
/// unsafe { fill.run(&[Argument::Buffer(&buffer), Argument::Value(&[7])], [100, 1, 1]) }?;
/// # Ok::<(), windrow::opencl::OpenClError>(())
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
    // What tunings of it are kept by: its source's digest, and the work-items that were tuned last.
    source: Digest,
    items: [usize; 3],
}

impl SourceKernel {
    /// Returns the entry point `name` of a program, which is built where it wasn't yet.
    ///
    /// # Errors
    /// Where the program doesn't build, or has no such entry point.
    pub fn new(context: &Context, source: &ProgramSource, name: &str) -> Result<Self, OpenClError> {
        let kernel = context.programs().get(source)?.entry(name)?;
        let arguments = kernel.number(CL_KERNEL_NUM_ARGS)? as usize;
        Ok(Self {
            limits: limits_of(context, &kernel)?,
            context: context.clone(),
            name: name.to_owned(),
            kernel: Mutex::new(kernel),
            arguments,
            local: LocalSize::Driver,
            source: Digest::of(source.text.as_bytes()),
            items: [0; 3],
        })
    }

    /// Returns the context in which the kernel runs.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the entry point's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the work-groups that it runs in.
    pub fn local_size(&self) -> LocalSize {
        self.local
    }

    /// Lets it run in these work-groups. The global size is rounded up to whole groups: the kernel must guard its edges.
    ///
    /// # Errors
    /// Where the device doesn't take them for this kernel.
    pub fn set_local_size(&mut self, local: LocalSize) -> Result<(), OpenClError> {
        self.limits.check(local)?;
        self.local = local;
        Ok(())
    }

    /// Returns what the device takes as its work-groups.
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
        let queue = self.context.queue();
        // SAFETY: the caller's contract; the memory is borrowed until the queue is done.
        unsafe { self.submit(arguments, global, &Submission::on(queue), false) }?;
        queue.sync()
    }

    /// Lets `tuner` find the best work-groups for `global` work-items, by running them with these arguments many times: what
    /// the kernel writes is best scratch memory.
    ///
    /// # Safety
    /// As for [`SourceKernel::run`], in work-groups of any size.
    ///
    /// # Errors
    /// Where it doesn't run as the device likes.
    pub unsafe fn tune(
        &mut self,
        tuner: &mut Tuner,
        arguments: &[Argument<'_>],
        global: [usize; 3],
    ) -> Result<TuneApplied, OpenClError> {
        self.items = global;
        tuner.tune_with(self, |_| {
            Ok(move |kernel: &mut Self, on: &Submission<'_>| {
                // SAFETY: the caller's contract; each run is waited for.
                let event = unsafe { kernel.submit(arguments, global, on, true) }?;
                event.map_or_else(|| on.queue.marker(), Ok)
            })
        })
    }

    /// Enqueues it; there is an event where one is wanted and there are work-items.
    pub(super) unsafe fn submit(
        &self,
        arguments: &[Argument<'_>],
        global: [usize; 3],
        on: &Submission<'_>,
        wants_event: bool,
    ) -> Result<Option<Event>, OpenClError> {
        if arguments.len() != self.arguments {
            return Err(OpenClError::Count { what: "arguments", found: arguments.len(), expected: self.arguments });
        }
        if global.contains(&0) {
            return Ok(None);
        }
        // What it does with a buffer is not known: it may write. Every run is waited for before the buffers are mapped.
        let buffers = arguments.iter().filter_map(|argument| match argument {
            Argument::Buffer(buffer) => Some(buffer.begin_use("a buffer", true)),
            Argument::Value(_) | Argument::Local(_) => None,
        });
        let _uses: Vec<Use> = buffers.collect::<Result<_, _>>()?;
        let kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, argument) in arguments.iter().enumerate() {
            bind(&kernel, index as cl_uint, argument)?;
        }
        // SAFETY: every argument is bound; its memory and what is accessed are the caller's contract.
        unsafe { launch(&self.context, &kernel, &self.name, self.local.sizes(global), on, wants_event) }
    }
}

impl Tunable for SourceKernel {
    fn context(&self) -> &Context {
        &self.context
    }

    fn key(&self) -> TuneKey {
        let [width, height, planes] = self.items;
        TuneKey {
            kernel: self.name.clone(),
            body: 0,
            source: self.source,
            shape: ShapeClass::of(width, height, planes),
            device: self.context.programs().identity().clone(),
        }
    }

    fn space(&self) -> Result<Space, OpenClError> {
        let [width, height, _] = self.items;
        Ok(Space { schedules: vec![ScheduleSpace { items: [width, height], limits: self.limits }], default: 0 })
    }

    fn present(&self) -> Candidate {
        Candidate { schedule: 0, local: self.local }
    }

    fn set(&mut self, candidate: Candidate) -> Result<(), OpenClError> {
        self.set_local_size(candidate.local)
    }
}

fn bind(kernel: &Handle<KernelObject>, index: cl_uint, argument: &Argument<'_>) -> Result<(), OpenClError> {
    let (length, bytes) = match argument {
        Argument::Buffer(buffer) => return buffer.bind(kernel, index),
        Argument::Value(bytes) => (bytes.len(), Some(*bytes)),
        Argument::Local(length) => (*length, None),
    };
    // SAFETY: plain bytes: a pointer can't be made of them, as the library checks what an argument is.
    Ok(unsafe { kernel.driver().set_argument_bytes(kernel, index, length, bytes) }?)
}
