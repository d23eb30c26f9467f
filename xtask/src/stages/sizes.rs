//! What an operator adds to a program in C.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use xshell::cmd;

use crate::context::Context;

/// A library's name, what it exports, and how many kernels that is.
const SETS: [(&str, &str, Option<u64>); 4] = [
    ("none", "registry = windrow::family::Registry::new(&[], &[])", Some(0)),
    ("one", "windrow_operators::gaussian3x3", Some(1)),
    (
        "nine",
        "windrow_operators::gaussian3x3, windrow_operators::sobel3x3, windrow_operators::median3x3,
         windrow_operators::box3x3, windrow_operators::add, windrow_operators::threshold, windrow_operators::table_lookup,
         windrow_operators::magnitude, windrow_operators::rgb_to_gray",
        Some(9),
    ),
    ("all", "registry = windrow_operators::registry()", None),
];

/// The greatest number of bytes that a kernel may add, beyond what the first needs of the runtime.
const GREATEST: u64 = 24 * 1024;

/// The program `blur` over libraries of no kernel, of one, of nine and of all, each linked statically without what is unused.
pub fn sizes(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("sizes");
    let mut found = Vec::new();
    for (name, exported, kernels) in SETS {
        let kernels = match kernels {
            Some(kernels) => kernels,
            None => kernels_of_the_library(cx)?,
        };
        let program = program(cx, &folder, name, exported)?;
        let bytes = std::fs::metadata(&program).with_context(|| program.display().to_string())?.len();
        found.push((name, kernels, bytes));
    }
    let (none, one) = (found[0].2, found[1].2);
    for (name, kernels, bytes) in found {
        let each = if kernels > 1 { (bytes - one) / (kernels - 1) } else { 0 };
        cx.say(&format!("{name}: {kernels} kernels, {bytes} bytes, {each} for each after the first"))?;
        ensure!(each <= GREATEST, "a kernel adds {each} bytes, and may add {GREATEST}");
    }
    cx.say(&format!("the first kernel adds {} bytes", one - none))
}

/// The kernels that the manifest of the operator library lists.
fn kernels_of_the_library(cx: &Context) -> anyhow::Result<u64> {
    let text = cx.read(cmd!(cx.shell, "cargo run --quiet --package windrow-capi --example c_expected -- kernels"))?;
    text.trim().parse().context("the number of kernels")
}

/// Builds a library of its own in a folder, and the program over it.
fn program(cx: &Context, folder: &Path, name: &str, exported: &str) -> anyhow::Result<PathBuf> {
    let package = folder.join(name);
    let root = cx.shell.current_dir();
    let root = root.display();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[lib]\ncrate-type = \
         [\"staticlib\"]\n\n[dependencies]\nwindrow = {{ path = \"{root}\" }}\nwindrow-capi = {{ path = \"{root}/capi\" }}\n\
         windrow-operators = {{ path = \"{root}/operators\" }}\n\n[profile.release]\nlto = \"fat\"\ncodegen-units = 1\n\n[workspace]\n"
    );
    cx.shell.write_file(package.join("Cargo.toml"), manifest)?;
    cx.shell.write_file(package.join("src/lib.rs"), format!("windrow_capi::export!({exported});\n"))?;
    // The versions that the workspace is tested with.
    cx.shell.copy_file("Cargo.lock", package.join("Cargo.lock"))?;
    let (manifest, target) = (package.join("Cargo.toml"), folder.join("target"));
    cx.run(cmd!(cx.shell, "cargo build --release --manifest-path {manifest} --target-dir {target}"))?;
    let (archive, program) = (target.join(format!("release/lib{name}.a")), package.join("blur"));
    let link = ["-Wl,--gc-sections", "-s", "-lm", "-lpthread", "-ldl"];
    cx.run(cmd!(cx.shell, "clang -std=c11 -O2 -I capi/include capi/examples/blur.c {archive} {link...} -o {program}"))?;
    Ok(program)
}
