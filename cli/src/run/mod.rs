//! `windrow run`: what a network makes of a picture or an array, and how long it takes.
//!
//! [`given`] reads what the network is given, [`place`] is where it runs, [`answer`] says what it found, [`steps`] says where the time
//! went, and [`trace`] writes when each step ran.

mod answer;
mod given;
mod place;
mod steps;
mod trace;

use std::{
    fs, io,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use windrow::{AnyView, AnyViewMut, InvalidTensor, opencl::OpenClError};
use windrow_graph::{DevicePlanError, Plan, RunOnDeviceError, RunPlanError, Step};

use crate::network::{Network, NetworkError};
use answer::Elements;
use place::Place;
use trace::Trace;

/// Runs a network on a picture or an array: its best classes, its time, and where that went.
///
/// A picture becomes what networks for ImageNet are trained with: its shorter side is made an eighth longer than the network's image, the middle is cut out, and of
/// each channel, between 0 and 1, `--mean` is subtracted before it is divided by `--std`. An array is given as it is.
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    network: Network,
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
    /// Threads: all of the processor's unless stated otherwise.
    #[arg(long)]
    threads: Option<usize>,
    /// Runs on an OpenCL device, the one that `WINDROW_OPENCL_DEVICE` names or else the fastest, and computes the same bits.
    #[arg(long)]
    opencl: bool,
    /// A node that the processor computes where all others run on a device; may be said for several nodes.
    #[arg(long, value_name = "NODE", requires = "opencl")]
    on_processor: Vec<String>,
    /// Leaves with the processor what the device refuses; `--steps` says what that is, and why.
    #[arg(long, requires = "opencl")]
    fall_back: bool,
    /// Says of every step what computes it, how long it takes, and with a device where it runs and what is moved.
    #[arg(long)]
    steps: bool,
    /// Writes when each step of each run began, and how long it took, to this file: a trace that Perfetto and `chrome://tracing` draw.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Why a network was not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no plan, or a file can't be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A file can't be written.
    #[error("cannot write `{}`: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
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
    /// There is no device, or it has no memory.
    #[error(transparent)]
    OpenCl(Box<OpenClError>),
    /// The network does not go to the device.
    #[error(transparent)]
    Device(#[from] DevicePlanError),
    /// The network does not run on the device.
    #[error(transparent)]
    RunOnDevice(#[from] RunOnDeviceError),
}

impl Run {
    /// What is to be printed.
    pub fn run(&self) -> Result<String, RunError> {
        let plan = Arc::new(self.network.plan()?);
        let (mut inputs, mut outputs) = (plan.inputs(), plan.outputs());
        let (Some((_, input)), None, Some((_, output))) = (inputs.next(), inputs.next(), outputs.next()) else {
            let found = format!("reads {} tensors and writes {}", plan.inputs().len(), plan.outputs().len());
            let rule = "networks with one input are run here".to_owned();
            return Err(RunError::Given { file: self.network.path().to_owned(), found, rule });
        };
        let normal = given::Normal { mean: channels("mean", &self.mean)?, std: channels("std", &self.std)? };
        let given = given::read(&self.input, input, &normal)?;
        let mut written = plan.outputs().map(|(_, info)| Elements::of(info)).collect::<Result<Vec<_>, _>>()?;
        let place = self.place(&plan)?;
        let times = self.time(&plan, &place, given.view(), &mut written)?;
        let mut text = self.said(&plan, &place, &times);
        if let [elements, ..] = &written[..] {
            text += &answer::best(elements, output, &self.names()?, self.top);
        }
        if self.steps {
            text += &steps::text(&plan, &place, &times.steps);
        }
        Ok(text)
    }

    /// The least times of the whole and of each step.
    fn time(
        &self,
        plan: &Plan,
        place: &Place,
        given: AnyView<'_>,
        written: &mut [Elements],
    ) -> Result<Times, RunError> {
        let mut times = Times { whole: Duration::MAX, steps: vec![Duration::MAX; plan.steps().len()] };
        let (mut trace, begin) = (self.trace.as_ref().map(|_| Trace::new()), Instant::now());
        for run in 0..self.runs {
            let mut outputs: Vec<AnyViewMut<'_>> = written.iter_mut().map(Elements::view_mut).collect();
            let (start, mut least) = (begin.elapsed(), times.steps.iter_mut());
            let say = |step: &Step, took: Duration| {
                if let Some(least) = least.next() {
                    *least = took.min(*least);
                }
                if let Some(trace) = &mut trace {
                    trace.step(step, begin.elapsed().saturating_sub(took), took);
                }
            };
            match place {
                Place::Processor(scheduler) => plan.run_timed(&**scheduler, &[given], &mut outputs, say)?,
                // Each step is waited for where its time is asked for.
                Place::Device(plan) if self.steps || self.trace.is_some() => {
                    plan.run_timed(&[given], &mut outputs, say)?;
                }
                Place::Device(plan) => plan.run(&[given], &mut outputs)?,
            }
            let took = begin.elapsed().saturating_sub(start);
            times.whole = times.whole.min(took);
            if let Some(trace) = &mut trace {
                trace.run(run, start, took);
            }
        }
        if let (Some(trace), Some(file)) = (trace, &self.trace) {
            fs::write(file, trace.text()).map_err(|error| RunError::Write { file: file.clone(), error })?;
        }
        Ok(times)
    }

    /// The network, what it needs, and its time.
    fn said(&self, plan: &Plan, place: &Place, times: &Times) -> String {
        let (name, place) = (self.network.name().display(), self.place_name(place));
        format!(
            "{name}: {:.2} ms, the least of {} runs on {place}; {} steps, {:.1} MB of intermediates\n\n",
            times.whole.as_secs_f64() * 1e3,
            self.runs,
            plan.steps().len(),
            plan.intermediate_bytes() as f64 / 1e6
        )
    }

    /// The names of the classes, none where they are ImageNet's or nobody's.
    fn names(&self) -> Result<Vec<String>, RunError> {
        let Some(file) = &self.labels else { return Ok(Vec::new()) };
        let text = fs::read_to_string(file).map_err(|error| NetworkError::Read { file: file.clone(), error })?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// The least times of some runs.
struct Times {
    whole: Duration,
    steps: Vec<Duration>,
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
