//! What runs on this machine's own processor and on PoCL.

use xshell::cmd;

use crate::context::Context;

/// The tiers that this machine must have, so that a test that leaves one out fails.
fn required() -> &'static str {
    if cfg!(target_arch = "x86_64") {
        "scalar,sse4.1,avx2,opencl"
    } else if cfg!(target_arch = "aarch64") {
        "scalar,neon,opencl"
    } else {
        "scalar,opencl"
    }
}

pub fn host(cx: &Context) -> anyhow::Result<()> {
    let cache = cx.shell.create_temp_dir()?;
    let command = cmd!(cx.shell, "cargo test --workspace --all-features --no-fail-fast")
        .env("WINDROW_REQUIRE", required())
        // A cache of this run's own: programs are built, whatever was built before.
        .env("POCL_CACHE_DIR", cache.path())
        // PoCL compiles an entry for each size of work-groups; once is enough.
        .env("POCL_WORK_GROUP_SPECIALIZATION", "0");
    cx.test(command, 500)
}

/// Plain Rust is one text for all processors: all its cases run on this one, and some under emulation (`neon`).
pub fn scalar(cx: &Context) -> anyhow::Result<()> {
    let command = cmd!(cx.shell, "cargo test --workspace --all-features --no-fail-fast --lib -- ::scalar");
    cx.test(command.env("WINDROW_TEST", "full"), 40)
}

/// The compiler and the emitters, optimised, with the checks of a debug build.
pub fn fuzz(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo run --profile checked --package windrow-compiler-tests --bin fuzz"))
}

/// As the stage `host` builds them.
pub fn examples(cx: &Context) -> anyhow::Result<()> {
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --examples"))?;
    let target = cx.target_folder();
    let run = |name: &str, arguments: &[&str]| {
        let program = target.join("debug/examples").join(name);
        cx.run(cmd!(cx.shell, "{program} {arguments...}"))
    };
    let output = |name: &str| format!("--output={}", target.join(name).display());
    run("blur", &[])?;
    run("edges", &[])?;
    run("blur_on_device", &[])?;
    run("photo", &[&output("photo"), "--megapixels=0", "--seconds=0"])?;
    run("host", &[])?;
    run("tiling", &[&output("tiling")])?;
    run("opencl", &[])?;
    run("programs", &[])
}
