//! Runs stages: side by side in lanes, or in turn.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use anyhow::Context as _;

use crate::{
    context::Context,
    failures,
    queue::Queue,
    stage::{Stage, Turn},
    stages::STAGES,
    summary::{Ending, Outcome, say_ending},
};

/// What to do about failures and about what is missing.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Runs the remaining stages after one has failed.
    pub keep_going: bool,
    /// A stage that needs something that is missing is left out; otherwise it is a failure.
    pub allow_missing: bool,
}

/// Runs all stages that are not only run by name: those of `Turn::First`, and then two lanes side by side. One begins with the stage
/// `host`; both take what is left, until nothing is. What a stage says is printed when it ends.
pub fn run_side_by_side(root: &Path, options: Options) -> anyhow::Result<Vec<Outcome>> {
    let logs = root.join("target/xtask");
    std::fs::create_dir_all(&logs).with_context(|| format!("the folder {} for logs", logs.display()))?;
    let run = Run { root, logs: Some(&logs), options, failed: AtomicBool::new(false), outcomes: Mutex::default() };
    run.all_of(Turn::First);
    let queue = Queue::new(STAGES);
    let lane = || std::iter::from_fn(|| queue.take()).for_each(|stage| run.stage(stage));
    thread::scope(|scope| {
        scope.spawn(|| {
            queue.run_host(|| run.all_of(Turn::Host));
            lane();
        });
        scope.spawn(lane);
    });
    Ok(run.finish())
}

/// Runs these stages one after the other; what they say is printed at once.
pub fn run_in_turn(root: &Path, stages: &[&'static Stage], options: Options) -> anyhow::Result<Vec<Outcome>> {
    let run = Run { root, logs: None, options, failed: AtomicBool::new(false), outcomes: Mutex::default() };
    stages.iter().for_each(|stage| run.stage(stage));
    Ok(run.finish())
}

/// One run of several stages.
struct Run<'r> {
    root: &'r Path,
    /// Where what a stage says is kept; without it, it goes to the terminal.
    logs: Option<&'r Path>,
    options: Options,
    failed: AtomicBool,
    outcomes: Mutex<Vec<Outcome>>,
}

impl Run<'_> {
    fn all_of(&self, turn: Turn) {
        STAGES.iter().filter(|stage| stage.turn == turn).for_each(|stage| self.stage(stage));
    }

    /// Runs a stage, unless something that it needs is missing, or a stage has failed before.
    fn stage(&self, stage: &'static Stage) {
        let started = Instant::now();
        let missing: Vec<_> = stage.needs.iter().filter(|need| !need.is_present()).map(|need| need.name).collect();
        let ending = if self.failed.load(Relaxed) && !self.options.keep_going {
            Ending::NotReached
        } else if !missing.is_empty() {
            Ending::Missing(missing)
        } else {
            match self.logged(stage) {
                Ok(()) => Ending::Passed,
                Err(error) => Ending::Failed(format!("{error:#}")),
            }
        };
        let failures = if matches!(ending, Ending::Failed(_)) { self.failures(stage) } else { Vec::new() };
        let outcome = Outcome { stage: stage.name, ending, seconds: started.elapsed().as_secs(), failures };
        if !outcome.is_success(self.options.allow_missing) {
            self.failed.store(true, Relaxed);
        }
        say_ending(&outcome);
        self.outcomes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(outcome);
    }

    /// Runs a stage, and prints what it has said.
    fn logged(&self, stage: &Stage) -> anyhow::Result<()> {
        let Some(logs) = self.logs else {
            anstream::println!("== {}: {}", stage.name, stage.shows);
            return (stage.run)(&Context::new(self.root, None)?);
        };
        let path = log_of(logs, stage);
        let log = File::create(&path).with_context(|| format!("the log {}", path.display()))?;
        let result = Context::new(self.root, Some(log)).and_then(|context| (stage.run)(&context));
        let text = std::fs::read(&path).unwrap_or_default();
        // One lock for all of it: what the other lane says does not come between.
        let _outcomes = self.outcomes.lock();
        anstream::println!("== {}: {}\n{}", stage.name, stage.shows, String::from_utf8_lossy(&text));
        result
    }

    /// What the log of a stage that failed says of that; nothing where it went to the terminal.
    fn failures(&self, stage: &Stage) -> Vec<String> {
        let Some(logs) = self.logs else { return Vec::new() };
        failures::of(&String::from_utf8_lossy(&std::fs::read(log_of(logs, stage)).unwrap_or_default()))
    }

    /// The outcomes, in the order of the table.
    fn finish(self) -> Vec<Outcome> {
        let mut outcomes = self.outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        outcomes.sort_by_key(|outcome| STAGES.iter().position(|stage| stage.name == outcome.stage));
        outcomes
    }
}

/// The file of a stage's log.
fn log_of(logs: &Path, stage: &Stage) -> PathBuf {
    logs.join(format!("{}.log", stage.name))
}
