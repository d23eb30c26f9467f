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
