//! The cases of `cases/` as an author meets them: rustc's own output for each mistake. `twins.rs` compiles what is mended.
//! Beside them `places/`, kernels where none can stand, and pipelines that rustc refuses: the macro leaves it nothing to add.
//!
//! `TRYBUILD=overwrite cargo test -p windrow-compiler-tests --test ui` writes the output anew. Slow; `messages.rs` checks the same in a blink.

use windrow_compiler_tests::cases::cases;

#[test]
fn rustc_shows_each_mistake() {
    let tests = trybuild::TestCases::new();
    for case in cases() {
        tests.compile_fail(case.path);
    }
    tests.compile_fail("places/*.rs");
}
