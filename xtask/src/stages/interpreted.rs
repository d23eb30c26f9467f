//! The unsafe code and the threads, by interpreters that see every access or every interleaving.

use xshell::cmd;

use crate::{context::Context, needs::NIGHTLY_NAME};

/// Seconds of work, so nothing is optimised.
pub fn loom(cx: &Context) -> anyhow::Result<()> {
    let command = cmd!(
        cx.shell,
        "cargo test --package windrow-runtime --test loom
            --config profile.dev.package.windrow-runtime.opt-level=0
            --config profile.dev.package.windrow-reference.opt-level=0"
    );
    let folder = cx.target_folder().join("loom");
    cx.test(command.env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", folder), 5)
}

/// The unsafe code, bands and chains of the runtime, what is generated for a few operators, and the table of AVX-512.
pub fn miri(cx: &Context) -> anyhow::Result<()> {
    let toolchain = format!("+{NIGHTLY_NAME}");
    cx.run(cmd!(cx.shell, "cargo {toolchain} miri setup"))?;
    cx.test(
        cmd!(
            cx.shell,
            "cargo {toolchain} miri test --package windrow-runtime --lib --
                a_row_is_copied every_number_of_bytes a_target_is execute:: list:: planar:: view:: tensor:: schedule::share"
        ),
        10,
    )?;
    cx.test(cmd!(cx.shell, "cargo {toolchain} miri test --package windrow-runtime --test suite -- small::"), 5)?;
    // Kernels of these tests live as long as the program.
    let leaks = "-Zmiri-ignore-leaks";
    let command = cmd!(
        cx.shell,
        "cargo {toolchain} miri test --package windrow-runtime --test suite --
            a_tile_gives columns_that edges_are_computed memory_is_kept memory_of padding_of_other rows_are_walked
            rows_that_follow a_host_runs_bands an_allocation_is exhausted_pools groups_share intermediates_share
            tables_stay threads_that_race without_a_manager"
    );
    cx.test(command.env("MIRIFLAGS", leaks), 10)?;
    cx.test(
        cmd!(
            cx.shell,
            "cargo {toolchain} miri test --package windrow-operators --test kernels --
                test_abs_diff::scalar test_gaussian3x3::scalar test_accumulate::scalar test_sobel3x3::scalar
                test_table_lookup::scalar"
        ),
        5,
    )?;
    let rows = "avx512::rows_are_equal_in_miri";
    cx.test(cmd!(cx.shell, "cargo test --package windrow-backends --test cpu -- --ignored --exact {rows}"), 1)
}
