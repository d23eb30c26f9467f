//! The child's side: it does what a parent would, and tells each step before it takes it.

use super::{PROBE_VARIABLE, Question, Trial, message::Answer, verdict::ProbeStep};
use crate::{
    context::Context,
    device::Devices,
    driver::{Call, Handle, KernelObject, ProgramObject},
    error::OpenClError,
    launch::LocalSize,
    program::{DeviceIdentity, digest::Digest, rejection::Rejection},
};
use opencl3::program::CL_PROGRAM_KERNEL_NAMES;
use std::{
    env,
    ffi::CString,
    io::{self, Read, Write},
    process,
};

/// No question is as long as this.
const LONGEST: u64 = 256 << 20;
/// What runs where nobody knows the program's arguments: that the device runs anything.
const EMPTY: (&str, &str) = ("windrow_empty", "__kernel void windrow_empty(void) {}");

/// Why a process that was started as a probe has nothing to try.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidQuestion {
    /// The input can't be read, or the output can't be written.
    #[error("a probe can't talk to its parent: {0}")]
    Io(#[from] io::Error),
    /// The input is no question.
    #[error("a probe reads what to try from its input, as a parent's `Probe` writes it: {0}")]
    Form(Rejection),
}

/// Where this process was started by a [`super::Probe`], tries what it is asked to, and ends the process; returns otherwise.
/// An application that probes with its own executable calls it first of all in `main`.
pub fn probe_main() {
    if env::var_os(PROBE_VARIABLE).is_none() {
        return;
    }
    let status = match answer_probe(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{error}");
            2
        }
    };
    process::exit(status)
}

/// Tries what `question` asks for, and tells it on `answers`: what [`probe_main`] and `windrow probe` do.
///
/// # Errors
/// An [`InvalidQuestion`]. What becomes of the program is no error, but told.
pub fn answer_probe(question: impl Read, answers: impl Write) -> Result<(), InvalidQuestion> {
    let mut bytes = Vec::new();
    question.take(LONGEST).read_to_end(&mut bytes)?;
    let question = Question::decode(&bytes).map_err(InvalidQuestion::Form)?;
    let mut teller = Teller { answers, question: Digest::of(&bytes) };
    let last = match try_out(&question, &mut teller) {
        Ok(launches) => Answer::Done(launches),
        Err(Stop::Silent(error)) => return Err(error.into()),
        Err(Stop::Answer(answer)) => answer,
    };
    Ok(teller.tell(last)?)
}

/// Where the answers go.
struct Teller<W> {
    answers: W,
    question: Digest,
}

/// Why a child stops.
enum Stop {
    /// Nobody listens.
    Silent(io::Error),
    Answer(Answer),
}

impl<W: Write> Teller<W> {
    fn tell(&mut self, answer: Answer) -> io::Result<()> {
        self.answers.write_all(&answer.encode(self.question))?;
        self.answers.flush()
    }

    fn step(&mut self, step: ProbeStep) -> Result<(), Stop> {
        self.tell(Answer::Step(step)).map_err(Stop::Silent)
    }
}

impl From<OpenClError> for Stop {
    fn from(error: OpenClError) -> Self {
        Self::Answer(match error {
            OpenClError::Call { call: Call::BuildProgram, .. } => Answer::Refused,
            error => Answer::Failed(error.to_string()),
        })
    }
}

/// Builds the program, makes its kernels, runs them; the number of entry points that ran.
fn try_out(question: &Question, teller: &mut Teller<impl Write>) -> Result<u32, Stop> {
    teller.step(ProbeStep::Starting)?;
    let context = context(question)?;
    teller.step(ProbeStep::Building)?;
    let program = build(&context, &question.source, &question.options)?;
    let mut kernels = Vec::new();
    for entry in entries(&context, &program)? {
        teller.step(ProbeStep::Making(entry.clone()))?;
        kernels.push((make(&context, &program, &entry)?, entry));
    }
    teller.step(ProbeStep::Saving)?;
    // A driver need not have binaries; it must survive the question.
    drop(context.driver().program_binaries(&program));
    let mut launches = 0;
    if let Some(trial) = &question.trial {
        for (kernel, entry) in kernels.iter().filter(|(_, entry)| trial.takes(entry)) {
            teller.step(ProbeStep::Running(entry.clone()))?;
            trial.run(&context, kernel, LocalSize::Driver)?;
            launches += 1;
        }
    }
    if launches == 0 {
        let (entry, text) = EMPTY;
        teller.step(ProbeStep::Running(entry.to_owned()))?;
        let program = build(&context, text, "")?;
        Trial::new([]).run(&context, &make(&context, &program, entry)?, LocalSize::Driver)?;
    }
    Ok(launches)
}

/// The device in the place that is asked for, if it is the one that is meant.
fn context(question: &Question) -> Result<Context, Stop> {
    let elsewhere = |found: String| Stop::Answer(Answer::Elsewhere(found));
    let devices = Devices::find().map_err(|error| elsewhere(error.to_string()))?;
    let device = devices.iter().find(|device| (device.platform_index, device.device_index) == question.device);
    let device = device.ok_or_else(|| elsewhere("none in its place".to_owned()))?;
    if let Some(difference) = question.identity.difference(&DeviceIdentity::of(device)) {
        return Err(elsewhere(difference.to_string()));
    }
    Ok(Context::new(device)?)
}

fn build(context: &Context, source: &str, options: &str) -> Result<Handle<ProgramObject>, OpenClError> {
    if source.contains('\0') {
        return Err(OpenClError::Nul { what: "the source" });
    }
    let options = CString::new(options).map_err(|_| OpenClError::Nul { what: "the options" })?;
    let program = context.driver().create_program_with_source(context.handle(), source)?;
    context.driver().build_program(&program, context.device().id, &options)?;
    Ok(program)
}

/// The names of a built program's entry points.
fn entries(context: &Context, program: &Handle<ProgramObject>) -> Result<Vec<String>, OpenClError> {
    let names = context.driver().program_info(program, CL_PROGRAM_KERNEL_NAMES)?;
    let names = String::from_utf8_lossy(&names);
    Ok(names.trim_end_matches('\0').split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn make(context: &Context, program: &Handle<ProgramObject>, entry: &str) -> Result<Handle<KernelObject>, OpenClError> {
    let name = CString::new(entry).map_err(|_| OpenClError::Nul { what: "the entry's name" })?;
    context.driver().create_kernel(program, &name)
}
