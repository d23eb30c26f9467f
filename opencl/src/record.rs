//! Runs that are recorded once and replayed: nothing is checked, set or looked up again.
//!
//! Where the device has `cl_khr_command_buffer` and all runs read buffers, a replay is one command; elsewhere each launch is
//! enqueued with the arguments that it was recorded with. The results are the same. A command buffer belongs to one queue: while profiling
//! changes the context's queue, another one is replayed, and noted as one launch.

use crate::{
    Buffer, Context, DeviceImage, DriverError, Event, LaunchRecord, MemForm, OpenClError, OpenClKernel, Queue,
    SampledImage, Submission,
    arguments::{Given, Inputs},
    driver::{CommandBuffer, RecordFunctions},
    launch::Entry,
    local::Sizes,
    uses::{Use, note},
};
use std::sync::{Arc, Mutex, PoisonError};
use windrow_runtime::code::Kernel;

/// Queues that a recording keeps commands for: those of queues that are gone must not pile up.
const MOST_QUEUES: usize = 8;

/// A list of runs that is being recorded.
#[derive(Debug)]
pub struct Recording {
    context: Context,
    steps: Vec<Step>,
}

/// A launch, with an entry that nothing else sets.
#[derive(Debug)]
struct Step {
    entry: Entry,
    sizes: Sizes,
    /// The memory that it uses, and whether it writes it.
    memory: Vec<(Arc<Buffer>, bool)>,
}

/// A list of runs, ready to be replayed.
#[derive(Debug)]
pub struct Recorded {
    // The commands are released before the kernels and the memory that they use.
    commands: Option<(RecordFunctions, Mutex<Vec<Commands>>)>,
    steps: Vec<Step>,
    context: Context,
}

/// A recording as one command of a queue.
#[derive(Debug)]
struct Commands {
    buffer: CommandBuffer,
    queue: Queue,
    /// The end of the replay before: a command buffer may not be enqueued twice at a time.
    last: Option<Event>,
}

impl Recording {
    /// Returns an empty one.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), steps: Vec::new() }
    }

    /// Adds a run: see [`OpenClKernel::run_on`]. Runs keep their order.
    ///
    /// # Errors
    /// As there. A replay launches and copies nothing: [`OpenClError::Form`] where the kernel reads images, to which a run
    /// would copy ([`Recording::add_images`] takes images), [`OpenClError::NotReplayed`] where a run would repeat an input by
    /// copies.
    pub fn add<K: Kernel>(
        &mut self,
        kernel: &OpenClKernel<K>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.add_run(kernel, Given { inputs: Inputs::Buffers(inputs), tables, outputs })
    }

    /// Adds a run: see [`OpenClKernel::run_on_images`].
    ///
    /// # Errors
    /// As there.
    pub fn add_images<K: Kernel>(
        &mut self,
        kernel: &OpenClKernel<K>,
        inputs: &[SampledImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.add_run(kernel, Given { inputs: Inputs::Images(inputs), tables, outputs })
    }

    fn add_run<K: Kernel>(&mut self, kernel: &OpenClKernel<K>, given: Given<'_>) -> Result<(), OpenClError> {
        self.context.core().check_same("the kernel", kernel.context().core())?;
        let (entry, sizes) = kernel.record(given)?;
        self.add_prepared(entry, sizes, given.memory());
        Ok(())
    }

    /// Adds a launch that is prepared, with the memory that it uses.
    pub(super) fn add_prepared(&mut self, entry: Entry, sizes: Option<Sizes>, memory: Vec<(Arc<Buffer>, bool)>) {
        self.steps.extend(sizes.map(|sizes| Step { entry, sizes, memory }));
    }

    /// Ends the recording.
    pub fn finish(self) -> Result<Recorded, OpenClError> {
        // PoCL aborts the process where a command buffer holds a kernel with a sampler.
        let over_buffers = self.steps.iter().all(|step| step.entry.form() == MemForm::Buffer);
        let is_wanted = over_buffers && self.context.device().command_buffers();
        let functions = if is_wanted { self.functions()? } else { None };
        let commands = match functions {
            Some(functions) => {
                let first = Commands::new(functions, self.context.queue(), &self.steps)?;
                Some((functions, Mutex::new(vec![first])))
            }
            None => None,
        };
        Ok(Recorded { commands, steps: self.steps, context: self.context })
    }

    /// Ends the recording without the extension, as on a device that lacks it.
    pub fn finish_plain(self) -> Recorded {
        Recorded { commands: None, steps: self.steps, context: self.context }
    }

    /// A platform that names the extension and lacks its functions does without.
    fn functions(&self) -> Result<Option<RecordFunctions>, OpenClError> {
        match RecordFunctions::find(self.context.driver(), self.context.device().of_platform) {
            Ok(functions) => Ok(Some(functions)),
            Err(DriverError::NoFunction { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Commands {
    fn new(functions: RecordFunctions, queue: &Queue, steps: &[Step]) -> Result<Self, OpenClError> {
        let mut buffer = CommandBuffer::new(queue.driver(), functions, queue.handle())?;
        let mut last = None;
        for step in steps {
            last = Some(step.entry.record(&mut buffer, step.sizes, last)?);
        }
        buffer.finalize()?;
        Ok(Self { buffer, queue: queue.clone(), last: None })
    }
}

impl Recorded {
    /// Returns whether a replay is one command of the device.
    pub fn is_one_command(&self) -> bool {
        self.commands.is_some()
    }

    /// Returns the number of launches.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Enqueues all of it on the context's queue, in order.
    pub fn run(&self) -> Result<Event, OpenClError> {
        self.submit(&Submission::on(self.context.queue()))
    }

    /// Replays on a queue and after events of the caller's choice. On a queue that it was not replayed on before, it is
    /// recorded anew.
    ///
    /// # Errors
    /// [`OpenClError::Mapped`] while the host uses an image of the recording.
    pub fn submit(&self, on: &Submission<'_>) -> Result<Event, OpenClError> {
        self.context.core().check_same("the queue", on.queue.core())?;
        let memory = self.steps.iter().flat_map(|step| &step.memory);
        let uses = memory.map(|(buffer, writes)| buffer.begin_use("an image of the recording", *writes));
        let uses: Vec<Use> = uses.collect::<Result<_, _>>()?;
        let event = self.replay(on)?;
        note(&uses, on.queue, &event);
        Ok(event)
    }

    fn replay(&self, on: &Submission<'_>) -> Result<Event, OpenClError> {
        let Some((functions, commands)) = &self.commands else { return self.enqueue(on) };
        let mut commands = commands.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match commands.iter().position(|commands| commands.queue.raw() == on.queue.raw()) {
            Some(index) => index,
            None => {
                let recorded = Commands::new(*functions, on.queue, &self.steps)?;
                if commands.len() == MOST_QUEUES {
                    let oldest = commands.remove(0);
                    oldest.last.map_or(Ok(()), |last| last.wait())?;
                }
                commands.push(recorded);
                commands.len() - 1
            }
        };
        let commands = &mut commands[index];
        if let Some(last) = &commands.last
            && !last.is_done()?
        {
            // Behind the replay before, in the same order, without the device's own recording.
            return self.enqueue(on);
        }
        let enqueued = self.context.profiler().now();
        let event = commands.buffer.launch(&on.waits()?, true)?;
        on.queue.launched()?;
        let event = on.queue.event(event)?;
        commands.last = Some(event.clone());
        if self.context.profiler().is_on() && on.queue.options().profiling {
            self.context.profiler().note(event.clone(), enqueued, self.record());
        }
        Ok(event)
    }

    /// All launches of a replay as one: the device gives one event for them.
    fn record(&self) -> LaunchRecord {
        let mut names: Vec<(&str, usize)> = Vec::new();
        for step in &self.steps {
            match names.last_mut() {
                Some((name, times)) if *name == step.entry.name() => *times += 1,
                Some(_) | None => names.push((step.entry.name(), 1)),
            }
        }
        let name =
            |(name, times): &(&str, usize)| if *times == 1 { (*name).into() } else { format!("{name} ×{times}") };
        let names: Vec<String> = names.iter().map(name).collect();
        let items = self.steps.iter().map(|step| step.sizes.global.iter().product::<usize>()).sum();
        let (kernel, device) = (format!("recording of {}", names.join(", ")), self.context.device().to_string());
        LaunchRecord { kernel, device, global: [items, 1, 1], ..LaunchRecord::default() }
    }

    fn enqueue(&self, on: &Submission<'_>) -> Result<Event, OpenClError> {
        for step in &self.steps {
            step.entry.enqueue(step.sizes, on, false)?;
            if on.queue.options().out_of_order {
                on.queue.wait_for(&[])?;
            }
        }
        on.queue.marker()
    }
}
