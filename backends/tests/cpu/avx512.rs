//! The bodies of AVX-512, where this machine runs them, or an emulator that `WINDROW_AVX512_EMULATOR` names: a program that
//! is given a static binary, runs it, and ends as it does. Elsewhere they are only compiled.

use crate::make::Subject;
use crate::{check_on, kernels, machine::AVX512, neighbours, pairs, random, stencils, swapped_rows_are_caught_on};

/// Few programs, as starting one may take an emulator long.
fn check(name: &str, subjects: &[Vec<Subject>]) {
    require();
    check_on(&AVX512, name, &subjects.concat());
}

#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn operations_are_equal() {
    let more = [kernels::long(), kernels::functions()].concat();
    check("operations", &[kernels::unary(), kernels::binary(), kernels::casts(), kernels::truths(), more]);
}

#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn sums_are_equal() {
    check("sums", &[pairs::of_bytes(), pairs::of_multiplied_sums(), pairs::of_words(), pairs::rounded()]);
}

#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn memory_and_windows_are_equal() {
    let near = [neighbours::pairs(), neighbours::windows()].concat();
    check("others", &[kernels::others(), kernels::memory(), near, stencils::subjects(), random::bodies(120, 30)]);
}

/// Every row of the table is chosen for each of its types; another in its place is found wrong.
#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn swapped_rows_are_caught() {
    require();
    swapped_rows_are_caught_on(&AVX512);
}

/// Who asks for these tests by name is told that nothing ran.
fn require() {
    assert!(AVX512.is_present(), "this machine has neither AVX-512 nor an emulator for it, or lacks the Rust target");
}
