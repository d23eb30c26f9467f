//! The stages that are left, from which two lanes help themselves.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::stage::{Stage, Turn};

/// The stages that run after those of [`Turn::First`] and beside [`Turn::Host`].
pub struct Queue<'s> {
    state: Mutex<State<'s>>,
    changed: Condvar,
}

struct State<'s> {
    /// Those that nobody has taken, in the order in which they should be.
    left: Vec<&'s Stage>,
    is_host_done: bool,
}

impl<'s> Queue<'s> {
    /// A queue of these stages.
    pub fn new(stages: &'s [Stage]) -> Self {
        let left = stages.iter().filter(|stage| matches!(stage.turn, Turn::Beside | Turn::AfterHost)).collect();
        Self { state: Mutex::new(State { left, is_host_done: false }), changed: Condvar::new() }
    }

    /// Takes the first stage that may run now, and waits where the stage `host` has to end before one may. None where no stage is
    /// left.
    pub fn take(&self) -> Option<&'s Stage> {
        let mut state = self.state();
        while !state.left.is_empty() {
            let may_run = |stage: &&Stage| state.is_host_done || stage.turn == Turn::Beside;
            if let Some(place) = state.left.iter().position(may_run) {
                return Some(state.left.remove(place));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Runs the stage `host`; however that ends, the stages that wait for it may run.
    pub fn run_host(&self, run: impl FnOnce()) {
        struct Done<'q, 's>(&'q Queue<'s>);
        impl Drop for Done<'_, '_> {
            fn drop(&mut self) {
                self.0.state().is_host_done = true;
                self.0.changed.notify_all();
            }
        }
        let _done = Done(self);
        run();
    }

    fn state(&self) -> MutexGuard<'_, State<'s>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread, time::Duration};

    use super::*;

    const fn stage(name: &'static str, turn: Turn) -> Stage {
        Stage { name, shows: "", needs: &[], turn, run: |_| Ok(()) }
    }

    const STAGES: [Stage; 6] = [
        stage("first", Turn::First),
        stage("host", Turn::Host),
        stage("after", Turn::AfterHost),
        stage("one", Turn::Beside),
        stage("two", Turn::Beside),
        stage("named", Turn::ByName),
    ];

    fn taken(queue: &Queue<'_>) -> Option<&'static str> {
        queue.take().map(|stage| stage.name)
    }

    #[test]
    fn what_waits_for_the_host_is_passed_over() {
        let queue = Queue::new(&STAGES);
        assert_eq!(taken(&queue), Some("one"));
        queue.run_host(|| ());
        assert_eq!(taken(&queue), Some("after"));
        assert_eq!(taken(&queue), Some("two"));
        assert_eq!(taken(&queue), None);
    }

    #[test]
    fn a_lane_with_nothing_to_do_waits_for_the_host() {
        let queue = Queue::new(&STAGES);
        assert_eq!([taken(&queue), taken(&queue)], [Some("one"), Some("two")]);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| sender.send(taken(&queue)).unwrap());
            assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
            queue.run_host(|| ());
            assert_eq!(receiver.recv(), Ok(Some("after")));
        });
        assert_eq!(taken(&queue), None);
    }

    #[test]
    fn a_host_that_panics_stops_nobody() {
        let queue = Queue::new(&STAGES);
        let panicked = thread::scope(|scope| scope.spawn(|| queue.run_host(|| panic!("on purpose"))).join());
        assert!(panicked.is_err());
        assert_eq!(taken(&queue), Some("after"));
    }
}
