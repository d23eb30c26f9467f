//! What runs on this machine's own processor and on PoCL.

use std::path::PathBuf;

use xshell::{Cmd, cmd};

use crate::{
    context::Context,
    stages::programs::{self, Program},
};

/// The tiers that this machine must have, so that a test that leaves one out fails.
pub fn required() -> &'static str {
    if cfg!(target_arch = "x86_64") {
        "scalar,sse4.1,avx2,opencl"
    } else if cfg!(target_arch = "aarch64") {
        "scalar,neon,opencl"
    } else {
        "scalar,opencl"
    }
}

pub fn host(cx: &Context) -> anyhow::Result<()> {
    // Programs are built, whatever was built before.
    cx.shell.remove_path(programs(cx))?;
    let command = cmd!(cx.shell, "cargo test --workspace --all-features --no-fail-fast");
    cx.test(on_pocl(cx, command).env("WINDROW_REQUIRE", required()), 500)
}

/// Where PoCL keeps the programs that it has built: those of the stage `host` serve the stages that run them again.
fn programs(cx: &Context) -> PathBuf {
    cx.target_folder().join("pocl")
}

/// A command whose OpenCL programs PoCL builds once, or finds built by the stage `host`.
pub fn on_pocl<'c>(cx: &Context, command: Cmd<'c>) -> Cmd<'c> {
    // It would compile an entry for each size of work-groups.
    command.env("POCL_CACHE_DIR", programs(cx)).env("POCL_WORK_GROUP_SPECIALIZATION", "0")
}

/// Plain Rust is one text for all processors: all its cases run on this one, and some under emulation (`neon`).
pub fn scalar(cx: &Context) -> anyhow::Result<()> {
    let programs = programs::of_workspace(cx)?;
    let command = |program: &Program| {
        let tests = &program.path;
        cmd!(cx.shell, "{tests} ::scalar").env("WINDROW_TEST", "full")
    };
    programs::run(cx, programs.iter().filter(|program| program.is_of_library), command, 40)
}

/// The compiler and the emitters, as the stage `host` builds them: optimised, with the checks of a debug build.
pub fn fuzz(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --bin fuzz"))?;
    let fuzz = cx.target_folder().join("debug/fuzz");
    cx.run(cmd!(cx.shell, "{fuzz}"))
}

/// What the test `long_bodies` leaves to this stage.
pub fn long(cx: &Context) -> anyhow::Result<()> {
    let tests = ["--ignored", "--nocapture"];
    cx.test(cmd!(cx.shell, "cargo test --workspace --all-features --test long_bodies -- {tests...}"), 1)
}

/// As the stage `host` builds them.
pub fn examples(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --examples --bins"))?;
    let target = cx.target_folder();
    let run = |name: &str, arguments: &[&str]| {
        let program = target.join("debug").join(name);
        cx.run(on_pocl(cx, cmd!(cx.shell, "{program} {arguments...}")))
    };
    let output = |name: &str| format!("--output={}", target.join(name).display());
    run("examples/blur", &[])?;
    run("examples/classify", &[])?;
    run("examples/custom_operator", &[])?;
    run("examples/edges", &[])?;
    run("examples/blur_on_device", &[])?;
    run("examples/edges_on_device", &[])?;
    run("photo", &[&output("photo"), "--megapixels=0", "--seconds=0"])?;
    run("examples/host", &[])?;
    run("examples/tiling", &[&output("tiling")])?;
    run("examples/opencl", &[])?;
    run("examples/programs", &[])
}
