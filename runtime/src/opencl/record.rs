//! Runs that are recorded once and replayed: nothing is checked, set or looked up again.
//!
//! Where the device has `cl_khr_command_buffer`, a replay is one command; elsewhere each launch is enqueued with the
//! arguments that it was recorded with. The results are the same.

use super::{
    buffer::Buffer,
    context::Context,
    driver::{CommandBuffer, RecordFunctions},
    error::OpenClError,
    event::Event,
    image::DeviceImage,
    kernel::OpenClKernel,
    launch::{Entry, Sizes},
    queue::Submission,
};
use crate::code::Kernel;
use std::{
    sync::{Mutex, PoisonError},
    vec::Vec,
};

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
}

/// A list of runs, ready to be replayed.
#[derive(Debug)]
pub struct Recorded {
    // The commands are released before the kernels and the memory that they use.
    commands: Option<Mutex<Commands>>,
    steps: Vec<Step>,
    context: Context,
}

#[derive(Debug)]
struct Commands {
    buffer: CommandBuffer,
    /// The end of the replay before: a command buffer may not be enqueued twice at a time.
    last: Option<Event>,
}

impl Recording {
    /// An empty one.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), steps: Vec::new() }
    }

    /// Adds a run: see [`OpenClKernel::run_on`]. Runs keep their order.
    pub fn add<K: Kernel>(
        &mut self,
        kernel: &OpenClKernel<K>,
        inputs: &[DeviceImage],
        tables: &[Buffer],
        outputs: &[Option<DeviceImage>],
    ) -> Result<(), OpenClError> {
        self.context.core().check_same("the kernel", kernel.context().core())?;
        let (entry, sizes) = kernel.prepare(inputs, tables, outputs)?;
        self.steps.extend(sizes.map(|sizes| Step { entry, sizes }));
        Ok(())
    }

    /// Ends the recording.
    pub fn finish(self) -> Result<Recorded, OpenClError> {
        let commands = if self.context.device().command_buffers() { self.commands()? } else { None };
        let commands = commands.map(|buffer| Mutex::new(Commands { buffer, last: None }));
        Ok(Recorded { commands, steps: self.steps, context: self.context })
    }

    /// Ends the recording without the extension, as on a device that lacks it.
    pub fn finish_plain(self) -> Recorded {
        Recorded { commands: None, steps: self.steps, context: self.context }
    }

    /// A platform that names the extension and lacks its functions does without.
    fn commands(&self) -> Result<Option<CommandBuffer>, OpenClError> {
        let driver = self.context.driver();
        let functions = match RecordFunctions::find(driver, self.context.device().of_platform) {
            Ok(functions) => functions,
            Err(OpenClError::NoFeature { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut buffer = CommandBuffer::new(driver, functions, self.context.queue().handle())?;
        let mut last = None;
        for step in &self.steps {
            last = Some(step.entry.record(&mut buffer, step.sizes, last)?);
        }
        buffer.finalize()?;
        Ok(Some(buffer))
    }
}

impl Recorded {
    /// Whether a replay is one command of the device.
    pub fn is_one_command(&self) -> bool {
        self.commands.is_some()
    }

    /// The number of launches.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Enqueues all of it on the context's queue, in order.
    pub fn run(&self) -> Result<Event, OpenClError> {
        let on = Submission::on(self.context.queue());
        let Some(commands) = &self.commands else { return self.enqueue(&on) };
        let mut commands = commands.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &commands.last
            && !last.is_done()?
        {
            // Behind the replay before, in the same order, without the device's own recording.
            return self.enqueue(&on);
        }
        let event = commands.buffer.launch(&on.waits()?, true)?;
        on.queue.launched()?;
        let event = on.queue.event(event)?;
        commands.last = Some(event.clone());
        Ok(event)
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
