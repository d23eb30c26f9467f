//! NEON without an Arm processor: under QEMU, and by the instructions of its loops.

use xshell::cmd;

use crate::context::Context;

/// Of QEMU's processors, `max` has every extension, cortex-a53 none, cortex-a76 half floats and dot products.
pub fn neon(cx: &Context) -> anyhow::Result<()> {
    tests(cx, "max", "full", &["--lib", "--tests", "--", "--skip", "::scalar"], 300)?;
    tests(cx, "max", "quick", &["--lib", "--", "::scalar"], 40)?;
    tests(cx, "cortex-a53", "quick", &["--lib", "--", "::neon"], 40)?;
    tests(cx, "cortex-a76", "quick", &["--lib", "--", "::neon"], 40)
}

fn tests(cx: &Context, processor: &str, mode: &str, which: &[&str], least: u64) -> anyhow::Result<()> {
    let command = cmd!(
        cx.shell,
        "cargo test --target aarch64-unknown-linux-musl --package windrow-reference --package windrow-runtime
            --package windrow-testing --package windrow-operators --package windrow-hand-written-tests --no-fail-fast {which...}"
    );
    let runner = format!("qemu-aarch64-static -cpu {processor}");
    let command = command
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", runner)
        .env("WINDROW_TEST", mode)
        .env("WINDROW_REQUIRE", "neon,scalar");
    cx.test(command, least)
}

pub fn counts(cx: &Context) -> anyhow::Result<()> {
    cx.test(cmd!(cx.shell, "cargo test --workspace --all-features --test counts -- --include-ignored --nocapture"), 2)
}
