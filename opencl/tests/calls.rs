//! The cases of `calls/` as a caller meets them: kernels that are configured, called and run with what they don't take, on the
//! processor and on devices, and what safe code can't make: a body, a kernel, a specification with another's code. (Those of an author, in `tests/compiler/cases`, see fewer crates: what rustc suggests depends on them.)
//!
//! `TRYBUILD=overwrite cargo test -p windrow-opencl --test calls` writes the output anew.

#[test]
fn rustc_shows_each_wrong_call() {
    trybuild::TestCases::new().compile_fail("tests/calls/*.rs");
}
