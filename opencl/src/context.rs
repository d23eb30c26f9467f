//! One device, ready for work: a context with its queue.

pub(crate) mod core;

use crate::{
    ContextOptions, Device, Devices, Driver, EffectiveNumerics, Event, HintReport, KernelFolder, Numerics, OpenClError,
    Precision, Profiler, Program, ProgramSource, Programs, Queue, QueueOptions, SERIALISED_CALLS_VARIABLE,
    SerialisedCalls, UserEvent,
    context::core::Core,
    driver::handle::{ContextObject, Handle, QueueObject},
    options::plan,
};
use opencl3::{
    command_queue::{
        CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
        CL_QUEUE_PROPERTIES,
    },
    context::context::CL_CONTEXT_DEVICES,
};
use std::{
    ffi::c_void,
    sync::{Arc, OnceLock},
};

/// A device with its context and its queue. Cheap to clone: the clones share them.
#[derive(Clone, Debug)]
pub struct Context {
    shared: Arc<Shared>,
}

// Queues hold the core, and are released before it: fields are dropped in order of declaration.
#[derive(Debug)]
struct Shared {
    programs: Programs,
    profiler: Profiler,
    queue: Queue,
    profiling: OnceLock<Queue>,
    core: Arc<Core>,
}

impl Context {
    /// Opens `device`, with counters of its own.
    pub fn new(device: &Device) -> Result<Self, OpenClError> {
        Self::with_driver(&Driver::new(), device)
    }

    /// Opens `device`; everything that is done with the context is counted by `driver`.
    pub fn with_driver(driver: &Driver, device: &Device) -> Result<Self, OpenClError> {
        Self::with_options(driver, device, &ContextOptions::default())
    }

    /// Opens `device` as `options` say.
    pub fn with_options(driver: &Driver, device: &Device, options: &ContextOptions) -> Result<Self, OpenClError> {
        let plan = plan(device, options)?;
        let driver = driver.with_serialised(serialised(device, options.serialised)?, device.of_platform);
        let handle = driver.create_context(device.id, &plan.context)?;
        let core = Core {
            handle,
            device: device.clone(),
            hints: plan.queue,
            reports: plan.reports,
            numerics: options.numerics,
            flushes_denormals: options.flushes_denormals,
            unoptimised: options.unoptimised,
            precision: options.precision,
        };
        let core = Arc::new(core);
        let queue = Queue::make(&core, options.queue)?;
        Self::of(core, queue, options.kernels.as_ref())
    }

    /// Opens the machine's device that [`Devices::choose`] chooses.
    pub fn open() -> Result<Self, OpenClError> {
        let devices = Devices::find()?;
        Self::with_driver(devices.driver(), devices.choose()?)
    }

    /// Works in a caller's context and queue. Both stay the caller's; this object takes part in them.
    ///
    /// # Safety
    /// `context` is a live `cl_context`, `queue` a live `cl_command_queue`.
    pub unsafe fn from_raw(driver: &Driver, context: *mut c_void, queue: *mut c_void) -> Result<Self, OpenClError> {
        // SAFETY: the caller's contract.
        let retain = |driver: &Driver| unsafe {
            Ok::<_, OpenClError>((driver.retain_context(context)?, driver.retain_queue(queue)?))
        };
        let device = device_of(driver, &retain(driver)?, context)?;
        let driver = driver.with_serialised(serialised(&device, None)?, device.of_platform);
        let (handle, queue) = retain(&driver)?;
        let bits = queue.number(CL_QUEUE_PROPERTIES)?;
        let options = QueueOptions {
            out_of_order: bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0,
            profiling: bits & CL_QUEUE_PROFILING_ENABLE != 0,
            ..QueueOptions::default()
        };
        let core = Core {
            handle,
            device,
            hints: Vec::new(),
            reports: Vec::new(),
            numerics: Numerics::Strict,
            flushes_denormals: false,
            unoptimised: false,
            precision: Precision::F32,
        };
        let core = Arc::new(core);
        let queue = Queue::new(&core, queue, options);
        Self::of(core, queue, None)
    }

    fn of(core: Arc<Core>, queue: Queue, kernels: Option<&KernelFolder>) -> Result<Self, OpenClError> {
        let programs = Programs::new(&core, kernels)?;
        Ok(Self {
            shared: Arc::new(Shared { programs, profiler: Profiler::new(), queue, profiling: OnceLock::new(), core }),
        })
    }

    /// Returns the device.
    pub fn device(&self) -> &Device {
        &self.shared.core.device
    }

    /// Returns the driver that makes and counts the context's calls.
    pub fn driver(&self) -> &Driver {
        self.shared.core.handle.driver()
    }

    /// Returns what is done here where the device can't give the bits of the reference.
    pub fn numerics(&self) -> Numerics {
        self.shared.core.numerics
    }

    /// Returns whether denormals are taken for zeros on purpose.
    pub fn flushes_denormals(&self) -> bool {
        self.shared.core.flushes_denormals
    }

    /// Returns the precision of kernels that are asked for no other.
    pub fn precision(&self) -> Precision {
        self.shared.core.precision
    }

    /// Returns how the floats of a program are computed here.
    pub fn effective_numerics(&self, source: &str) -> EffectiveNumerics {
        self.core().effective_numerics(source)
    }

    /// Returns what became of the hints of its options.
    pub fn hints(&self) -> &[HintReport] {
        &self.shared.core.reports
    }

    /// Returns the context's own queue, on which everything runs that names no other.
    pub fn queue(&self) -> &Queue {
        match self.shared.profiling.get() {
            Some(queue) if self.shared.profiler.is_on() => queue,
            Some(_) | None => &self.shared.queue,
        }
    }

    /// The queue on which memory is mapped, and transferred by calls that block: one and the same, also while profiling is on.
    pub(crate) fn memory_queue(&self) -> &Queue {
        &self.shared.queue
    }

    /// The same for a command that comes after all that was enqueued there, whatever order the queue keeps.
    pub(crate) fn ordered_memory_queue(&self) -> Result<&Queue, OpenClError> {
        let queue = self.memory_queue();
        if queue.options().out_of_order {
            queue.wait_for(&[])?;
        }
        Ok(queue)
    }

    /// Returns what notes its launches, while it is on.
    pub fn profiler(&self) -> &Profiler {
        &self.shared.profiler
    }

    /// Switches profiling on or off, between runs: waits for what is on its queue, which is another one while profiling is
    /// on. While it is off, no event is made for it.
    pub fn set_profiling(&self, is_on: bool) -> Result<(), OpenClError> {
        self.profiling_queue()?;
        self.sync()?;
        self.shared.profiler.set_on(is_on);
        Ok(())
    }

    /// Makes another queue, for transfers alongside kernels, for commands in any order, …
    pub fn new_queue(&self, options: QueueOptions) -> Result<Queue, OpenClError> {
        Queue::make(&self.shared.core, options)
    }

    /// Returns a queue whose commands note their times, made when it is first asked for.
    pub fn profiling_queue(&self) -> Result<&Queue, OpenClError> {
        if self.shared.queue.options().profiling {
            return Ok(&self.shared.queue);
        }
        if let Some(queue) = self.shared.profiling.get() {
            return Ok(queue);
        }
        let made = self.new_queue(QueueOptions { profiling: true, ..self.shared.queue.options() })?;
        Ok(self.shared.profiling.get_or_init(|| made))
    }

    /// Waits until everything on its own queue is done.
    pub fn sync(&self) -> Result<(), OpenClError> {
        self.queue().sync()
    }

    /// Returns the context, for callers who use the library themselves. It lives as long as this object.
    pub fn raw(&self) -> *mut c_void {
        self.shared.core.handle.raw()
    }

    /// Returns whether both are of one context of the driver: their objects work together.
    pub fn is_same(&self, other: &Self) -> bool {
        self.core().is_same(other.core())
    }

    /// Returns the programs of the context.
    pub fn programs(&self) -> &Programs {
        &self.shared.programs
    }

    pub(crate) fn handle(&self) -> &Handle<ContextObject> {
        &self.shared.core.handle
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.shared.core
    }
}

/// The device of a caller's queue, which must be one of the caller's context.
fn device_of(
    driver: &Driver,
    (handle, queue): &(Handle<ContextObject>, Handle<QueueObject>),
    context: *mut c_void,
) -> Result<Device, OpenClError> {
    let pointer = |name| Ok::<_, OpenClError>(pointers(&queue.info(name)?).first().copied());
    let foreign = |found: &str, expected: &str| OpenClError::Foreign {
        argument: "the queue".into(),
        found: found.into(),
        expected: expected.into(),
    };
    if pointer(CL_QUEUE_CONTEXT)? != Some(context.addr()) {
        return Err(foreign("a queue of another context", "a queue of the given context"));
    }
    let of_queue = pointer(CL_QUEUE_DEVICE)?;
    let in_context = pointers(&handle.info(CL_CONTEXT_DEVICES)?);
    let devices = Devices::find_with(driver)?;
    let device = devices.iter().find(|device| Some(device.id.raw().addr()) == of_queue);
    let device = device.filter(|device| in_context.contains(&device.id.raw().addr()));
    device.cloned().ok_or_else(|| foreign("a device of no platform", "a device of the context"))
}

/// Which calls are serialised on a device: what is asked for, what the environment says, or what its driver needs.
fn serialised(device: &Device, wanted: Option<SerialisedCalls>) -> Result<SerialisedCalls, OpenClError> {
    let said = || {
        SerialisedCalls::of_environment()
            .map_err(|error| OpenClError::Environment { variable: SERIALISED_CALLS_VARIABLE, error })
    };
    Ok(wanted.map_or_else(said, |serialised| Ok(Some(serialised)))?.unwrap_or(device.serialised))
}

/// The objects in what an information call returned.
fn pointers(bytes: &[u8]) -> Vec<usize> {
    bytes.chunks_exact(size_of::<usize>()).filter_map(|chunk| chunk.try_into().ok().map(usize::from_ne_bytes)).collect()
}

impl Event {
    /// Returns a caller's own event, of the same context.
    ///
    /// # Safety
    /// `raw` is a live `cl_event`.
    pub unsafe fn from_raw(context: &Context, raw: *mut c_void) -> Result<Self, OpenClError> {
        // SAFETY: the caller's contract.
        let handle = unsafe { context.driver().retain_event(raw) }?;
        Ok(Self::new(handle, None, context.core()))
    }
}

impl UserEvent {
    /// Returns a closed one.
    pub fn new(context: &Context) -> Result<Self, OpenClError> {
        let handle = context.driver().create_user_event(context.core().handle())?;
        Ok(Self::of(Event::new(handle, None, context.core())))
    }
}

impl Program {
    /// Returns the program of `K` in the context's precision: see [`Programs::get`].
    pub fn of<K: windrow_runtime::code::Kernel>(context: &Context) -> Result<Self, OpenClError> {
        Ok(context.programs().get(&context.programs().in_precision(K::CODE, context.precision())?.0)?)
    }

    /// Returns the program of `kernel` whose text is `source`, with the flags that the device needs.
    pub fn build(context: &Context, kernel: &str, source: &str) -> Result<Self, OpenClError> {
        let source = ProgramSource::new(kernel.to_owned(), source.to_owned());
        Ok(context.programs().get(&ProgramSource { exact: true, ..source })?)
    }
}
