//! Mutated kernels: an answer for every input within a second, a third of them analysed, and never a panic.
//!
//! `WINDROW_FUZZ=100000` says how many inputs (2,000 otherwise), `WINDROW_SEED` where to begin, `WINDROW_SECONDS` how long
//! an input may take: 1 where the compiler is optimised (`--profile checked`), and 5 otherwise.

use std::time::Duration;
use windrow_compiler_tests::mutate::Mutator;
use windrow_compiler_tests::probe::{Reached, probe};

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn every_mutated_kernel_gets_an_answer() {
    let (inputs, first) = (number("WINDROW_FUZZ", 2_000), number("WINDROW_SEED", 1));
    let limit = Duration::from_secs(number("WINDROW_SECONDS", 5));
    let mutator = Mutator::new();
    assert!(mutator.seeds() > 200, "only {} seeds", mutator.seeds());
    let (mut analysed, mut accepted, mut slowest) = (0u64, 0u64, (Duration::ZERO, 0));
    for seed in first..first + inputs {
        let source = mutator.input(seed).to_string();
        let faulty = |fault: String| format!("WINDROW_SEED={seed} WINDROW_FUZZ=1: {fault}\n{source}");
        let (reached, took) = probe(&source, seed % 4 == 0).unwrap_or_else(|fault| panic!("{}", faulty(fault)));
        slowest = slowest.max((took, seed));
        assert!(took < limit, "{}", faulty(format!("{took:?}")));
        analysed += u64::from(reached != Reached::Refused);
        accepted += u64::from(reached == Reached::Accepted);
    }
    println!("{inputs} inputs, {analysed} analysed, {accepted} accepted; the slowest took {slowest:?}");
    assert!(inputs < 1_000 || analysed * 3 >= inputs, "only {analysed} of {inputs} reached the analyses");
}
