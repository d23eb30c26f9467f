//! The test harness: a kernel on every target against the author's own function, compared to the bit.
//!
//! The generated tests call [`check`], one test a target; [`digest`] fingerprints a kernel's results for the committed
//! table. Cases are data with readable ids (see `case`). Environment variables:
//!
//! | Variable | Meaning |
//! |---|---|
//! | `WINDROW_TEST` | `quick` (the default) or `full` |
//! | `WINDROW_CASE` | run only the cases whose ids start so |
//! | `WINDROW_REQUIRE` | targets, with commas, that must not be missing: `opencl,neon` |
//! | `WINDROW_BLESS` | write the committed digests instead of comparing |
//! | `WINDROW_OPENCL_DEVICE` | the OpenCL device, by index or by a part of its name |
//!
//! On the Oclgrind simulator fewer and smaller cases run, and every report of the simulator fails its case; start it
//! with `OPENCL_DYLIB_PATH=…/liboclgrind-rt.so OCLGRIND_LOG=FILE`, on one test thread.

mod again;
mod case;
mod cases;
mod cpu;
mod device;
mod digests;
mod erased;
mod fault;
mod memory;
mod oracle;
mod picture;
mod scene;
mod target;
mod uniforms;

#[cfg(test)]
mod tests;

pub use again::run_again;
pub use case::CASE_VARIABLE;
pub use device::{Block, Blocks, Device, NoDevice, Scalars, run_on};
pub use digests::{BLESS_VARIABLE, check_digest};
pub use target::{REQUIRE_VARIABLE, Target};

use crate::code::Kernel;
use case::{Case, is_wanted};
use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    string::String,
    vec::Vec,
};
use windrow_reference::testing::{Digest, Mode};

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

/// A case that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which case.
    pub id: String,
    /// What differs, where, both values.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.id)?;
        writeln!(f, "  {}", self.what)?;
        write!(f, "  replay with {CASE_VARIABLE}={}", self.id)
    }
}

/// Tests `K` on `target`: every generated test is one call of it.
///
/// A target that the machine lacks is reported, and is an error where `WINDROW_REQUIRE` names it.
///
/// # Panics
/// Where a case does not agree, a required target is missing, or an environment variable makes no sense.
pub fn check<K: Kernel>(target: Target) {
    check_with::<K>(target, |mode| run::<K>(target, mode));
}

/// [`check`] with the cases that `run` runs: for targets of other crates.
///
/// # Panics
/// As [`check`].
pub fn check_with<K: Kernel>(target: Target, run: impl FnOnce(Mode) -> Result<Outcome, Failure>) {
    let kernel = K::CODE.spec.name;
    let unknown = Target::unknown_requirements();
    assert!(unknown.is_empty(), "{REQUIRE_VARIABLE} names no target: {}", unknown.join(", "));
    match run(mode()) {
        Ok(Outcome::Agreed(cases)) => std::println!("{kernel}::{}: {cases} cases agree", target.name()),
        Ok(Outcome::NotRun(why)) if target.is_required() => {
            panic!("{kernel}::{} is required by {REQUIRE_VARIABLE}, but cannot run: {why}", target.name())
        }
        Ok(Outcome::NotRun(why)) => std::println!("not run: {kernel}::{}: {why}", target.name()),
        Err(failure) => panic!("{failure}"),
    }
}

/// Runs the cases of `K` on `target`, a tier of the processor, up to the first that does not agree. A device is another
/// crate's: [`run_on`] runs the cases there.
pub fn run<K: Kernel>(target: Target, mode: Mode) -> Result<Outcome, Failure> {
    match target.tier() {
        Some(tier) => match cpu::missing::<K>(tier) {
            Some(why) => Ok(Outcome::NotRun(why)),
            None => {
                run_cases::<K>(target, mode, |mode| cases::for_cpu(K::CODE, mode), |case| cpu::run::<K>(tier, case))
            }
        },
        None => Ok(Outcome::NotRun("devices are tested by the crates that run them".into())),
    }
}

/// The fingerprint of what the author's function gives on a fixed set of cases: it changes when, and only when, the
/// operator's results do.
///
/// # Panics
/// Where the author's function panics, or the cases can't be laid out.
pub fn digest<K: Kernel>() -> Digest {
    let mut digest = Digest::new();
    for case in cases::for_digest(K::CODE.spec) {
        let id = case.id(K::CODE.spec, Target::Scalar);
        match oracle::digest::<K>(&case, &mut digest) {
            Ok(()) => {}
            Err(what) => panic!("{}", Failure { id, what }),
        }
    }
    digest
}

/// Runs the cases of `mode`, one after the other; where some are wanted, those, of whichever mode.
fn run_cases<K: Kernel>(
    target: Target,
    mode: Mode,
    cases: impl Fn(Mode) -> Vec<Case>,
    run: impl Fn(&Case) -> Result<(), String>,
) -> Result<Outcome, Failure> {
    let id = |case: &Case| case.id(K::CODE.spec, target);
    let chosen = match std::env::var(CASE_VARIABLE) {
        Ok(wanted) if !wanted.is_empty() => {
            let mut both = cases(Mode::Quick);
            both.extend(cases(Mode::Full));
            both.retain(|case| is_wanted(&id(case), &wanted));
            both
        }
        Ok(_) | Err(_) if cfg!(miri) => cases::for_interpreter(K::CODE.spec),
        Ok(_) | Err(_) => cases(mode),
    };
    for case in &chosen {
        let id = id(case);
        let _watched = fault::watch(&id);
        match catch_unwind(AssertUnwindSafe(|| run(case))) {
            Ok(Ok(())) => {}
            Ok(Err(what)) => return Err(Failure { id, what }),
            Err(panic) => return Err(Failure { id, what: std::format!("panicked: {}", message(&*panic)) }),
        }
    }
    Ok(Outcome::Agreed(chosen.len()))
}

/// The mode that `WINDROW_TEST` names.
fn mode() -> Mode {
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
