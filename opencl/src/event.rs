//! Events: the moment at which a command is done.
//!
//! An [`Event`] is waited for by a thread ([`Event::wait`]), by a command ([`super::Submission`]), or as a future.

use crate::{
    Call, DriverError, OpenClError, Queue,
    context::core::Core,
    driver::handle::{EventObject, Handle},
};
use opencl3::{
    event::CL_EVENT_COMMAND_EXECUTION_STATUS,
    types::{cl_event, cl_int},
};
use std::{
    ffi::c_void,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

/// The end of a command. Cheap to clone: the clones are one event.
///
/// As a future it is done when the command is. The thread that waits needs no special runtime: the driver wakes it.
#[derive(Clone, Debug)]
pub struct Event {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    handle: Handle<EventObject>,
    waiting: Arc<Mutex<Waiting>>,
    /// The queue of its command; none for a caller's own event.
    queue: Option<Queue>,
    core: Arc<Core>,
}

/// What is done when a command is over.
pub(super) type Then = Box<dyn FnOnce() + Send>;

/// Who waits for the event as a future.
#[derive(Debug, Default)]
struct Waiting {
    is_registered: bool,
    wakers: Vec<Waker>,
}

impl Event {
    pub(super) fn new(handle: Handle<EventObject>, queue: Option<Queue>, core: &Arc<Core>) -> Self {
        Self { shared: Arc::new(Shared { handle, waiting: Arc::default(), queue, core: core.clone() }) }
    }

    /// Waits until the command is done.
    pub fn wait(&self) -> Result<(), OpenClError> {
        Ok(self.shared.handle.driver().wait_for_events([&self.shared.handle])?)
    }

    /// Returns whether the command is done; an error where it failed.
    pub fn is_done(&self) -> Result<bool, OpenClError> {
        match self.shared.handle.number(CL_EVENT_COMMAND_EXECUTION_STATUS)? as u32 as i32 {
            0 => Ok(true),
            1.. => Ok(false),
            code => Err(DriverError::of(Call::WaitForEvents, code).into()),
        }
    }

    /// Whether the command uses its memory no more: it is done, or has failed.
    pub(super) fn is_over(&self) -> bool {
        matches!(
            self.is_done(),
            Ok(true) | Err(OpenClError::Driver(DriverError::Call { call: Call::WaitForEvents, .. }))
        )
    }

    /// Calls `then` on a thread of the driver when the command is done or has failed. It may make no call of the library.
    ///
    /// # Errors
    /// Where the driver refuses it: then `then` is given back, and not called.
    pub(super) fn when_over(&self, then: impl FnOnce() + Send + 'static) -> Result<(), (DriverError, Then)> {
        let data = Box::into_raw(Box::new(Box::new(then) as Then));
        let driver = self.shared.handle.driver();
        // SAFETY: the data belongs to the callback, which is called once.
        let registered = unsafe { driver.set_event_callback(&self.shared.handle, call, data.cast()) };
        // SAFETY: the driver refused the callback, so that nobody else takes the data.
        registered.map_err(|error| (error, *unsafe { Box::from_raw(data) }))?;
        // A command that was never handed to the device would never be done; whoever waits for it is told by its event.
        let _ = self.shared.queue.as_ref().map_or(Ok(()), Queue::flush);
        Ok(())
    }

    /// Returns the event, for callers who use the library themselves. It lives as long as this object.
    pub fn raw(&self) -> *mut c_void {
        self.shared.handle.raw()
    }

    pub(crate) fn handle(&self) -> &Handle<EventObject> {
        &self.shared.handle
    }

    pub(super) fn core(&self) -> &Arc<Core> {
        &self.shared.core
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the driver wake, once, who waits then.
    fn register(&self) -> Result<(), OpenClError> {
        let waiting = self.shared.waiting.clone();
        let wake = move || {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            // Later ones register again: the event may still say that it runs while its callbacks are called.
            waiting.is_registered = false;
            let wakers = std::mem::take(&mut waiting.wakers);
            drop(waiting);
            wakers.into_iter().for_each(Waker::wake);
        };
        Ok(self.when_over(wake).map_err(|(error, _)| error)?)
    }
}

impl Future for Event {
    type Output = Result<(), OpenClError>;

    fn poll(self: Pin<&mut Self>, task: &mut core::task::Context<'_>) -> Poll<Self::Output> {
        match self.is_done() {
            Ok(true) => return Poll::Ready(Ok(())),
            Ok(false) => {}
            Err(error) => return Poll::Ready(Err(error)),
        }
        let is_registered = {
            let mut waiting = self.waiting();
            if !waiting.wakers.iter().any(|waker| waker.will_wake(task.waker())) {
                waiting.wakers.push(task.waker().clone());
            }
            std::mem::replace(&mut waiting.is_registered, true)
        };
        if !is_registered && let Err(error) = self.register() {
            return Poll::Ready(Err(error));
        }
        // A waker that came after the callback would never be called.
        match self.is_done() {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

/// The driver's callback of [`Event::when_over`].
extern "C" fn call(_event: cl_event, _status: cl_int, data: *mut c_void) {
    // SAFETY: the data of `when_over`, given to this call alone.
    let then = unsafe { Box::from_raw(data.cast::<Then>()) };
    then();
}

/// An event that the host ends: commands that wait for it start then.
///
/// Dropped without an end it fails, and so does what waits for it: nothing waits forever.
#[derive(Debug)]
pub struct UserEvent {
    event: Event,
    is_open: bool,
}

impl UserEvent {
    pub(super) fn of(event: Event) -> Self {
        Self { event, is_open: false }
    }

    /// Returns what commands wait for.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Lets everything that waits for it start.
    pub fn open(mut self) -> Result<(), OpenClError> {
        self.event.handle().driver().set_user_event_status(self.event.handle(), 0)?;
        self.is_open = true;
        Ok(())
    }
}

impl Drop for UserEvent {
    fn drop(&mut self) {
        const ABANDONED: cl_int = -1;
        if !self.is_open {
            // Nobody can be given an error here; the driver counts it.
            let _ = self.event.handle().driver().set_user_event_status(self.event.handle(), ABANDONED);
        }
    }
}
