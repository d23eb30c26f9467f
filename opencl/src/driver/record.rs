//! Command buffers: an extension whose functions come from the platform, not from the library.

use crate::{
    Call, Driver, DriverError, ObjectKind,
    driver::{
        event::WaitList,
        gateway::checked,
        handle::{EventObject, Handle, KernelObject, QueueObject},
        ids::PlatformId,
    },
};
use opencl3::types::{cl_event, cl_int, cl_uint};
use std::{
    ffi::{CString, c_void},
    mem, ptr,
    ptr::NonNull,
};

type Raw = *mut c_void;
type Create = unsafe extern "C" fn(cl_uint, *const Raw, *const u64, *mut cl_int) -> Raw;
type Finalize = unsafe extern "C" fn(Raw) -> cl_int;
type Release = unsafe extern "C" fn(Raw) -> cl_int;
type Kernel = unsafe extern "C" fn(
    Raw,
    Raw,
    *const u64,
    Raw,
    cl_uint,
    *const usize,
    *const usize,
    *const usize,
    cl_uint,
    *const cl_uint,
    *mut cl_uint,
    *mut Raw,
) -> cl_int;
type Enqueue = unsafe extern "C" fn(cl_uint, *mut Raw, Raw, cl_uint, *const cl_event, *mut cl_event) -> cl_int;

/// The functions of a platform that offers `cl_khr_command_buffer`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordFunctions {
    create: Create,
    finalize: Finalize,
    release: Release,
    kernel: Kernel,
    enqueue: Enqueue,
}

/// A command buffer, released once.
#[derive(Debug)]
pub(crate) struct CommandBuffer {
    raw: Raw,
    functions: RecordFunctions,
    driver: Driver,
}

// SAFETY: the standard lets objects be used on any thread.
unsafe impl Send for CommandBuffer {}

impl RecordFunctions {
    /// Asks the platform for its functions.
    pub(crate) fn find(driver: &Driver, platform: PlatformId) -> Result<Self, DriverError> {
        let find = |call: Call| -> Result<NonNull<c_void>, DriverError> {
            let function = call.name();
            let name = CString::new(function).map_err(|_| DriverError::NoFunction { function })?;
            driver.extension_function(platform, &name)?.ok_or(DriverError::NoFunction { function })
        };
        // SAFETY: the functions of these names have these types, by the extension's specification.
        unsafe {
            Ok(Self {
                create: mem::transmute::<NonNull<c_void>, Create>(find(Call::CreateCommandBuffer)?),
                finalize: mem::transmute::<NonNull<c_void>, Finalize>(find(Call::FinalizeCommandBuffer)?),
                release: mem::transmute::<NonNull<c_void>, Release>(find(Call::ReleaseCommandBuffer)?),
                kernel: mem::transmute::<NonNull<c_void>, Kernel>(find(Call::RecordKernel)?),
                enqueue: mem::transmute::<NonNull<c_void>, Enqueue>(find(Call::LaunchCommandBuffer)?),
            })
        }
    }
}

impl CommandBuffer {
    /// An empty command buffer of one queue.
    pub(crate) fn new(
        driver: &Driver,
        functions: RecordFunctions,
        queue: &Handle<QueueObject>,
    ) -> Result<Self, DriverError> {
        let raw = driver.make(Call::CreateCommandBuffer, || {
            let mut status = 0;
            // SAFETY: one live queue, no properties.
            let raw = unsafe { (functions.create)(1, &queue.raw(), ptr::null(), &raw mut status) };
            checked(Some(status)).and(Ok(raw))
        })?;
        driver.shared.counting.lock().count_created(ObjectKind::CommandBuffer);
        Ok(Self { raw, functions, driver: driver.clone() })
    }

    /// Records a launch with the kernel's arguments as they are now, after all that was recorded before.
    ///
    /// # Safety
    /// As [`Driver::launch_kernel`], until the last run of the command buffer is done.
    pub(crate) unsafe fn record_kernel(
        &mut self,
        kernel: &Handle<KernelObject>,
        global: [usize; 3],
        local: Option<[usize; 3]>,
        after: Option<cl_uint>,
    ) -> Result<cl_uint, DriverError> {
        let local = local.as_ref().map_or(ptr::null(), |local| local.as_ptr());
        let waits = after.as_slice();
        let list = if waits.is_empty() { ptr::null() } else { waits.as_ptr() };
        self.driver.make(Call::RecordKernel, || {
            let mut point = 0;
            // SAFETY: three sizes each; null where the extension allows it.
            let status = unsafe {
                (self.functions.kernel)(
                    self.raw,
                    ptr::null_mut(),
                    ptr::null(),
                    kernel.raw(),
                    3,
                    ptr::null(),
                    global.as_ptr(),
                    local,
                    waits.len() as cl_uint,
                    list,
                    &raw mut point,
                    ptr::null_mut(),
                )
            };
            checked(Some(status)).and(Ok(point))
        })
    }

    /// Ends the recording: from now on it can run.
    pub(crate) fn finalize(&mut self) -> Result<(), DriverError> {
        // SAFETY: a live command buffer.
        self.driver.make(Call::FinalizeCommandBuffer, || checked(Some(unsafe { (self.functions.finalize)(self.raw) })))
    }

    /// Runs everything that was recorded, on the queue that it was made for.
    pub(crate) fn launch(
        &self,
        waits: &WaitList,
        wants_event: bool,
    ) -> Result<Option<Handle<EventObject>>, DriverError> {
        self.driver.enqueue(Call::LaunchCommandBuffer, wants_event, |_, event| {
            // SAFETY: a live command buffer; no queue stands for its own.
            Some(unsafe {
                (self.functions.enqueue)(0, ptr::null_mut(), self.raw, waits.count(), waits.pointer(), event)
            })
        })
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        self.driver.release(Call::ReleaseCommandBuffer, ObjectKind::CommandBuffer, || {
            // SAFETY: the count that `new` got, given back once.
            checked(Some(unsafe { (self.functions.release)(self.raw) }))
        });
    }
}
