//! The unsafe code and the threads, by interpreters that see every access or every interleaving.

use anyhow::Context as _;
use xshell::cmd;

use crate::{context::Context, needs::NIGHTLY_NAME};

/// Seconds of work, so nothing is optimised. The target is named, and the packages are those of `neon`: macros are built once for
/// both.
pub fn loom(cx: &Context) -> anyhow::Result<()> {
    let target = host(cx, &[])?;
    let command = cmd!(
        cx.shell,
        "cargo test --target {target} --package windrow-reference --package windrow-runtime --package windrow-testing
            --package windrow-operators --package windrow-hand-written-tests --test loom
            --config profile.dev.package.windrow-runtime.opt-level=0"
    );
    cx.test(command.env("RUSTFLAGS", "--cfg loom"), 5)
}

/// The target of this machine, as the `rustc` with these arguments calls it.
pub fn host(cx: &Context, rustc: &[&str]) -> anyhow::Result<String> {
    let about = cx.read(cmd!(cx.shell, "rustc {rustc...} --version --verbose"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
    Ok(host.to_owned())
}

/// The compiler of kernels, not optimised: the runtime's tests have a few kernels, and it takes longer to optimise it than to run it on
/// them.
pub const MACROS_AS_THEY_ARE: [&str; 10] = [
    "--config",
    "profile.dev.package.windrow-dsl.opt-level=0",
    "--config",
    "profile.dev.package.windrow-backends.opt-level=0",
    "--config",
    "profile.dev.package.syn.opt-level=0",
    "--config",
    "profile.dev.package.quote.opt-level=0",
    "--config",
    "profile.dev.package.proc-macro2.opt-level=0",
];

/// The unsafe code, bands and chains of the runtime, and what is generated for a few kernels.
pub fn miri(cx: &Context) -> anyhow::Result<()> {
    let toolchain = format!("+{NIGHTLY_NAME}");
    cx.run(cmd!(cx.shell, "cargo {toolchain} miri setup"))?;
    cx.test(
        cmd!(
            cx.shell,
            "cargo {toolchain} miri test --package windrow-runtime --lib {MACROS_AS_THEY_ARE...} --
                a_row_is_copied every_number_of_bytes a_target_is execute:: list:: planar:: view:: tensor:: schedule::share"
        ),
        10,
    )?;
    cx.test(
        cmd!(
            cx.shell,
            "cargo {toolchain} miri test --package windrow-runtime --test suite {MACROS_AS_THEY_ARE...} --
                small:: ::scalar"
        ),
        11,
    )?;
    // Kernels of these tests live as long as the program.
    let leaks = "-Zmiri-ignore-leaks";
    let command = cmd!(
        cx.shell,
        "cargo {toolchain} miri test --package windrow-runtime --test suite {MACROS_AS_THEY_ARE...} --
            a_tile_gives columns_that edges_are_computed memory_is_kept memory_of padding_of_other rows_are_walked
            rows_that_follow a_host_runs_bands an_allocation_is exhausted_pools groups_share intermediates_share
            tables_stay threads_that_race without_a_manager"
    );
    cx.test(command.env("MIRIFLAGS", leaks), 10)
}

/// What each instruction of AVX-512's table means to Miri; on a processor that has them, all tests of its bodies. The program
/// of tests is built as the stage `host` builds it.
pub fn avx512(cx: &Context) -> anyhow::Result<()> {
    let rows: &[&str] = if has_avx512() { &["avx512"] } else { &["--exact", "avx512::rows_are_equal_in_miri"] };
    let command = cmd!(cx.shell, "cargo test --workspace --all-features --test cpu -- --ignored {rows...}");
    cx.test(command, 1)
}

/// Whether this processor has the features that the runtime asks for (`runtime/src/tier.rs`).
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    let has_words = std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512dq");
    let has_bytes = std::is_x86_feature_detected!("avx512bw") && std::is_x86_feature_detected!("avx512vl");
    has_words && has_bytes && std::is_x86_feature_detected!("avx512vnni")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}
