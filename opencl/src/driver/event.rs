//! Launches, events, and the order of commands.

use crate::{
    Call, Driver, DriverError,
    driver::{
        gateway::{checked, library},
        handle::{ContextObject, EventObject, Handle, KernelObject, QueueObject},
    },
};
use cl3::OpenClRuntime;
use opencl3::{
    event::{
        create_user_event, get_event_profiling_data, retain_event, set_event_callback, set_user_event_status,
        wait_for_events,
    },
    types::{cl_event, cl_int, cl_uint},
};
use std::{ffi::c_void, ptr};

/// The events that a command waits for, as the library takes them.
#[derive(Debug)]
pub(crate) struct WaitList {
    list: Vec<cl_event>,
}

// SAFETY: the standard lets events be used on any thread.
unsafe impl Sync for WaitList {}

impl WaitList {
    /// For nothing.
    pub(crate) const NONE: Self = Self { list: Vec::new() };

    /// For `events`. They must live until the command is enqueued.
    pub(crate) fn new<'a>(events: impl IntoIterator<Item = &'a Handle<EventObject>>) -> Self {
        Self { list: events.into_iter().map(Handle::raw).collect() }
    }

    pub(super) fn count(&self) -> cl_uint {
        self.list.len() as cl_uint
    }

    /// The library wants null for none.
    pub(super) fn pointer(&self) -> *const cl_event {
        if self.list.is_empty() { ptr::null() } else { self.list.as_ptr() }
    }
}

impl Driver {
    /// Makes a command; the library is given a place for its event only where `wants_event`.
    pub(super) fn enqueue(
        &self,
        call: Call,
        wants_event: bool,
        enqueue: impl FnOnce(&OpenClRuntime, *mut cl_event) -> Option<cl_int>,
    ) -> Result<Option<Handle<EventObject>>, DriverError> {
        let mut event: cl_event = ptr::null_mut();
        let place = if wants_event { &raw mut event } else { ptr::null_mut() };
        self.make(call, || checked(enqueue(library()?, place)))?;
        Ok((!event.is_null()).then(|| Handle::new(self, event)))
    }

    /// Runs a kernel over `global` work-items.
    ///
    /// # Safety
    /// Every argument is set, to memory that lives until the command is done and holds what the kernel accesses.
    pub(crate) unsafe fn launch_kernel(
        &self,
        queue: &Handle<QueueObject>,
        kernel: &Handle<KernelObject>,
        global: [usize; 3],
        local: Option<[usize; 3]>,
        waits: &WaitList,
        wants_event: bool,
    ) -> Result<Option<Handle<EventObject>>, DriverError> {
        let local = local.as_ref().map_or(ptr::null(), |local| local.as_ptr());
        self.enqueue(Call::LaunchKernel, wants_event, |library, event| {
            library.clEnqueueNDRangeKernel(
                queue.raw(),
                kernel.raw(),
                3,
                ptr::null(),
                global.as_ptr(),
                local,
                waits.count(),
                waits.pointer(),
                event,
            )
        })
    }

    /// An event that is done when everything before it (or what it waits for) is.
    pub(crate) fn marker(
        &self,
        queue: &Handle<QueueObject>,
        waits: &WaitList,
    ) -> Result<Option<Handle<EventObject>>, DriverError> {
        self.enqueue(Call::Marker, true, |library, event| {
            library.clEnqueueMarkerWithWaitList(queue.raw(), waits.count(), waits.pointer(), event)
        })
    }

    /// Lets everything after it wait for everything before it (or for `waits`).
    pub(crate) fn barrier(&self, queue: &Handle<QueueObject>, waits: &WaitList) -> Result<(), DriverError> {
        let enqueued = self.enqueue(Call::Barrier, false, |library, event| {
            library.clEnqueueBarrierWithWaitList(queue.raw(), waits.count(), waits.pointer(), event)
        });
        enqueued.map(drop)
    }

    /// Waits until all `events` are done.
    pub(crate) fn wait_for_events<'a>(
        &self,
        events: impl IntoIterator<Item = &'a Handle<EventObject>>,
    ) -> Result<(), DriverError> {
        let waits = WaitList::new(events);
        if waits.list.is_empty() {
            return Ok(());
        }
        self.make(Call::WaitForEvents, || wait_for_events(&waits.list))
    }

    /// An event that the host ends.
    pub(crate) fn create_user_event(
        &self,
        context: &Handle<ContextObject>,
    ) -> Result<Handle<EventObject>, DriverError> {
        self.create(Call::CreateUserEvent, || create_user_event(context.raw()))
    }

    /// Ends a user event: with 0, or with an error that what waits for it takes over.
    pub(crate) fn set_user_event_status(&self, event: &Handle<EventObject>, status: cl_int) -> Result<(), DriverError> {
        self.make(Call::SetUserEventStatus, || set_user_event_status(event.raw(), status))
    }

    /// Calls `callback` once when `event` is done, on a thread of the driver.
    ///
    /// # Safety
    /// `callback` may be called with `data` at any time from now on, and makes no call that waits.
    pub(crate) unsafe fn set_event_callback(
        &self,
        event: &Handle<EventObject>,
        callback: extern "C" fn(cl_event, cl_int, *mut c_void),
        data: *mut c_void,
    ) -> Result<(), DriverError> {
        const COMPLETE: cl_int = 0;
        self.make(Call::SetEventCallback, || set_event_callback(event.raw(), COMPLETE, callback, data))
    }

    /// Takes part in a caller's event.
    ///
    /// # Safety
    /// `raw` is a live event.
    pub(crate) unsafe fn retain_event(&self, raw: *mut c_void) -> Result<Handle<EventObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.create(Call::RetainEvent, || unsafe { retain_event(raw) }.map(|()| raw))
    }

    /// A time stamp of a command on a profiling queue, in nanoseconds.
    pub(crate) fn event_profiling(&self, event: &Handle<EventObject>, name: cl_uint) -> Result<u64, DriverError> {
        let bytes = self.make(Call::GetEventProfilingInfo, || get_event_profiling_data(event.raw(), name))?;
        Ok(bytes.first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes)))
    }
}
