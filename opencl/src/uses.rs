//! Who uses a block of device memory: the host by maps, and commands.
//!
//! A map lends the driver's memory as a reference, so that no command may write it meanwhile. A command is announced
//! ([`Uses::begin`]) before it is checked, and noted when it is enqueued; a map begins when no command is between the two,
//! and waits for those that are noted, and so does a transfer that blocks. Both are made on one queue of the block's context: a
//! command there needs no note, where that queue keeps its order.

use crate::{Context, Event, OpenClError, Queue};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The users of a block, parts of it included.
#[derive(Debug)]
pub(super) struct Uses {
    /// The address of the queue whose commands need no note.
    ordered: Option<usize>,
    state: Mutex<State>,
    enqueued: Condvar,
}

#[derive(Debug, Default)]
struct State {
    readers: usize,
    is_written: bool,
    /// Commands that are checked and not yet enqueued.
    beginning: usize,
    commands: Vec<Command>,
}

/// A command on a queue whose order with a map is not the driver's to keep.
#[derive(Debug)]
struct Command {
    event: Event,
    writes: bool,
}

/// A command that is being enqueued. While it is held, no map begins.
#[derive(Debug)]
pub(super) struct Use {
    uses: Arc<Uses>,
    writes: bool,
}

impl Uses {
    /// Nobody uses a new block of this context.
    pub fn new(context: &Context) -> Uses {
        let queue = context.memory_queue();
        let ordered = (!queue.options().out_of_order).then(|| queue.raw().addr());
        Uses { ordered, state: Mutex::default(), enqueued: Condvar::new() }
    }

    /// Announces a command that reads, or reads and writes.
    ///
    /// # Errors
    /// [`OpenClError::Mapped`] where the host uses the block.
    pub fn begin(self: &Arc<Self>, argument: &str, writes: bool) -> Result<Use, OpenClError> {
        let mut state = self.state();
        state.check(argument, writes)?;
        state.beginning += 1;
        Ok(Use { uses: self.clone(), writes })
    }

    /// Lets the host use the block, once no command that has begun uses it otherwise.
    ///
    /// # Errors
    /// [`OpenClError::Mapped`] where it is mapped otherwise, or an error of waiting.
    pub fn begin_map(&self, argument: &str, for_writing: bool) -> Result<(), OpenClError> {
        let mut state = self.state();
        while state.beginning > 0 {
            state = self.enqueued.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.check(argument, for_writing)?;
        match for_writing {
            true => state.is_written = true,
            false => state.readers += 1,
        }
        drop(state);
        self.settle(for_writing).inspect_err(|_| self.end_map(for_writing))
    }

    pub fn end_map(&self, for_writing: bool) {
        let mut state = self.state();
        match for_writing {
            true => state.is_written = false,
            false => state.readers = state.readers.saturating_sub(1),
        }
    }

    /// Waits for the commands that were noted and write, or for all where the host is to write.
    fn settle(&self, for_writing: bool) -> Result<(), OpenClError> {
        let events: Vec<Event> = {
            let mut state = self.state();
            state.commands.retain(|command| !command.event.is_over());
            let conflicting = state.commands.iter().filter(|command| for_writing || command.writes);
            conflicting.map(|command| command.event.clone()).collect()
        };
        for event in events {
            // A command that failed uses the memory no more.
            event.wait().or_else(|error| if event.is_over() { Ok(()) } else { Err(error) })?;
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn check(&self, argument: &str, writes: bool) -> Result<(), OpenClError> {
        if self.is_written || writes && self.readers > 0 {
            return Err(OpenClError::Mapped { argument: argument.to_string() });
        }
        Ok(())
    }
}

impl Use {
    /// Waits for the commands of other queues that this one must not overtake: the host does, for a transfer that blocks.
    pub fn settle(&self) -> Result<(), OpenClError> {
        self.uses.settle(self.writes)
    }

    /// Whether the command must be noted, on this queue.
    fn is_noted(&self, queue: &Queue) -> bool {
        self.uses.ordered != Some(queue.raw().addr())
    }

    /// Notes the command's event: maps and transfers that block wait for it.
    pub fn enqueued(&self, event: &Event) {
        let mut state = self.uses.state();
        state.commands.retain(|command| !command.event.is_over());
        state.commands.push(Command { event: event.clone(), writes: self.writes });
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.uses.state().beginning -= 1;
        self.uses.enqueued.notify_all();
    }
}

/// Whether a command on `queue` must be noted, for some block that it uses.
pub(super) fn is_noted(uses: &[Use], queue: &Queue) -> bool {
    uses.iter().any(|one| one.is_noted(queue))
}

/// Notes the event of a command on `queue` for every block of which it must be noted.
pub(super) fn note(uses: &[Use], queue: &Queue, event: &Event) {
    uses.iter().filter(|one| one.is_noted(queue)).for_each(|one| one.enqueued(event));
}

/// Notes what was enqueued last on `queue`.
///
/// # Errors
/// Where the driver gives no event of it.
pub(super) fn note_last(uses: &[Use], queue: &Queue) -> Result<(), OpenClError> {
    if is_noted(uses, queue) {
        note(uses, queue, &queue.marker()?);
    }
    Ok(())
}
