//! The gate on instruction counts: no operator's loop grows by over 2 % against its target's baseline: `benches/neon/baseline.tsv`,
//! `benches/x86/avx2.tsv` and its neighbours.
//!
//! What is counted in NEON's assembly is what an emulator executes. `cargo xtask test counts` runs this; with `WINDROW_BLESS=1`
//! it writes the baselines anew, and the difference is read before it is committed.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// By how much a count may rise.
const TOLERANCE: f64 = 0.02;

const HOW: &str =
    "where that is meant: WINDROW_BLESS=1 cargo xtask test counts, and commit the difference with its reason";

/// Instructions for 16 elements by operator, choice of variants and subset of outputs; and the compiler that they are of.
#[derive(Clone, Debug, PartialEq)]
struct Baseline {
    compiler: String,
    counts: BTreeMap<String, f64>,
}

impl Baseline {
    fn parse(text: &str) -> Self {
        let compiler = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default().to_owned();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let counts = lines.map(|line| {
            let (name, count) = line.split_once('\t').unwrap();
            (name.to_owned(), count.parse().unwrap())
        });
        Self { compiler, counts: counts.collect() }
    }

    fn to_text(&self, target: &str) -> String {
        let lines: String = self.counts.iter().map(|(name, count)| format!("{name}\t{count}\n")).collect();
        format!("# {}\n# body\t{target} instructions for 16 elements\n{lines}", self.compiler)
    }

    /// Of what `windrow cost --json` prints.
    fn of_report(report: &serde_json::Value) -> Self {
        let bodies = report["bodies"].as_array().unwrap();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let count = |body: &serde_json::Value| {
            let (kernel, title) = (text(&body["kernel"]), text(&body["body"]));
            let name = if title.is_empty() { kernel } else { format!("{kernel} ({title})") };
            (name, body["instructions"].as_f64().unwrap())
        };
        Self { compiler: text(&report["compiler"]), counts: bodies.iter().map(count).collect() }
    }

    /// What the gate refuses in newer counts, a line each.
    fn refuses(&self, newer: &Self) -> Vec<String> {
        if self.compiler != newer.compiler {
            return vec![format!("the baseline is of {}, these counts of {}", self.compiler, newer.compiler)];
        }
        let mut refused = Vec::new();
        for (name, &count) in &newer.counts {
            match self.counts.get(name) {
                None => refused.push(format!("{name}: {count}, but the baseline does not have it")),
                Some(&before) if count > before * (1.0 + TOLERANCE) => {
                    refused.push(format!("{name}: {before} -> {count} ({:+.1} %)", (count / before - 1.0) * 100.0));
                }
                Some(_) => {}
            }
        }
        let gone = self.counts.keys().filter(|name| !newer.counts.contains_key(*name));
        refused.extend(gone.map(|name| format!("{name}: it is in the baseline alone")));
        refused
    }
}

/// A target as `--target` has it, as the baseline calls it, the baseline's file, and the bodies that it has at least.
type Counted = (&'static str, &'static str, &'static str, usize);

const NEON: Counted = ("neon", "NEON", "neon/baseline.tsv", 63);
const X86: [Counted; 3] = [
    ("sse4.1", "SSE4.1", "x86/sse4.1.tsv", 63),
    ("avx2", "AVX2", "x86/avx2.tsv", 63),
    // Where it pays.
    ("avx512", "AVX-512", "x86/avx512.tsv", 20),
];

/// Bodies with more instructions on a tier of x86 than on one below it. All three load their elements one by one, as many on each tier,
/// and put vectors together of them, of more parts where vectors are wider.
const MORE: [(&str, &str); 3] =
    [("AVX2", "table_lookup_i16"), ("AVX-512", "as_strided_i8"), ("AVX-512", "as_strided_u8")];

fn baseline_path((_, _, file, _): Counted) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches").join(file)
}

fn cost(files: &[PathBuf], options: &[&str]) -> serde_json::Value {
    let files = files.iter().map(|file| file.to_str().unwrap());
    let arguments: Vec<&str> =
        ["cost", "--json", "--counts-only"].into_iter().chain(files).chain(options.iter().copied()).collect();
    let output = common::windrow(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The operators, and those that only benchmarks have.
fn counted_files() -> Vec<PathBuf> {
    let twins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/opencl/kernels/twins.rs");
    [common::operators(), vec![twins]].concat()
}

#[test]
#[ignore = "a stage of its own: cargo xtask test counts"]
fn no_operator_costs_more_than_before() {
    let report = cost(&counted_files(), &["--emulate", "--all-bodies"]);
    for body in report["bodies"].as_array().unwrap() {
        for kind in ["instructions", "loads", "stores"] {
            let (counted, executed) = (body[kind].as_f64().unwrap(), body["emulated"][kind].as_f64().unwrap());
            assert!(
                (counted - executed).abs() < 0.001,
                "{}: {kind}: {counted} in the loop, {executed} executed",
                body["kernel"]
            );
        }
    }
    gate(NEON, &Baseline::of_report(&report));
}

/// The tiers of x86, AVX-512 too: to count, no processor is needed.
#[test]
#[ignore = "a stage of its own: cargo xtask test counts"]
fn no_operator_costs_more_than_before_on_x86() {
    for counted in X86 {
        gate(counted, &Baseline::of_report(&cost(&counted_files(), &["--target", counted.0, "--all-bodies"])));
    }
}

/// Refuses counts that are above those of the baseline; or writes that, where it is to be moved.
fn gate(counted: Counted, counts: &Baseline) {
    let ((_, target, _, fewest), path) = (counted, baseline_path(counted));
    if std::env::var_os("WINDROW_BLESS").is_some() {
        std::fs::write(&path, counts.to_text(target)).unwrap();
    }
    let baseline = Baseline::parse(&std::fs::read_to_string(path).unwrap());
    let refused = baseline.refuses(counts);
    assert!(refused.is_empty(), "{target}: more instructions for 16 elements:\n{}\n{HOW}", refused.join("\n"));
    for (name, count) in &counts.counts {
        if *count < baseline.counts[name] * (1.0 - TOLERANCE) {
            println!(
                "{target}, {name}: {} -> {count}: move the baseline, so that it stays there",
                baseline.counts[name]
            );
        }
    }
    println!("{target}: {} bodies", counts.counts.len());
    assert!(counts.counts.len() >= fewest);
}

/// A wider tier does not do more: a body of which it has more instructions is a fault, or stands in [`MORE`].
#[test]
fn no_tier_has_more_instructions_than_the_one_below() {
    let counts =
        X86.map(|tier| (tier.1, Baseline::parse(&std::fs::read_to_string(baseline_path(tier)).unwrap()).counts));
    let mut found = Vec::new();
    for (below, above) in [(0, 1), (0, 2), (1, 2)].map(|(below, above)| (&counts[below], &counts[above])) {
        let both: Vec<&String> = above.1.keys().filter(|name| below.1.contains_key(*name)).collect();
        assert!(both.len() > 60, "{} and {} have {} bodies in common", below.0, above.0, both.len());
        let more = both.into_iter().filter(|name| above.1[*name] > below.1[*name]);
        found.extend(more.map(|name| (above.0, name.as_str())));
    }
    assert_eq!(found, MORE, "what the tiers have more of, and what is meant");
}

/// The gate bites: with a block that nobody would choose, an operator is refused by name.
#[test]
fn a_costlier_schedule_is_refused() {
    if !common::has_tools(&[]) {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../operators/src/filter/gaussian3x3.rs");
    for (counted, block) in [(NEON, "16,1"), (X86[1], "32,1")] {
        let mut baseline = Baseline::parse(&std::fs::read_to_string(baseline_path(counted)).unwrap());
        baseline.counts.retain(|name, _| name == "gaussian3x3");
        let options = ["--target", counted.0, "--block", block];
        let counts = Baseline::of_report(&cost(std::slice::from_ref(&file), &options));
        baseline.compiler.clone_from(&counts.compiler);
        let refused = baseline.refuses(&counts);
        assert!(refused.len() == 1 && refused[0].starts_with("gaussian3x3: "), "{refused:?}");
    }
}

#[test]
fn a_raised_count_is_refused() {
    let baseline = Baseline::parse("# rustc 1\n# body\tinstructions\nblur\t20\nmin\t8.5\n");
    let newer = |blur: f64, min: f64| Baseline {
        compiler: "rustc 1".to_owned(),
        counts: BTreeMap::from([("blur".to_owned(), blur), ("min".to_owned(), min)]),
    };
    assert_eq!(Baseline::parse(&baseline.to_text("NEON")), baseline);
    assert!(baseline.refuses(&newer(20.4, 8.0)).is_empty());
    assert_eq!(baseline.refuses(&newer(20.5, 8.5)), ["blur: 20 -> 20.5 (+2.5 %)"]);
    let mut other = newer(20.0, 8.5);
    other.counts.insert("new".to_owned(), 1.0);
    other.counts.remove("min");
    assert_eq!(
        baseline.refuses(&other),
        ["new: 1, but the baseline does not have it", "min: it is in the baseline alone"]
    );
    other.compiler = "rustc 2".to_owned();
    assert_eq!(baseline.refuses(&other), ["the baseline is of rustc 1, these counts of rustc 2"]);
}
