//! Stages of seconds or of a single command.

use xshell::cmd;

use crate::context::Context;

pub fn format(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo fmt --all --check"))
}

pub fn lint(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo clippy --workspace --all-targets --all-features -- -D warnings"))
}

pub fn core(cx: &Context) -> anyhow::Result<()> {
    let target = "aarch64-unknown-none";
    cx.run(cmd!(cx.shell, "cargo check --package windrow-runtime --no-default-features --target {target}"))?;
    cx.run(cmd!(cx.shell, "cargo check --package windrow-example-embedded --target {target}"))
}

pub fn docs(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo doc --workspace --no-deps --all-features").env("RUSTDOCFLAGS", "-D warnings"))
}
