//! NEON without an Arm processor: under QEMU, and by the instructions of its loops.

use xshell::{Cmd, cmd};

use crate::context::Context;

/// Of the generated tests of bodies, one in so many runs on a processor whose extensions no body uses.
const SAMPLE: usize = 8;

/// Of QEMU's processors, cortex-a53 has no extension, cortex-a76 half floats and dot products, `max` every one.
///
/// No body uses an extension, which the tests show that run without any: all of them, in full. With extensions, what asks for
/// them can change, the runtime and the atomics of Rust's library; so their tests run again, and some of the bodies'.
pub fn neon(cx: &Context) -> anyhow::Result<()> {
    let everything = ["--lib", "--tests", "--", "--skip", "::scalar"];
    cx.test(tests(cx, "cortex-a53", "full", &everything), 300)?;
    cx.test(tests(cx, "cortex-a53", "quick", &["--lib", "--", "::scalar"]), 40)?;
    let listed = cx.read(tests(cx, "max", "quick", &["--lib", "--", "--list"]))?;
    for (processor, first) in [("cortex-a76", 0), ("max", SAMPLE / 2)] {
        let names = sampled(&listed, first);
        let which: Vec<&str> = ["--lib", "--", "--exact"].into_iter().chain(names.iter().copied()).collect();
        cx.test(tests(cx, processor, "quick", &which), 200)?;
    }
    // Its thousand pipelines take as long as all other tests of the suite, and have run.
    cx.test(tests(cx, "max", "quick", &["--test", "suite", "--", "--skip", "soak::"]), 150)
}

/// Of a list of tests, all but the generated ones, and some of these that run NEON: from `first` on.
fn sampled(listed: &str, first: usize) -> Vec<&str> {
    let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let (generated, mut others): (Vec<&str>, Vec<&str>) = names.partition(|name| is_generated(name));
    let bodies = generated.into_iter().filter(|name| name.ends_with("::neon"));
    others.extend(bodies.skip(first).step_by(SAMPLE));
    others
}

/// Whether a test lies in the module that is written for a kernel.
fn is_generated(name: &str) -> bool {
    name.rsplit("::").nth(1).is_some_and(|module| module.starts_with("test_"))
}

/// One selection of packages: with another one cargo would build them again.
fn tests<'c>(cx: &'c Context, processor: &str, mode: &str, which: &[&str]) -> Cmd<'c> {
    let command = cmd!(
        cx.shell,
        "cargo test --target aarch64-unknown-linux-musl --package windrow-reference --package windrow-runtime
            --package windrow-testing --package windrow-operators --package windrow-hand-written-tests --no-fail-fast {which...}"
    );
    let runner = format!("qemu-aarch64-static -cpu {processor}");
    command
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", runner)
        .env("WINDROW_TEST", mode)
        .env("WINDROW_REQUIRE", "neon,scalar")
}

pub fn counts(cx: &Context) -> anyhow::Result<()> {
    cx.test(cmd!(cx.shell, "cargo test --workspace --all-features --test counts -- --include-ignored --nocapture"), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_sampled_and_other_tests_run_whole() {
        let bodies: String = (0..20).map(|k| format!("filter::test_f{k}::neon: test\n")).collect();
        let others = "filter::test_f0::scalar: test\ntier::tests::ignored: test\ntests::bench: benchmark\n\n3 tests\n";
        let listed = bodies + others;
        let names =
            ["tier::tests::ignored", "filter::test_f0::neon", "filter::test_f8::neon", "filter::test_f16::neon"];
        assert_eq!(sampled(&listed, 0), names);
        assert_eq!(sampled(&listed, 4)[1..], ["filter::test_f4::neon", "filter::test_f12::neon"]);
    }

    #[test]
    fn tests_in_the_module_of_a_kernel_are_generated() {
        assert!(is_generated("filter::box3x3::test_box3x3::neon"));
        assert!(!is_generated("tier::tests::test_of_a_name"));
    }
}
