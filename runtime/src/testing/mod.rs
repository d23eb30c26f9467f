//! The test harness: a kernel on every target against the author's own function, compared to the bit.
//!
//! The generated tests call [`check`], one test for each target: first a fixed list of cases, which holds everything that is
//! known to be awkward, and then random ones, drawn by the crate `proptest`. A case that fails is shrunk to the smallest that
//! does, and printed as a test to paste, which calls [`replay`]. An author adds shapes, contents, seeds and random cases by
//! `windrow::property_tests!`. [`digest`] fingerprints a kernel's results for the committed table.
//!
//! A target that the machine lacks is an ignored test, with a reason. Whether a processor has an instruction set, and whether
//! an OpenCL driver is installed, is looked up where the test is built: Rust's test harness can't ignore a test while it runs.
//! A test that does not find its target all the same fails, and says so.
//!
//! Cases are data with readable ids (see `case`). Environment variables:
//!
//! | Variable | Meaning |
//! |---|---|
//! | `WINDROW_TEST` | `quick` (the default), whose random cases are the same on each run, or `full`, whose cases are new ones |
//! | `PROPTEST_CASES` | random cases of each test; 16 in quick mode, 64 in full mode; on a device a quarter of them |
//! | `WINDROW_CASE` | run only the cases whose ids start so |
//! | `WINDROW_REQUIRE` | targets, with commas, whose tests must not be ignored: `opencl,neon` |
//! | `WINDROW_BLESS` | write the committed digests instead of comparing |
//! | `WINDROW_OPENCL_DEVICE` | the OpenCL device, by index or by a part of its name |
//!
//! On the Oclgrind simulator fewer and smaller cases run, and every report of the simulator fails its case; start it
//! with `OPENCL_DYLIB_PATH=…/liboclgrind-rt.so OCLGRIND_LOG=FILE`, on one test thread.

mod again;
mod case;
mod cases;
mod chains;
mod cpu;
mod device;
mod digests;
mod erased;
mod fault;
mod memory;
mod oracle;
mod own;
mod picture;
mod property;
mod scene;
mod selection;
mod target;
mod uniforms;

#[cfg(test)]
mod tests;

pub use again::run_again;
pub use case::CASE_VARIABLE;
pub use chains::{
    BuildChain, ChainUnderTest, ChainWays, check_chain, check_chain_on_device, check_chain_placed, processor_ways,
};
pub use device::{Block, Blocks, Device, NoDevice, Scalars, run_on};
pub use digests::{BLESS_VARIABLE, check_digest};
pub use own::{Additions, OwnData};
pub use selection::Selection;
pub use target::{REQUIRE_VARIABLE, Target};
pub use windrow_reference::testing::Place;

use crate::code::Kernel;
use case::Case;
use property::Cases;
use selection::Chosen;
use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    string::String,
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

/// Tests `K` on `target`: every generated test is one call of it.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check<K: Kernel>(target: Target) {
    report::<K>(target, run_selected::<K>(target, mode(), &Selection::Generated));
}

/// Tests `K` on `target` with what an author adds.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check_more<K: Kernel>(target: Target, additions: &Additions<'_>) {
    report::<K>(target, run_selected::<K>(target, mode(), &Selection::Added(additions)));
}

/// Runs one case again: what a failure prints as a test to paste.
///
/// # Panics
/// Where the case does not agree, `id` is not that of a case of this kernel, or its target is missing.
pub fn replay<K: Kernel>(id: &str) {
    replay_with::<K>(id, &[]);
}

/// Runs one case again that holds contents of an author's own.
///
/// # Panics
/// As [`replay`].
pub fn replay_with<K: Kernel>(id: &str, own: &[OwnData]) {
    let target = target_of::<K>(id);
    report::<K>(target, run_selected::<K>(target, mode(), &Selection::Only(id, own)));
}

/// The target that the id of a case names.
///
/// # Panics
/// Where it names none.
pub fn target_of<K: Kernel>(id: &str) -> Target {
    let named = |target: &Target| id.split("::").nth(1) == Some(target.name());
    match Target::ALL.into_iter().find(named) {
        Some(target) => target,
        None => panic!("`{id}` is not the id of a case of {}: it names no target", K::CODE.spec.name),
    }
}

/// Says what came of the cases of `K` on `target`: for the crates that run targets.
///
/// # Panics
/// Where a case does not agree, or the target is missing.
pub fn report<K: Kernel>(target: Target, outcome: Result<Outcome, Failure>) {
    let kernel = K::CODE.spec.name;
    match outcome {
        Ok(Outcome::Agreed(cases)) => std::println!("{kernel}::{}: {cases} cases agree", target.name()),
        Ok(Outcome::NotRun(why)) => panic!(
            "{kernel}::{} cannot run: {why}. The machine that built the test has this target, or was not asked; build it \
             here, or leave it out with `-- --skip ::{}`",
            target.name(),
            target.test_name()
        ),
        Err(failure) => panic!("{failure}"),
    }
}

/// Whether the tests of all targets that `WINDROW_REQUIRE` names are run, and not ignored; `ignored` are those that the
/// machine lacked which built the tests, or that the build leaves out.
///
/// # Panics
/// Where one is ignored, or no target has a name that is required.
pub fn check_required(ignored: &[&str]) {
    let unknown = Target::unknown_requirements();
    assert!(unknown.is_empty(), "{REQUIRE_VARIABLE} names no target: {}", unknown.join(", "));
    for target in Target::ALL.into_iter().filter(|target| target.is_required()) {
        let is_ignored = ignored.contains(&target.test_name()) || !target.is_of_this_architecture();
        assert!(!is_ignored, "{REQUIRE_VARIABLE} names {}, whose tests are ignored in this build", target.name());
    }
}

/// Runs the cases of `K` on `target`, a tier of the processor, up to the first that does not agree, and shrinks that. A
/// device is another crate's: [`run_on`] runs the cases there.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run<K: Kernel>(target: Target, mode: Mode) -> Result<Outcome, Failure> {
    run_selected::<K>(target, mode, &Selection::Generated)
}

/// [`run`] with a choice of cases.
///
/// # Errors
/// The smallest case found that does not agree.
pub fn run_selected<K: Kernel>(target: Target, mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    match target.tier() {
        Some(tier) => match cpu::missing::<K>(tier) {
            Some(why) => Ok(Outcome::NotRun(why)),
            None => {
                let chosen = selection.choose::<K>(target, mode, |mode| cases::for_cpu(K::CODE, mode));
                run_cases::<K>(target, mode, chosen, |case| cpu::run::<K>(tier, case))
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
            Err(what) => panic!("{}", Failure { id, what, kernel: std::any::type_name::<K>() }),
        }
    }
    digest
}

/// Runs cases, one after the other, and then random ones.
fn run_cases<K: Kernel>(
    target: Target,
    mode: Mode,
    Chosen { listed, drawn }: Chosen,
    run: impl Fn(&Case) -> Result<(), String>,
) -> Result<Outcome, Failure> {
    let failure = |(case, what): (Case, String)| Failure {
        id: case.id(K::CODE.spec, target),
        what,
        kernel: std::any::type_name::<K>(),
    };
    let run = |case: &Case| watched(&case.id(K::CODE.spec, target), || run(case));
    let all = Cases::new(K::CODE, target);
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
    std::eprintln!("{}\n  {what}\n  looking for a smaller case that fails", case.id(all.spec(), target));
    property::shrink(all, case, what, run)
}

/// Runs one case; a panic is what is wrong with it, and a fault names it.
fn watched(id: &str, run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let _watched = fault::watch(id);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result,
        Err(panic) => Err(std::format!("panicked: {}", message(&*panic))),
    }
}

/// The mode that `WINDROW_TEST` names.
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
