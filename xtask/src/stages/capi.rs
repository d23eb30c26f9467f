//! The C interface: its header, and programs in C and C++ against the libraries.

use anyhow::ensure;
use xshell::cmd;

use crate::context::Context;

/// The header, which a package outside of the workspace writes with cbindgen; and the programs, against the debug build.
pub fn capi(cx: &Context) -> anyhow::Result<()> {
    header(cx)?;
    // The same packages with the same features as in the stage `host`: what is left is to link.
    cx.run(cmd!(cx.shell, "cargo build --workspace --all-features --lib --example c_expected"))?;
    let target = cx.target_folder();
    let (debug, include) = (target.join("debug"), "capi/include");
    let folder = cx.shell.create_temp_dir()?;
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let blur = folder.path().join("blur");
    let archive = debug.join("libwindrow_c.a");
    let system = ["-lm", "-lpthread", "-ldl"];
    let source = "capi/examples/blur.c";
    cx.run(cmd!(cx.shell, "clang -std=c11 {warnings...} -I {include} {source} {archive} {system...} -o {blur}"))?;
    let gradients = folder.path().join("gradients");
    let path = format!("-Wl,-rpath,{}", debug.display());
    let source = "capi/examples/gradients.cpp";
    cx.run(cmd!(
        cx.shell,
        "clang++ -std=c++17 {warnings...} -I {include} {source} -L {debug} -lwindrow_c {path} -o {gradients}"
    ))?;
    for (name, program) in [("blur", blur), ("gradients", gradients)] {
        let expected = debug.join("examples/c_expected");
        let expected = cx.read(cmd!(cx.shell, "{expected} {name}"))?;
        let found = cx.read(cmd!(cx.shell, "{program}"))?;
        ensure!(found.len() > 1000 && found == expected, "{name} prints:\n{found}\nand should print:\n{expected}");
    }
    cx.say("C and C++ print what Rust computes")
}

/// Its own folder of builds: the packages of the workspace are not built with cbindgen's features.
fn header(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("header-tool");
    let package = ["--manifest-path", "capi/header/Cargo.toml"];
    let build = ["--locked", "--target-dir"];
    cx.run(cmd!(cx.shell, "cargo fmt {package...} --check"))?;
    cx.test(cmd!(cx.shell, "cargo test {package...} {build...} {folder}"), 1)?;
    cx.run(cmd!(cx.shell, "cargo run {package...} {build...} {folder}"))
}
