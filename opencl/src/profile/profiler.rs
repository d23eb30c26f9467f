//! What notes when kernels ran.

use crate::{CpuSpan, Event, LaunchRecord, OpenClError, Profile, Timestamps};
use opencl3::event::{
    CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_SUBMIT,
};
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};
use windrow_runtime::schedule::{Observer, ScheduleError, Scheduler, Split};

/// Notes when kernels ran, while it is on. Its clones are one.
///
/// Every context has one ([`crate::Context::profiler`]); [`Profiler::scheduler`] notes kernels of the processor too,
/// on the same clock.
#[derive(Clone, Debug)]
pub struct Profiler {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    is_on: AtomicBool,
    // What the host's clock counts from.
    begun: Instant,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    launches: Vec<Launched>,
    spans: Vec<CpuSpan>,
}

/// A launch whose times are asked for when it is done.
#[derive(Debug)]
struct Launched {
    event: Event,
    enqueued: u64,
    record: LaunchRecord,
}

impl Default for Profiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Profiler {
    /// Returns one that is off, with nothing noted.
    pub fn new() -> Self {
        let (is_on, begun, notes) = (AtomicBool::new(false), Instant::now(), Mutex::default());
        Self { shared: Arc::new(Shared { is_on, begun, notes }) }
    }

    /// Returns whether the profiler notes what is run now.
    pub fn is_on(&self) -> bool {
        self.shared.is_on.load(Ordering::Relaxed)
    }

    /// Switches it on or off for the processor's kernels. (A context's is switched by
    /// [`crate::Context::set_profiling`], as its queue changes too.)
    pub fn set_on(&self, is_on: bool) {
        self.shared.is_on.store(is_on, Ordering::Relaxed);
    }

    /// Takes what was noted, and forgets it. Waits for the launches that are not done.
    ///
    /// # Errors
    /// Where a launch failed, or the driver doesn't say its times: the others' are lost with it.
    pub fn take(&self) -> Result<Profile, OpenClError> {
        let Notes { launches, spans } = std::mem::take(&mut *self.notes());
        let mut profile = Profile { launches: Vec::with_capacity(launches.len()), spans };
        let mut offsets: Vec<(String, i64)> = Vec::new();
        for Launched { event, enqueued, mut record } in launches {
            event.wait()?;
            record.timestamps = event.timestamps()?;
            let known = offsets.iter().find(|(device, _)| *device == record.device).map(|(_, offset)| *offset);
            // The first launch's clocks hold for all of its device: what lies between them keeps its length.
            record.offset = known.unwrap_or_else(|| enqueued.wrapping_sub(record.timestamps.queued).cast_signed());
            if known.is_none() {
                offsets.push((record.device.clone(), record.offset));
            }
            profile.launches.push(record);
        }
        Ok(profile)
    }

    /// Returns a scheduler that does what `scheduler` does, and has its parts noted here.
    pub fn scheduler<'s>(&'s self, scheduler: &'s dyn Scheduler) -> TimedScheduler<'s> {
        TimedScheduler { scheduler, profiler: self }
    }

    /// Nanoseconds on the host's clock.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.shared.begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Notes a launch that was enqueued at `enqueued`, by its event on a profiling queue.
    pub(crate) fn note(&self, event: Event, enqueued: u64, record: LaunchRecord) {
        self.notes().launches.push(Launched { event, enqueued, record });
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.shared.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Profiler {
    fn part(&self, kernel: &str, thread: usize, compute: &mut dyn FnMut()) {
        let started = self.now();
        compute();
        let span = CpuSpan { kernel: kernel.to_owned(), thread, started, ended: self.now() };
        self.notes().spans.push(span);
    }
}

/// A scheduler whose parts are noted by a [`Profiler`], while it is on.
pub struct TimedScheduler<'s> {
    scheduler: &'s dyn Scheduler,
    profiler: &'s Profiler,
}

impl Scheduler for TimedScheduler<'_> {
    fn num_threads(&self) -> usize {
        self.scheduler.num_threads()
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        self.scheduler.run(workers, worker)
    }

    fn split(&self) -> Split {
        self.scheduler.split()
    }

    fn grain(&self) -> usize {
        self.scheduler.grain()
    }

    fn observer(&self) -> Option<&dyn Observer> {
        self.profiler.is_on().then_some(self.profiler)
    }
}

impl Event {
    /// Returns the times of a command on a profiling queue that is done.
    ///
    /// # Errors
    /// Where the queue doesn't note them, or the command isn't done.
    pub fn timestamps(&self) -> Result<Timestamps, OpenClError> {
        let stamp = |name| self.handle().driver().event_profiling(self.handle(), name);
        Ok(Timestamps {
            queued: stamp(CL_PROFILING_COMMAND_QUEUED)?,
            submitted: stamp(CL_PROFILING_COMMAND_SUBMIT)?,
            started: stamp(CL_PROFILING_COMMAND_START)?,
            ended: stamp(CL_PROFILING_COMMAND_END)?,
        })
    }
}

#[cfg(test)]
mod tests;
