//! The bodies of AVX-512, where this machine runs them, or an emulator that `WINDROW_AVX512_EMULATOR` names: a program that
//! is given a static binary, runs it, and ends as it does. Elsewhere they are only compiled.

use crate::machine::{self, AVX512, Machine};
use crate::make::Subject;
use crate::{
    check_on, kernels, neighbours, pairs, random, rows, signatures, stencils, swapped_rows_are_caught_on, turns,
};
use windrow_backends::x86::avx512::TARGET;

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
    check(
        "sums",
        &[
            pairs::of_bytes(),
            pairs::of_multiplied_sums(),
            pairs::of_words(),
            pairs::of_widened_products(),
            pairs::rounded(),
        ],
    );
}

#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn memory_and_windows_are_equal() {
    let near = [neighbours::pairs(), neighbours::windows()].concat();
    let memory = [kernels::memory(), kernels::whole(), turns::subjects()].concat();
    check("others", &[kernels::others(), memory, near, stencils::subjects(), random::bodies(120, 30)]);
}

/// Every row of the table is chosen for each of its types; another in its place is found wrong.
#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn swapped_rows_are_caught() {
    require();
    swapped_rows_are_caught_on(&AVX512);
}

/// What Miri does not know: a subject that calls one of them is left out.
const UNKNOWN: [&str; 5] = ["_mm512_mulhrs_epi16", "_mm512_min_ps", "_mm512_max_ps", "_mm512_min_pd", "_mm512_max_pd"];

/// Without such a processor: Miri interprets the rows of the table by what the standard library says of each instruction, and
/// finds them equal; swapped for another of its signature, a row is found wrong.
#[test]
#[ignore = "a stage of its own: cargo xtask test avx512"]
fn rows_are_equal_in_miri() {
    let machine = Machine::of_miri("rows").expect("nightly Rust with Miri: cargo xtask setup").only(&TARGET);
    let is_known = |used: &rows::X86Use| {
        let text = machine::fast(&TARGET, &used.subject, "body").text;
        ![&used.intrinsic, &used.instead].iter().any(|name| UNKNOWN.contains(&name.as_str()) || name.contains("getexp"))
            && !signatures::called(&text).any(|name| UNKNOWN.contains(&name))
    };
    let all = rows::x86(&TARGET);
    let known: Vec<_> = all.iter().filter(|used| is_known(used)).collect();
    let right = known.iter().map(|used| Subject { name: format!("row {}", used.intrinsic), ..used.subject.clone() });
    let wrong = known.iter().map(|used| used.subject.clone());
    let subjects: Vec<Subject> = right.chain(wrong).collect();
    let swap = |index: usize, text: &str| match index.checked_sub(known.len()) {
        None => text.to_owned(),
        Some(index) => signatures::replaced(text, &known[index].intrinsic, &known[index].instead),
    };
    let (Ok(report) | Err(report)) = machine.interpret(&subjects, &swap);
    assert!(report.contains(&format!("{} cases, ", subjects.len())), "{report}");
    assert!(!report.contains("row "), "{report}");
    let is_caught = |used: &&&rows::X86Use| report.contains(&format!("{}: output", used.subject.name));
    let caught = known.iter().filter(is_caught).count();
    println!("{} rows of {} are equal; {caught} mistakes are caught", known.len(), all.len());
    // A vector of values does not tell all apart, as a processor's whole images do.
    assert!(known.len() + 8 >= all.len() && caught * 10 >= known.len() * 9, "{caught} of {}\n{report}", known.len());
}

/// Who asks for these tests by name is told that nothing ran.
fn require() {
    assert!(AVX512.is_present(), "this machine has neither AVX-512 nor an emulator for it, or lacks the Rust target");
}
