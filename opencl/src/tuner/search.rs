//! The search: warm-up, the median of several runs, a margin over the default, and a budget.
//!
//! It knows nothing of OpenCL: a [`Timer`] runs a candidate and says how long it took. A winner must win twice: after all
//! candidates were measured, it meets the default again, one after the other, so that a device whose clock changed
//! meanwhile, or one lucky run, decides nothing.

use crate::{Candidate, Space, TuneLevel};
use std::time::Duration;

/// What runs candidates.
pub trait Timer {
    /// Why a run failed.
    type Error;

    /// Runs a candidate once, and gives the time that the device took.
    fn run(&mut self, candidate: Candidate) -> Result<Duration, Self::Error>;
}

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneSettings {
    /// What is tried.
    pub level: TuneLevel,
    /// Launches in all, whatever is left to try then. (A limit in time would try less on a machine that is busy.)
    pub launches: usize,
    /// Runs of a candidate before it is measured: drivers build on the first.
    pub warm_up: usize,
    /// Runs whose median counts.
    pub samples: usize,
    /// How much faster than the default a candidate must be, as a part of its time.
    pub margin: f64,
}

impl TuneSettings {
    /// Returns a level with 4,096 launches a kernel; the median of five runs after one, and a margin of 3 %.
    pub fn new(level: TuneLevel) -> Self {
        Self { level, launches: 4096, warm_up: 1, samples: 5, margin: 0.03 }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneOutcome<E> {
    /// The fastest candidate, or the default.
    pub best: Candidate,
    /// Its median time.
    pub time: Duration,
    /// The default's.
    pub default_time: Duration,
    /// Candidates that were measured.
    pub measured: usize,
    /// Launches in all.
    pub launches: usize,
    /// Candidates that failed to run.
    pub failed: Vec<(Candidate, E)>,
    /// Whether everything was tried.
    pub is_complete: bool,
}

/// A candidate this much slower in its first run than the best is not run again.
const HOPELESS: f64 = 1.5;

/// Searches a space.
///
/// # Errors
/// The timer's, where the default doesn't run; another candidate that doesn't is passed over.
pub fn search<T: Timer>(
    space: &Space,
    settings: &TuneSettings,
    timer: &mut T,
) -> Result<TuneOutcome<T::Error>, T::Error> {
    let mut search = Search { settings, timer, launches: 0 };
    let default = space.default_candidate();
    let default_time = search.measure(default, None)?;
    let mut outcome = TuneOutcome {
        best: default,
        time: default_time,
        default_time,
        measured: 1,
        launches: 0,
        failed: Vec::new(),
        is_complete: true,
    };
    for candidate in space.candidates(settings.level).into_iter().filter(|candidate| *candidate != default) {
        if search.is_spent() {
            outcome.is_complete = false;
            break;
        }
        outcome.measured += 1;
        match search.measure(candidate, Some(outcome.time)) {
            Ok(time) if time < outcome.time => (outcome.best, outcome.time) = (candidate, time),
            Ok(_) => {}
            Err(error) => outcome.failed.push((candidate, error)),
        }
    }
    if outcome.best != default {
        search.confirm(default, &mut outcome);
    }
    outcome.launches = search.launches;
    Ok(outcome)
}

struct Search<'a, T> {
    settings: &'a TuneSettings,
    timer: &'a mut T,
    launches: usize,
}

impl<T: Timer> Search<'_, T> {
    /// Whether the budget ends here: a candidate's launches, and the last comparison's, must be left.
    fn is_spent(&self) -> bool {
        let samples = self.settings.samples.max(1);
        self.launches + self.settings.warm_up + samples + 2 * samples > self.settings.launches
    }

    /// The median time of a candidate; of its first run, where that is hopeless beside `best`.
    fn measure(&mut self, candidate: Candidate, best: Option<Duration>) -> Result<Duration, T::Error> {
        for _ in 0..self.settings.warm_up {
            self.run(candidate)?;
        }
        let first = self.run(candidate)?;
        if best.is_some_and(|best| first > best.mul_f64(HOPELESS)) {
            return Ok(first);
        }
        let mut times = vec![first];
        for _ in 1..self.settings.samples {
            times.push(self.run(candidate)?);
        }
        Ok(median(times))
    }

    /// Lets the winner meet the default again; without the margin, the default stays.
    fn confirm(&mut self, default: Candidate, outcome: &mut TuneOutcome<T::Error>) {
        let (mut ours, mut defaults) = (Vec::new(), Vec::new());
        for _ in 0..self.settings.samples.max(1) {
            match (self.run(default), self.run(outcome.best)) {
                (Ok(default), Ok(best)) => {
                    defaults.push(default);
                    ours.push(best);
                }
                (_, Err(error)) | (Err(error), Ok(_)) => {
                    outcome.failed.push((outcome.best, error));
                    (outcome.best, outcome.time) = (default, outcome.default_time);
                    return;
                }
            }
        }
        let (time, default_time) = (median(ours), median(defaults));
        outcome.default_time = default_time;
        outcome.time = time;
        if time.as_secs_f64() > default_time.as_secs_f64() * (1.0 - self.settings.margin) {
            (outcome.best, outcome.time) = (default, default_time);
        }
    }

    fn run(&mut self, candidate: Candidate) -> Result<Duration, T::Error> {
        self.launches += 1;
        self.timer.run(candidate)
    }
}

/// The middle one; the lower of two.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
