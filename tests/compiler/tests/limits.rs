//! What the targets' limits refuse, as an author meets it: the cases of `limits/`, which the compiler of kernels alone accepts.
//!
//! `TRYBUILD=overwrite cargo test -p windrow-compiler-tests --test limits` writes the output anew.

#[test]
fn rustc_shows_what_goes_beyond_a_limit() {
    trybuild::TestCases::new().compile_fail("limits/*.rs");
}
