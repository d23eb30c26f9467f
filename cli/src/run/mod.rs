//! `windrow run`: what a network makes of a picture or an array, and how long it takes.
//!
//! [`given`] reads what the network is given, and [`answer`] says what it found.

mod answer;
mod given;

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use windrow::{AnyView, AnyViewMut, InvalidTensor, Rayon, Scheduler, Serial};
use windrow_graph::{Model, ModelError, Plan, PlanError, PlanOptions, Requantization, RunPlanError};

use answer::Elements;

/// Runs a network on a picture or an array: its best classes, its time, and where that went.
///
/// A picture becomes what networks for ImageNet are trained with: its shorter side is made an eighth longer than the network's image, the middle is cut out, and of
/// each channel, between 0 and 1, `--mean` is subtracted before it is divided by `--std`. An array is given as it is.
#[derive(Debug, Args)]
pub struct Run {
    /// The network: a file of TFLite or ONNX.
    model: PathBuf,
    /// A picture (PNG or JPEG), or an array in NumPy's format (`.npy`) of the type and shape that the network reads.
    input: PathBuf,
    /// A file with the names of the classes, one a line. Left out: those of ImageNet, where there are as many.
    #[arg(long)]
    labels: Option<PathBuf>,
    /// How many classes are said.
    #[arg(long, default_value_t = 5)]
    top: usize,
    /// Subtracted from red, green and blue; one number for all of them, or three.
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "R,G,B", default_value = "0.485,0.456,0.406")]
    mean: Vec<f32>,
    /// What red, green and blue are divided by then.
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "R,G,B", default_value = "0.229,0.224,0.225")]
    std: Vec<f32>,
    /// Runs, of which the shortest counts.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads: all of the processor's unless it is said.
    #[arg(long)]
    threads: Option<usize>,
    /// How sums of integers of 8 bits become such integers again.
    #[arg(long, value_enum, default_value_t = Rounding::Integer)]
    requantization: Rounding,
    /// Says of every step what computes it and how long it takes.
    #[arg(long)]
    steps: bool,
}

/// [`Requantization`], as a word of the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rounding {
    /// As TFLite's reference kernels.
    Integer,
    /// As XNNPACK.
    Float,
}

/// Why a network was not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// A file holds no network.
    #[error("`{}`: {error}", file.display())]
    Model {
        /// The file.
        file: PathBuf,
        /// Why.
        error: ModelError,
    },
    /// No plan can be made of a network.
    #[error("`{}`: {error}", file.display())]
    Plan {
        /// The file.
        file: PathBuf,
        /// Why.
        error: PlanError,
    },
    /// What is given does not fit what the network reads.
    #[error("`{}` {found}, but {rule}", file.display())]
    Given {
        /// The file.
        file: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        rule: String,
    },
    /// An option has other values than it may have.
    #[error("`--{option}` {rule}")]
    Option {
        /// The option.
        option: &'static str,
        /// What it should be.
        rule: String,
    },
    /// A tensor can't be made.
    #[error(transparent)]
    Tensor(#[from] InvalidTensor),
    /// The network does not run.
    #[error(transparent)]
    Run(#[from] RunPlanError),
}

impl Run {
    /// What is to be printed.
    pub fn run(&self) -> Result<String, RunError> {
        let plan = self.plan()?;
        let (mut inputs, mut outputs) = (plan.inputs(), plan.outputs());
        let (Some((_, input)), None, Some((_, output))) = (inputs.next(), inputs.next(), outputs.next()) else {
            let found = format!("reads {} tensors and writes {}", plan.inputs().len(), plan.outputs().len());
            let rule = "networks with one input are run here".to_owned();
            return Err(RunError::Given { file: self.model.clone(), found, rule });
        };
        let normal = given::Normal { mean: channels("mean", &self.mean)?, std: channels("std", &self.std)? };
        let given = given::read(&self.input, input, &normal)?;
        let mut written = plan.outputs().map(|(_, info)| Elements::of(info)).collect::<Result<Vec<_>, _>>()?;
        let (pool, serial, shared);
        let scheduler: &dyn Scheduler = match self.threads {
            Some(1) => {
                serial = Serial;
                &serial
            }
            Some(threads) => {
                pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|error| RunError::Option { option: "threads", rule: error.to_string() })?;
                shared = Rayon::on(&pool);
                &shared
            }
            None => {
                shared = Rayon::new();
                &shared
            }
        };
        let times = self.time(&plan, scheduler, given.view(), &mut written)?;
        let mut text = self.said(&plan, &times);
        if let [elements, ..] = &written[..] {
            text += &answer::best(elements, output, &self.names()?, self.top);
        }
        if self.steps {
            text += &steps(&plan, &times);
        }
        Ok(text)
    }

    fn plan(&self) -> Result<Plan, RunError> {
        let file = || self.model.clone();
        let bytes = bytes(&self.model)?;
        let model = Model::from_bytes(&bytes).map_err(|error| RunError::Model { file: file(), error })?;
        let mut options = PlanOptions::default();
        options.requantization = match self.requantization {
            Rounding::Integer => Requantization::Integer,
            Rounding::Float => Requantization::Float,
        };
        model.plan_with(&options).map_err(|error| RunError::Plan { file: file(), error })
    }

    /// The least times of the whole and of each step.
    fn time(
        &self,
        plan: &Plan,
        scheduler: &dyn Scheduler,
        given: AnyView<'_>,
        written: &mut [Elements],
    ) -> Result<Times, RunError> {
        let mut times = Times { whole: Duration::MAX, steps: vec![Duration::MAX; plan.steps().len()] };
        for _ in 0..self.runs {
            let mut outputs: Vec<AnyViewMut<'_>> = written.iter_mut().map(Elements::view_mut).collect();
            let (start, mut step) = (Instant::now(), times.steps.iter_mut());
            plan.run_timed(scheduler, &[given], &mut outputs, |_, took| {
                if let Some(least) = step.next() {
                    *least = took.min(*least);
                }
            })?;
            times.whole = times.whole.min(start.elapsed());
        }
        Ok(times)
    }

    /// The network, what it needs, and its time.
    fn said(&self, plan: &Plan, times: &Times) -> String {
        let name = self.model.file_name().unwrap_or(self.model.as_os_str()).display();
        let threads = match self.threads {
            Some(1) => "1 thread".to_owned(),
            Some(threads) => format!("{threads} threads"),
            None => "all threads".to_owned(),
        };
        format!(
            "{name}: {:.2} ms, the least of {} runs on {threads}; {} steps, {:.1} MB of intermediates\n\n",
            times.whole.as_secs_f64() * 1e3,
            self.runs,
            plan.steps().len(),
            plan.intermediate_bytes() as f64 / 1e6
        )
    }

    /// The names of the classes, none where they are ImageNet's or nobody's.
    fn names(&self) -> Result<Vec<String>, RunError> {
        let Some(file) = &self.labels else { return Ok(Vec::new()) };
        let text = fs::read_to_string(file).map_err(|error| RunError::Read { file: file.clone(), error })?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// The least times of some runs.
struct Times {
    whole: Duration,
    steps: Vec<Duration>,
}

fn bytes(file: &Path) -> Result<Vec<u8>, RunError> {
    fs::read(file).map_err(|error| RunError::Read { file: file.to_owned(), error })
}

fn channels(option: &'static str, numbers: &[f32]) -> Result<[f32; 3], RunError> {
    match *numbers {
        [one] => Ok([one; 3]),
        [red, green, blue] => Ok([red, green, blue]),
        _ => {
            let rule = format!("has one number, or one each for red, green and blue, and not {}", numbers.len());
            Err(RunError::Option { option, rule })
        }
    }
}

/// A line for each step: its time, its share of all, and what computes it.
fn steps(plan: &Plan, times: &Times) -> String {
    let all: Duration = times.steps.iter().sum();
    let mut text = "\n      ms   share  kernel                        what it computes\n".to_owned();
    for (step, took) in plan.steps().iter().zip(&times.steps) {
        let share = 100.0 * took.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
        let (ms, extents) = (took.as_secs_f64() * 1e3, step.extents());
        let _ = writeln!(
            text,
            "{ms:8.3} {share:6.1}%  {:28}  {} {extents:?}, node `{}`",
            step.kernel(),
            step.operator(),
            step.node()
        );
    }
    text
}
