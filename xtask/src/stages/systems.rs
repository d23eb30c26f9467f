//! Other systems, as far as they can be checked from here.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use xshell::cmd;

use crate::context::Context;

/// Windows and macOS: what users link, and the command line, is checked by the compiler. Nothing is linked or run.
pub fn systems(cx: &Context) -> anyhow::Result<()> {
    let packages = ["windrow", "windrow-operators", "windrow-capi-library", "windrow-testing", "windrow-cli"];
    let packages = packages.map(|package| ["--package", package]).concat();
    let features = ["opencl", "image", "ndarray", "pinning"].map(|feature| format!("windrow/{feature}"));
    let features = [&features[..], &["windrow-operators/opencl".into()]].concat().join(",");
    for target in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"] {
        let (folder, packages) = (cx.target_folder().join("systems"), &packages);
        cx.run(cmd!(
            cx.shell,
            "cargo check {packages...} --features {features} --target {target} --target-dir {folder}"
        ))?;
    }
    Ok(())
}

/// Android's 64-bit Arm: the static library of C is built, and linked as far as that goes without Google's NDK, whose libraries of
/// C are missing: what stays undefined is theirs.
pub fn android(cx: &Context) -> anyhow::Result<()> {
    let (folder, target) = (cx.target_folder().join("systems"), "aarch64-linux-android");
    let library = "--package windrow-capi-library --crate-type staticlib";
    let library: Vec<&str> = library.split(' ').collect();
    cx.run(cmd!(cx.shell, "cargo rustc {library...} --target {target} --target-dir {folder}"))?;
    let archive = folder.join(target).join("debug/libwindrow_c.a");
    let shared = folder.join(target).join("libwindrow_c.so");
    let linker = linker(cx)?;
    let whole = ["--whole-archive".into(), archive.display().to_string(), "--no-whole-archive".into()];
    cx.run(cmd!(cx.shell, "{linker} -flavor gnu -m aarch64linux -shared {whole...} -o {shared}"))?;
    let missing = cx.read(cmd!(cx.shell, "nm -D --undefined-only {shared}"))?;
    let missing: Vec<&str> = missing.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    cx.say(&format!("left to Android's libraries: {}", missing.join(" ")))?;
    ensure!(missing.contains(&"malloc"), "nothing is left to Android's libraries, which can't be");
    let ours: Vec<_> = missing.iter().filter(|name| is_rusts(name)).collect();
    ensure!(ours.is_empty(), "undefined: {ours:?}");
    Ok(())
}

/// Whether a name is of Rust's or of the C interface.
fn is_rusts(name: &str) -> bool {
    ["_R", "_ZN", "__rust", "windrow", "__windrow"].iter().any(|start| name.starts_with(start))
}

/// The linker that comes with Rust.
fn linker(cx: &Context) -> anyhow::Result<PathBuf> {
    let about = cx.read(cmd!(cx.shell, "rustc --version --verbose"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
    let root = cx.read(cmd!(cx.shell, "rustc --print sysroot"))?;
    Ok(Path::new(root.trim()).join("lib/rustlib").join(host).join("bin/rust-lld"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rust_are_told_from_those_of_c() {
        assert!(
            ["_RNvC", "_ZN4core", "__rust_alloc", "windrow_run", "__windrow_capi_registry"].into_iter().all(is_rusts)
        );
        assert!(!["malloc", "_Unwind_Resume", "__errno"].into_iter().any(is_rusts));
    }
}
