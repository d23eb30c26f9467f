//! What a probe showed, and the form in which it is kept.

use super::{
    super::{
        frame::{Magic, Reader},
        key::ProgramKey,
        rejection::Rejection,
    },
    message::{framed, unframed},
};
use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

const VERDICT: &Magic = b"WINDROWV";

/// What a child was doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeStep {
    /// Starting: looking for the device, making a context.
    Starting,
    /// Building the program.
    Building,
    /// Making the kernel of this entry point, for which some drivers compile.
    Making(
        /// The entry point.
        String,
    ),
    /// Asking for the program's binary.
    Saving,
    /// Running this entry point.
    Running(
        /// The entry point.
        String,
    ),
}

/// How a child ended that should have lived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProbeEnd {
    /// A signal ended it, as an abort and a crash do.
    Signal(
        /// The signal's number.
        i32,
    ),
    /// It ended before it was done, with this status.
    Exit(
        /// The status.
        i32,
    ),
    /// It was not done in time, and was ended.
    TimeOut,
    /// A call of the driver failed.
    Failed(
        /// What was told of it.
        String,
    ),
    /// It found another device in that place, or none.
    Elsewhere(
        /// What it found.
        String,
    ),
    /// It could not be started, or doesn't answer as a probe does.
    NotAProbe(
        /// What happened.
        String,
    ),
}

/// A child that did not survive a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeFailure {
    /// What it was doing.
    pub step: ProbeStep,
    /// How it ended.
    pub end: ProbeEnd,
    /// After how long.
    pub time: Duration,
    /// The end of what it, or the driver, printed as errors.
    pub said: String,
}

/// What is known of a program on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeVerdict {
    /// A child built it, made its kernels, and ran as many of its entry points: with none, nobody knows their arguments, and
    /// an empty kernel ran instead.
    Survived {
        /// Entry points that were run.
        launches: u32,
    },
    /// A child did not survive it: it is not built here.
    Died(
        /// How.
        ProbeFailure,
    ),
}

/// The outcome of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::program) enum Tried {
    /// It says something of the program, and is kept.
    Verdict(ProbeVerdict),
    /// It says something of this moment, or of the command.
    Unclear(ProbeFailure),
    /// The compiler refused the program: what it says is asked of it here.
    Refused,
}

/// A kept verdict.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: ProgramKey,
    verdict: ProbeVerdict,
}

/// The verdict on the program of a key, for a file.
pub(in crate::program) fn encode(key: &ProgramKey, verdict: &ProbeVerdict) -> Vec<u8> {
    framed(VERDICT, &Kept { key: key.clone(), verdict: verdict.clone() })
}

/// The verdict of a file, which may hold any bytes, if it is one on the program of this key.
pub(in crate::program) fn decode(key: &ProgramKey, file: &[u8]) -> Result<ProbeVerdict, Rejection> {
    let kept: Kept = unframed(VERDICT, &mut Reader::new(file))?;
    match key.mismatch(&kept.key) {
        Some(mismatch) => Err(Rejection::Foreign(mismatch)),
        None => Ok(kept.verdict),
    }
}

impl fmt::Display for ProbeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starting => f.write_str("starting"),
            Self::Building => f.write_str("building"),
            Self::Making(entry) => write!(f, "making the kernel `{entry}`"),
            Self::Saving => f.write_str("giving its binary"),
            Self::Running(entry) => write!(f, "running `{entry}`"),
        }
    }
}

impl fmt::Display for ProbeEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(signal) => match name(*signal) {
                Some(name) => write!(f, "was ended by signal {signal} ({name})"),
                None => write!(f, "was ended by signal {signal}"),
            },
            Self::Exit(status) => write!(f, "ended with status {status}"),
            Self::TimeOut => f.write_str("was not done in time"),
            Self::Failed(error) => write!(f, "failed ({error})"),
            Self::Elsewhere(found) => write!(f, "found another device: {found}"),
            Self::NotAProbe(what) => write!(f, "is no probe: {what}"),
        }
    }
}

/// The signals of drivers that fail, the same numbers on all systems that have signals.
fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        4 => "illegal instruction",
        6 => "abort",
        8 => "arithmetic",
        9 => "killed",
        11 => "segmentation fault",
        15 => "terminated",
        _ => return None,
    })
}

impl fmt::Display for ProbeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the child {} while {}, after {:.2} s", self.end, self.step, self.time.as_secs_f64())?;
        if self.said.is_empty() { Ok(()) } else { write!(f, "; it said: {}", self.said) }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::{identity::tests::flipped, record::tests::record},
        *,
    };

    #[test]
    fn a_verdict_holds_for_its_program_on_its_device() {
        let key = record("a", &[]).key;
        let time = Duration::from_millis(1500);
        let (step, said) = (ProbeStep::Making("k".into()), "assertion failed".to_owned());
        let died = ProbeVerdict::Died(ProbeFailure { step, end: ProbeEnd::Signal(6), time, said });
        for verdict in [ProbeVerdict::Survived { launches: 2 }, died] {
            let file = encode(&key, &verdict);
            assert_eq!(decode(&key, &file), Ok(verdict));
            for device in flipped() {
                let other = ProgramKey { device, ..key.clone() };
                assert!(matches!(decode(&other, &file), Err(Rejection::Foreign(_))));
            }
            assert_eq!(decode(&key, &file[..file.len() - 1]), Err(Rejection::Truncated));
        }
    }

    #[test]
    fn a_failure_says_how_when_and_where() {
        let time = Duration::from_millis(1500);
        let mut failure =
            ProbeFailure { step: ProbeStep::Building, end: ProbeEnd::Signal(6), time, said: String::new() };
        assert_eq!(failure.to_string(), "the child was ended by signal 6 (abort) while building, after 1.50 s");
        failure.said = "out of registers".into();
        failure.end = ProbeEnd::TimeOut;
        assert!(
            failure.to_string().ends_with("not done in time while building, after 1.50 s; it said: out of registers")
        );
    }
}
