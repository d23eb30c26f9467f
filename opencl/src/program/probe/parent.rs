//! The parent's side: it starts a child, hands it the question, and says what became of it.
//!
//! Nothing that a child does stops the parent: its pipes are read and written by threads of their own, which are left alone
//! where a pipe outlives the child, and a child that is not done in time is killed.

use super::{
    PROBE_VARIABLE, Probe, Question,
    message::Answer,
    verdict::{ProbeEnd, ProbeFailure, ProbeStep, ProbeVerdict, Tried},
};
use crate::program::digest::Digest;
use std::{
    env,
    io::{self, Read, Write},
    process::{Child, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// The bytes that are kept of what a child prints: the last ones.
const ANSWERS: usize = 1 << 20;
/// The same of its errors.
const SAID: usize = 2048;
/// How long a child's last words are waited for, and its death after it was killed.
const GRACE: Duration = Duration::from_secs(2);
/// The longest pause between two looks at a child.
const PAUSE: Duration = Duration::from_millis(20);

/// How a child's process ended.
enum Ending {
    Ended(ExitStatus),
    TimedOut,
}

/// Asks a child.
pub(in crate::program) fn try_out(probe: &Probe, question: &Question) -> Tried {
    let begun = Instant::now();
    let unclear = |end, time, said| Tried::Unclear(ProbeFailure { step: ProbeStep::Starting, end, time, said });
    if env::var_os(PROBE_VARIABLE).is_some() {
        // A child that starts children would never end.
        let what = "this process is one itself: its `main` must call `probe_main` first".to_owned();
        return unclear(ProbeEnd::NotAProbe(what), Duration::ZERO, String::new());
    }
    let bytes = question.encode();
    let digest = Digest::of(&bytes);
    match watch(probe, bytes, begun) {
        Ok((ending, printed, said)) => judge(&Answer::all(&printed, digest), &ending, begun.elapsed(), said),
        Err(error) => {
            let what = format!("cannot start `{}`: {error}", probe.program.display());
            unclear(ProbeEnd::NotAProbe(what), begun.elapsed(), String::new())
        }
    }
}

/// What a child's answers and its end say together.
fn judge(answers: &[Answer], ending: &Ending, time: Duration, said: String) -> Tried {
    let mut steps = answers.iter().filter_map(|answer| match answer {
        Answer::Step(step) => Some(step.clone()),
        Answer::Done(_) | Answer::Refused | Answer::Failed(_) | Answer::Elsewhere(_) => None,
    });
    let step = steps.next_back().unwrap_or(ProbeStep::Starting);
    let failure = |end| ProbeFailure { step, end, time, said };
    match answers.last() {
        // Drivers that crash when their process ends have done their work all the same.
        Some(Answer::Done(launches)) => Tried::Verdict(ProbeVerdict::Survived { launches: *launches }),
        Some(Answer::Refused) => Tried::Refused,
        Some(Answer::Failed(error)) => Tried::Unclear(failure(ProbeEnd::Failed(error.clone()))),
        Some(Answer::Elsewhere(found)) => Tried::Unclear(failure(ProbeEnd::Elsewhere(found.clone()))),
        Some(Answer::Step(_)) => match end_of(ending) {
            end if is_from_outside(&end) => Tried::Unclear(failure(end)),
            end => Tried::Verdict(ProbeVerdict::Died(failure(end))),
        },
        // A command that never read its question says nothing of the driver.
        None => Tried::Unclear(failure(ProbeEnd::NotAProbe(format!("it {} without an answer", end_of(ending))))),
    }
}

/// Signals that no driver raises by itself: the user's, or the system's when memory runs out.
fn is_from_outside(end: &ProbeEnd) -> bool {
    const HANG_UP: i32 = 1;
    const INTERRUPT: i32 = 2;
    const KILL: i32 = 9;
    const TERMINATE: i32 = 15;
    matches!(end, ProbeEnd::Signal(HANG_UP | INTERRUPT | KILL | TERMINATE))
}

fn end_of(ending: &Ending) -> ProbeEnd {
    match ending {
        Ending::TimedOut => ProbeEnd::TimeOut,
        Ending::Ended(status) => match status.code() {
            Some(code) => ProbeEnd::Exit(code),
            None => ProbeEnd::Signal(signal(status)),
        },
    }
}

#[cfg(unix)]
fn signal(status: &ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(status).unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_: &ExitStatus) -> i32 {
    0
}

/// Starts a child with a question; its end, and what it printed as answers and as errors.
fn watch(probe: &Probe, question: Vec<u8>, begun: Instant) -> io::Result<(Ending, Vec<u8>, String)> {
    let mut child = probe.child().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let listened = listen(&mut child, question);
    let limit = if listened.is_ok() { probe.limit } else { Duration::ZERO };
    let ending = wait(&mut child, limit, begun)?;
    let [answers, errors] = listened?;
    let (answers, said) = (answers.end(), errors.end());
    Ok((ending, answers, String::from_utf8_lossy(&said).trim().to_owned()))
}

/// Lets threads write the question, and read what comes.
fn listen(child: &mut Child, question: Vec<u8>) -> io::Result<[Heard; 2]> {
    let input = child.stdin.take();
    let write = move || {
        // A child that doesn't read is found by its silence.
        let _ = input.map(|mut input| input.write_all(&question));
    };
    thread::Builder::new().name("windrow-probe".to_owned()).spawn(write)?;
    Ok([Heard::from(child.stdout.take(), ANSWERS)?, Heard::from(child.stderr.take(), SAID)?])
}

/// What comes through a pipe.
struct Heard {
    last: Last,
    done: mpsc::Receiver<()>,
}

/// The last bytes of what was written.
#[derive(Clone)]
struct Last {
    bytes: Arc<Mutex<Vec<u8>>>,
    most: usize,
}

impl Heard {
    fn from(pipe: Option<impl Read + Send + 'static>, most: usize) -> io::Result<Self> {
        let (last, (send, done)) = (Last { bytes: Arc::default(), most }, mpsc::channel());
        let mut kept = last.clone();
        let read = move || {
            // A pipe that breaks ends like one that is closed.
            let _ = pipe.map(|mut pipe| io::copy(&mut pipe, &mut kept));
            drop(send);
        };
        thread::Builder::new().name("windrow-probe".to_owned()).spawn(read)?;
        Ok(Self { last, done })
    }

    /// All of it; what has come so far where somebody else holds the pipe open.
    fn end(self) -> Vec<u8> {
        // Nothing is ever sent: the channel ends when the pipe does.
        let _: Result<(), _> = self.done.recv_timeout(GRACE);
        std::mem::take(&mut *self.last.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Last {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(new);
        let surplus = bytes.len().saturating_sub(self.most);
        bytes.drain(..surplus);
        Ok(new.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits for a child, and ends it when its time is over.
fn wait(child: &mut Child, limit: Duration, begun: Instant) -> io::Result<Ending> {
    if let Some(status) = look(child, limit, begun)? {
        return Ok(Ending::Ended(status));
    }
    child.kill()?;
    // One that hangs inside the system dies later, alone.
    look(child, GRACE, Instant::now())?;
    Ok(Ending::TimedOut)
}

/// The end of a child, if it comes in time.
fn look(child: &mut Child, limit: Duration, begun: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = limit.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(PAUSE);
    }
}
