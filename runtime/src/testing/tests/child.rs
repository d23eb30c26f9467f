//! What ends or configures a whole process is tested in a child of the test: faults, and environment variables.

use super::{SCALAR, kernels::*};
use crate::testing::{CASE_VARIABLE, REQUIRE_VARIABLE, Target, check, run, run_again};
use std::{
    println,
    process::{Command, Output},
    string::String,
};
use windrow_reference::testing::Mode;

const CHILD: &str = "WINDROW_TEST_CHILD";

/// In the test: runs it once more in a child, with `variable` set, and gives what came of it. In the child: `None`.
fn in_child(test: &str, variable: (&str, &str)) -> Option<Output> {
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let test = std::format!("testing::tests::child::{test}");
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
fn required_target_must_not_be_missing() {
    match in_child("required_target_must_not_be_missing", (REQUIRE_VARIABLE, "opencl,neon")) {
        None => check::<Gaussian<RIGHT>>(Target::Neon),
        Some(output) => {
            assert!(!output.status.success());
            assert!(text(&output.stderr).contains("gaussian::neon is required by WINDROW_REQUIRE"), "{output:?}");
        }
    }
}

#[test]
fn requirement_that_is_no_target_is_refused() {
    match in_child("requirement_that_is_no_target_is_refused", (REQUIRE_VARIABLE, "noen")) {
        None => check::<Gaussian<RIGHT>>(Target::Scalar),
        Some(output) => assert!(text(&output.stderr).contains("names no target: noen"), "{output:?}"),
    }
}
