//! A program is built and run in a child process first, for drivers that abort: no error can be caught of one that does.
//!
//! A [`Probe`] says how the child is started. It reads a question from its input: a program, its options, and the device by
//! place and identity. It tells what it does, step by step, on its output, and in the end that it is done. Whatever else
//! becomes of it, the parent lives, and says at which step the child ended, and how. The verdict is kept beside the program
//! (`verdict`), so that a program is tried once for each driver.
//!
//! | File | Holds |
//! |---|---|
//! | `message` | questions and answers, as bytes |
//! | `parent` | starting a child, and watching it |
//! | `child` | [`probe_main`], [`answer_probe`] |
//! | `trial` | arguments that an entry point can be launched with |
//! | `verdict` | what is kept |

mod child;
mod message;
mod parent;
mod trial;
mod verdict;

pub use child::{InvalidQuestion, answer_probe, probe_main};
pub(super) use message::Question;
pub(super) use parent::try_out;
pub use trial::{Trial, TrialArgument};
pub use verdict::{ProbeEnd, ProbeFailure, ProbeStep, ProbeVerdict};
pub(super) use verdict::{Tried, decode, encode};

use std::{env, ffi::OsString, io, path::PathBuf, process::Command, time::Duration};

/// The environment variable that makes a process a probe: see [`probe_main`].
pub const PROBE_VARIABLE: &str = "WINDROW_PROBE";

/// How a child process is started that tries programs.
///
/// ```no_run
/// use windrow_opencl::{Context, Probe, probe_main};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     probe_main(); // first of all: it doesn't return in a child
///     let context = Context::open()?;
///     context.programs().set_probe(Some(Probe::this_executable()?));
///     // … from here on, no program reaches the driver of this process before a child survived it
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    program: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    limit: Duration,
}

impl Probe {
    /// The time after which a child is ended, where [`Probe::with_limit`] says no other.
    pub const LIMIT: Duration = Duration::from_secs(60);

    /// This executable once more: its `main` must call [`probe_main`] before anything else.
    ///
    /// # Errors
    /// The system's, where it doesn't say which executable this is.
    pub fn this_executable() -> io::Result<Self> {
        Ok(Self::command(env::current_exe()?))
    }

    /// Another executable: one that calls [`probe_main`], or `windrow` with the argument `probe`.
    pub fn command(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), variables: Vec::new(), limit: Self::LIMIT }
    }

    /// With one more argument.
    #[must_use]
    pub fn with_argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// With a variable in the child's environment, which is this process's otherwise.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// With another time after which a child is ended.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// The time after which a child is ended.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    fn child(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env(PROBE_VARIABLE, "1");
        command
    }
}
