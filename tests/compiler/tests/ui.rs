//! The cases of `cases/` as an author meets them: rustc's own output for each mistake, and the twins, compiled.
//!
//! `TRYBUILD=overwrite cargo test -p windrow-compiler-tests --test ui` writes the output anew. Slow; `messages.rs` checks the same in a blink.

use std::fmt::Write;
use windrow_compiler_tests::cases::cases;

#[test]
fn rustc_shows_each_mistake() {
    let tests = trybuild::TestCases::new();
    for case in cases() {
        tests.compile_fail(case.path);
    }
}

/// All twins in one program, so that rustc starts once; beside them the operators of the language's own example.
#[test]
fn each_twin_compiles() {
    let mut program = String::from("#![forbid(unsafe_code)]\n#![deny(warnings)]\n#![allow(dead_code)]\n");
    for case in cases() {
        let (name, path) = (case.id().replace('/', "_"), case.fixed());
        writeln!(program, "#[path = {path:?}]\nmod {name};").unwrap();
    }
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dsl/tests/data/operators.rs");
    writeln!(program, "#[path = {example:?}]\nmod example;\nfn main() {{}}").unwrap();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("twins.rs");
    std::fs::write(&path, program).unwrap();
    trybuild::TestCases::new().pass(path);
}
