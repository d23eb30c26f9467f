//! Runs cases: a fixed list, then random ones, up to the first that does not agree.

use super::{
    case::{CASE_VARIABLE, Case},
    cases, cpu, fault, opencl, oracle,
    property::{self, Cases},
    selection::{Chosen, Selection},
    subject::Subject,
    target::Target,
};
use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};
use windrow_reference::testing::{Digest, Mode};
use windrow_runtime::code::Kernel;

/// The environment variable that chooses between quick and full tests.
pub const MODE_VARIABLE: &str = "WINDROW_TEST";

/// What came of a kernel's cases on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of this many cases agree with the author's function.
    Agreed(usize),
    /// The target is missing, and why.
    NotRun(String),
}

/// A case that does not agree: the smallest that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which case.
    pub id: String,
    /// What differs, where, both values.
    pub what: String,
    /// The type of the kernel.
    pub kernel: &'static str,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, what, kernel } = self;
        let name: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        // In the author's own crate.
        let path = kernel.split_once("::").map_or(*kernel, |(_, path)| path);
        writeln!(f, "{id}")?;
        writeln!(f, "  {what}")?;
        writeln!(f, "  replay with {CASE_VARIABLE}={id}, or with the test")?;
        writeln!(f)?;
        writeln!(f, "#[test]")?;
        writeln!(f, "fn {}() {{", name.replace("__", "_").replace('.', "_"))?;
        writeln!(f, "    windrow::testing::replay::<crate::{path}>(\"{id}\");")?;
        write!(f, "}}")
    }
}

/// Runs the cases of `K` on `target` up to the first that does not agree, and shrinks that.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run<K: Kernel>(target: Target, mode: Mode) -> Result<Outcome, Failure> {
    run_selected::<K>(target, mode, &Selection::Generated)
}

/// Works as [`run`], with a choice of cases.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run_selected<K: Kernel>(target: Target, mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    run_subject(Subject::of::<K>(), target, mode, selection)
}

/// [`run_selected`] of a kernel.
pub(super) fn run_subject(
    subject: Subject,
    target: Target,
    mode: Mode,
    selection: &Selection<'_>,
) -> Result<Outcome, Failure> {
    let code = subject.code;
    match target.tier() {
        Some(tier) => match cpu::missing(code, tier) {
            Some(why) => Ok(Outcome::NotRun(why)),
            None => {
                let chosen = selection.choose(code.spec(), target, mode, &|mode| cases::for_cpu(code, mode));
                run_cases(subject, target, mode, chosen, &|case| cpu::run(code, tier, case))
            }
        },
        None => opencl::run(subject, mode, selection),
    }
}

/// Returns the fingerprint of what the author's function gives on a fixed set of cases: it changes when, and only when,
/// the operator's results do.
///
/// # Panics
/// Where the author's function panics, or the cases can't be laid out.
pub fn digest<K: Kernel>() -> Digest {
    digest_of(Subject::of::<K>())
}

/// [`digest`] of a kernel.
pub(super) fn digest_of(subject: Subject) -> Digest {
    let mut digest = Digest::new();
    for case in cases::for_digest(subject.spec()) {
        if let Err(what) = oracle::digest(subject.code, &case, &mut digest) {
            panic!("{}", subject.failure(&case, Target::Scalar, what));
        }
    }
    digest
}

impl Subject {
    fn failure(&self, case: &Case, target: Target, what: String) -> Failure {
        Failure { id: case.id(self.spec(), target), what, kernel: self.kernel }
    }
}

/// Runs cases, one after the other, and then random ones.
pub(super) fn run_cases(
    subject: Subject,
    target: Target,
    mode: Mode,
    Chosen { listed, drawn }: Chosen,
    run: &dyn Fn(&Case) -> Result<(), String>,
) -> Result<Outcome, Failure> {
    let failure = |(case, what): (Case, String)| subject.failure(&case, target, what);
    let run = |case: &Case| watched(&case.id(subject.spec(), target), || run(case));
    let all = Cases::new(subject.code, target);
    for case in &listed {
        if let Err(what) = run(case) {
            // A case that was asked for by its id, or stands alone, is the smallest.
            return Err(failure(match drawn {
                Some(_) => shrink(&all, case, what, target, run),
                None => (case.clone(), what),
            }));
        }
    }
    let drawn = match drawn {
        Some(usual) => property::run(&all, target, mode, usual, run).map_err(|smallest| failure(*smallest))?,
        None => 0,
    };
    Ok(Outcome::Agreed(listed.len() + drawn as usize))
}

/// Says which case fails before smaller ones are tried: one of those may touch memory that it may not, and end the process.
fn shrink(
    all: &Cases,
    case: &Case,
    what: String,
    target: Target,
    run: impl Fn(&Case) -> Result<(), String>,
) -> (Case, String) {
    eprintln!("{}\n  {what}\n  looking for a smaller case that fails", case.id(all.spec(), target));
    property::shrink(all, case, what, run)
}

/// Runs one case; a panic is what is wrong with it, and a fault names it.
fn watched(id: &str, run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let _watched = fault::watch(id);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result,
        Err(panic) => Err(format!("panicked: {}", message(&*panic))),
    }
}

/// Returns the mode that `WINDROW_TEST` names.
///
/// # Panics
/// Where it names none.
pub fn mode() -> Mode {
    match std::env::var(MODE_VARIABLE).as_deref() {
        Err(_) | Ok("" | "quick") => Mode::Quick,
        Ok("full") => Mode::Full,
        Ok(other) => panic!("{MODE_VARIABLE} is `{other}`, it takes quick or full"),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| String::from(*text));
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "with no message".into())
}
