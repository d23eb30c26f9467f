//! A long run of the fuzzer, with an optimised compiler: `cargo run -p windrow-compiler-tests --bin fuzz`.

fn main() {
    windrow_compiler_tests::fuzz::run(100_000, 10_000_000);
}
