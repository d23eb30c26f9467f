//! Queues: where commands wait for the device.

use crate::{
    DeviceCaps, Driver, Event, MissingFeature, OpenClError,
    context::core::Core,
    driver::{
        event::WaitList,
        handle::{EventObject, Handle, QueueObject},
    },
};
use opencl3::command_queue::{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PROPERTIES};
use std::{
    ffi::c_void,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

/// When what was enqueued is handed to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flush {
    /// After each launch.
    #[default]
    EachLaunch,
    /// Whenever this number of launches has been enqueued.
    Every(u32),
    /// When somebody waits, or the driver likes.
    OnWait,
}

/// How a queue works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct QueueOptions {
    /// Commands may run in another order than they came: only events order them.
    pub out_of_order: bool,
    /// Commands note their times.
    pub profiling: bool,
    /// When commands go to the device.
    pub flush: Flush,
}

/// A queue of a context. Cheap to clone: the clones are one queue.
#[derive(Clone, Debug)]
pub struct Queue {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    handle: Handle<QueueObject>,
    options: QueueOptions,
    /// Launches since the last flush.
    launches: AtomicU32,
    core: Arc<Core>,
}

/// What a command waits for, and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The queue.
    pub queue: &'a Queue,
    /// The events that must be done before it starts.
    pub after: &'a [Event],
}

impl<'a> Submission<'a> {
    /// Enqueues on `queue`, after what is there already (where the queue keeps its order).
    pub fn on(queue: &'a Queue) -> Self {
        Self { queue, after: &[] }
    }

    /// Enqueues on `queue`, after `events` too.
    pub fn after(queue: &'a Queue, events: &'a [Event]) -> Self {
        Self { queue, after: events }
    }

    pub(super) fn waits(&self) -> Result<WaitList, OpenClError> {
        for event in self.after {
            self.queue.core().check_same("an event to wait for", event.core())?;
        }
        Ok(WaitList::new(self.after.iter().map(Event::handle)))
    }
}

/// A queue that the device can't make.
pub(crate) fn check_queue(caps: &DeviceCaps, options: &QueueOptions) -> Result<(), OpenClError> {
    if options.out_of_order && !caps.out_of_order {
        return Err(MissingFeature::new(&*caps.name, "queues that run out of order").into());
    }
    Ok(())
}

impl Queue {
    pub(super) fn new(core: &Arc<Core>, handle: Handle<QueueObject>, options: QueueOptions) -> Self {
        let shared = Shared { handle, options, launches: AtomicU32::new(0), core: core.clone() };
        Self { shared: Arc::new(shared) }
    }

    /// A queue of a context, as `options` say.
    pub(crate) fn make(core: &Arc<Core>, options: QueueOptions) -> Result<Queue, OpenClError> {
        check_queue(&core.device, &options)?;
        let driver = core.handle.driver();
        let bit = |wanted: bool, bit: u64| if wanted { bit } else { 0 };
        let bits = bit(options.out_of_order, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
            | bit(options.profiling, CL_QUEUE_PROFILING_ENABLE);
        let queue = if core.hints.is_empty() {
            driver.create_queue(&core.handle, core.device.id, bits)?
        } else {
            let mut properties = vec![CL_QUEUE_PROPERTIES as u64, bits];
            properties.extend(&core.hints);
            driver.create_queue_with_hints(&core.handle, core.device.id, &properties)?
        };
        Ok(Queue::new(core, queue, options))
    }

    /// Returns how it works.
    pub fn options(&self) -> QueueOptions {
        self.shared.options
    }

    /// Hands what was enqueued to the device.
    pub fn flush(&self) -> Result<(), OpenClError> {
        self.shared.launches.store(0, Relaxed);
        Ok(self.driver().flush(self.handle())?)
    }

    /// Waits until everything that was enqueued is done.
    pub fn sync(&self) -> Result<(), OpenClError> {
        self.shared.launches.store(0, Relaxed);
        Ok(self.driver().finish(self.handle())?)
    }

    /// Returns an event that is done when everything that was enqueued up to now is.
    pub fn marker(&self) -> Result<Event, OpenClError> {
        self.event(self.driver().marker(self.handle(), &WaitList::NONE)?)
    }

    /// Lets everything that is enqueued later wait for `events`, or for all that was enqueued before where there are none.
    pub fn wait_for(&self, events: &[Event]) -> Result<(), OpenClError> {
        Ok(self.driver().barrier(self.handle(), &Submission::after(self, events).waits()?)?)
    }

    /// Returns the queue, for callers who use the library themselves. It lives as long as this object.
    pub fn raw(&self) -> *mut c_void {
        self.handle().raw()
    }

    /// Flushes as the options say, after a launch.
    pub(super) fn launched(&self) -> Result<(), OpenClError> {
        match self.shared.options.flush {
            Flush::EachLaunch => self.flush(),
            Flush::Every(count) if self.shared.launches.fetch_add(1, Relaxed) + 1 >= count.max(1) => self.flush(),
            Flush::Every(_) | Flush::OnWait => Ok(()),
        }
    }

    /// The event of a command that was asked for one.
    pub(super) fn event(&self, handle: Option<Handle<EventObject>>) -> Result<Event, OpenClError> {
        let missing = || MissingFeature::new("the driver", "an event of a command");
        Ok(Event::new(handle.ok_or_else(missing)?, Some(self.clone()), self.core()))
    }

    pub(crate) fn handle(&self) -> &Handle<QueueObject> {
        &self.shared.handle
    }

    pub(super) fn driver(&self) -> &Driver {
        self.shared.handle.driver()
    }

    pub(super) fn core(&self) -> &Arc<Core> {
        &self.shared.core
    }
}
