//! A few mutated kernels, beside other tests: `cargo run -p windrow-compiler-tests --bin fuzz` tries a hundred thousand.

#[test]
fn every_mutated_kernel_gets_an_answer() {
    windrow_compiler_tests::fuzz::run(2_000, 10_000_000);
}
