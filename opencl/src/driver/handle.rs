//! Objects of the driver, each released once, in its turn.

use crate::{Call, Driver, DriverError, ObjectKind, driver::platform::number};
use cl3::sampler;
use opencl3::{
    command_queue,
    context::context,
    event, kernel, memory, program,
    types::{cl_int, cl_uint},
};
use std::{ffi::c_void, fmt, marker::PhantomData};

/// A kind of object, as a type.
///
/// # Safety
/// `release` gives back what a handle of this type holds.
pub(crate) unsafe trait Object {
    const KIND: ObjectKind;
    const RELEASE: Call;

    /// # Safety
    /// `raw` is an object of this kind that the caller holds a count of.
    unsafe fn release(raw: *mut c_void) -> Result<(), cl_int>;
}

/// Kinds whose calls may come from several threads at once: all but kernels, whose arguments belong to the object.
pub(crate) trait Shareable: Object {}

/// Kinds that say something of themselves.
pub(crate) trait Queried: Object {
    const QUERY: Call;

    /// What an object says under `name`.
    fn query(raw: *mut c_void, name: cl_uint) -> Result<Vec<u8>, cl_int>;
}

/// One count of an object of the driver.
pub(crate) struct Handle<O: Object> {
    raw: *mut c_void,
    driver: Driver,
    object: PhantomData<O>,
}

// SAFETY: the standard lets objects be used on any thread.
unsafe impl<O: Object> Send for Handle<O> {}
// SAFETY: the standard lets all calls but `clSetKernelArg` come from several threads at once.
unsafe impl<O: Shareable> Sync for Handle<O> {}

impl Driver {
    /// Makes `call`, which gives a count of an object.
    pub(super) fn create<O: Object>(
        &self,
        call: Call,
        create: impl FnOnce() -> Result<*mut c_void, cl_int>,
    ) -> Result<Handle<O>, DriverError> {
        Ok(Handle::new(self, self.make(call, create)?))
    }
}

impl<O: Object> Handle<O> {
    /// Takes the count of `raw` that a call of `driver` has just given.
    pub(super) fn new(driver: &Driver, raw: *mut c_void) -> Self {
        driver.shared.counting.lock().count_created(O::KIND);
        Self { raw, driver: driver.clone(), object: PhantomData }
    }

    /// The object, for the library and for callers who use it themselves.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw
    }

    /// The driver that it came from.
    pub(crate) fn driver(&self) -> &Driver {
        &self.driver
    }
}

impl<O: Queried> Handle<O> {
    /// What the object says under `name`.
    pub(crate) fn info(&self, name: cl_uint) -> Result<Vec<u8>, DriverError> {
        self.driver.make(O::QUERY, || O::query(self.raw, name))
    }

    /// The number that the object says under `name`; 0 where it says none.
    pub(crate) fn number(&self, name: cl_uint) -> Result<u64, DriverError> {
        Ok(number(&self.info(name)?).unwrap_or(0))
    }
}

impl<O: Object> Drop for Handle<O> {
    fn drop(&mut self) {
        // SAFETY: the handle holds a count, and gives it back once.
        self.driver.release(O::RELEASE, O::KIND, || unsafe { O::release(self.raw) });
    }
}

impl<O: Object> fmt::Debug for Handle<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({:p})", O::KIND, self.raw)
    }
}

macro_rules! objects {
    ($($object:ident $kind:ident $call:ident $release:path $(, $query:ident $asked:path)?;)*) => {$(
        #[doc = concat!("See [`ObjectKind::", stringify!($kind), "`].")]
        #[derive(Debug)]
        pub(crate) enum $object {}

        // SAFETY: the function of this kind.
        unsafe impl Object for $object {
            const KIND: ObjectKind = ObjectKind::$kind;
            const RELEASE: Call = Call::$call;

            unsafe fn release(raw: *mut c_void) -> Result<(), cl_int> {
                // SAFETY: the caller's contract.
                unsafe { $release(raw) }
            }
        }

        $(impl Queried for $object {
            const QUERY: Call = Call::$query;

            fn query(raw: *mut c_void, name: cl_uint) -> Result<Vec<u8>, cl_int> {
                $asked(raw, name)
            }
        })?
    )*};
}

objects! {
    ContextObject Context ReleaseContext context::release_context, GetContextInfo context::get_context_data;
    QueueObject Queue ReleaseQueue command_queue::release_command_queue, GetQueueInfo command_queue::get_command_queue_data;
    MemoryObject Memory ReleaseMemory memory::release_mem_object, GetMemoryInfo memory::get_mem_object_data;
    SamplerObject Sampler ReleaseSampler sampler::release_sampler;
    ProgramObject Program ReleaseProgram program::release_program, GetProgramInfo program::get_program_data;
    KernelObject Kernel ReleaseKernel kernel::release_kernel, GetKernelInfo kernel::get_kernel_data;
    EventObject Event ReleaseEvent event::release_event, GetEventInfo event::get_event_data;
}

impl Shareable for ContextObject {}
impl Shareable for QueueObject {}
impl Shareable for MemoryObject {}
impl Shareable for SamplerObject {}
impl Shareable for ProgramObject {}
impl Shareable for EventObject {}
