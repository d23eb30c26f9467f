//! The comparison bites beyond the tables' rows: every instruction that an operation's body holds, from decompositions and
//! sequences too, is swapped for another of its signature, and the emulated program must give other bits.
//!
//! All mistakes are built into one program. `docs/mutants.md` lists those that no test can see, and says why.

use crate::kernels;
use crate::machine::{self, AARCH64, Machine};
use crate::make::Subject;
use std::collections::{BTreeMap, BTreeSet};
use windrow_backends::neon::TARGET as NEON;

/// Instructions of one signature, with the suffixes of types that all of them have. Each is swapped for the next.
const CLASSES: &[(&[&str], &[&str])] = &[
    (
        &[
            "vaddq", "vsubq", "vmulq", "vminq", "vmaxq", "vandq", "veorq", "vorrq", "vabdq", "vhaddq", "vrhaddq",
            "vqaddq", "vqsubq", "vhsubq",
        ],
        &["u8", "s8", "u16", "s16", "u32", "s32"],
    ),
    (&["vaddq", "vsubq", "vandq", "vorrq", "veorq"], &["u64", "s64"]),
    (&["vaddq", "vsubq", "vmulq", "vdivq", "vminq", "vmaxq", "vminnmq", "vmaxnmq", "vabdq"], &["f32"]),
    (&["vaddq", "vsubq", "vmulq", "vdivq"], &["f64"]),
    (
        &["vceqq", "vcgtq", "vcgeq", "vcltq", "vcleq"],
        &["u8", "s8", "u16", "s16", "u32", "s32", "f32", "f64", "u64", "s64"],
    ),
    (&["vabsq", "vnegq", "vqabsq", "vqnegq"], &["s8", "s16", "s32"]),
    (&["vabsq", "vnegq"], &["f32"]),
    (&["vrndmq", "vrndpq", "vrndq", "vrndnq", "vsqrtq"], &["f32"]),
    (&["vclzq", "vclsq"], &["s8", "s16", "s32"]),
    (&["vmovn", "vqmovn"], &["u16", "s16", "u32", "s32", "u64", "s64"]),
    (&["vmull", "vaddl", "vsubl", "vabdl"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vmull_high", "vaddl_high", "vsubl_high"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vmlaq", "vmlsq"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vfmaq", "vfmsq"], &["f32", "f64"]),
    // Where amounts are negative, a shift that saturates has no other meaning.
    (&["vshlq", "vsqaddq", "vqshlq", "vrshlq"], &["u8", "u16", "u32"]),
    (&["vshlq", "vhsubq", "vqshlq", "vrshlq"], &["s8", "s16", "s32"]),
    (&["vget_low", "vget_high"], &["u8", "s8", "u16", "s16", "u32", "s32", "f32"]),
    (&["vzip1q", "vzip2q"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vuzp1q", "vuzp2q"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vcvtnq_s32", "vcvtmq_s32", "vcvtpq_s32", "vcvtq_s32"], &["f32"]),
    (&["vcvtnq_u32", "vcvtmq_u32", "vcvtpq_u32", "vcvtq_u32"], &["f32"]),
];

/// A mistake: in the text of `subject`, each `from` is `to`.
struct Mutant {
    subject: Subject,
    from: String,
    to: String,
}

impl Mutant {
    fn edit(&self, text: &str) -> String {
        let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
        words
            .map(|word| if is(word, &self.from) { word.replacen(&self.from, &self.to, 1) } else { word.to_owned() })
            .collect()
    }
}

/// Whether a word, with the sign behind it, is this name.
fn is(word: &str, name: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| rest.chars().all(|c| !c.is_alphanumeric() && c != '_'))
}

/// One mistake for each kind of instruction in each subject's text.
fn mutants(subjects: &[Subject]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for subject in subjects {
        let text = machine::fast(&NEON, subject, "neon").text;
        // Of a mask any half is the same.
        let masks = ["vceq", "vcge", "vcgt", "vcle", "vclt"].iter().any(|comparison| text.contains(comparison));
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        // Of an amount to shift by, too: it is the same in all lanes.
        let amounts =
            ["Shl", "Shr", "WrappingShl", "RoundingShr"].contains(&subject.name.split(' ').next().unwrap_or(""));
        let same = |word: &&str| masks && word.starts_with("vuzp") || amounts && word.starts_with("vget");
        for from in words.into_iter().filter(|word| !same(word)) {
            if let Some(to) = swapped(from) {
                let mut subject = subject.clone();
                subject.name = format!("{}: {to} for {from}", subject.name);
                all.push(Mutant { subject, from: from.to_owned(), to });
            }
        }
    }
    all
}

/// Another instruction of the same signature.
fn swapped(intrinsic: &str) -> Option<String> {
    let (base, suffix) = intrinsic.rsplit_once('_')?;
    let (class, _) = CLASSES.iter().find(|(class, types)| class.contains(&base) && types.contains(&suffix))?;
    let at = class.iter().position(|name| *name == base)?;
    Some(format!("{}_{suffix}", class[(at + 1) % class.len()]))
}

/// The row that a mistake is about: the operation and its types, whatever the uniform or the constant.
fn row(mutant: &Mutant) -> String {
    let (operation, swap) = mutant.subject.name.split_once(": ").unwrap();
    let is_value = |word: &&str| *word == "uniform" || word.parse::<i64>().is_ok();
    let operation: Vec<&str> = operation.split(' ').filter(|word| !is_value(word)).collect();
    format!("{}: {swap}", operation.join(" "))
}

/// Minutes of work: only in full. A mistake counts as caught where one of its row's subjects shows it.
#[test]
fn wrong_instructions_are_caught() {
    if !std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full") {
        return;
    }
    let Some(machine) = Machine::new(&AARCH64, "instructions", "0") else { return };
    let subjects = [kernels::unary(), kernels::binary(), kernels::casts(), kernels::truths()].concat();
    let mutants = mutants(&subjects);
    let mut rows: BTreeMap<String, bool> = BTreeMap::new();
    for (part, mutants) in mutants.chunks(200).enumerate() {
        let subjects: Vec<Subject> = mutants.iter().map(|mutant| mutant.subject.clone()).collect();
        let edit = |index: usize, text: &str| mutants[index].edit(text);
        let report = match machine.run_changed(&format!("instructions_{part}"), &subjects, &edit) {
            Ok(report) | Err(report) => report,
        };
        assert!(report.contains(&format!("{} cases, ", subjects.len())), "{report}");
        for mutant in mutants {
            *rows.entry(row(mutant)).or_default() |= report.contains(&format!("{}: output", mutant.subject.name));
        }
    }
    let alive: Vec<&str> = rows.iter().filter(|(_, caught)| !**caught).map(|(row, _)| row.as_str()).collect();
    let caught = rows.len() - alive.len();
    println!("{} mistakes in {} rows, {caught} caught; not caught:\n{}", mutants.len(), rows.len(), alive.join("\n"));
    assert!(caught * 100 >= rows.len() * 95, "{caught} of {} rows caught", rows.len());
}
