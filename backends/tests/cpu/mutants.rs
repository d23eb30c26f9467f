//! The comparison bites beyond the tables' rows: every instruction that an operation's body holds, from decompositions and
//! sequences too, is swapped for another of its signature, and the program must give other bits.
//!
//! Mistakes are built into programs of many. `docs/mutants.md` lists those that no test can see, and says why.

use crate::machine::{self, AARCH64, AVX512, Machine, Processor, X86_64};
use crate::make::Subject;
use crate::signatures::{called, replaced, swapped};
use crate::{kernels, neighbours, pairs};
use std::collections::{BTreeMap, BTreeSet};
use windrow_backends::neon::TARGET as NEON;
use windrow_backends::targets::CpuTarget;
use windrow_backends::x86::avx512::TARGET as AVX512_TARGET;
use windrow_backends::x86::{AVX2_TARGET as AVX2, SSE41_TARGET as SSE41};

/// Mistakes of one program.
const PART: usize = 200;

/// Above what reads a table from memory.
const IN_TABLE: &str = "// SAFETY: each index is below the table's length";

/// A mistake: in the text of `subject`, each call of `from` is one of `to`.
struct Mutant {
    subject: Subject,
    from: String,
    to: String,
}

/// One mistake for each kind of instruction in each subject's text.
fn mutants(target: &CpuTarget, subjects: &[Subject]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for subject in subjects {
        let text = machine::fast(target, subject, "body").text;
        // With an index that is bounded no longer the program would end, not fail a case.
        if text.contains(IN_TABLE) {
            continue;
        }
        // Of a mask any half is the same.
        let masks = ["vceq", "vcge", "vcgt", "vcle", "vclt"].iter().any(|comparison| text.contains(comparison));
        // Of an amount to shift by, too: it is the same in all lanes.
        let amounts = ["Shl", "Shr", "RoundingShr"].iter().any(|shift| subject.name.starts_with(shift));
        let halves = |name: &str| name.starts_with("vget") || name.contains("_unpack");
        let same = |name: &&str| masks && name.starts_with("vuzp") || amounts && halves(name);
        let names: BTreeSet<&str> = called(&text).filter(|name| !same(name)).collect();
        for from in names {
            if let Some(to) = swapped(target, from) {
                let mut subject = subject.clone();
                subject.name = format!("{}: {to} for {from}", subject.name);
                all.push(Mutant { subject, from: from.to_owned(), to });
            }
        }
    }
    all
}

/// The row that a mistake is about: the operation and its types, whatever the uniform or the constant.
fn row(mutant: &Mutant) -> String {
    let (operation, swap) = mutant.subject.name.split_once(": ").unwrap();
    let is_value = |word: &&str| {
        let digits = word.trim_matches(|c| "[],-".contains(c));
        *word == "uniform" || digits.parse::<i64>().is_ok()
    };
    let operation: Vec<&str> = operation.split(' ').filter(|word| !is_value(word)).collect();
    format!("{}: {swap}", operation.join(" "))
}

/// Minutes of work: only in full. A mistake counts as caught where one of its row's subjects shows it.
fn check(processor: &'static Processor, target: &'static CpuTarget, subjects: &[Subject]) {
    if !std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full") {
        return;
    }
    let Some(machine) = Machine::new(processor, &format!("instructions_{}", target.name), "0") else { return };
    let machine = machine.only(target);
    let mutants = mutants(target, subjects);
    // All before any is judged: what runs programs may be one that keeps them, and another time one that knows their reports.
    let run = |(part, mutants): (usize, &[Mutant])| {
        let subjects: Vec<Subject> = mutants.iter().map(|mutant| mutant.subject.clone()).collect();
        let edit = |index: usize, text: &str| replaced(text, &mutants[index].from, &mutants[index].to);
        let (Ok(report) | Err(report)) = machine.run_changed(&format!("instructions_{part}"), &subjects, &edit);
        report
    };
    let reports: Vec<String> = mutants.chunks(PART).enumerate().map(run).collect();
    let mut rows: BTreeMap<String, bool> = BTreeMap::new();
    for (mutants, report) in mutants.chunks(PART).zip(&reports) {
        assert!(report.contains(&format!("{} cases, ", mutants.len())), "{report}");
        for mutant in mutants {
            *rows.entry(row(mutant)).or_default() |= report.contains(&format!("{}: output", mutant.subject.name));
        }
    }
    let alive: Vec<&str> = rows.iter().filter(|(_, caught)| !**caught).map(|(row, _)| row.as_str()).collect();
    let caught = rows.len() - alive.len();
    println!("{} mistakes in {} rows, {caught} caught; not caught:\n{}", mutants.len(), rows.len(), alive.join("\n"));
    assert!(caught * 100 >= rows.len() * 95, "{caught} of {} rows caught", rows.len());
}

fn operations() -> Vec<Subject> {
    [kernels::unary(), kernels::binary(), kernels::casts(), kernels::truths()].concat()
}

#[test]
fn wrong_instructions_are_caught() {
    check(&AARCH64, &NEON, &[operations(), neighbours::pairs()].concat());
}

#[test]
fn wrong_avx2_instructions_are_caught() {
    check(&X86_64, &AVX2, &[operations(), kernels::others(), sums()].concat());
}

#[test]
fn wrong_sse41_instructions_are_caught() {
    check(&X86_64, &SSE41, &[operations(), kernels::others(), sums()].concat());
}

/// On a processor with AVX-512, or by a program that runs it: see `avx512.rs`.
#[test]
#[ignore = "needs AVX-512 or an emulator: docs/add-a-target.md"]
fn wrong_avx512_instructions_are_caught() {
    assert!(AVX512.is_present(), "this machine has neither AVX-512 nor an emulator for it, or lacks the Rust target");
    check(&AVX512, &AVX512_TARGET, &[operations(), kernels::others(), sums()].concat());
}

/// Sums of products by pairs, under names without a sign of their own.
fn sums() -> Vec<Subject> {
    [pairs::of_bytes(), pairs::of_words(), pairs::of_widened_products(), pairs::rounded(), neighbours::pairs()].concat()
}
