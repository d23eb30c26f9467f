//! What generated tests call: each runs cases, and panics where one does not agree.

use super::{
    own::{Additions, OwnData},
    run::{Failure, Outcome, mode, run_subject},
    selection::Selection,
    subject::Subject,
    target::{REQUIRE_VARIABLE, Target},
};
use windrow_runtime::code::Kernel;

/// Tests `K` on `target`: every generated test is one call of it.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check<K: Kernel>(target: Target) {
    check_selected(Subject::of::<K>(), target, &Selection::Generated);
}

/// Tests `K` on `target` with what an author adds.
///
/// # Panics
/// Where a case does not agree, the target is missing, or an environment variable makes no sense.
pub fn check_more<K: Kernel>(target: Target, additions: &Additions<'_>) {
    check_selected(Subject::of::<K>(), target, &Selection::Added(additions));
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
    let subject = Subject::of::<K>();
    check_selected(subject, target_in(subject, id), &Selection::Only(id, own));
}

fn check_selected(subject: Subject, target: Target, selection: &Selection<'_>) {
    report_of(subject, target, run_subject(subject, target, mode(), selection));
}

/// Returns the target that the id of a case names.
///
/// # Panics
/// Where it names none.
pub fn target_of<K: Kernel>(id: &str) -> Target {
    target_in(Subject::of::<K>(), id)
}

fn target_in(subject: Subject, id: &str) -> Target {
    let named = |target: &Target| id.split("::").nth(1) == Some(target.name());
    match Target::ALL.into_iter().find(named) {
        Some(target) => target,
        None => panic!("`{id}` is not the id of a case of {}: it names no target", subject.spec().name),
    }
}

/// Says what came of the cases of `K` on `target`: for the crates that run targets.
///
/// # Panics
/// Where a case does not agree, or the target is missing.
pub fn report<K: Kernel>(target: Target, outcome: Result<Outcome, Failure>) {
    report_of(Subject::of::<K>(), target, outcome);
}

fn report_of(subject: Subject, target: Target, outcome: Result<Outcome, Failure>) {
    let kernel = subject.spec().name;
    match outcome {
        Ok(Outcome::Agreed(cases)) => println!("{kernel}::{}: {cases} cases agree", target.name()),
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
