//! The command line: what it prints, and what it says when it can't.

mod common;
#[path = "../../backends/tests/packages/mod.rs"]
mod packages;

use common::windrow;
use packages::{MISTAKES, OPERATORS, package};
use std::fs;

#[test]
fn the_command_prints_every_target() {
    let root = package("command", &[("ops.rs", OPERATORS)]);
    let file = root.join("ops.rs");
    let file = file.to_str().unwrap();
    let cases = [
        ("reference", "a.abs_diff(b)"),
        ("scalar", "unsafe fn scalar_0("),
        ("neon", "vabdq_u8("),
        ("opencl", "__kernel void remoteness("),
        ("ir", "kernel remoteness"),
    ];
    for (target, expected) in cases {
        let output = windrow(&["emit", file, "--kernel", "remoteness", "--target", target]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(expected), "{target}: {text}");
        assert!(!text.contains("slope"), "{target}");
    }
}

#[test]
fn the_command_explains() {
    let root = package("explains", &[("ops.rs", OPERATORS)]);
    let output = windrow(&["explain", root.join("ops.rs").to_str().unwrap(), "--kernel", "slope"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in
        ["x = -1..=1, y = -1..=1", "-255..=255", "vsubq", "opencl (slope__wrap): 4 x 16 elements a work-item"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn one_target_can_be_explained() {
    let root = package("explains_one", &[("ops.rs", OPERATORS)]);
    let file = root.join("ops.rs");
    let output = windrow(&["explain", file.to_str().unwrap(), "--kernel", "slope", "--target", "neon"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("-255..=255") && text.contains("  neon"), "{text}");
    assert!(!text.contains("  avx2") && !text.contains("  opencl"), "{text}");
}

/// A pipeline whose kernels are the file's.
const PIPELINE: &str = "
#[kernel]
pub fn soften(src: Neighbourhood<u8>) -> u8 { src.at(0, -1) / 2 + src.at(0, 1) / 2 }

#[kernel]
pub fn distance(a: u8, b: u8) -> u8 { a.abs_diff(b) }

#[pipeline]
pub fn lost(src: &Tensor<u8>) -> Result<Tensor<u8>> {
    let soft = soften::apply(src, Border::Replicate)?;
    let softer = soften::apply(&soft, Border::Replicate)?;
    distance::apply(&softer, &soft)
}
";

#[test]
fn the_command_draws_pipelines() {
    let root = package("draws", &[("ops.rs", PIPELINE)]);
    let file = root.join("ops.rs");
    let file = file.to_str().unwrap();
    let text = String::from_utf8(windrow(&["explain", file]).stdout).unwrap();
    let drawn = text.split("\n\n").next().unwrap();
    let is_fixed = |line: &&str| !line.contains("instructions of an element");
    let expected = "pipeline lost: 3 calls in 2 stages
     src: u8, the caller's, read
  1. soften(src 1×3)
     soft: u8, rows of a band; 2 rows at each cut are computed twice
  2. soften + distance(soft 1×3)
     softer: u8, in registers
     result: u8, the caller's, returned
  bytes of an element: 1 read and 1 written in memory, 1 written and 1 read in the cache; called one by one, 7 in memory";
    assert_eq!(drawn.lines().filter(is_fixed).collect::<Vec<_>>().join("\n"), expected);
    assert_eq!(drawn.matches("avx2 ").count(), 2, "{drawn}");
    assert!(text.contains("kernel soften_distance\n"), "{text}");
    // A pipeline is chosen by its name, and so is a kernel that it fuses.
    let one = String::from_utf8(windrow(&["explain", file, "--kernel", "lost"]).stdout).unwrap();
    assert_eq!(one.trim_end(), drawn.trim_end());
    let reference = windrow(&["emit", file, "--kernel", "soften_distance", "--target", "reference"]);
    let reference = String::from_utf8(reference.stdout).unwrap();
    assert!(reference.contains("pub fn soften_distance(soft: Neighbourhood<u8>) -> u8 {"), "{reference}");
    let page = String::from_utf8(windrow(&["explain", "--html", file]).stdout).unwrap();
    assert_eq!(page.matches("<svg class=\"pipeline\"").count(), 1);
    assert!(page.contains(">soften + distance</text>") && page.contains(">softer in registers"), "{page}");
}

#[test]
fn the_command_fails_with_a_reason() {
    let files = [
        ("ops.rs", OPERATORS),
        ("mistakes.rs", MISTAKES),
        ("none.rs", "fn f() {}\n"),
        ("modules.rs", "pub mod ops;\n"),
        ("open.rs", "fn f( {\n"),
        ("bytes.rs", ""),
    ];
    let root = package("fails", &files);
    fs::write(root.join("bytes.rs"), [0xff, 0xfe]).unwrap();
    fs::create_dir_all(root.join("empty")).unwrap();
    let cases = [
        ("absent.rs", 2, "does not exist"),
        ("empty", 2, "no Rust file in"),
        ("", 2, "cannot read"),
        ("bytes.rs", 2, "cannot read"),
        ("none.rs", 2, "has no kernel: mark a function with `#[kernel]`"),
        ("modules.rs", 2, "has no kernel of its own; for those of its modules, name the folder"),
        ("ops.rs", 2, "has no kernel `remotness`; did you mean `remoteness`?"),
        ("open.rs", 1, "a bracket or a quote here has no partner"),
        ("mistakes.rs", 1, "mistakes.rs:9:"),
    ];
    for (file, status, expected) in cases {
        let path = root.join(file);
        let output = windrow(&["emit", path.to_str().unwrap(), "--kernel", "remotness", "--target", "ir"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{file}: {text}");
        assert!(text.contains(expected), "{file}: {text}");
        assert!(output.stdout.is_empty(), "{file}");
    }
}

#[test]
fn a_folder_is_all_of_its_files() {
    let files =
        [("a.rs", "mod b;\n#[kernel]\nfn not(a: u8) -> u8 { !a }\n"), ("b.rs", OPERATORS), ("c.rs", "fn f() {}\n")];
    let root = package("folder", &files);
    let emit = |arguments: &[&str]| {
        let output = windrow(&[&["emit", root.to_str().unwrap(), "--target", "opencl"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let all = emit(&[]);
    assert!(all.contains("void not(") && all.contains("void slope__wrap("), "{all}");
    let one = emit(&["--kernel", "not", "--lines"]);
    assert!(one.contains("a.rs\"") && !one.contains("slope__wrap"), "{one}");
}
