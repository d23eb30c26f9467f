//! Runs each operator on every target, compares the results with the author's own function, and keeps the times.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use windrow::{Configured, Kernel};

use crate::targets::{Runner, Target};

/// One line of the table.
pub struct Row {
    pub operator: &'static str,
    pub target: String,
    pub outcome: Outcome,
}

/// What came of an operator on a target.
pub enum Outcome {
    /// The result equals that of the author's function, to the bit; the median of the times.
    Equal(Duration),
    /// Every run took this long, and some result differs.
    Different(Duration),
    /// It did not run, and why.
    Failed(String),
}

/// The targets, and what was measured on them.
pub struct Bench {
    targets: Vec<Target>,
    runs: usize,
    progress: ProgressBar,
    pub rows: Vec<Row>,
}

impl Bench {
    /// A bench that times `runs` runs each, for about `operators` operators.
    pub fn new(targets: Vec<Target>, runs: usize, operators: u64) -> Self {
        let progress = ProgressBar::new(operators * (targets.len() as u64 + 1));
        let style = ProgressStyle::with_template("{bar:32} {pos:>3}/{len} {wide_msg}");
        progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bench { targets, runs, progress, rows: Vec::new() }
    }

    /// Runs an operator by the author's function and on every target; gives what the author's function gives.
    ///
    /// `outputs` are what a run starts from; `run` lends them, with the inputs, to a runner.
    pub fn measure<K: Kernel, O: Clone + PartialEq>(
        &mut self,
        operator: &'static str,
        configured: Configured<K>,
        outputs: O,
        run: impl Fn(&Runner<K>, &mut O) -> Result<(), Box<dyn Error>>,
    ) -> Result<O, Box<dyn Error>> {
        self.progress.set_message(format!("{operator}, by its author's function"));
        let mut expected = outputs.clone();
        run(&Runner::Author(configured.clone()), &mut expected)?;
        self.progress.inc(1);
        for target in &self.targets {
            self.progress.set_message(format!("{operator} on {target}"));
            let outcome = compare(target, &configured, &outputs, &expected, self.runs, &run);
            let outcome = outcome.unwrap_or_else(|error| Outcome::Failed(error.to_string()));
            self.rows.push(Row { operator, target: target.to_string(), outcome });
            self.progress.inc(1);
        }
        Ok(expected)
    }

    /// Takes the progress away, so that the table can be printed.
    pub fn finish(&self) {
        self.progress.finish_and_clear();
    }
}

/// Runs a kernel on a target, and compares every result.
fn compare<K: Kernel, O: Clone + PartialEq>(
    target: &Target,
    configured: &Configured<K>,
    outputs: &O,
    expected: &O,
    runs: usize,
    run: impl Fn(&Runner<K>, &mut O) -> Result<(), Box<dyn Error>>,
) -> Result<Outcome, Box<dyn Error>> {
    let runner = target.ready(configured)?;
    let mut found = outputs.clone();
    // The first run may build, page in and start threads: it is compared, not timed.
    run(&runner, &mut found)?;
    let mut equal = found == *expected;
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        run(&runner, &mut found)?;
        times.push(start.elapsed());
        equal &= found == *expected;
    }
    let time = median(times);
    Ok(if equal { Outcome::Equal(time) } else { Outcome::Different(time) })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
