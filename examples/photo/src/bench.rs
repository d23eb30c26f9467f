//! Runs each operator on every target, and OpenCV's function of the same purpose; compares the targets' results with the author's own
//! function, and keeps the times.

use std::{
    error::Error,
    io,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use windrow::{Configured, Kernel};

use crate::{
    opencv::OpenCv,
    targets::{Column, Runner, thread_counts},
};

/// Rounds that an operator is timed for at least, and at most.
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=1001;

/// What came of an operator, column by column.
pub struct Row {
    pub operator: &'static str,
    pub outcomes: Vec<Outcome>,
    /// The times of OpenCV's function of the same purpose, for each number of threads; empty where it has none.
    pub opencv: Vec<Times>,
}

/// What came of an operator in a column.
pub enum Outcome {
    /// Every result equals that of the author's function, to the bit.
    Equal(Times),
    /// Some result differs.
    Different,
    /// It did not run, and why.
    Failed(String),
}

/// How long the runs of a column took.
#[derive(Clone, Copy)]
pub struct Times {
    /// The shortest: other work on the machine only makes runs longer.
    pub least: Duration,
    /// The quartiles are far apart: other work got in the way so often that the shortest may have met it, too.
    pub is_unsteady: bool,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort();
        let quantile = |quarters: usize| times.get((times.len() - 1) * quarters / 4).copied();
        let (least, lower, median, upper) = (*times.first()?, quantile(1)?, quantile(2)?, quantile(3)?);
        Some(Self { least, is_unsteady: (upper - lower).as_secs_f64() > 0.15 * median.as_secs_f64() })
    }
}

/// The columns of the table, and what was measured for them.
pub struct Bench {
    columns: Vec<Column>,
    /// How long each operator is timed.
    budget: Duration,
    progress: ProgressBar,
    opencv: Option<OpenCv>,
    pub rows: Vec<Row>,
}

/// OpenCV's function for an operator, while it is timed.
struct Peer<'o> {
    opencv: &'o mut OpenCv,
    operator: &'static str,
    /// For each number of threads.
    times: Vec<(usize, Vec<Duration>)>,
}

/// A kernel in one column, while it is timed.
struct Lane<K: Kernel> {
    runner: Result<Runner<K>, String>,
    times: Vec<Duration>,
    is_different: bool,
}

impl Bench {
    /// A bench that times each of `operators` operators for `budget`, in all columns and in OpenCV together.
    pub fn new(columns: Vec<Column>, opencv: Option<OpenCv>, budget: Duration, operators: u64) -> Self {
        let progress = ProgressBar::new(operators);
        let style = ProgressStyle::with_template("{bar:32} {pos:>3}/{len} {wide_msg}");
        progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bench { columns, budget, progress, opencv, rows: Vec::new() }
    }

    /// The columns of the table, but for OpenCV's.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Whether OpenCV runs beside the operators.
    pub fn has_opencv(&self) -> bool {
        self.opencv.is_some()
    }

    /// Runs an operator by the author's function and in every column; gives what the author's function gives.
    ///
    /// `outputs` are what a run starts from; `run` lends them, with the inputs, to a runner.
    pub fn measure<K: Kernel, O: Clone + PartialEq>(
        &mut self,
        operator: &'static str,
        configured: Configured<K>,
        outputs: O,
        run: impl Fn(&Runner<K>, &mut O) -> Result<(), Box<dyn Error>>,
    ) -> Result<O, Box<dyn Error>> {
        self.progress.set_message(format!("{operator}: the author's function"));
        let mut expected = outputs.clone();
        run(&Runner::Author(configured.clone()), &mut expected)?;
        let mut lanes: Vec<Lane<K>> = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            self.progress.set_message(format!("{operator}: {}", column.target));
            let runner = column.ready(&configured).map_err(|error| error.to_string());
            let mut lane = Lane { runner, times: Vec::new(), is_different: false };
            // The first run may build, page in and start threads: it is compared, not timed. It starts from what no run has
            // written, so that a run that writes nothing is seen.
            lane.run(&mut outputs.clone(), &expected, &run);
            lane.times.clear();
            lanes.push(lane);
        }
        self.progress.set_message(format!("{operator}: rounds"));
        let mut found = outputs;
        let opencv = self.opencv.as_mut().filter(|opencv| opencv.has(operator));
        let mut peer = opencv.map(|opencv| Peer::new(opencv, operator)).transpose()?;
        let start = Instant::now();
        for round in 0..*ROUNDS.end() {
            if round >= *ROUNDS.start() && start.elapsed() >= self.budget {
                break;
            }
            // All columns once a round, so that what slows the machine down for a while slows them all down. Each round begins
            // with another one.
            let first = round % lanes.len().max(1);
            lanes.rotate_left(first);
            lanes.iter_mut().for_each(|lane| lane.run(&mut found, &expected, &run));
            lanes.rotate_right(first);
            peer.as_mut().map(Peer::run).transpose()?;
        }
        let outcomes = lanes.into_iter().map(Lane::outcome).collect();
        let opencv = peer.map(Peer::times).unwrap_or_default();
        self.rows.push(Row { operator, outcomes, opencv });
        self.progress.inc(1);
        Ok(expected)
    }

    /// Takes the progress away, so that the table can be printed.
    pub fn finish(&self) {
        self.progress.finish_and_clear();
    }
}

impl<'o> Peer<'o> {
    /// Runs it once on each number of threads: the first run may page in and start threads.
    fn new(opencv: &'o mut OpenCv, operator: &'static str) -> io::Result<Self> {
        let mut peer = Self { opencv, operator, times: thread_counts().map(|threads| (threads, Vec::new())).collect() };
        peer.run()?;
        peer.times.iter_mut().for_each(|(_, times)| times.clear());
        Ok(peer)
    }

    fn run(&mut self) -> io::Result<()> {
        for (threads, times) in &mut self.times {
            times.push(self.opencv.time(self.operator, *threads)?);
        }
        Ok(())
    }

    fn times(self) -> Vec<Times> {
        self.times.into_iter().filter_map(|(_, times)| Times::of(times)).collect()
    }
}

impl<K: Kernel> Lane<K> {
    /// Runs once, unless a run has failed; times the run, and compares the result.
    fn run<O: PartialEq>(
        &mut self,
        found: &mut O,
        expected: &O,
        run: &impl Fn(&Runner<K>, &mut O) -> Result<(), Box<dyn Error>>,
    ) {
        let Ok(runner) = &self.runner else { return };
        let start = Instant::now();
        let result = run(runner, found);
        self.times.push(start.elapsed());
        match result {
            Ok(()) => self.is_different |= found != expected,
            Err(error) => self.runner = Err(error.to_string()),
        }
    }

    fn outcome(self) -> Outcome {
        match (self.runner, Times::of(self.times)) {
            (Err(why), _) => Outcome::Failed(why),
            (Ok(_), Some(times)) if !self.is_different => Outcome::Equal(times),
            (Ok(_), _) => Outcome::Different,
        }
    }
}
