//! The runtime's unsafe code and threads under LLVM's sanitizers: at full speed, on the paths that Miri is too slow for.

use xshell::{Cmd, cmd};

use crate::{
    context::Context,
    needs::NIGHTLY_NAME,
    stages::interpreted::{MACROS_AS_THEY_ARE, host},
};

/// Accesses outside an allocation, after its end, or to a stack frame that is gone.
pub fn asan(cx: &Context) -> anyhow::Result<()> {
    cx.test(sanitized(cx, "address", &["--lib", "--tests"], &[])?, 150)
}

/// Data races, in the tests whose threads share something. `soak` is left out: its thousand pipelines take minutes here.
pub fn tsan(cx: &Context) -> anyhow::Result<()> {
    // The standard library's own synchronisation has to be instrumented, too.
    cx.test(sanitized(cx, "thread", &["-Zbuild-std", "--lib"], &[])?, 30)?;
    let tests = ["schedule::", "kernels::", "band::", "function::", "memory::"];
    cx.test(sanitized(cx, "thread", &["-Zbuild-std", "--test", "suite"], &tests)?, 30)
}

/// `cargo test` of the runtime with a sanitizer: of all tests, or of those whose paths contain one of `tests`.
fn sanitized<'c>(cx: &'c Context, sanitizer: &str, which: &[&str], tests: &[&str]) -> anyhow::Result<Cmd<'c>> {
    let toolchain = format!("+{NIGHTLY_NAME}");
    // A target that is named: build scripts and macros are built without the sanitizer.
    let target = host(cx, &[&toolchain])?;
    let command = cmd!(
        cx.shell,
        "cargo {toolchain} test --target {target} --package windrow-runtime --no-fail-fast {which...}
            --config profile.dev.package.windrow-runtime.opt-level=1 {MACROS_AS_THEY_ARE...} -- {tests...}"
    );
    // Miri's folder: the macros and their dependencies are built once for all three.
    let folder = cx.target_folder().join("miri");
    // Tests ask for more memory than there is, and expect an error. Kernels of some live as long as the program.
    let options = "allocator_may_return_null=1:detect_leaks=0";
    let command = command.env("ASAN_OPTIONS", options).env("TSAN_OPTIONS", options);
    Ok(command.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}")).env("CARGO_TARGET_DIR", folder))
}
