//! What ends or configures a whole process is tested in a child of the test: faults, and environment variables.

use super::{SCALAR, kernels::*};
use crate::{CASE_VARIABLE, REQUIRE_VARIABLE, Target, check, check_required, run, run_again};
use std::process::{Command, Output};
use windrow_reference::testing::Mode;

const CHILD: &str = "WINDROW_TEST_CHILD";

/// In the test: runs it once more in a child, with `variable` set, and gives what came of it. In the child: `None`.
fn in_child(test: &str, variable: (&str, &str)) -> Option<Output> {
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let test = format!("tests::child::{test}");
    let prepare = |command: &mut Command| {
        command.args(["--exact", &test, "--nocapture"]).env(CHILD, "1").env(variable.0, variable.1);
    };
    Some(run_again(prepare).unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn read_beyond_a_guard_page_names_its_case() {
    match in_child("read_beyond_a_guard_page_names_its_case", (CASE_VARIABLE, "")) {
        None => println!("survived: {:?}", run::<Gaussian<READS_ON>>(SCALAR, Mode::Quick)),
        Some(output) => {
            let errors = text(&output.stderr);
            assert!(!output.status.success());
            assert!(
                errors.contains("touched memory") && errors.contains("WINDROW_CASE=gaussian::scalar::"),
                "{errors}"
            );
        }
    }
}

#[test]
fn named_case_runs_alone() {
    let id = "gaussian::scalar::reflect::11x5::ramp::padded";
    match in_child("named_case_runs_alone", (CASE_VARIABLE, id)) {
        None => check::<Gaussian<RIGHT>>(Target::Scalar),
        Some(output) => assert!(text(&output.stdout).contains("gaussian::scalar: 1 cases agree"), "{output:?}"),
    }
}

#[test]
fn case_that_no_list_holds_is_replayed_by_its_id() {
    let id = "gaussian::scalar::reflect::3x2::bits::threads2::seed77";
    match in_child("case_that_no_list_holds_is_replayed_by_its_id", (CASE_VARIABLE, id)) {
        None => check::<Gaussian<RIGHT>>(Target::Scalar),
        Some(output) => assert!(text(&output.stdout).contains("gaussian::scalar: 1 cases agree"), "{output:?}"),
    }
}

#[test]
fn missing_target_is_never_ok() {
    let foreign = if cfg!(target_arch = "x86_64") { Target::Neon } else { Target::Avx2 };
    match in_child("missing_target_is_never_ok", (REQUIRE_VARIABLE, "")) {
        None => check::<Gaussian<RIGHT>>(foreign),
        Some(output) => {
            assert!(!output.status.success());
            assert!(text(&output.stderr).contains("cannot run: this processor does not run the tier"), "{output:?}");
        }
    }
}

#[test]
fn required_target_must_not_be_ignored() {
    match in_child("required_target_must_not_be_ignored", (REQUIRE_VARIABLE, "scalar,neon,avx2")) {
        None => check_required(&["opencl"]),
        Some(output) => {
            let foreign = if cfg!(target_arch = "x86_64") { "neon" } else { "avx2" };
            let expected = format!("WINDROW_REQUIRE names {foreign}, whose tests are ignored");
            assert!(!output.status.success());
            assert!(text(&output.stderr).contains(&expected), "{output:?}");
        }
    }
}

#[test]
fn required_target_must_not_be_ignored_for_the_building_machine() {
    let here = if cfg!(target_arch = "x86_64") { "sse4.1" } else { "scalar" };
    match in_child("required_target_must_not_be_ignored_for_the_building_machine", (REQUIRE_VARIABLE, here)) {
        None => check_required(&["sse41", "scalar"]),
        Some(output) => {
            assert!(!output.status.success());
            assert!(text(&output.stderr).contains("whose tests are ignored"), "{output:?}");
        }
    }
}

#[test]
fn requirement_that_is_no_target_is_refused() {
    match in_child("requirement_that_is_no_target_is_refused", (REQUIRE_VARIABLE, "noen")) {
        None => check_required(&[]),
        Some(output) => assert!(text(&output.stderr).contains("names no target: noen"), "{output:?}"),
    }
}
