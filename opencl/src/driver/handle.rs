//! Objects of the driver, each released once, in its turn.

use crate::driver::{
    call::{Call, ObjectKind},
    gateway::Driver,
};
use cl3::sampler;
use opencl3::{command_queue, context, event, kernel, memory, program, types::cl_int};
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
    ($($object:ident $kind:ident $call:ident $release:path;)*) => {$(
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
    )*};
}

objects! {
    ContextObject Context ReleaseContext context::context::release_context;
    QueueObject   Queue   ReleaseQueue   command_queue::release_command_queue;
    MemoryObject  Memory  ReleaseMemory  memory::release_mem_object;
    SamplerObject Sampler ReleaseSampler sampler::release_sampler;
    ProgramObject Program ReleaseProgram program::release_program;
    KernelObject  Kernel  ReleaseKernel  kernel::release_kernel;
    EventObject   Event   ReleaseEvent   event::release_event;
}

impl Shareable for ContextObject {}
impl Shareable for QueueObject {}
impl Shareable for MemoryObject {}
impl Shareable for SamplerObject {}
impl Shareable for ProgramObject {}
impl Shareable for EventObject {}
